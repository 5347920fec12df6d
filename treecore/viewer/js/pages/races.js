// Measured races: a small table for each dataset, rows by depths, whose cells open their race.

import { addStyle, make } from "../app/dom.js";
import { lineColour, readTheme } from "../app/theme.js";
import { middleOf, Tooltip } from "../app/tooltip.js";
import { _, N_ } from "../app/words.js";

/** @import { Mount } from "../types.d.ts" */

/** @typedef {{name: string, winner: number, lead: number, text: string, hint: string}} Race */
/** @typedef {{title: string, columns: number[], rows: {title: string, cells: (Race | null)[]}[]}} RaceMap */
/** @typedef {{legend?: string[], colours?: number[], maps?: RaceMap[]}} Told by ui/compare/where_view.py */

const NUMERALS = ["I", "II", "III", "IV"];
const NO_LEAD = N_("no clear lead");
const FAINTEST = 16; // per cent of a winner's colour in its cell
const STRONGEST = 52;
const FULL_LEAD = 20; // points of lead from which on the colour is as strong as it gets

/** @type {WeakMap<Node, Races>} */
const all = new WeakMap();

/** What Streamlit calls, with the data Told. @param {Mount} mount */
export default function races({ parentElement, data, setTriggerValue }) {
  let view = all.get(parentElement);
  if (!view) {
    view = new Races(parentElement);
    all.set(parentElement, view);
  }
  view.open = (name) => setTriggerValue("race", name);
  view.update(/** @type {Told | null} */ (data) ?? {});
  return () => view.leaveIfGone();
}

class Races {
  /** @param {ShadowRoot} parent */
  constructor(parent) {
    addStyle(parent);
    this.root = make("div", "tc tc-races");
    this.root.dataset.testid = "races";
    parent.append(this.root);
    this.tooltip = new Tooltip(parent);
    this.key = "";
    /** @type {(name: string) => void} */
    this.open = () => {};
  }

  /** @param {Told} told */
  update({ legend = [], colours = [], maps = [] }) {
    const theme = readTheme(this.root);
    const key = theme.key + JSON.stringify([legend, colours, maps]);
    if (key === this.key) return;
    this.key = key;
    colours.forEach((n, i) => this.root.style.setProperty(`--run${i}`, lineColour(theme, n)));
    const line = make("p", "tc-races-legend");
    legend.forEach((name, i) => line.append(entry(i, `${NUMERALS[i]} ${name}`)));
    line.append(entry(-1, _(NO_LEAD)));
    const grid = make("div", "tc-races-grid");
    grid.append(...maps.map((map) => this.table(map, legend)));
    this.root.replaceChildren(line, grid);
  }

  /** @param {RaceMap} map @param {string[]} legend */
  table(map, legend) {
    const table = make("table");
    table.setAttribute("role", "grid"); // one stop for the keyboard, arrows go through its cells
    table.append(make("caption", "", map.title));
    const head = table.createTHead().insertRow();
    head.append(heading("col", _("depth")), ...map.columns.map((depth) => heading("col", `${depth}`)));
    const body = table.createTBody();
    for (const row of map.rows) {
      const line = body.insertRow();
      line.append(heading("row", row.title));
      for (const race of row.cells) {
        const cell = line.insertCell();
        if (race) cell.append(this.button(race, legend)); // it was measured
      }
    }
    const first = table.querySelector("button");
    if (first) first.tabIndex = 0;
    table.addEventListener("keydown", (event) => walk(table, event));
    return table;
  }

  /** @param {Race} race @param {string[]} legend */
  button(race, legend) {
    const button = make("button", "tc-race", race.text);
    button.type = "button";
    button.tabIndex = -1;
    paintCell(button, race.winner, race.lead);
    const who = race.winner < 0 ? _(NO_LEAD)
      : _("{name} leads by {lead} points", { name: legend[race.winner], lead: race.lead });
    button.setAttribute("aria-label", `${who}. ${race.hint}. ${_("Open this race.")}`);
    if (race.winner >= 0) button.prepend(make("small", "", `${NUMERALS[race.winner]} `));
    const show = () => this.tooltip.show(button, { title: who, text: race.hint }, middleOf(button));
    const hide = () => this.tooltip.hide(button);
    button.addEventListener("pointerenter", show);
    button.addEventListener("pointerleave", hide);
    button.addEventListener("focus", () => {
      if (button.matches(":focus-visible")) show();
    });
    button.addEventListener("blur", hide);
    button.addEventListener("click", () => {
      hide();
      this.open(race.name);
      document.querySelector("[data-testid=stMain]")?.scrollTo({ top: 0 }); // the race is up there
    });
    return button;
  }

  leaveIfGone() {
    if (this.root.isConnected) return;
    this.tooltip.destroy();
    this.root.remove();
  }
}

/** @type {Record<string, [number, number]>} rows and cells that a key goes */
const WAYS = {
  ArrowUp: [-1, 0], ArrowDown: [1, 0], ArrowLeft: [0, -1], ArrowRight: [0, 1],
  Home: [0, -Infinity], End: [0, Infinity],
};

/** Take the focus from one race to another. @param {HTMLTableElement} table @param {KeyboardEvent} event */
function walk(table, event) {
  const way = WAYS[event.key];
  const from = /** @type {HTMLElement} */ (event.target).closest("td");
  const row = from?.closest("tr");
  if (!way || !from || !row) return;
  event.preventDefault();
  const rows = [...table.tBodies[0].rows];
  const to = rows[rows.indexOf(row) + way[0]];
  if (!to) return;
  const at = Math.max(1, Math.min(to.cells.length - 1, from.cellIndex + way[1])); // its name is first
  const next = to.cells[at].querySelector("button");
  if (!next) return;
  for (const button of table.querySelectorAll("button")) button.tabIndex = button === next ? 0 : -1;
  next.focus();
}

/** @param {"col" | "row"} scope @param {string} text */
function heading(scope, text) {
  const cell = make("th", "", text);
  cell.scope = scope;
  return cell;
}

/** @param {number} winner @param {string} text */
function entry(winner, text) {
  const item = make("span");
  const sign = make("i", "tc-race");
  paintCell(sign, winner, FULL_LEAD);
  item.append(sign, text);
  return item;
}

/** @param {HTMLElement} element @param {number} winner @param {number} lead in points */
function paintCell(element, winner, lead) {
  const share = FAINTEST + (STRONGEST - FAINTEST) * Math.min(1, lead / FULL_LEAD);
  element.style.background =
    winner < 0 ? "none" : `color-mix(in srgb, var(--run${winner}) ${share}%, var(--back))`;
}
