// What is seldom changed of a view: one button that opens a panel over the drawing, with the lenses of
// the map, the levels of the tree, and a list of the words that the view explains.

import { focusedBeside, give, make, makeButton, setText } from "./dom.js";
import { findLens, POINT_LENSES, REGION_LENSES, SIDES } from "../map/lenses.js";
import { _, said } from "./words.js";

let count = 0;

/** A button with `aria-expanded` for what it opens. @param {string} text @param {HTMLElement} opened @param {() => void} act */
function opener(text, opened, act) {
  const { id } = give(opened, { id: `tc-opened-${count++}`, hidden: true });
  return makeButton("tc-button", text, act, { "aria-controls": id, "aria-expanded": false });
}

/** The button, its panel, and what is not usual of it. */
export class ViewMenu {
  /** @param {Pick<View, "meta">} view whose glossary explains the words */
  constructor(view) {
    this.panel = make("div", "tc-view-panel", "", { role: "group", "aria-label": _("View") });
    this.button = opener(_("View"), this.panel, () => this.open(!!this.panel.hidden));
    this.button.classList.add("tc-view-button");
    this.root = make("div", "tc-view", [this.button, this.panel]);
    this.root.addEventListener("keydown", (event) => {
      if (event.key !== "Escape" || this.panel.hidden) return;
      event.stopPropagation();
      this.open(false);
      this.button.focus();
    });
    this.root.addEventListener("focusout", ({ relatedTarget }) => {
      if (relatedTarget instanceof Node && !this.root.contains(relatedTarget)) this.open(false);
    });
    this.elsewhere = (/** @type {Event} */ event) => {
      if (!event.composedPath().includes(this.root)) this.open(false);
    };
    /** @type {Map<string, string>} words of the view by their keys in the glossary */
    this.words = new Map();
    const list = make("dl", "tc-view-words");
    const asked = opener(_("Glossary"), list, () => {
      list.hidden = !list.hidden;
      give(asked, { "aria-expanded": !list.hidden });
      const known = [...this.words].filter(([key]) => view.meta.glossary?.[key]);
      list.replaceChildren(...known.flatMap(([key, word]) =>
        [make("dt", "", word), make("dd", "", said(view.meta.glossary?.[key]))]));
    });
    this.last = [asked, list];
  }

  /** Put these into the panel, before the list of words. @param {HTMLElement[]} controls */
  fill(...controls) {
    this.panel.append(...controls, ...this.last);
  }

  /** @param {boolean} open */
  open(open) {
    if (open === !this.panel.hidden) return;
    if (!open && this.panel.contains(focusedBeside(this.root))) this.button.focus({ preventScroll: true });
    this.panel.hidden = !open;
    give(this.button, { "aria-expanded": open });
    if (open) document.addEventListener("pointerdown", this.elsewhere);
    else document.removeEventListener("pointerdown", this.elsewhere);
  }

  /** Say on the button what is not usual. @param {Pick<View, "lens" | "meta">} view */
  tell({ lens, meta }) {
    const names = [
      lens.region === "class" ? "" : findLens(REGION_LENSES, lens.region, meta).name,
      lens.point === "class" ? "" : findLens(POINT_LENSES, lens.point, meta).name,
      lens.side === "both" ? "" : SIDES.find(({ key }) => key === lens.side)?.name ?? "",
      lens.margins ? "Margins" : "", lens.flips ? "Moves" : "",
    ];
    const unusual = [...new Set(names.filter(Boolean).map((name) => _(name)))].join(", ");
    setText(this.button, unusual ? `${_("View")} · ${unusual}` : _("View"));
  }
}
