// The name of a run, how far it is and how good, above its picture.

import { give, make, setText } from "./dom.js";

/** @type {Set<Heading>} all that say something on the page */
const all = new Set();

/** @type {ResizeObserver | null} of what they say */
let sizes = null;

/** Headings beside each other are as high as the highest of them: what is below stands in line. */
function align() {
  /** @type {Map<number, Heading[]>} */
  const rows = new Map();
  for (const one of all) {
    if (!one.root.isConnected) {
      all.delete(one);
      sizes?.unobserve(one.said);
      continue;
    }
    const top = Math.round(one.root.getBoundingClientRect().top);
    rows.set(top, [...(rows.get(top) ?? []), one]);
  }
  for (const row of rows.values()) {
    const height = Math.max(...row.map((one) => one.said.offsetHeight));
    for (const one of row) one.root.style.minHeight = `${height}px`;
  }
}

/** One line of words over another, smaller one, and a large figure; nothing where there is none. */
export class Heading {
  constructor() {
    this.name = make("strong");
    this.text = make("span");
    this.figure = make("b");
    this.detail = make("span");
    this.score = make("p", "tc-score", [this.figure, " ", this.detail]);
    this.said = make("div", "", [this.name, this.text, this.score]);
    this.root = make("div", "tc-heading", [this.said], { hidden: true });
  }

  /** @param {string[] | undefined} heading name and text; then a figure and what it is one of */
  fill(heading) {
    this.root.hidden = !heading;
    if (!heading) return;
    if (!all.has(this)) {
      all.add(this);
      sizes ??= new ResizeObserver(align);
      sizes.observe(this.said);
    }
    setText(this.name, heading[0]);
    const view = this.root.parentElement; // whose map and tree are called as those of the others
    if (view) give(view, { role: "group", "aria-label": heading[0] });
    setText(this.text, heading[1]);
    this.score.hidden = heading.length < 4;
    setText(this.figure, heading[2] ?? "");
    setText(this.detail, heading[3] ?? "");
  }
}
