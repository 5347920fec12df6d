// What the tooltips say about a split, a leaf and a point.

import { frozenLeaf, hasMoved } from "../map/flips.js";
import { guessOf, leafFigures, wayTo } from "./frame.js";
import { number } from "./theme.js";
import { inUnit, isCalendar } from "./units.js";
import { _, counted, N_, ngettext, said } from "./words.js";

/**
 * Rows of training data by class, at every split and leaf, and in all.
 * @typedef {{k: number, split: Float64Array, leaf: Uint16Array | Uint32Array, total: number}} Flows
 */

/**
 * Rows of training data that pass each split; null without counts.
 * @param {Frame} frame
 * @returns {Flows | null}
 */
export function flowsOf(frame) {
  const detail = frame.detail;
  if (!detail?.classes || !detail.counts) return null;
  const { classes: k, counts } = detail;
  if (counts.length < k * frame.leaf.length) return null;
  if (detail.flows && detail.flowsFor === frame.children) return detail.flows;
  const m = frame.children.length >> 1;
  const split = new Float64Array(m * k);
  // Children are numbered after their parents: one pass backwards adds all up.
  for (let i = m - 1; i >= 0; i--) {
    for (let side = 0; side < 2; side++) {
      const child = frame.children[2 * i + side];
      for (let c = 0; c < k; c++) {
        split[i * k + c] += child >= 0 ? split[child * k + c] : counts[~child * k + c];
      }
    }
  }
  const flows = { k, split, leaf: counts, total: 0 };
  const top = m ? split : counts;
  for (let c = 0; c < k; c++) flows.total += top[c];
  detail.flows = flows;
  detail.flowsFor = frame.children;
  return flows;
}

/** Rows per class at a child reference, as a window of the flows. @param {Flows} flows @param {number} ref */
export function rowsAt(flows, ref) {
  const { k } = flows;
  return ref >= 0 ? flows.split.subarray(ref * k, ref * k + k) : flows.leaf.subarray(~ref * k, ~ref * k + k);
}

/** Sum of a window. @param {ArrayLike<number>} window */
export function total(window) {
  let sum = 0;
  for (let c = 0; c < window.length; c++) sum += window[c];
  return sum;
}

/**
 * The weights of a split on the features, as they should be shown.
 * @param {Frame} frame @param {number} node @param {Meta} meta
 * @returns {{values: Float32Array | Int8Array, scale: number} | null} values times scale is the
 *   weight itself; scale is NaN when only the proportions are known
 */
export function weightsOf(frame, node, meta) {
  const detail = frame.detail;
  const row = detail?.row[node] ?? -1;
  if (!detail?.weights || row < 0) {
    if (meta.features?.length !== 2) return null;
    // In two dimensions the line on the map tells the weights too.
    return { values: frame.split.subarray(3 * node, 3 * node + 2), scale: NaN };
  }
  const p = detail.features;
  const values = detail.weights.subarray(row * p, row * p + p);
  let squares = 0;
  for (let j = 0; j < p; j++) squares += values[j] * values[j];
  const norm = detail.norm?.[node] ?? NaN;
  return { values, scale: norm > 0 && squares > 0 ? norm / Math.sqrt(squares) : NaN };
}

/** The feature of an axis-aligned split, -1 of an oblique one. @param {Frame} frame @param {number} node */
function axisOf(frame, node) {
  return frame.detail?.feature?.[node] ?? -1;
}

/**
 * Numbers of the `count` features of greatest magnitude, in the features' order.
 * @param {ArrayLike<number>} values @param {number} count
 */
export function strongest(values, count) {
  return Array.from(values, (v, j) => [Math.abs(v), j])
    .filter(([size]) => size > 0)
    .sort((a, b) => b[0] - a[0] || a[1] - b[1])
    .slice(0, count)
    .map(([, j]) => j)
    .sort((a, b) => a - b);
}

/** Levels of a set that are named. */
const MOST_LEVELS = 6;

