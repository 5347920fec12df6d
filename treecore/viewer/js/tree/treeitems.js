// The tree for keyboard and screen reader: a treeview whose items lie over the drawn nodes, in the
// order in which a tree is read: a split, all to its left, all to its right.
//
// At rest every drawn node is an item. While the tree changes only the one with the focus is, and
// the one that a key goes to: a thousand sentences, several times a second, would cost pictures. The
// others come when the browser has time.

import { focusedBeside, give, make } from "../app/dom.js";
import { hasTree } from "../app/frame.js";
import { addPicture, settleStops } from "../app/onestop.js";
import { _ } from "../app/words.js";
import { placeIn } from "./layout.js";
import { nodeSentence } from "./sentences.js";

/**
 * What the items ask of the drawing.
 * @typedef {object} Deeds
 * @property {(node: PlanNode) => Plot} boxOf
 * @property {(i: number) => void} mark show everywhere which node has the focus; -1 for none
 * @property {(i: number) => void} pin open the card of a node, or close it
 * @property {(split: number) => void} below draw only what is below a split
 * @property {(split: number) => void} fold fold up what is below a split, or unfold it
 * @property {(split: number) => void} enter what is folded up by hand is unfolded, else drawn alone
 * @property {() => boolean} above draw also what is above the node on top; false: there is nothing
 */

/** @param {() => void} act */
const whenIdle = (act) => (globalThis.requestIdleCallback ?? setTimeout)(act);

/** @param {HTMLElement} host @param {View} view @param {Deeds} deeds */
export function createTreeItems(host, view, deeds) {
  const group = make("div", "tc-nodes", "", { role: "tree", "aria-label": _("Splits and leaves of the tree") });
  host.append(group);
  /** @type {Plan | null} */
  let plan = null;
  /** @type {unknown[]} */
  let told = []; // for what the sentences were written
  let current = 0; // node that the focus is on, or comes to
  /** @type {number[]} */
  let order = []; // nodes as they are read
  /** @type {Map<number, HTMLElement>} items by the number of their node */
  let items = new Map();

  const picture = { host: group, group: () => view.group, target: () => items.get(current), stops: true };
  const sentenceOf = (/** @type {PlanNode} */ node) => (hasTree(view) ? nodeSentence(view, node) : "");
  const isInside = () => group.contains(focusedBeside(host));

  /** Nodes as they are read. @param {PlanNode[]} nodes */
  function reading(nodes) {
    /** @type {(at: number) => number[]} */
    const from = (at) => [at, ...nodes[at].kids.flatMap(from)];
    return from(0);
  }

  /** @param {number} i @param {HTMLElement} [old] to be used again */
  function item(i, old) {
    const { nodes } = /** @type {Plan} */ (plan);
    const node = nodes[i];
    const element = old ?? make("div", "tc-node");
    const { x, y, w, h } = deeds.boxOf(node);
    const beside = node.parent < 0 ? [i] : nodes[node.parent].kids;
    if (node.ref < 0) for (const name of ["aria-expanded", "aria-keyshortcuts"]) element.removeAttribute(name);
    else give(element, { "aria-expanded": node.kids.length > 0, "aria-keyshortcuts": "f u c" });
    return give(element, {
      style: `transform: translate(${x - 3}px, ${y - 3}px); width: ${w + 6}px; height: ${h + 6}px`,
      tabIndex: i === current && picture.stops ? 0 : -1, "data-node": i, role: "treeitem", "aria-label": sentenceOf(node),
      "aria-level": node.depth - nodes[0].depth + 1, "aria-setsize": beside.length, "aria-posinset": beside.indexOf(i) + 1,
    });
  }

  /** Put the items of these nodes there, in this order. @param {number[]} wanted */
  function put(wanted) {
    const focused = isInside();
    const held = items.get(current); // of whatever node it was: it must not lose the focus
    const free = [...items.values()].filter((one) => one !== held);
    items = new Map(wanted.map((i) => [i, item(i, i === current ? held : free.pop())]));
    const own = wanted.indexOf(current);
    const kept = items.get(current);
    if (!kept) return;
    if (kept.parentNode !== group) group.replaceChildren(kept);
    for (const one of free) one.remove();
    kept.before(...wanted.slice(0, own).map((i) => /** @type {Node} */ (items.get(i))));
    kept.after(...wanted.slice(own + 1).map((i) => /** @type {Node} */ (items.get(i))));
    if (focused && !isInside()) kept.focus({ preventScroll: true });
  }

  /** Move the focus to a node. @param {number} target */
  function go(target) {
    if (!plan?.nodes[target] || target === current) return;
    const from = items.get(current);
    const to = items.get(target) ?? item(target);
    items.set(target, to);
    if (!to.parentNode) from?.after(to);
    if (from) from.tabIndex = -1;
    current = target;
    to.tabIndex = 0;
    to.setAttribute("aria-label", sentenceOf(plan.nodes[target]));
    to.focus({ preventScroll: true });
  }

  group.addEventListener("keydown", (event) => {
    const node = plan?.nodes[current];
    if (!plan || !node) return;
    const at = order.indexOf(current);
    /** @type {Record<string, () => unknown>} */
    const keys = {
      ArrowDown: () => go(order[at + 1] ?? current),
      ArrowUp: () => go(order[at - 1] ?? current),
      ArrowRight: () => (node.kids.length ? go(node.kids[0]) : node.ref > 0 && deeds.enter(node.ref)),
      ArrowLeft: () => (node.parent >= 0 ? go(node.parent) : deeds.above()),
      Home: () => go(order[0]),
      End: () => go(order[order.length - 1]),
      Enter: () => deeds.pin(current),
      " ": () => deeds.pin(current),
      f: () => node.ref > 0 && deeds.below(node.ref),
      u: () => deeds.above(),
      c: () => node.ref > 0 && deeds.fold(node.ref),
    };
    if (event.key === "Escape") {
      deeds.mark(-1);
      view.pin(null);
    } else if (keys[event.key] && !event.ctrlKey && !event.metaKey && !event.altKey) {
      event.preventDefault();
      keys[event.key]();
    }
  });
  group.addEventListener("focusin", (event) => {
    const found = Number(/** @type {HTMLElement} */ (event.target).dataset.node);
    if (found !== current && plan?.nodes[found]) go(found); // a screen reader has put it there
    deeds.mark(current);
  });
  group.addEventListener("focusout", () => deeds.mark(-1));
  addPicture(picture);

  return {
    isInside,
    /** @returns {number} the node that the focus is on, or comes to */
    current: () => current,
    /**
     * Items for a tree as it is drawn now.
     * @param {Plan | null} next null: there is none
     * @param {boolean} resting does the tree stay as it is?
     * @param {unknown[]} about what the sentences tell of
     */
    fill(next, resting, about) {
      group.hidden = !next;
      if (!next) {
        [plan, told] = [null, []]; // what was to come at rest comes no more
        return;
      }
      const key = [next, resting, ...about];
      if (key.length === told.length && key.every((one, i) => one === told[i])) return;
      const came = !plan;
      if (next !== plan) {
        // The focus stays on its split or leaf, where that is still drawn.
        const ref = plan?.nodes[current]?.ref;
        const to = ref === undefined ? 0 : Math.max(0, placeIn(next, ref));
        const held = items.get(current);
        items.delete(current);
        if (held) items.set(to, held);
        current = to;
        plan = next;
        order = reading(next.nodes);
      }
      told = key;
      if (resting && items.size > 1) put(order);
      else {
        put([current]);
        if (resting) whenIdle(() => told === key && put(order));
      }
      if (came) settleStops();
    },
  };
}
