// The table under several runs: a row for each with its piece of line, the best figures marked.

import { make, setText } from "../app/dom.js";
import { fit, lineColour } from "../app/theme.js";
import { _ } from "../app/words.js";

/** @import { Theme } from "../app/theme.js" */

/** @typedef {{text: string, best?: boolean}} Cell */
/** @typedef {{numeral: string, colour: number}} Run the number of its colour in the palette */
/** @typedef {{rows?: Cell[][], runs?: Run[]}} Figures a row for each run */

// Colours are of methods, and colour is not all that tells runs apart: each has its own dashes and
// its numeral as well.
/** @type {number[][]} */
export const DASHES = [[], [8, 4], [2, 3], [10, 3, 2, 3]];

/** Figures of runs, kept in one element and filled anew with each message. */
export class FigureTable {
  /**
   * @param {Array<{title: string}>} columns
   * @param {(title: string, i: number) => Node} word explains the title of column i
   */
  constructor(columns, word) {
    this.frame = make("div", "over-frame");
    this.frame.tabIndex = 0; // scrolls with the arrow keys where it is too narrow
    this.frame.setAttribute("role", "region");
    this.frame.setAttribute("aria-label", _("Figures of the trees on the screen"));
    const table = make("table", "over-table");
    const head = make("tr");
    columns.forEach((column, i) => {
      const cell = make("th");
      cell.scope = "col";
      cell.append(word(column.title, i));
      head.append(cell);
    });
    const top = make("thead");
    top.append(head);
    this.body = make("tbody");
    table.append(top, this.body);
    this.frame.append(table);
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
  const place = make(first ? "th" : "td");
  if (first) place.scope = "row";
  place.append(...(first ? [make("i", "over-chip")] : []), make("span"), make("small"));
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
  const canvas = make("canvas");
  canvas.setAttribute("aria-hidden", "true");
  canvas.style.cssText = "width: 34px; height: 14px; vertical-align: -2px";
  const ctx = fit(canvas, 34, 14);
  ctx.strokeStyle = lineColour(theme, colour);
  ctx.lineWidth = 2.6;
  ctx.setLineDash(DASHES[i % DASHES.length]);
  ctx.beginPath();
  ctx.moveTo(0, 7);
  ctx.lineTo(32, 7);
  ctx.stroke();
  element.replaceChildren(canvas);
}
