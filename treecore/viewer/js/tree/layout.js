// Where the nodes of the tree go: pure arithmetic, no drawing.
//
// Leaves stand at even distances in their order; a split stands over the middle of its children.
// How a node is drawn depends on the room it has: a card with its weights, or a dot; a bar with its
// classes, wide or thin. So two levels show everything and nine still show the shape.

import { leavesBelow } from "../map/geometry.js";

/** @import { Window } from "./treewindow.js" */

const EDGE = 10; // free pixels at the sides
const BAR = 30; // height of a leaf's bar
const PICTURE = 46; // of a leaf with the mean of its images over the bar
const COUNT = 18; // and of the number under it
const DOT = 8;

/**
 * @typedef {object} PlanNode
 * @property {number} ref >= 0 a split, < 0 leaf ~ref
 * @property {number} depth in the whole tree
 * @property {number} parent index of a node, -1 for the one on top
 * @property {number} side 0 left child, 1 right child
 * @property {"card"|"dot"|"leaf"|"fold"} kind fold: a split below which nothing is drawn
 * @property {number} x @property {number} y centre of a card or dot, top of a leaf's bar
 * @property {number} w @property {number} h @property {number} room pixels to its neighbours
 * @property {number[]} kids indices of its children among the nodes
 * @property {number[]} stubs sides, 0 left and 1 right, on which a branch is hidden
 */

/**
 * Where all nodes go, the one on top first, and which is whose; splits below folds, branches hidden.
 * @typedef {{nodes: PlanNode[], ofSplit: Int32Array, ofLeaf: Int32Array, folded: number, hidden: number}} Plan
 */

/** The number of the node of a split, or leaf ~ref; -1 where it is not drawn. @param {Plan} plan @param {number} ref */
export const placeIn = (plan, ref) => (ref < 0 ? plan.ofLeaf[~ref] : plan.ofSplit[ref]) ?? -1;

/**
 * @param {Int16Array} children
 * @param {number} width @param {number} height
 * @param {number} ratio width of a card over its height
 * @param {boolean} pictured whether leaves show a picture
 * @param {Window} shown what of the tree is drawn
 * @returns {Plan}
 */
export function layoutTree(children, width, height, ratio, pictured, shown) {
  const m = children.length >> 1;
  /** @type {Plan} */
  const found = {
    nodes: [],
    ofSplit: new Int32Array(m).fill(-1),
    ofLeaf: new Int32Array(m + 1).fill(-1),
    folded: 0,
    hidden: 0,
  };
  collect(found, children, shown);
  place(found.nodes, width);
  stack(group(found.nodes, width), height, ratio, pictured);
  return found;
}

/**
 * Parents before children, left before right.
 * @param {Plan} found @param {Int16Array} children @param {Window} shown
 */
function collect(found, children, shown) {
  const { nodes } = found;
  /** @type {(ref: number, depth: number, parent: number, side: number) => void} */
  const add = (ref, depth, parent, side) => {
    const folded = shown.closed.has(ref) && ref !== shown.root;
    const open = ref >= 0 && !folded && depth < shown.to && sidesOf(ref).some((child) => shown.keeps(child));
    const kind = ref < 0 ? "leaf" : open ? "card" : "fold";
    nodes.push({ ref, depth, parent, side, kind, x: 0, y: 0, w: 0, h: 0, room: 0, kids: [], stubs: [] });
    if (parent >= 0) nodes[parent].kids.push(nodes.length - 1);
    if (ref < 0) found.ofLeaf[~ref] = nodes.length - 1;
    else found.ofSplit[ref] = nodes.length - 1;
  };
  const sidesOf = (/** @type {number} */ split) => [children[2 * split], children[2 * split + 1]];
  add(children.length ? shown.root : ~0, shown.top, -1, 0);
  for (let i = 0; i < nodes.length; i++) {
    const node = nodes[i];
    if (node.kind === "fold") found.folded += leavesBelow(children, node.ref).size - 1;
    if (node.kind !== "card") continue;
    sidesOf(node.ref).forEach((child, side) => {
      if (shown.keeps(child)) return add(child, node.depth + 1, i, side);
      node.stubs.push(side);
      found.hidden += 1;
    });
  }
}

