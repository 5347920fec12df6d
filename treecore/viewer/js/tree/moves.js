// How many points have changed their way through the tree, counted at every split and leaf.

import { frozenLeaf, hasMoved } from "../map/flips.js";
import { isShown, wayTo } from "../app/frame.js";
import { kept } from "../app/memo.js";

/** @typedef {[Uint32Array, Uint32Array]} Counts of splits, and of leaves */

/**
 * How the shown points have moved in the tree.
 * @typedef {object} Moves
 * @property {Frame | null} earlier @property {string} side that they were counted for
 * @property {Counts} into points that moved in since a pass ago
 * @property {Counts} out that moved out
 * @property {Counts} kept that the gradient keeps there though they lie elsewhere
 * @property {Uint32Array} turned of every split: points that it sends to its other side
 */

/**
 * The moves of view.frame since view.earlier, counted once.
 * @param {WithTree<Pick<Scene, "earlier" | "points" | "lens">>} view
 * @returns {Moves}
 */
export function movesOf(view) {
  const { frame, earlier, points, lens } = view;
  if (frame.moves?.earlier === earlier && frame.moves.side === lens.side) return frame.moves;
  const m = frame.children.length >> 1;
  /** @type {() => Counts} */
  const count = () => [new Uint32Array(m), new Uint32Array(m + 1)];
  const found = { earlier, side: lens.side, into: count(), out: count(), kept: count(),
    turned: new Uint32Array(m) };
  /** @type {Map<number, Way>} */
  const known = new Map();
  const way = (/** @type {number} */ leaf) => kept(known, leaf, () => wayTo(frame, leaf));
  /** @type {(counts: Counts, leaf: number, first: number) => void} */
  const add = (counts, leaf, first) => {
    counts[1][leaf] += 1;
    for (const { split } of way(leaf).slice(first)) counts[0][split] += 1;
  };
  for (let i = 0; frame.at && i < frame.at.length; i++) {
    if (!isShown(points, i, lens.side)) continue;
    const now = frame.at[i];
    const kept = frozenLeaf(frame, i);
    if (kept >= 0 && kept <= m) add(found.kept, kept, parting(way(kept), way(now)) + 1);
    // A tree of another shape has other leaves: a number of one of them says nothing here.
    if (!earlier?.at || !hasMoved(view, i) || earlier.children !== frame.children) continue;
    const [old, own] = [way(earlier.at[i]), way(now)];
    const level = parting(old, own);
    found.turned[own[level].split] += 1;
    add(found.out, earlier.at[i], level + 1);
    add(found.into, now, level + 1);
  }
  return (frame.moves = found);
}

/** The level at which two ways part. @param {Way} a @param {Way} b */
export function parting(a, b) {
  let level = 0;
  while (level < a.length && level < b.length && a[level].split === b[level].split
    && a[level].right === b[level].right) level += 1;
  return level;
}

/** A count at a split, or at leaf ~ref. @type {(counts: Counts, ref: number) => number} */
export const countAt = (counts, ref) => (ref < 0 ? counts[1][~ref] : counts[0][ref]);
