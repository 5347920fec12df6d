// One recorded tree: read from a message, looked into, and turned evenly into the next one.

import { parents } from "./geometry.js";

/**
 * @typedef {object} Frame
 * @property {number} n its number in the run @property {number} t seconds @property {number} epoch
 * @property {Float32Array} split (m, 3) lines on the map: w1, w2, b
 * @property {?Float32Array} size (m) the score of a split is its size times (w·x − b)
 * @property {?Float32Array} reach (m) |score| at the edge of the split's margin
 * @property {Int16Array} children @property {Uint8Array} leaf class of every leaf
 * @property {Uint8Array} share its probability, of 255 @property {?Float32Array} value its number
 * @property {?Uint16Array} at the leaf of every shown point
 * @property {?Uint16Array} used the leaf that the gradient uses for it, where that is kept apart
 * @property {?Float32Array} loss @property {?Float32Array} bound of every shown point
 * @property {?object} detail weights and counts of this tree, or of one a tick earlier
 */

const SHARED = ["children", "leaf", "share", "value", "at", "used"];
const OWN = ["split", "size", "reach", "loss", "bound"];

/** Frame i of a message, which follows `last`; null when it is not whole. */
export function readFrame(message, i, entry, last) {
  const read = (name) => message.array(`f${i}.${name}`);
  const split = read("split");
  const children = read("children");
  if (!split || !children) return null;
  const leaves = (children.length >> 1) + 1;
  const frame = { n: entry.n, t: entry.t ?? 0, epoch: entry.epoch ?? 0, detail: null, bytes: 0 };
  for (const name of OWN) frame[name] = name === "split" ? split : read(name);
  // Shape and answers seldom change from one tree to the next: sharing them makes the run
  // smaller, and lets the drawings know by `===` that their layout still holds.
  frame.children = shared(children, last?.children);
  frame.leaf = shared(read("leaf") ?? new Uint8Array(leaves), last?.leaf);
  frame.share = shared(read("share") ?? new Uint8Array(leaves).fill(255), last?.share);
  frame.value = shared(read("value"), last?.value);
  frame.at = shared(read("at"), last?.at);
  frame.used = shared(entry.used === undefined ? null : message.array(`used${entry.used}`), last?.used);
  for (const name of OWN) frame.bytes += frame[name]?.byteLength ?? 0;
  for (const name of SHARED) {
    if (frame[name] && frame[name] !== last?.[name]) frame.bytes += frame[name].byteLength;
  }
  return frame;
}

/** What a message tells of its newest tree alone. */
export function readDetail(message) {
  const names = ["weights", "weight_of", "feature", "threshold", "norm", "length", "counts", "scores",
    "mean_of", "means", "missed", "missed_images"];
  const detail = { bytes: 0, splits: -1, features: message.shape("weights")[1] ?? 0 };
  for (const name of names) {
    detail[name] = message.array(name);
    detail.bytes += detail[name]?.byteLength ?? 0;
  }
  if (!detail.bytes && !message.shape("feature").length) return null;
  const [leaves, classes] = message.shape("counts");
  detail.classes = classes ?? 0;
  detail.depth = message.shape("scores")[1] ?? 0;
  detail.splits = detail.feature?.length ?? (leaves ?? 0) - 1;
  detail.row = new Int32Array(Math.max(0, detail.splits)).fill(-1); // split -> row of weights
  detail.weight_of?.forEach((split, row) => (detail.row[split] = row));
  return detail;
}

function shared(array, earlier) {
  if (!array || !earlier || array.length !== earlier.length) return array;
  for (let i = 0; i < array.length; i++) if (array[i] !== earlier[i]) return array;
  return earlier;
}

/**
 * The splits of `a`, turned towards those of `b` by a share of the way; all else is `a`'s, for
 * no tree was recorded between the two.
 */
export function between(a, b, share) {
  if (!b || a.children !== b.children || !(share > 0)) return a;
  const split = new Float32Array(a.split.length);
  const turn = (x, y) => x + share * (y - x);
  for (let i = 0; i < split.length; i++) {
    const node = (i / 3) | 0;
    split[i] = turn(a.split[i] * (a.size?.[node] ?? 1), b.split[i] * (b.size?.[node] ?? 1));
  }
  const reach = a.reach && b.reach ? a.reach.map((r, i) => turn(r, b.reach[i])) : a.reach;
  return { ...a, split, reach, size: null, epoch: turn(a.epoch, b.epoch), figures: null, between: true };
}

const known = new WeakMap(); // children -> parents

/** Parents of all splits and leaves, computed once for every shape. */
export function parentsOf(frame) {
  let found = known.get(frame.children);
  if (!found) known.set(frame.children, (found = parents(frame.children)));
  return found;
}

/** The way to a leaf: splits from the root down, and whether each is left on its right side. */
export function wayTo(frame, leaf) {
  const above = parentsOf(frame);
  const way = [];
  for (let ref = ~leaf, at = above.leaf[leaf] ?? -1; at >= 0; ref = at, at = above.split[at]) {
    way.push({ split: at, right: frame.children[2 * at + 1] === ref });
  }
  return way.reverse();
}

/** The class a point is given; undefined while nothing is known of it, or it has a number. */
export function guessOf(frame, i, meta) {
  return frame?.at && meta.task !== "regression" ? frame.leaf[frame.at[i]] : undefined;
}

/**
 * The scores of a point at the splits on its way, NaN where they are not known.
 *
 * With one or two features the lines on the map and the point's place tell them; with more the
 * core has sent them along with the newest tree, and those of a tree a tick away are not passed
 * off as this one's.
 */
export function scoresOn(frame, way, i, view) {
  const none = way.map(() => NaN);
  const { meta, points } = view;
  if ((meta.features?.length ?? 0) <= 2) {
    if (frame.between) return none;
    const [x, y] = [points.xy[2 * i], points.xy[2 * i + 1]];
    return way.map(({ split: at }) => {
      const { split, size } = frame;
      return (size?.[at] ?? NaN) * (split[3 * at] * x + split[3 * at + 1] * y - split[3 * at + 2]);
    });
  }
  const { scores, depth } = frame.detail ?? {};
  if (!scores || frame.between) return none;
  const own = way.map((_, level) => scores[i * depth + level]);
  const fits = way.every(({ right }, level) => own[level] > 0 === right);
  const ends = way.length === depth || Number.isNaN(scores[i * depth + way.length]);
  return fits && ends && frame.detail.of === frame.n ? own : none;
}

/**
 * Figures of the leaves over the shown points of one side: how many, mean loss, mean gap.
 * @param {string} side "both", "train" or "test"
 */
export function leafFigures(frame, points, side) {
  if (frame.figures?.side === side) return frame.figures;
  const n = frame.leaf.length;
  const found = { side, n: new Uint32Array(n), loss: new Float64Array(n), gap: new Float64Array(n) };
  for (let i = 0; frame.at && i < frame.at.length; i++) {
    if (!isShown(points, i, side)) continue;
    const leaf = frame.at[i];
    found.n[leaf] += 1;
    found.loss[leaf] += frame.loss?.[i] ?? NaN;
    found.gap[leaf] += (frame.bound?.[i] ?? NaN) - (frame.loss?.[i] ?? NaN);
  }
  for (let leaf = 0; leaf < n; leaf++) {
    found.loss[leaf] /= found.n[leaf];
    found.gap[leaf] /= found.n[leaf];
  }
  frame.figures = found;
  return found;
}

/** Is a point on the side that is shown? */
export function isShown(points, i, side) {
  return side === "both" || !!points.held?.[i] === (side === "test");
}