/** @type {(meta: Meta, j: number) => string} */
export const nameOf = (meta, j) => meta.features?.[j] ?? `x${j + 1}`;
/** @type {(meta: Meta, c: number) => string} */
const classOf = (meta, c) => meta.classes?.[c] ?? _("class {c}", { c });
const percent = (/** @type {number} */ share) => `${Math.round(100 * share)} %`;

/**
 * The feature of a split that asks of one feature only, or of a column's levels, and what it asks
 * of a row to send it right, in the feature's unit; null where it weighs several, or none.
 * @param {Frame} frame @param {number} node @param {Meta} meta
 * @returns {{name: string, asks: string} | null}
 */
export function cutOf(frame, node, meta) {
  const set = frame.detail?.sets?.[node];
  if (set) {
    const rest = set[1].length - MOST_LEVELS;
    const named = set[1].slice(0, MOST_LEVELS).join(", ") + (rest > 0 ? _(" and {terms} more", { terms: rest }) : "");
    const levels = `{${named}}`;
    return { name: set[0], asks: set[2] ? _("in {levels}", { levels }) : _("not in {levels}", { levels }) };
  }
  const axis = axisOf(frame, node);
  if (axis >= 0) {
    const limit = inUnit(frame.detail?.threshold?.[node] ?? NaN, meta.units?.[axis]);
    const asks = frame.detail?.missing_right?.[node] ? _("> {limit} or missing", { limit }) : `> ${limit}`;
    return { name: nameOf(meta, axis), asks };
  }
  // Of an oblique split of more features the message has rounded weights: zero may be a small one.
  if (!meta.features || meta.features.length > 2) return null;
  const [u, v, b] = frame.split.subarray(3 * node, 3 * node + 3);
  if (!u === !v) return null;
  const name = (u ? meta.axes?.x : meta.axes?.y) || nameOf(meta, u ? 0 : 1);
  const weight = u || v;
  const below = weight < 0;
  return { name, asks: `${below ? "<" : ">"} ${inUnit(b / weight, meta.units?.[u ? 0 : 1], below)}` };
}

const allZero = (/** @type {boolean} */ right) => (right
  ? _("All its weights are zero: every example goes right.")
  : _("All its weights are zero: every example goes left."));

/** The rule of a split in words. @param {Frame} frame @param {number} node @param {Meta} meta */
function ruleOf(frame, node, meta) {
  const cut = cutOf(frame, node, meta);
  const rule = cut ? `${cut.name} ${cut.asks}` : lineOf(frame, node, meta);
  if (rule) return _("Goes right when {rule}.", { rule });
  if (meta.features?.length === 2) return allZero(frame.split[3 * node + 2] < 0);
  const found = weightsOf(frame, node, meta);
  if (!found) return _("Goes right when a weighted sum of features exceeds a threshold.");
  const used = strongest(found.values, found.values.length).length;
  if (!used) return allZero((frame.detail?.threshold?.[node] ?? NaN) < 0);
  return ngettext("Goes right when a weighted sum of {n} features exceeds a threshold.",
    "Goes right when a weighted sum of {n} features exceeds a threshold.", used);
}

/**
 * For two features the map's line is the whole rule, in the units of its axes; "" where both weights
 * are zero, or there are more features.
 * @param {Frame} frame @param {number} node @param {Meta} meta
 */
export function lineOf(frame, node, meta) {
  if (meta.features?.length !== 2) return "";
  const names = [meta.axes?.x || nameOf(meta, 0), meta.axes?.y || nameOf(meta, 1)];
  let sum = "";
  frame.split.subarray(3 * node, 3 * node + 2).forEach((w, j) => {
    if (!w) return;
    const sign = w < 0 ? "−" : "+";
    sum += sum ? ` ${sign} ` : w < 0 ? "−" : "";
    sum += `${number(Math.abs(w))}·${names[j]}`;
  });
  return sum && `${sum} > ${number(frame.split[3 * node + 2])}`;
}

