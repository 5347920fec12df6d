// One recorded tree: read from a message, looked into, and turned evenly into the next one.

import { kept } from "./memo.js";
import { parents } from "../map/geometry.js";


/**
 * @typedef {object} Frame
 * @property {number} n its number in the run @property {number} t seconds @property {number} epoch
 * @property {Float32Array} split (m, 3) lines on the map: w1, w2, b
 * @property {Float32Array | null} size (m) the score of a split is its size times (w·x − b)
 * @property {Float32Array | null} reach (m) |score| at the edge of the split's margin
 * @property {Int16Array} children @property {Uint8Array} leaf class of every leaf
 * @property {Uint8Array} share its probability, of 255
 * @property {Float32Array | null} value its number @property {Float32Array | null} slopes of
 *   every linear leaf and output on the map: along x, along y, intercept, least, greatest
 * @property {Uint8Array | Float32Array | null} said the class or number of every shown point, where
 *   leaves are linear
 * @property {Uint16Array | null} at the leaf of every shown point
 * @property {Uint16Array | null} used the leaf that the gradient uses for it, where that is kept
 *   apart
 * @property {Float32Array | null} loss @property {Float32Array | null} bound of every shown point
 * @property {Detail | null} detail weights and counts of this tree, or of one a tick earlier
 * @property {number} bytes that it takes, without what it shares with the one before
 * @property {number} sliced the point through which its regions are a slice, -1 for the mean
 * @property {boolean} [between] two recorded trees, and not recorded itself
 * @property {LeafFigures | null} [figures] counted once
 */

/**
 * Arrays about the newest tree of a message.
 * @typedef {object} Told
 * @property {Int8Array | null} weights a row for each split that has some
 * @property {Int32Array | null} weight_of the split of each of those rows
 * @property {Int32Array | null} feature @property {Float32Array | null} threshold of every split
 * @property {Uint8Array | null} missing_right whether it sends a missing value right; null where
 * the mean of the feature says
 * @property {Float32Array | null} norm of its weights
 * @property {Float32Array | null} length of its row, where learning keeps that in bounds
 * @property {Uint16Array | Uint32Array | null} counts training rows by leaf and class
 * @property {Float32Array | null} scores of every shown point at the splits on its way
 * @property {Int32Array | null} mean_of leaves @property {Uint8Array | null} means their images
 * @property {Int32Array | null} hist_of splits @property {Uint32Array | null} hist their rows by
 * value and class @property {Float32Array | null} hist_at where between them the threshold is
 * @property {Int32Array | null} missed points @property {Uint8Array | null} missed_images theirs
 */

/**
 * @typedef {object} Shape
 * @property {number} bytes @property {number} splits @property {number} features
 * @property {number} classes @property {number} depth of `scores`
 * @property {Int32Array} row of `weights` for every split, -1 for none
 * @property {NonNullable<Meta["sets"]>} sets splits on a set of levels
 * @property {number} [of] the number of the frame that it belongs to
 * @property {Flows} [flows] counted once @property {Int16Array} [flowsFor] these children
 */

/** @typedef {Told & Shape} Detail what is known of a tree beyond its frame */
/** @typedef {{side: string, n: Uint32Array, loss: Float64Array, gap: Float64Array}} LeafFigures */
/** @typedef {Array<{split: number, right: boolean}>} Way */

/**
 * Is there a tree to tell of?
 * @template {Pick<Scene, "frame">} S
 * @param {S} scene
 * @returns {scene is WithTree<S>}
 */
export const hasTree = (scene) => scene.frame !== null;

const DETAILS = [
  "weights", "weight_of", "feature", "threshold", "missing_right", "norm", "length", "counts", "scores",
  "mean_of", "means", "hist_of", "hist", "hist_at", "missed", "missed_images",
];
const SHARED = /** @type {const} */ (["children", "leaf", "share", "value", "at", "said", "used"]);
const OWN = /** @type {const} */ (["split", "slopes", "size", "reach", "loss", "bound"]);

/**
 * Frame i of a message, which follows `last`; null when it is not whole.
 * @param {Message<Meta>} message @param {number} i @param {FrameEntry} entry
 * @param {Frame | null} last
 */
export function readFrame(message, i, entry, last) {
  /** @type {Message["array"]} */
  const read = (name) => message.array(`f${i}.${name}`);
  /** @type {Float32Array | null} */
  const split = read("split");
  /** @type {Int16Array | null} */
  const children = read("children");
  if (!split || !children) return null;
  const leaves = (children.length >> 1) + 1;
  /** @type {Frame} */
  const frame = {
    n: entry.n, t: entry.t, epoch: entry.epoch, sliced: entry.sliced ?? -1, detail: null, bytes: 0,
    split, slopes: read("slopes"), size: read("size"), reach: read("reach"), loss: read("loss"), bound: read("bound"),
    // Shape and answers seldom change from one tree to the next: sharing them makes the run
    // smaller, and lets the drawings know by `===` that their layout still holds.
    children: shared(children, last?.children),
    leaf: shared(read("leaf") ?? new Uint8Array(leaves), last?.leaf),
    share: shared(read("share") ?? new Uint8Array(leaves).fill(255), last?.share),
    value: shared(read("value"), last?.value),
    at: shared(read("at"), last?.at),
    said: shared(read("said"), last?.said),
    used: entry.used === undefined ? null
      : shared(entry.used < 0 ? last?.used ?? null : message.array(`used${entry.used}`), last?.used),
  };
  for (const name of OWN) frame.bytes += frame[name]?.byteLength ?? 0;
  for (const name of SHARED) {
    if (frame[name] !== last?.[name]) frame.bytes += frame[name]?.byteLength ?? 0;
  }
  return frame;
}

