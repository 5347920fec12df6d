// The elements around the drawings: panels and headings with their explained words.

import { addStyle, make } from "./dom.js";
import { Heading } from "./heading.js";
import { Summary } from "./summary.js";
import { buildLenses } from "../map/legend.js";
import { Tooltip, term } from "./tooltip.js";
import { buildRate, buildStrip } from "./transport.js";
import { ViewMenu } from "./viewmenu.js";
import { _, said } from "./words.js";

/** @import { View } from "../types.d.ts" */
/** @typedef {(text: string, key: string) => HTMLElement} Word a word that explains itself */

/**
 * The elements of a view; who builds them puts them here.
 * @typedef {object} Parts
 * @property {Tooltip} tooltip @property {HTMLDivElement} root @property {HTMLDivElement} grid
 * @property {HTMLElement} said what a screen reader is to say
 * @property {Summary} summary the run in words
 * @property {HTMLElement} map @property {HTMLElement} legend @property {HTMLElement} note
 * @property {string} legendKey what the legend says now
 * @property {Record<"region" | "point" | "side", HTMLSelectElement>} lenses
 * @property {HTMLInputElement} margins @property {HTMLInputElement} flips
 * @property {HTMLInputElement} gapTick @property {HTMLElement} gapLine where it stands
 * @property {Partial<Record<"moved" | "frozen", HTMLElement>>} [flipCounts]
 * @property {import("./commands.js").Commands} commands
 * @property {Heading} heading
 * @property {HTMLElement} unit @property {HTMLElement} epoch @property {HTMLElement} of
 * @property {ViewMenu} menu @property {Word} word
 * @property {HTMLSelectElement} rate @property {HTMLButtonElement} follow
 * @property {HTMLInputElement} slider
 * @property {HTMLElement} message @property {HTMLElement} state
 * @property {HTMLElement} curves @property {HTMLElement[]} charts
 * @property {HTMLElement[]} lossHeads @property {HTMLElement[]} lossUnits
 * @property {HTMLElement[]} shareHeads
 * @property {HTMLElement} ticks what the ticks of the first chart are, where it has some
 * @property {HTMLElement} pushes @property {HTMLElement} above what splits of either kind show
 * @property {HTMLElement} gapPanel @property {HTMLElement} gapUnit @property {HTMLElement} gapRows @property {HTMLElement} gaps
 * @property {HTMLElement} tree @property {HTMLElement} failure @property {HTMLElement} treeBar @property {HTMLElement} treeMenu
 * @property {HTMLElement} treeHead @property {HTMLElement} classes @property {HTMLElement} remark
 * @property {HTMLElement} ways @property {HTMLElement} counted which rows a leaf shows
 * @property {HTMLElement} missPanel @property {HTMLElement} missCount
 * @property {HTMLElement} missList
 */

/**
 * Build everything that is not drawn.
 * @param {ShadowRoot} parent
 * @param {View} view its `meta` explains the terms; its methods are called by what is built
 */
export function buildSkeleton(parent, view) {
  addStyle(parent);
  const tooltip = new Tooltip(parent);
  const root = make("div", "tc");
  root.dataset.testid = "live";
  const grid = make("div", "tc-grid");
  const explain = (/** @type {string} */ key) => () => said(view.meta.glossary?.[key]);
  /** @type {Word} */
  const word = (text, key) => {
    if (!menu.words.has(key)) menu.words.set(key, text);
    return term(text, tooltip, explain(key));
  };
  const menu = new ViewMenu(view);
  const summary = new Summary();
  const parts = /** @type {Parts} */ ({ tooltip, root, grid, summary, menu, word, legendKey: "" });

  grid.append(
    buildStrip(parts, view, term(_("Epoch"), tooltip, () => explain(view.meta.unit ?? "epoch")())),
    buildMapPanel(parts, view, word),
    buildCharts(parts, word),
    buildGapPanel(parts, word),
    buildTreePanel(parts, word),
    buildMissPanel(parts),
  );
  parts.said = make("div", "tc-said");
  parts.said.setAttribute("aria-live", "polite");
  parts.heading = new Heading();
  root.append(parts.heading.root, grid, summary.root, parts.said);
  parent.appendChild(root);
  return parts;
}

/**
 * A sentence with elements in the places of its values.
 * @param {string} sentence @param {Record<string, Node>} values
 * @returns {Array<Node | string>}
 */
const among = (sentence, values) =>
  sentence.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? values[part] : part)).filter((part) => part !== "");

/** @param {Array<Node | string>} content */
function heading(...content) {
  const head = make("h2", "tc-head");
  const name = make("span");
  name.append(...content);
  head.append(name);
  return head;
}

/** @param {Parts} parts @param {View} view @param {Word} word */
function buildMapPanel(parts, view, word) {
  const panel = make("section", "tc-panel tc-map-panel");
  parts.map = make("div", "tc-fill tc-map");
  parts.legend = make("div", "tc-legend");
  parts.note = make("div", "tc-note");
  const head = heading(word(_("Map"), "map"));
  head.append(parts.menu.root);
  const speed = make("label", "tc-lens");
  parts.rate = buildRate(view);
  speed.append(make("span", "tc-sub", _("Replay speed")), parts.rate);
  parts.treeMenu = make("div", "tc-view-tree");
  const lenses = buildLenses(parts, view, word);
  lenses.append(speed);
  parts.menu.fill(lenses, parts.treeMenu);
  panel.append(head, parts.map, parts.legend, parts.note);
  return panel;
}