/** @param {WithTree<Scene>} view @param {number} node @param {number} depth @returns {Story} */
export function splitStory(view, node, depth) {
  const { frame, meta, theme } = view;
  /** @type {StoryRow[]} */
  const rows = [];
  const flows = flowsOf(frame);
  if (flows) {
    const [left, right] = [0, 1].map((side) => total(rowsAt(flows, frame.children[2 * node + side])));
    rows.push({ label: said(partOf(meta).rows), value: _("{n} of {all}", { n: left + right, all: flows.total }) });
    rows.push({ label: _("go left / right"), value: `${counted(left)} / ${counted(right)}` });
  }
  const ball = ballOf(view, node);
  const weighs = axisOf(frame, node) < 0 && !frame.detail?.sets?.[node];
  const norm = frame.detail?.norm?.[node];
  if (ball) {
    rows.push({
      label: _("‖w‖ (√ν at most)"), value: _("{n} of {all}", { n: number(ball.length), all: number(ball.most) }),
      bar: Math.min(1, ball.length / ball.most), limit: true, colour: theme.primary,
    });
  } else if (norm !== undefined && weighs) {
    rows.push({ label: _("Norm of its weights"), value: number(norm) });
  }
  const reach = frame.reach?.[node];
  if (reach !== undefined && frame.bound) rows.push({ label: _("Margin: |s| below"), value: number(reach) });
  const found = weighs ? weightsOf(frame, node, meta) : null;
  const pictured = found && meta.image && meta.image[0] * meta.image[1] === found.values.length;
  if (found && !pictured) {
    const { values, scale } = found;
    const top = strongest(values, 5).sort((a, b) => Math.abs(values[b]) - Math.abs(values[a]));
    const most = Math.abs(values[top[0]]) || 1;
    for (const j of top) {
      rows.push({
        label: nameOf(meta, j),
        value: number(Number.isFinite(scale) ? values[j] * scale : values[j] / most),
        bar: values[j] / most,
        colour: values[j] > 0 ? theme.plus : theme.minus,
      });
    }
  }
  const title = node === 0 ? _("Root split") : _("Split {node}, at depth {depth}", { node, depth });
  const notes = [];
  // Only so are weights comparable; images keep theirs, one pixel is like another.
  if (pictured) notes.push(_("Where a pixel has ink, green pushes right and violet pushes left."));
  else if (found) notes.push(_("Weights are per standard deviation of their features."));
  if (axisOf(frame, node) < 0 && !cutOf(frame, node, meta) && meta.units?.some(isCalendar)) {
    notes.push(_("In sums, dates count as days since the start of 1970, times of day as hours."));
  }
  if (ball) {
    notes.push(_("A step may make w, with its offset, longer than √ν in the coordinates of " +
      "learning. Then it is shortened to √ν = {most} (ν = {nu}).",
    { most: number(ball.most), nu: number(ball.nu) }));
    if (ball.length > 0.999 * ball.most) notes.push(_("These weights are as long as ν allows."));
  }
  const image = pictured && meta.image
    ? { pixels: found.values, shape: meta.image, theme, signed: true } : null;
  return { title, text: ruleOf(frame, node, meta), rows, image, note: notes.join(" ").trim() };
}

/**
 * How long the row of a split is and may be at most; null where learning knows no such limit.
 * @param {WithTree<Scene>} view @param {number} node
 */
function ballOf({ frame, meta }, node) {
  const length = frame.detail?.length?.[node];
  if (length === undefined || !meta.nu) return null;
  return { length, nu: meta.nu, most: Math.sqrt(meta.nu) };
}

/**
 * Training rows of a leaf by class, the most first.
 * @param {Frame} frame @param {number} leaf @param {Meta} meta @param {Theme} theme
 */
