// Which part of a large tree is drawn: the subtree under a split, its upper levels, and only
// branches that enough rows take. What is wished for is kept; a tree that cannot show it shows the
// nearest that it can.

import { parentsOf } from "../app/frame.js";
import { leavesBelow } from "../map/geometry.js";
import { rowsAt, total } from "../app/stories.js";
import { placesOf } from "./places.js";

/** Levels drawn at once at most. */
export const MOST_LEVELS = 9;

const THIN = 5; // pixels to an end of the tree below which fewer levels are drawn, unless asked for

/**
 * @typedef {object} Wish
 * @property {number} root split on top
 * @property {number | null} to last level drawn; null: as many as are readable
 * @property {number} least share of the training rows that a branch must have to be drawn
 * @property {ReadonlySet<number>} closed splits that are folded up
 */

/**
 * What a tree can show of a wish: the node on top and its level, the lowest level below it, the last
 * one drawn, the rows that a branch needs, and whether one has them.
 * @typedef {{root: number, top: number, bottom: number, to: number, least: number,
 *   keeps: (ref: number) => boolean, closed: ReadonlySet<number>}} Window
 */

/** All of the tree. @type {Readonly<Wish>} */
export const WHOLE = Object.freeze({
  root: 0, to: null, least: 0, closed: new Set(),
});

/** How many splits lie above every split. @param {Int16Array} children */
export const depthsOf = (children) => placesOf(children).depth;

/**
 * The deepest level there is below a split: that of its deepest leaf.
 * @param {Int16Array} children @param {number} root
 */
function bottomOf(children, root) {
  if (!children.length) return 0;
  const depths = depthsOf(children);
  const { leaf: above } = parentsOf({ children });
  return 1 + Math.max(...Array.from(leavesBelow(children, root), (leaf) => depths[above[leaf]]));
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
  const least = flows ? wish.least * flows.total : 0;
  /** @type {Window["keeps"]} */
  const keeps = (ref) => !flows || !least || total(rowsAt(flows, ref)) >= least;
  const { closed } = wish;
  const shown = { root, top, bottom, least, keeps, closed, to: Math.min(bottom, top + MOST_LEVELS) };
  if (wish.to === null) shown.to = readable(shown, children, width);
  else shown.to = Math.max(Math.min(top + 1, bottom), Math.min(wish.to, shown.to));
  return shown;
}

/**
 * The last level at which the tree's ends still have room, never less than two below the first.
 * @param {Window} shown @param {Int16Array} children @param {number} width
 */
function readable(shown, children, width) {
  let level = children.length ? [shown.root] : [];
  let ended = 0; // leaves above the level
  for (let to = shown.top + 1; to <= shown.to; to++) {
    const below = level.flatMap((split) => [children[2 * split], children[2 * split + 1]]).filter(shown.keeps);
    level = below.filter((child) => child >= 0 && !shown.closed.has(child));
    if (to > shown.top + 2 && (ended + below.length) * THIN > width) return to - 1;
    ended += below.length - level.length;
  }
  return shown.to;
}
