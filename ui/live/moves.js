// How many points have changed their way through the tree, counted at every split and leaf.

import { frozenLeaf, hasMoved } from "./flips.js";
import { isShown, wayTo } from "./frame.js";

/**
 * How the shown points have moved in the tree.
 * @typedef {object} Moves
 * @property {Uint32Array[]} into of splits, and of leaves: points that moved in since a pass ago
 * @property {Uint32Array[]} out that moved out
 * @property {Uint32Array[]} kept that the gradient keeps there though they lie elsewhere
 * @property {Uint32Array} turned of every split: points that it sends to its other side
 */

/** @returns {Moves} of view.frame since view.earlier, counted once */
export function movesOf(view) {
  const { frame, earlier, points, lens } = view;
  if (frame.moves?.earlier === earlier && frame.moves.side === lens.side) return frame.moves;
  const m = frame.children.length >> 1;
  const count = () => [new Uint32Array(m), new Uint32Array(m + 1)];
  const found = { earlier, side: lens.side, into: count(), out: count(), kept: count(),
    turned: new Uint32Array(m) };
  const known = new Map();
  const way = (leaf) => {
    if (!known.has(leaf)) known.set(leaf, wayTo(frame, leaf));
    return known.get(leaf);
  };
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
    if (!hasMoved(view, i) || earlier.children !== frame.children) continue;
    const [old, own] = [way(earlier.at[i]), way(now)];
    const level = parting(old, own);
    found.turned[own[level].split] += 1;
    add(found.out, earlier.at[i], level + 1);
    add(found.into, now, level + 1);
  }
  return (frame.moves = found);
}

/** The level at which two ways part. */
export function parting(a, b) {
  let level = 0;
  while (level < a.length && level < b.length && a[level].split === b[level].split
    && a[level].right === b[level].right) level += 1;
  return level;
}

/** A count at a split, or at leaf ~ref. */
export const countAt = (counts, ref) => (ref < 0 ? counts[1][~ref] : counts[0][ref]);
