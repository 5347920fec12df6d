// Which part of a large tree is drawn: the subtree under a split, some of its levels, and only
// branches that enough rows take. What is wished for is kept; a tree that cannot show it shows the
// nearest that it can.

import { rowsAt, total } from "../app/stories.js";

/** @import { Flows } from "../app/stories.js" */

/** Levels drawn at once at most. */
export const MOST_LEVELS = 9;

const THIN = 5; // pixels to an end of the tree below which fewer levels are drawn, unless asked for

/**
 * @typedef {object} Wish
 * @property {number} root split on top @property {number} from first level drawn, from 0
 * @property {number | null} to last level drawn; null: as many as are readable
 * @property {number} least share of the training rows that a branch must have to be drawn
 * @property {ReadonlySet<number>} closed splits that are folded up
 */

/**
 * What a tree can show of a wish: the split on top and its level, the lowest level below it, the
 * levels drawn, the rows that a branch needs, and whether one has them.
 * @typedef {{root: number, top: number, bottom: number, from: number, to: number, least: number,
 *   keeps: (ref: number) => boolean, closed: ReadonlySet<number>}} Window
 */

/** All of the tree. @type {Readonly<Wish>} */
export const WHOLE = Object.freeze({
  root: 0, from: 0, to: null, least: 0, closed: new Set(),
});

/** @type {WeakMap<Int16Array, Int16Array>} depth of every split by children */
const depthsKnown = new WeakMap();

/** How many splits lie above every split. @param {Int16Array} children */
export function depthsOf(children) {
  let depths = depthsKnown.get(children);
  if (depths) return depths;
  depths = new Int16Array(children.length >> 1);
  for (let i = 0; i < children.length; i++) {
    if (children[i] >= 0) depths[children[i]] = depths[i >> 1] + 1; // numbered after their parents
  }
  depthsKnown.set(children, depths);
  return depths;
}

/**
 * The deepest level there is below a split: that of its deepest leaf.
 * @param {Int16Array} children @param {number} root
 */
function bottomOf(children, root) {
  const m = children.length >> 1;
  if (!m) return 0;
  const depths = depthsOf(children);
  const inside = new Uint8Array(m);
  inside[root] = 1;
  let deepest = depths[root];
  for (let i = root; i < m; i++) {
    if (!inside[i]) continue;
    deepest = Math.max(deepest, depths[i]);
    for (const child of [children[2 * i], children[2 * i + 1]]) if (child >= 0) inside[child] = 1;
  }
  return deepest + 1;
}

/**
 * What of a wish the present tree can show.
 * @param {Wish} wish
 * @param {Int16Array} children
 * @param {Flows | null} flows rows by node; without them no branch is hidden
 * @param {number} width pixels
 * @returns {Window}
 */
export function windowOf(wish, children, flows, width) {
  const m = children.length >> 1;
  const root = wish.root < m ? wish.root : 0;
  const top = m ? depthsOf(children)[root] : 0;
  const bottom = bottomOf(children, root);
  const from = Math.max(top, Math.min(wish.from, bottom - 1));
  const least = flows ? wish.least * flows.total : 0;
  /** @type {Window["keeps"]} */
  const keeps = (ref) => !flows || !least || total(rowsAt(flows, ref)) >= least;
  const { closed } = wish;
  const shown = { root, top, bottom, from, least, keeps, closed, to: Math.min(bottom, from + MOST_LEVELS) };
  if (wish.to === null) shown.to = readable(shown, children, width);
  else shown.to = Math.max(Math.min(from + 1, bottom), Math.min(wish.to, shown.to));
  return shown;
}

/**
 * The last level at which the tree's ends still have room, never less than two below the first.
 * @param {Window} shown @param {Int16Array} children @param {number} width
 */
function readable(shown, children, width) {
  let level = rootsOf(shown, children).filter((ref) => ref >= 0);
  let ended = 0; // leaves above the level
  for (let to = shown.from + 1; to <= shown.to; to++) {
    /** @type {number[]} */
    const next = [];
    for (const split of level) {
      for (const child of [children[2 * split], children[2 * split + 1]]) {
        if (!shown.keeps(child)) continue;
        if (child >= 0 && !shown.closed.has(child)) next.push(child);
        else ended += 1;
      }
    }
    if (to > shown.from + 2 && (ended + next.length) * THIN > width) return to - 1;
    level = next;
  }
  return shown.to;
}

/**
 * The nodes on top of a window: one, or all of its first level.
 * @param {Window} window @param {Int16Array} children
 */
export function rootsOf({ root, top, from, keeps }, children) {
  let level = [children.length ? root : ~0];
  for (let depth = top; depth < from; depth++) {
    level = level.flatMap((ref) => (ref < 0 ? [] : [children[2 * ref], children[2 * ref + 1]]));
  }
  const kept = level.filter(keeps);
  return kept.length ? kept : level.slice(0, 1);
}