/** @param {Parts} parts @param {Word} word */
function buildCharts(parts, word) {
  const panel = make("section", "tc-panel tc-curves-panel");
  const unit = (/** @type {string} */ text) => make("span", "tc-sub", text);
  parts.lossUnits = [unit(_("nats")), unit(_("nats"))];
  // Of some charts the heading depends on the run: for each its headings, the usual one first.
  const heads = [
    [heading(...among(_("{bound} and {loss}"), {
      bound: word(_("Bound"), "bound"), loss: word(_("loss"), "loss"),
    }), parts.lossUnits[0]),
      heading(word(_("Loss"), "loss"), parts.lossUnits[1])],
    [heading(word(_("Accuracy"), "accuracy"), unit(_("% of examples"))),
      heading(word(_("Explained variance R²"), "r2"), unit(_("% of the variance")))],
    [heading(word(_("Active leaves"), "active"), unit(_("count")))],
  ];
  [parts.lossHeads, parts.shareHeads] = heads;
  parts.ticks = make("span", "tc-sub");
  parts.ticks.hidden = true;
  parts.ticks.append(make("i", "tc-sign tick"), word(_("loss rose"), "ticks"));
  parts.lossHeads[0].append(parts.ticks);
  parts.lossHeads[1].hidden = parts.shareHeads[1].hidden = true;
  parts.curves = panel;
  parts.charts = heads.map(() => make("div", "tc-fill tc-chart"));
  heads.forEach((own, i) => {
    const one = make("div", "tc-chart-panel");
    one.append(...own, parts.charts[i]);
    panel.append(one);
  });
  return panel;
}

/** @param {Parts} parts @param {Word} word */
function buildGapPanel(parts, word) {
  parts.gapPanel = make("section", "tc-panel tc-gaps-panel");
  parts.gapUnit = make("span", "tc-sub", _("nats"));
  parts.gapRows = make("span", "tc-sub", _("training examples"));
  parts.gaps = make("div", "tc-fill tc-gaps");
  parts.gapPanel.append(heading(...among(_("{gap} of each example"), { gap: word(_("Gap"), "gaps") }),
    parts.gapUnit, parts.gapRows), parts.gaps);
  return parts.gapPanel;
}

/** @param {Parts} parts @param {Word} word */
function buildTreePanel(parts, word) {
  const panel = make("section", "tc-panel tc-tree-panel");
  const head = heading(_("Tree"));
  const legend = make("span", "tc-sub tc-tree-legend");
  parts.counted = make("span", "", _("training examples"));
  const asleep = make("span", "tc-together");
  asleep.append(make("i", "tc-sign asleep"), word(_("inactive"), "asleep"));
  const item = (/** @type {Array<Node | string>} */ ...content) => {
    const whole = make("span", "tc-together tc-item");
    whole.append(...content);
    return whole;
  };
  parts.pushes = item(...among(_("{split}: pushes {plus} right, {minus} left"), {
    split: word(_("split"), "split"), plus: make("i", "tc-sign plus"),
    minus: make("i", "tc-sign minus"),
  }));
  parts.above = item(...among(_("{split}: above its threshold goes right"), { split: word(_("split"), "split") }));
  parts.above.hidden = true;
  legend.append(
    parts.pushes, parts.above,
    make("span", "tc-gap"),
    item(...among(_("{leaf}: {rows}"), { leaf: word(_("leaf"), "leaf"), rows: parts.counted })),
    make("span", "tc-gap"), asleep,
  );
  parts.ways = make("span", "tc-together");
  parts.ways.hidden = true;
  parts.ways.append(
    make("span", "tc-gap"),
    ...among(_("{moves}: {way} in, {out} out"), {
      moves: word(_("moves"), "moves"), way: make("i", "tc-sign way"), out: make("i", "tc-sign way out"),
    }),
  );
  legend.append(parts.ways);
  parts.remark = make("div", "tc-note tc-remark");
  parts.classes = make("span", "tc-sub tc-classes");
  head.append(parts.classes, legend);
  parts.tree = make("div", "tc-fill tc-tree");
  parts.failure = make("div", "tc-failure");
  parts.failure.setAttribute("role", "alert");
  parts.treeBar = make("div", "tc-tree-bar");
  head.append(parts.treeBar);
  parts.treeHead = head;
  panel.append(head, parts.failure, parts.tree, parts.remark);
  return panel;
}

/** @param {Parts} parts */
function buildMissPanel(parts) {
  parts.missPanel = make("section", "tc-panel tc-miss-panel");
  parts.missPanel.hidden = true;
  const head = heading(_("Misclassified"));
  parts.missCount = make("span", "tc-sub");
  head.append(parts.missCount);
  parts.missList = make("div", "tc-miss-list");
  parts.missList.setAttribute("role", "group");
  parts.missList.setAttribute("aria-label", _("Misclassified images: class and prediction"));
  parts.missPanel.append(head, parts.missList);
  return parts.missPanel;
}
