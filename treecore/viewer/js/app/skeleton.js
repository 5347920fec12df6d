// The elements around the drawings: panels and headings with their explained words.

import { addStyle } from "./component.js";
import { give, make } from "./dom.js";
import { Heading } from "./heading.js";
import { Summary } from "./summary.js";
import { buildLenses } from "../map/legend.js";
import { Tooltip, term } from "./tooltip.js";
import { buildRate, buildStrip } from "./transport.js";
import { ViewMenu } from "./viewmenu.js";
import { _, said } from "./words.js";

/** @typedef {(text: string, key: string) => HTMLElement} Word a word that explains itself */

/** @typedef {Partial<Record<"moved" | "frozen", HTMLElement>>} FlipCounts */

/**
 * Build everything that is not drawn.
 * @param {ShadowRoot} parent
 * @param {View} view its `meta` explains the terms; its methods are called by what is built
 */
export function buildSkeleton(parent, view) {
  addStyle(parent);
  const tooltip = new Tooltip(parent);
  const explain = (/** @type {string} */ key) => () => said(view.meta.glossary?.[key]);
  const menu = new ViewMenu(view);
  /** @type {Word} */
  const word = (text, key) => {
    if (!menu.words.has(key)) menu.words.set(key, text);
    return term(text, tooltip, explain(key));
  };
  const strip = buildStrip(view, term(_("Epoch"), tooltip, () => explain(view.meta.unit ?? "epoch")()));
  const map = buildMapPanel(view, menu, word);
  const charts = buildCharts(word);
  const tree = buildTreePanel(word);
  const misses = buildMissPanel();
  const grid = make("div", "tc-grid",
    [strip.strip, map.mapPanel, charts.curves, tree.treePanel, misses.missPanel]);
  const heading = new Heading();
  const summary = new Summary();
  const failure = make("div", "tc-failure", "", { role: "alert" }); // whatever panels are shown
  const spoken = make("div", "tc-said", "", { "aria-live": "polite" }); // by a screen reader
  const root = make("div", "tc", [heading.root, failure, grid, summary.root, spoken], { "data-testid": "live" });
  parent.append(root);
  return {
    tooltip, menu, word, heading, failure, summary, said: spoken, root,
    legendKey: "", flipCounts: /** @type {FlipCounts} */ ({}), // what the legend says now
    ...strip, ...map, ...charts, ...tree, ...misses,
  };
}

/**
 * A sentence with elements in the places of its values.
 * @param {string} sentence @param {Record<string, Node>} values
 */
const among = (sentence, values) =>
  sentence.split(/\{(\w+)\}/).map((part, i) => (i % 2 ? values[part] : part)).filter((part) => part !== "");

/** @param {Array<Node | string>} content */
const heading = (...content) => make("h2", "tc-head", [make("span", "", content)]);

/** @param {Array<Node | string>} content */
const together = (...content) => make("span", "tc-together", content);

/** @param {View} view @param {ViewMenu} menu @param {Word} word */
function buildMapPanel(view, menu, word) {
  const map = make("div", "tc-fill tc-map");
  const legend = make("div", "tc-legend");
  const note = make("div", "tc-note");
  const head = heading(word(_("Map"), "map"));
  head.append(menu.root);
  const rate = buildRate(view);
  const treeMenu = make("div", "tc-view-tree");
  const { bar, ...lenses } = buildLenses(view, word);
  bar.append(make("label", "tc-lens", [make("span", "tc-sub", _("Replay speed")), rate]));
  menu.fill(bar, treeMenu);
  const mapPanel = make("section", "tc-panel tc-map-panel", [head, map, legend, note]);
  return { mapPanel, map, legend, note, rate, treeMenu, ...lenses };
}

/** @param {Word} word */
function buildCharts(word) {
  const unit = (/** @type {string} */ text) => make("span", "tc-sub", text);
  const lossUnits = [unit(_("nats")), unit(_("nats"))];
  // Of some charts the heading depends on the run: for each its headings, the usual one first.
  const heads = [
    [heading(...among(_("{bound} and {loss}"), {
      bound: word(_("Bound"), "bound"), loss: word(_("loss"), "loss"),
    }), lossUnits[0]),
      heading(word(_("Loss"), "loss"), lossUnits[1])],
    [heading(word(_("Accuracy"), "accuracy"), unit(_("% of examples"))),
      heading(word(_("Explained variance R²"), "r2"), unit(_("% of the variance")))],
    [heading(word(_("Active leaves"), "active"), unit(_("count")))],
  ];
  const [lossHeads, shareHeads] = heads;
  // What the ticks of the first chart are, where it has some.
  const ticks = make("span", "tc-sub", [make("i", "tc-sign tick"), word(_("loss rose"), "ticks")], { hidden: true });
  lossHeads[0].append(ticks);
  lossHeads[1].hidden = shareHeads[1].hidden = true;
  const charts = heads.map(() => make("div", "tc-fill tc-chart"));
  const curves = make("section", "tc-panel tc-curves-panel",
    heads.map((own, i) => make("div", "tc-chart-panel", [...own, charts[i]])));
  return { curves, charts, lossUnits, lossHeads, shareHeads, ticks };
}

/** @param {Word} word */
function buildTreePanel(word) {
  const sign = (/** @type {string} */ kind) => make("i", `tc-sign ${kind}`);
  const gap = () => make("span", "tc-gap");
  const item = (/** @type {Array<Node | string>} */ ...content) => give(together(...content), { className: "tc-together tc-item" });
  const counted = make("span", "", _("training examples")); // which rows a leaf shows
  const pushes = item(...among(_("{split}: pushes {plus} right, {minus} left"), {
    split: word(_("split"), "split"), plus: sign("plus"), minus: sign("minus"),
  }));
  const above = item(...among(_("{split}: above its threshold goes right"), { split: word(_("split"), "split") }));
  above.hidden = true;
  const legend = make("span", "tc-sub tc-tree-legend", [
    pushes, above, gap(), item(...among(_("{leaf}: {rows}"), { leaf: word(_("leaf"), "leaf"), rows: counted })),
    gap(), together(sign("asleep"), word(_("inactive"), "asleep")),
  ]);
  const treeBar = make("div", "tc-tree-bar");
  const treeHead = heading(_("Tree"));
  const classes = make("span", "tc-sub tc-classes");
  treeHead.append(classes, legend, treeBar);
  const tree = make("div", "tc-fill tc-tree");
  const remark = make("div", "tc-note tc-remark");
  const treePanel = make("section", "tc-panel tc-tree-panel", [treeHead, tree, remark]);
  return { treePanel, treeHead, classes, treeBar, tree, remark, counted, pushes, above };
}

function buildMissPanel() {
  const missCount = make("span", "tc-sub");
  const head = heading(_("Misclassified"));
  head.append(missCount);
  const missList = make("div", "tc-miss-list", "", {
    role: "group", "aria-label": _("Misclassified images: class and prediction"),
  });
  const missPanel = make("section", "tc-panel tc-miss-panel", [head, missList], { hidden: true });
  return { missPanel, missCount, missList };
}
