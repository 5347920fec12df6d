// Choosing what of a large tree is drawn: its levels, the rows that a branch needs, and the split
// on top, with a way back up.

import { make, setText } from "../app/dom.js";
import { parentsOf } from "../app/frame.js";
import { depthsOf, MOST_LEVELS, WHOLE } from "./treewindow.js";
import { _, N_ } from "../app/words.js";

/** @import { Frame } from "../app/frame.js" */
/** @import { View } from "../types.d.ts" */
/** @import { Window, Wish } from "./treewindow.js" */

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
  menu.setAttribute("role", "group");
  menu.setAttribute("aria-label", _("The drawn part"));
  const select = (/** @type {string} */ name, /** @type {string} */ text) => {
    const chooser = make("select", "tc-select");
    chooser.setAttribute("aria-label", name);
    chooser.dataset.tree = text;
    return chooser;
  };
  const from = select(_("First level drawn"), "from");
  const to = select(_("Last level drawn"), "to");
  const least = select(_("Hidden branches, by their share of the training examples"), "least");
  const levels = make("span", "tc-lens");
  levels.append(view.parts.word(_("Levels"), "levels"), from, make("span", "tc-sub", _("to")), to);
  const hidden = make("span", "tc-lens");
  hidden.append(view.parts.word(_("Hide branches"), "support"), least);
  const crumbs = make("nav", "tc-crumbs");
  crumbs.setAttribute("aria-label", _("Splits above the drawn part of the tree"));
  const button = (/** @type {string} */ text = "") => {
    const made = make("button", "tc-button", text);
    made.type = "button";
    made.hidden = true;
    return made;
  };
  const focus = button();
  const closing = button();
  const fits = button(_("Fit"));
  fits.title = _("Shows the whole tree, unfolded, with as many levels as fit");
  menu.append(levels, hidden);
  host.append(crumbs, focus, closing, fits);

  from.addEventListener("change", () => choose({ from: Number(from.value) }));
  to.addEventListener("change", () => choose({ to: to.value === "auto" ? null : Number(to.value) }));
  least.addEventListener("change", () => choose({ least: Number(least.value) }));
  focus.addEventListener("click", () => choose({ root: view.marks.pinned.split, from: 0, to: null }));

  closing.addEventListener("click", () => fold(view.marks.pinned.split));
  fits.addEventListener("click", () => choose(WHOLE));

  /**
   * Options of a select, kept where they are the same: an open menu must not be torn away.
   * @param {HTMLSelectElement} chooser @param {Array<[number | string, string]>} options
   * @param {number | string} value
   */
  function offer(chooser, options, value) {
    const same = chooser.options.length === options.length
      && options.every(([key, text], i) => chooser.options[i].value === String(key) && chooser.options[i].text === text);
    if (!same) {
      chooser.replaceChildren(...options.map(([key, text]) => {
        const option = make("option", "", _(text));
        option.value = String(key);
        return option;
      }));
    }
    if (chooser.value !== String(value)) chooser.value = String(value);
  }

  /** @type {(low: number, high: number) => Array<[number, string]>} */
  const range = (low, high) =>
    Array.from({ length: Math.max(0, high - low + 1) }, (_, i) => [low + i, String(low + i)]);

  /** @param {Frame} frame @param {Window} shown */
  function fillCrumbs(frame, shown) {
    const above = parentsOf(frame).split;
    const way = [];
    for (let at = shown.root; at >= 0; at = above[at]) way.unshift(at);
    const key = way.join();
    if (crumbs.dataset.way === key) return;
    crumbs.dataset.way = key;
    crumbs.hidden = way.length < 2;
    crumbs.replaceChildren(...way.map((split, i) => {
      const button = make("button", "tc-crumb", split ? _("Split {split}", { split }) : _("Root"));
      button.type = "button";
      if (i === way.length - 1) button.setAttribute("aria-current", "true");
      else button.title = split ? _("Up to split {split}", { split }) : _("Back to the whole tree");
      button.addEventListener("click", () => choose({ root: split, from: 0, to: null }));
      return button;
    }));
  }

  return {
    /** Bring the bar up to date. @param {Window | null} shown @param {Wish} wish */
    fill(shown, wish) {
      const { frame, marks } = view;
      const depths = frame ? depthsOf(frame.children) : [];
      const wished = wish.root || wish.from || wish.least || wish.to !== null || wish.closed.size;
      const deepest = shown ? Math.max(shown.bottom, ...(shown.root ? depths : [])) : 0;
      host.hidden = !shown || (deepest <= LARGE && !wished && !view.meta.alone);
      levels.hidden = hidden.hidden = host.hidden || (deepest <= LARGE && !wished);
      fits.hidden = !wished;
      if (host.hidden || !shown || !frame) return;
      offer(from, range(shown.top, shown.bottom - 1), shown.from);
      const last = Math.min(shown.bottom, shown.from + MOST_LEVELS);
      offer(to, [["auto", wish.to === null ? _("{n} (fits)", { n: shown.to }) : _("as many as fit")],
        ...range(shown.from + 1, last)], wish.to === null ? "auto" : shown.to);
      offer(least, LEAST, wish.least);
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