export function sharesOf(frame, leaf, meta, theme) {
  const flows = flowsOf(frame);
  const own = flows && rowsAt(flows, ~leaf);
  const all = own ? total(own) : 0;
  if (!own || !all || meta.task === "regression") return [];
  const order = Array.from(own, (_, c) => c).filter((c) => own[c] > 0);
  order.sort((a, b) => own[b] - own[a]);
  /** @type {StoryRow[]} */
  const rows = order.slice(0, 5).map((c) => ({
    label: classOf(meta, c), value: `${counted(own[c])} (${percent(own[c] / all)})`, bar: own[c] / all,
    colour: theme.of(c),
  }));
  if (order.length > 5) rows.push({ label: ngettext("{n} more classes", "{n} more classes", order.length - 5), value: "" });
  return rows;
}

/** What a leaf predicts, in a few words. @param {Frame} frame @param {number} leaf @param {Meta} meta */
export function answerOf(frame, leaf, meta) {
  const answer = meta.task === "regression"
    ? number(frame.value?.[leaf] ?? NaN) : classOf(meta, frame.leaf[leaf]);
  return meta.mean ? _("{answer} on average", { answer }) : answer;
}

/** @param {WithTree<Scene>} view @param {number} leaf @returns {Story} */
export function leafStory(view, leaf) {
  const { frame, meta, theme } = view;
  const numbers = meta.task === "regression";
  const answer = answerOf(frame, leaf, meta);
  const title = _("Leaf {leaf} predicts {answer}", { leaf, answer });
  const text = numbers ? "" : _("Probability of {answer}: {share}.",
    { answer, share: percent(frame.share[leaf] / 255) });
  const image = pictureOf(view, meanImage(frame, leaf, meta));
  const part = partOf(meta);
  const flows = flowsOf(frame);
  const all = flows ? total(rowsAt(flows, ~leaf)) : 0;
  if (flows && !all) return { title, text, rows: [], note: said(part.asleep) };
  /** @type {StoryRow[]} */
  const rows = [];
  if (flows) rows.push({ label: said(part.rows), value: _("{n} of {all}", { n: all, all: flows.total }) });
  rows.push(...sharesOf(frame, leaf, meta, theme));
  if (frame.at) {
    const figures = leafFigures(frame, view.points, view.lens.side);
    if (figures.n[leaf]) {
      rows.push({ label: _("Shown points here"), value: counted(figures.n[leaf]) });
      rows.push({ label: _("their mean loss"), value: `${number(figures.loss[leaf])}${unitOf(meta)}` });
      if (frame.bound) rows.push({ label: _("mean bound gap"), value: `${number(figures.gap[leaf])}${unitOf(meta)}` });
    }
  }
  const notes = [image ? said(part.picture) : ""];
  const own = flows && !numbers ? rowsAt(flows, ~leaf)[frame.leaf[leaf]] / all : NaN;
  if (Math.abs(own - frame.share[leaf] / 255) > 0.02) {
    notes.push(_("The bars count the examples here. The probability differs: small leaves are smoothed, and some methods set it while they learn."));
  }
  return { title, text, rows, image, note: notes.filter(Boolean).join(" ") };
}

/** What is said of the rows that are counted at splits and leaves, by whose they are. */
const PARTS = {
  training: {
    rows: N_("Training examples"), its: N_("training examples"),
    asleep: N_("Inactive: no training example reaches it."),
    picture: N_("The picture is the mean of its training examples."),
  },
  "held-out": {
    rows: N_("Test examples"), its: N_("test examples"),
    asleep: N_("Inactive: no test example reaches it."),
    picture: N_("The picture is the mean of its test examples."),
  },
  chosen: {
    rows: N_("Examples"), its: N_("examples"),
    asleep: N_("Inactive: no example reaches it."),
    picture: N_("The picture is the mean of its examples."),
  },
};

/** Which rows are counted. @param {Meta} meta */
export const partOf = (meta) => PARTS[/** @type {keyof typeof PARTS} */ (meta.part ?? "training")] ?? PARTS.training;

/** The unit of losses, to stand behind a number. @param {Meta} meta */
export const unitOf = (meta) => (meta.task === "regression" ? " sd²" : ` ${_("nats")}`);

