// Formulas whose terms mark what they mean in map, tree and figures of the page, and figures that
// mark the terms. Figures are Plotly's: a trace has the name of what it shows (meta), see ui/step/formula.py.

import { component } from "../app/component.js";
import { focusedBeside, give, make, makeButton, setText } from "../app/dom.js";
import { views } from "../app/main.js";
import { _ } from "../app/words.js";

/** @typedef {{shows: string, says: string, marks: string[]}} Term */
/** @typedef {{lines: Term[][], nodes: Term[], points: Record<string, string[]>}} Told */
/** @typedef {{element: Element, name: string, part: string}} Shape a part of a figure, what it shows, and as what */
/** @typedef {HTMLElement & {_fullData?: Array<{meta?: string, uid: string, type?: string}>}} Plot traces as Plotly has taken them in */

const LIT = "lit";

/** @type {Set<Formulas>} all of this page: a node may be meant by terms of several */
const mounted = new Set();
let pointed = ""; // what of a figure the pointer is on
let request = 0;

class Formulas {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    this.lines = make("div", "tc-formula-row");
    this.nodes = make("div", "tc-formula-nodes", "", { role: "group" });
    this.said = make("p", "tc-formula-said", "", { "aria-live": "polite" });
    this.root = make("div", "tc-formulas", [this.lines, this.nodes, this.said], { "data-testid": "formulas" });
    parent.append(this.root);
    this.key = "";
    /** @type {Array<{button: HTMLButtonElement, term: Term}>} */
    this.terms = [];
    /** @type {Told["points"]} */
    this.points = {};
    if (!mounted.size) document.addEventListener("pointermove", follow, { passive: true });
    mounted.add(this);
  }

  /** @param {Told} told */
  take({ lines, nodes, points }) {
    this.points = points;
    const key = JSON.stringify([lines, nodes]);
    if (key === this.key) return;
    this.key = key;
    this.terms = [];
    setText(this.said, "");
    this.lines.replaceChildren(...lines.map((line) => make("div", "tc-formula",
      line.map((term) => (term.says ? this.button(term, formulaOf(term.shows)) : formulaOf(term.shows))))));
    this.nodes.replaceChildren(...nodes.map((term) => this.button(term, term.shows)));
    this.nodes.setAttribute("aria-label", _("Nodes of the tree"));
    this.nodes.hidden = !nodes.length;
  }

  /** @param {Term} term @param {Node | string} shown */
  button(term, shown) {
    const button = makeButton("tc-formula-term", [shown], undefined, { title: term.says, "aria-description": term.says });
    const signs = [...button.querySelectorAll("mi, mn, mo, mtext")].map((part) => part.textContent);
    if (signs.length) give(button, { "aria-label": signs.join(" ") });
    const on = () => this.light(button, term);
    const off = () => this.light(button, null);
    for (const event of ["pointerenter", "focus"]) button.addEventListener(event, on);
    button.addEventListener("pointerleave", () => button !== focusedBeside(button) && off());
    button.addEventListener("blur", off);
    this.terms.push({ button, term });
    return button;
  }

  /** Mark what a term means; null lets go. @param {HTMLButtonElement} button @param {Term | null} term */
  light(button, term) {
    button.classList.toggle(LIT, !!term);
    setText(this.said, term?.says ?? "");
    lightFigures(term?.marks ?? []);
    for (const view of views) view.mean(term?.marks ?? []);
  }

  /** Mark the terms that mean this; null none. @param {Shape | null} shape @param {Set<string>} parts there are */
  answer(shape, parts) {
    const meant = this.terms.filter(({ button, term }) => {
      const means = !!shape && term.marks.some((mark) => shows(shape, mark, parts));
      button.classList.toggle(LIT, means);
      return means;
    });
    setText(this.said, meant.map(({ term }) => term.says).join(" "));
  }

  leave() {
    mounted.delete(this);
    if (!mounted.size) document.removeEventListener("pointermove", follow);
  }
}

export default component(Formulas);

/** MathML of our own, never of a visitor. @param {string} inner */
function formulaOf(inner) {
  const found = make("span");
  found.innerHTML = `<math>${inner}</math>`;
  return /** @type {Element} */ (found.firstElementChild);
}

/** All that has a name, in all figures: the points of a trace that has names for them, and pictures. @returns {Shape[]} */
function shapes() {
  /** @type {Told["points"]} */
  const points = Object.assign({}, ...[...mounted].map((view) => view.points));
  /** @type {Shape[]} */
  const found = [];
  for (const plot of /** @type {NodeListOf<Plot>} */ (document.querySelectorAll(".js-plotly-plot"))) {
    const pictures = [...plot.querySelectorAll("g.hm")]; // in the order of their traces
    for (const { meta = "", uid, type } of plot._fullData ?? []) {
      const element = type === "heatmap" ? pictures.shift() : null;
      if (element && meta) found.push({ element, name: nodeOf(meta), part: meta });
      plot.querySelectorAll(`g.trace${uid} .point`).forEach((point, i) => {
        const name = points[meta]?.[i];
        if (name) found.push({ element: point, name, part: name });
      });
    }
  }
  return found;
}

/** What a name with a part is the name of. @param {string} name */
const nodeOf = (name) => name.split(".")[0];

/** @param {Shape[]} all */
const partsOf = (all) => new Set(all.map(({ part }) => part));

/**
 * Does a mark mean this? With a part it means that drawing of a thing alone, where there is one.
 * @param {Shape} shape @param {string} mark @param {Set<string>} parts
 */
function shows({ name, part }, mark, parts) {
  return mark === name || mark === part || (!parts.has(mark) && nodeOf(mark) === name);
}

/** @param {string[]} marks */
function lightFigures(marks) {
  const all = shapes();
  const parts = partsOf(all);
  for (const shape of all) shape.element.classList.toggle(LIT, marks.some((mark) => shows(shape, mark, parts)));
}

/** @param {PointerEvent} event */
function follow(event) {
  if (request) return;
  request = requestAnimationFrame(() => {
    request = 0;
    for (const view of mounted) if (!view.root.isConnected) view.leave();
    const plot = document.elementFromPoint(event.clientX, event.clientY)?.closest(".js-plotly-plot");
    const all = shapes();
    const shape = all.findLast(({ element }) => plot?.contains(element) && isOn(element, event)) ?? null; // on top
    if ((shape?.part ?? "") === pointed) return;
    pointed = shape?.part ?? "";
    for (const view of mounted) view.answer(shape, partsOf(all));
    lightFigures(shape ? [shape.name] : []);
  });
}

/** @param {Element} element @param {PointerEvent} event */
function isOn(element, { clientX: x, clientY: y }) {
  const box = element.getBoundingClientRect();
  return x >= box.left - 2 && x <= box.right + 2 && y >= box.top - 2 && y <= box.bottom + 2;
}