/** What a message tells of its newest tree alone. @param {Message<Meta>} message @returns {Detail | null} */
export function readDetail(message) {
  const { array, shape } = message;
  const told = /** @type {Told} */ (Object.fromEntries(DETAILS.map((name) => [name, array(name)])));
  const bytes = Object.values(told).reduce((sum, one) => sum + (one?.byteLength ?? 0), 0);
  if (!bytes && !shape("feature").length) return null;
  const [leaves, classes] = shape("counts");
  const splits = told.feature?.length ?? (leaves ?? 0) - 1;
  const row = new Int32Array(Math.max(0, splits)).fill(-1);
  told.weight_of?.forEach((split, i) => (row[split] = i));
  return {
    ...told, bytes, splits, row, features: shape("weights")[1] ?? 0, classes: classes ?? 0,
    depth: shape("scores")[1] ?? 0, sets: message.meta.sets ?? {},
  };
}

/**
 * The earlier array where it holds the same numbers.
 * @template {ArrayLike<number> | null} Numbers
 * @param {Numbers} array @param {Numbers} [earlier]
 */
function shared(array, earlier) {
  if (!array || !earlier || array.length !== earlier.length) return array;
  for (let i = 0; i < array.length; i++) if (array[i] !== earlier[i]) return array;
  return earlier;
}

/**
 * The splits of `a`, turned towards those of `b` by a share of the way; all else is `a`'s, for
 * no tree was recorded between the two.
 * @param {Frame} a @param {Frame | undefined} b @param {number} share
 */
export function between(a, b, share) {
  if (!b || a.children !== b.children || a.sliced !== b.sliced || !(share > 0)) return a;
  const split = new Float32Array(a.split.length);
  const turn = (/** @type {number} */ x, /** @type {number} */ y) => x + share * (y - x);
  for (let i = 0; i < split.length; i++) {
    const node = (i / 3) | 0;
    split[i] = turn(a.split[i] * (a.size?.[node] ?? 1), b.split[i] * (b.size?.[node] ?? 1));
  }
  const goal = b.reach;
  const reach = goal ? a.reach?.map((r, i) => turn(r, goal[i])) ?? null : a.reach;
  return { ...a, split, reach, size: null, epoch: turn(a.epoch, b.epoch), figures: null, between: true };
}

/** @type {WeakMap<Int16Array, import("../map/geometry.js").Parents>} by children */
const known = new WeakMap();

/** Parents of all splits and leaves, computed once for every shape. @param {Pick<Frame, "children">} frame */
export const parentsOf = ({ children }) => kept(known, children, () => parents(children));

/**
 * The way to a leaf: splits from the root down, and whether each is left on its right side.
 * @param {Pick<Frame, "children">} frame @param {number} leaf
 */
export function wayTo(frame, leaf) {
  const above = parentsOf(frame);
  const way = [];
  for (let ref = ~leaf, at = above.leaf[leaf] ?? -1; at >= 0; ref = at, at = above.split[at]) {
    way.push({ split: at, right: frame.children[2 * at + 1] === ref });
  }
  return way.reverse();
}

/**
 * The class a point is given; undefined while nothing is known of it, or it has a number.
 * @param {Frame | null} frame @param {number} i @param {Meta} meta
 */
export function guessOf(frame, i, meta) {
  if (!frame?.at || meta.task === "regression") return undefined;
  return frame.said ? frame.said[i] : frame.leaf[frame.at[i]];
}

/**
 * The scores of a point at the splits on its way, NaN where they are not known.
 *
 * With one or two features the lines on the map and the point's place tell them; with more the
 * core has sent them along with the newest tree, and those of a tree a tick away are not passed
 * off as this one's.
 * @param {Frame} frame @param {Way} way @param {number} i
 * @param {Pick<Scene, "meta" | "points">} view
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
  if (!frame.detail?.scores || frame.between) return none;
  const { scores, depth } = frame.detail;
  const own = way.map((_, level) => scores[i * depth + level]);
  const fits = way.every(({ right }, level) => own[level] > 0 === right);
  const ends = way.length === depth || Number.isNaN(scores[i * depth + way.length]);
  return fits && ends && frame.detail.of === frame.n ? own : none;
}

/**
 * Figures of the leaves over the shown points of one side: how many, mean loss, mean gap.
 * @param {Frame} frame @param {Pick<Points, "held">} points
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

/**
 * Is a point on the side that is shown?
 * @param {Pick<Points, "held">} points @param {number} i @param {string} side
 */
export function isShown(points, i, side) {
  return side === "both" || !!points.held?.[i] === (side === "test");
}
