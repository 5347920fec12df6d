// A run put into words for those who do not see it: a sentence now and then while it learns and one
// when it rests, and its figures at a few moments as a table.

import { make, setText } from "./dom.js";
import { checkpoints, sentence, textOf, WIDTH } from "./summarywords.js";
import { number } from "./theme.js";
import { _, counted, N_, said } from "./words.js";

const GAP = 5; // seconds between two sentences of a page, while anything moves
const OWN_GAP = 15; // and between two of one run of several, so that the others have their turn
const CHECKPOINTS = 9; // rows of the table

let lastSaid = -Infinity; // seconds, on this page
let count = 0;

/** @type {Array<{col: number, name: string, share?: boolean, whole?: boolean}>} of the curves, see message.py */
const COLUMNS = [
  { col: 1, name: N_("Bound") }, { col: 2, name: N_("Loss") }, { col: 3, name: N_("Test loss") },
  { col: 4, name: N_("Training accuracy"), share: true }, { col: 5, name: N_("Test accuracy"), share: true },
  { col: 6, name: N_("Active leaves"), whole: true },
];

/** @type {Record<string, string>} what is said otherwise of numbers */
const NUMBERS = {
  "Training accuracy": N_("Explained variance"), "Test accuracy": N_("Explained variance, test"),
};

export class Summary {
  constructor() {
    this.line = make("p", "", "", { role: "status", id: `tc-summary-${count++}` });
    this.table = make("table");
    this.root = make("div", "tc-summary", [this.line, this.table]);
    this.last = -Infinity;
    this.told = "";
  }

  /**
   * Say how the run stands, where that is due.
   * @param {Pick<View, "meta" | "curves">} view @param {number} seconds now
   */
  tell({ meta, curves }, seconds) {
    const moving = meta.state === "running";
    const gap = meta.heading ? OWN_GAP : GAP;
    if (moving && (seconds - lastSaid < GAP || seconds - this.last < gap)) return;
    const key = `${meta.run} ${sentence(meta, curves)} ${moving}`;
    if (key === this.told) return;
    this.told = key;
    this.last = lastSaid = seconds;
    setText(this.line, sentence(meta, curves));
    this.fill(meta, curves);
  }

  /** The figures at a few moments. @param {Meta} meta @param {Float32Array | null} curves */
  fill(meta, curves) {
    const n = curves ? Math.floor(curves.length / WIDTH) : 0;
    this.table.hidden = !n;
    if (!curves || !n) return;
    const at = (/** @type {number} */ row, /** @type {number} */ col) => curves[row * WIDTH + col];
    const known = COLUMNS.filter(({ col }) => !Number.isNaN(at(n - 1, col)));
    const numbers = meta.task === "regression";
    const named = (/** @type {string} */ name) =>
      said(numbers ? NUMBERS[name] ?? name : name);
    const unit = meta.unit ?? "epoch";
    const head = make("tr", "", [_(unit), ...known.map(({ name }) => named(name))]
      .map((name) => make("th", "", name, { scope: "col" })));
    const rows = checkpoints(n, CHECKPOINTS).map((row) => make("tr", "", [
      make("th", "", number(at(row, 0)), { scope: "row" }),
      ...known.map(({ col, share, whole }) =>
        make("td", "", whole ? counted(at(row, col)) : textOf(at(row, col), share))),
    ]));
    this.table.replaceChildren(make("caption", "", _("The curves in numbers")), head, ...rows);
  }
}