/** @param {PlanNode[]} nodes @param {number} width */
function place(nodes, width) {
  // Depth first for the order of the ends, then backwards for the middles.
  /** @type {(i: number) => number[]} */
  const endsOf = (i) => (nodes[i].kids.length ? nodes[i].kids.flatMap(endsOf) : [i]);
  const ends = endsOf(0);
  const step = (width - 2 * EDGE) / ends.length;
  ends.forEach((i, at) => {
    nodes[i].x = EDGE + (at + 0.5) * step;
    nodes[i].room = step;
  });
  // The room of a split is the width of all that hangs on it: nothing else comes there.
  for (let i = nodes.length - 1; i >= 0; i--) {
    const { kids } = nodes[i];
    if (!kids.length) continue;
    nodes[i].x = (nodes[kids[0]].x + nodes[kids[kids.length - 1]].x) / 2;
    nodes[i].room = kids.reduce((room, kid) => room + nodes[kid].room, 0);
  }
}

/**
 * The nodes of each level from left to right, none wider than the way to its neighbours and the sides.
 * @param {PlanNode[]} nodes @param {number} width
 */
function group(nodes, width) {
  /** @type {PlanNode[][]} */
  const levels = [];
  for (const node of nodes) (levels[node.depth - nodes[0].depth] ??= []).push(node);
  for (const level of levels) {
    level.sort((a, b) => a.x - b.x);
    level.forEach((node, i) => {
      node.room = Math.min(node.room, 2 * node.x, 2 * (width - node.x));
      if (i) node.room = Math.min(node.room, node.x - level[i - 1].x);
      if (i + 1 < level.length) node.room = Math.min(node.room, level[i + 1].x - node.x);
    });
  }
  return levels;
}

/**
 * Heights: as many levels of cards as fit, as tall as they fit, dots below.
 * @param {PlanNode[][]} levels @param {number} height @param {number} ratio
 * @param {boolean} pictured
 */
function stack(levels, height, ratio, pictured) {
  const bar = pictured ? PICTURE : BAR;
  const depth = levels.length - 1;
  const least = depth >= 7 ? 11 : depth >= 5 ? 20 : 30;
  const sizes = [96, 80, 68, 60, 52, 46, 40, 34, 30];
  const heightsOf = (/** @type {number} */ cards, /** @type {number} */ tall) => levels.map(
    (level, d) => levelHeight(level, d < cards ? tall : 0, ratio, d === depth ? bar : 0));
  const fitting = () => {
    for (let cards = depth; cards >= 0; cards--) {
      for (const tall of sizes) {
        const heights = heightsOf(cards, tall);
        const free = height - 4 - heights.reduce((a, b) => a + b, 0);
        if (depth === 0 || free / depth >= least) return { heights, free, cards, tall };
      }
    }
    return { heights: heightsOf(0, 0), free: depth * 6, cards: 0, tall: 0 };
  };
  const best = fitting();
  // Upper streams are wider and need more room to turn.
  const share = levels.slice(1).map((_, d) => 1 + 1.2 * 0.5 ** d);
  const all = share.reduce((a, b) => a + b, 0) || 1;
  const spread = Math.min(best.free, depth * 64); // a shallow tree need not be stretched
  let top = 2 + (depth ? (best.free - spread) / 2 : best.free / 2);
  levels.forEach((level, d) => {
    for (const node of level) size(node, top, best.heights[d], d < best.cards ? best.tall : 0, ratio, bar, pictured);
    top += best.heights[d] + (spread * (share[d] ?? 0)) / all;
  });
}

/**
 * A leaf may hang down into the levels below, where nothing else comes: only the last ones count.
 * @param {PlanNode[]} level @param {number} tall @param {number} ratio @param {number} bar
 */
function levelHeight(level, tall, ratio, bar) {
  return level.reduce((most, node) => {
    if (node.kind === "leaf" || node.kind === "fold") {
      return Math.max(most, bar ? bar + (node.room >= 20 ? COUNT : 0) : DOT);
    }
    return Math.max(most, isCard(node, tall, ratio) ? tall : DOT);
  }, 0);
}

/** @type {(node: PlanNode, tall: number, ratio: number) => boolean} */
const isCard = (node, tall, ratio) => tall > 0 && node.room >= Math.min(tall * ratio, 30) + 6;

/**
 * @param {PlanNode} node @param {number} top @param {number} levelTall @param {number} tall
 * @param {number} ratio @param {number} bar @param {boolean} pictured
 */
function size(node, top, levelTall, tall, ratio, bar, pictured) {
  if (node.kind === "leaf" || node.kind === "fold") {
    node.w = Math.max(1, Math.min(34, node.room * (node.room < 6 ? 0.86 : 0.72)));
    node.h = bar;
    node.y = top;
    return;
  }
  if (isCard(node, tall, ratio)) {
    node.kind = "card";
    node.w = Math.min(tall * ratio, node.room - 6);
    node.h = pictured ? node.w / ratio : tall; // pixels stay square
  } else {
    node.kind = "dot";
    node.w = node.h = Math.max(3, Math.min(DOT, node.room * 0.7));
  }
  node.y = top + levelTall / 2;
}
