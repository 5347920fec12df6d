// Choosing what of a large tree is drawn: the last level, the rows that a branch needs, and the split
// on top, with a way back up.

import { give, make, makeButton, offer, setText } from "../app/dom.js";
import { parentsOf } from "../app/frame.js";
import { splitsAbove } from "../map/geometry.js";
import { depthsOf, MOST_LEVELS, WHOLE } from "./treewindow.js";
import { _, N_ } from "../app/words.js";

/** @import { Window } from "./treewindow.js" */

const LARGE = 5; // levels of a tree that is always drawn whole

/** @type {Array<[number, string]>} */
const LEAST = [
  [0, N_("none")], [1e-9, N_("without examples")], [0.005, N_("below 0.5 %")], [0.01, N_("below 1 %")],
  [0.02, N_("below 2 %")], [0.05, N_("below 5 %")],
];

/**
 * @param {HTMLElement} host of what concerns the split that is marked
 * @param {HTMLElement} menu of what concerns the whole tree
 * @param {View} view
 * @param {{choose: (change: Partial<Wish>) => void, fold: (split: number) => void}} deeds told of
 *   parts of a wish, and of a split to be folded up or unfolded
 */
export function createTreeBar(host, menu, view, { choose, fold }) {
  give(menu, { role: "group", "aria-label": _("The drawn part") });
  const select = (/** @type {string} */ name, /** @type {string} */ text) =>
    make("select", "tc-select", "", { "aria-label": name, "data-tree": text });
  const to = select(_("Last level drawn"), "to");
  const least = select(_("Hidden branches, by their share of the training examples"), "least");
  const levels = make("span", "tc-lens", [view.parts.word(_("Levels"), "levels"), to]);
  const hidden = make("span", "tc-lens", [view.parts.word(_("Hide branches"), "support"), least]);
  const crumbs = make("nav", "tc-crumbs", "", { "aria-label": _("Splits above the drawn part of the tree") });
  /** @type {(act: () => void, text?: string, title?: string) => HTMLButtonElement} */
  const button = (act, text = "", title = "") => makeButton("tc-button", text, act, { title, hidden: true });
  const focus = button(() => choose({ root: view.marks.pinned.split, to: null }));
  const closing = button(() => fold(view.marks.pinned.split));
  const fits = button(() => choose(WHOLE), _("Fit"), _("Shows the whole tree, unfolded, with as many levels as fit"));
  menu.append(levels, hidden);
  host.append(crumbs, focus, closing, fits);
  to.addEventListener("change", () => choose({ to: to.value === "auto" ? null : Number(to.value) }));
  least.addEventListener("change", () => choose({ least: Number(least.value) }));

  /** @param {Frame} frame @param {Window} shown */
  function fillCrumbs(frame, shown) {
    const way = [shown.root, ...splitsAbove(parentsOf(frame), shown.root)].reverse();
    const key = way.join();
    if (crumbs.dataset.way === key) return;
    crumbs.dataset.way = key;
    crumbs.hidden = way.length < 2;
    crumbs.replaceChildren(...way.map((split, i) => {
      const up = split ? _("Up to split {split}", { split }) : _("Back to the whole tree");
      return makeButton("tc-crumb", split ? _("Split {split}", { split }) : _("Root"), () => choose({ root: split, to: null }),
        i === way.length - 1 ? { "aria-current": true } : { title: up });
    }));
  }

  return {
    /** Bring the bar up to date. @param {Window | null} shown @param {Wish} wish */
    fill(shown, wish) {
      const { frame, marks } = view;
      const depths = frame ? depthsOf(frame.children) : [];
      const wished = wish.root || wish.least || wish.to !== null || wish.closed.size;
      const deepest = shown ? Math.max(shown.bottom, ...(shown.root ? depths : [])) : 0;
      host.hidden = !shown || (deepest <= LARGE && !wished && !view.meta.alone);
      levels.hidden = hidden.hidden = host.hidden || (deepest <= LARGE && !wished);
      fits.hidden = !wished;
      if (host.hidden || !shown || !frame) return;
      const last = Math.min(shown.bottom, shown.top + MOST_LEVELS);
      const levelsThere = Array.from({ length: last - shown.top }, (_, i) => shown.top + 1 + i);
      offer(to, [
        { value: "auto", text: wish.to === null ? _("{n} (fits)", { n: shown.to }) : _("as many as fit") },
        ...levelsThere.map((value) => ({ value, text: String(value) })),
      ], wish.to === null ? "auto" : shown.to);
      offer(least, LEAST.map(([value, text]) => ({ value, text: _(text) })), wish.least);
      fillCrumbs(frame, shown);
      const { split } = marks.pinned;
      const able = split >= 0 && split < depths.length && split !== shown.root;
      focus.hidden = closing.hidden = !able;
      setText(closing, wish.closed.has(split)
        ? _("Unfold split {split}", { split }) : _("Fold up split {split}", { split }));
      setText(focus, _("Only below split {split}", { split }));
    },
  };
}