/** @type {(view: Scene, pixels: Uint8Array | null) => Story["image"]} */
const pictureOf = ({ meta, theme }, pixels) =>
  (pixels && meta.image ? { pixels, shape: meta.image, theme } : null);

/**
 * Pixels of a leaf's mean image, null where it has none.
 * @param {Frame} frame @param {number} leaf @param {Meta} meta
 */
export function meanImage(frame, leaf, meta) {
  const { means, mean_of: of, splits } = frame.detail ?? {};
  return splits === frame.children.length >> 1 ? imageIn(means, of, leaf, meta) : null;
}

/** @type {(images: Uint8Array | null | undefined, of: Int32Array | null | undefined, i: number, meta: Meta) => Uint8Array | null} */
function imageIn(images, of, i, { image }) {
  const row = of?.indexOf(i) ?? -1;
  if (!image || !images || row < 0) return null;
  const size = image[0] * image[1];
  return images.subarray(row * size, row * size + size);
}

/** Class, prediction, loss and bound of a point. @param {Scene} view @param {number} i */
function pointRows(view, i) {
  const { frame, points, meta } = view;
  /** @type {StoryRow[]} */
  const rows = [];
  const leaf = frame?.at?.[i];
  if (meta.task === "regression") {
    rows.push({ label: _("Target"), value: number(points.target?.[i] ?? NaN) });
    if (frame && leaf !== undefined) {
      const value = frame.said ? number(frame.said[i]) : answerOf(frame, leaf, meta);
      rows.push({ label: _("Predicted"), value });
    }
  } else {
    rows.push({ label: _("Class"), value: classOf(meta, points.label[i]) });
    const guess = guessOf(frame, i, meta);
    if (guess !== undefined) rows.push({ label: _("Predicted"), value: classOf(meta, guess) });
  }
  rows.push(...moveRows(view, i));
  if (frame?.loss) rows.push({ label: _("Loss"), value: `${number(frame.loss[i])}${unitOf(meta)}` });
  if (frame?.bound) rows.push({ label: _("Bound"), value: `${number(frame.bound[i])}${unitOf(meta)}` });
  return rows;
}

/** Where a point comes from, and where learning still keeps it. @param {Scene} view @param {number} i */
function moveRows(view, i) {
  const { frame, earlier, meta } = view;
  /** @type {StoryRow[]} */
  const rows = [];
  if (!frame?.at) return rows;
  if (earlier?.at && hasMoved(view, i)) {
    rows.push({ label: _("Leaf one {unit} ago", { unit: _(meta.unit ?? "epoch") }), value: String(earlier.at[i]) });
    rows.push({ label: _("Leaf now"), value: String(frame.at[i]) });
  }
  const frozen = frozenLeaf(frame, i);
  if (frozen >= 0) {
    rows.push({ label: _("Gradient uses leaf"), value: String(frozen) });
    if (rows.length < 2) rows.push({ label: _("Now reaches"), value: _("leaf {leaf}", { leaf: frame.at[i] }) });
    const [way, kept] = [frame.at[i], frozen].map((leaf) => wayTo(frame, leaf));
    const { split } = way[way.findIndex(({ right }, level) => right !== kept[level]?.right)];
    rows.push({ label: _("Paths part at"), value: split ? _("split {split}", { split }) : _("the root") });
  }
  return rows;
}

/** @param {Scene} view @param {number} i @returns {Story} */
export function pointStory(view, i) {
  const { missed, missed_images: images } = view.frame?.detail ?? {};
  const guess = guessOf(view.frame, i, view.meta);
  const wrong = guess !== undefined && guess !== view.points.label[i];
  return {
    title: wrong ? _("Misclassified point") : _("Point"),
    rows: pointRows(view, i),
    image: pictureOf(view, imageIn(images, missed, i, view.meta)),
    note: view.points.held?.[i] ? _("Test example.") : _("Training example."),
  };
}
