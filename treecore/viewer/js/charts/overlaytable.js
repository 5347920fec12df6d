// The table under several runs: a row for each with its piece of line, the best figures marked.

import { make, setText } from "../app/dom.js";
import { drawLine } from "./plot.js";
import { fit, lineColour } from "../app/theme.js";
import { _ } from "../app/words.js";

/** @typedef {{text: string, best?: boolean}} Cell */
/** @typedef {{numeral: string, colour: number}} Run the number of its colour in the palette */
/** @typedef {{rows?: Cell[][], runs?: Run[]}} Figures a row for each run */

// Colours are of methods, and colour is not all that tells runs apart: each has its own dashes and
// its numeral as well.
/** @type {number[][]} */
const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** Dashes of run i. @param {number} i */
export const dashOf = (i) => DASHES[i % DASHES.length];

/** Figures of runs, kept in one element and filled anew with each message. */
export class FigureTable {
  /**
   * @param {Array<{title: string}>} columns
   * @param {(title: string, i: number) => Node} word explains the title of column i
   */
  constructor(columns, word) {
    const head = make("tr", "", columns.map(({ title }, i) => make("th", "", [word(title, i)], { scope: "col" })));
    this.body = make("tbody");
    const table = make("table", "over-table", [make("thead", "", [head]), this.body]);
    this.frame = make("div", "over-frame", [table], {
      tabIndex: 0, // scrolls with the arrow keys where it is too narrow
      role: "region", "aria-label": _("Figures of the trees on the screen"),
    });
  }

  /** @param {Figures} figures @param {Theme} theme */
  fill({ rows = [], runs = [] }, theme) {
    while (this.body.rows.length > rows.length) this.body.deleteRow(-1);
    rows.forEach((row, i) => {
      const line = this.body.rows[i] ?? this.body.insertRow();
      row.forEach((cell, j) => {
        const place = line.cells[j] ?? addCell(line, j === 0);
        const [text, mark] = place.querySelectorAll("span, small");
        setText(text, cell.text);
        setText(mark, cell.best ? _("best") : "");
        place.classList.toggle("best", !!cell.best);
        const chip = place.querySelector("i");
        if (chip && runs[i]) paintChip(chip, i, theme, runs[i]);
      });
    });
  }
}

/** @param {HTMLTableRowElement} line @param {boolean} first names the row */
function addCell(line, first) {
  const content = [make("span"), make("small")];
  const place = first ? make("th", "", [make("i", "over-chip"), ...content], { scope: "row" }) : make("td", "", content);
  line.append(place);
  return place;
}

/**
 * A piece of a run's line with its numeral.
 * @param {HTMLElement} element @param {number} i @param {Theme} theme @param {Run} run
 */
function paintChip(element, i, theme, { numeral, colour }) {
  const key = `${theme.key}${numeral}${colour}`;
  if (element.dataset.key === key) return;
  element.dataset.key = key;
  const canvas = make("canvas", "", "", { "aria-hidden": true, style: "width: 34px; height: 14px; vertical-align: -2px" });
  drawLine(fit(canvas, 34, 14), 2, (at) => 32 * at, () => 7, { ink: lineColour(theme, colour), wide: 2.6, dash: dashOf(i) });
  element.replaceChildren(canvas);
}
