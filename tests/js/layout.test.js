// What of a tree is drawn, and where: everything that was asked for, and nothing over another.

import assert from "node:assert/strict";
import test from "node:test";

import { layoutTree } from "../../treecore/viewer/js/tree/layout.js";
import { placesOf } from "../../treecore/viewer/js/tree/places.js";
import { flowsOf, rowsAt, total } from "../../treecore/viewer/js/app/stories.js";
import { depthsOf, MOST_LEVELS, WHOLE, windowOf } from "../../treecore/viewer/js/tree/treewindow.js";
import { frameOf, pick, randomOf, randomTree, waysOf } from "./helpers.js";

const WIDTH = 600;

/** Top of a node: cards and dots lie about their place, leaves below it. */
const top = ({ kind, y, h }) => (kind === "card" || kind === "dot" ? y - h / 2 : y);

function grown(seed, m) {
  const random = randomOf(seed);
  const tree = randomTree(random, m);
  // Half of the leaves are asleep.
  const counts = Uint32Array.from({ length: m + 1 }, () => pick(random, 2) * pick(random, 4));
  const frame = frameOf(tree, { detail: { classes: 1, counts } });
  return { children: tree.children, counts, flows: flowsOf(frame), random };
}

test("rows that pass a split are those of the leaves below it", () => {
  const { children, counts, flows } = grown(0, 60);
  const sums = new Float64Array(60);
  for (const [leaf, way] of waysOf(children)) for (const [at] of way) sums[at] += counts[leaf];
  sums.forEach((sum, at) => assert.equal(total(rowsAt(flows, at)), sum));
  counts.forEach((count, leaf) => assert.equal(total(rowsAt(flows, ~leaf)), count));
  assert.equal(flows.total, total(counts));
});

test("leaves stand in their order and splits over what is below them", () => {
  const { children } = randomTree(randomOf(3), 60);
  const { split, leaf, depth } = placesOf(children);
  const order = [...waysOf(children).keys()].map((i) => leaf[i]);
  assert.deepEqual(order, [...order].sort((a, b) => a - b));
  assert.equal(new Set(order).size, 61);
  for (const [i, way] of waysOf(children)) {
    way.forEach(([at], level) => assert.equal(depth[at], level));
    const own = split[way.at(-1)[0]];
    assert.ok(Math.abs(own - leaf[i]) < 1 && own > 0 && own < 1);
  }
});

for (const seed of [0, 1, 2, 3]) {
  test(`what is drawn of a tree is what was asked for (${seed})`, () => {
    const m = 200;
    const { children, flows, random } = grown(seed, m);
    const depths = depthsOf(children);
    const above = new Map([...waysOf(children).values()].flatMap((way) =>
      way.map(([at], level) => [at, way.slice(0, level + 1).map(([one]) => one)])));
    const root = pick(random, 12);
    const wishes = [
      WHOLE, { ...WHOLE, root }, { ...WHOLE, to: 5 }, { ...WHOLE, to: 7, least: 0.02 },
      { ...WHOLE, root: 10 ** 6, to: -3, least: 1 }, { ...WHOLE, to: 9, closed: new Set([1, 3, 5]) },
    ];
    for (const wish of wishes) {
      const shown = windowOf(wish, children, flows, WIDTH);
      const { nodes, folded, hidden } = layoutTree(children, WIDTH, 300, 1.75, false, shown);
      const below = [...waysOf(children).values()].filter((way) => way.some(([at]) => at === shown.root));
      assert.equal(shown.bottom, Math.max(...below.map((way) => way.length)));
      assert.ok(0 <= shown.top && shown.top < shown.to && shown.to <= shown.top + MOST_LEVELS);
      for (const { ref, depth, parent } of nodes) {
        assert.ok(shown.top <= depth && depth <= shown.to);
        if (ref >= 0) assert.equal(depth, depths[ref]);
        if (parent >= 0) assert.ok(total(rowsAt(flows, ref)) >= wish.least * flows.total);
      }
      const ends = nodes.filter(({ kids }) => !kids.length);
      assert.equal(new Set(ends.map(({ x }) => x)).size, ends.length, "no two ends at one place");
      if (wish.to === null && shown.to > shown.top + 2) {
        assert.ok(WIDTH / ends.length >= 5, "every end has room, unless one asks for more");
      }
      if (wish.least) continue;
      assert.equal(hidden, 0);
      const within = Array.from({ length: m }, (_, i) => i).filter((i) =>
        above.get(i).includes(wish.root) && depths[i] >= shown.top);
      const drawn = within.filter((i) => depths[i] < shown.to
        && !above.get(i).some((at) => wish.closed.has(at)));
      const splits = nodes.filter(({ ref, kind }) => ref >= 0 && kind !== "fold");
      assert.deepEqual(splits.map(({ ref }) => ref).sort((a, b) => a - b), drawn);
      assert.equal(folded, within.length - drawn.length);
    }
  });
}

test("a tree that splits off one leaf after another, to either side, lies within the panel", () => {
  const m = 19;
  for (const mirrored of [0, 1]) {
    const children = Int16Array.from({ length: 2 * m }, (_, at) => {
      const deeper = (at + mirrored) % 2;
      return deeper ? ((at >> 1) + 1 < m ? (at >> 1) + 1 : ~m) : ~(at >> 1);
    });
    for (const width of [170, 330, WIDTH]) {
      const { nodes } = layoutTree(children, width, 240, 1.75, false, windowOf(WHOLE, children, null, width));
      for (const { x, w } of nodes) assert.ok(x - w / 2 >= 0 && x + w / 2 <= width);
    }
  }
});

for (const [seed, m, height] of [[4, 0, 90], [5, 1, 120], [6, 7, 300], [7, 31, 380], [8, 127, 420]]) {
  test(`nodes of a tree of ${m} splits do not lie over each other`, () => {
    const { children, flows } = grown(seed, m);
    for (const pictured of [false, true]) {
      const shown = windowOf(WHOLE, children, flows, WIDTH);
      const plan = layoutTree(children, WIDTH, height, 1.75, pictured, shown);
      const { nodes } = plan;
      const boxes = nodes.map((node) => ({
        left: node.x - node.w / 2, right: node.x + node.w / 2,
        top: top(node), bottom: top(node) + node.h,
      }));
      boxes.forEach((a, i) => {
        assert.ok(a.left >= 0 && a.right <= WIDTH && a.top >= 0, "within the panel");
        if (m <= 31) assert.ok(a.bottom <= height, "and not below it");
        for (const b of boxes.slice(i + 1)) {
          const aside = a.right <= b.left + 1e-9 || b.right <= a.left + 1e-9;
          assert.ok(aside || a.bottom <= b.top || b.bottom <= a.top);
        }
      });
      nodes.forEach((node, i) => {
        assert.equal(node.ref < 0 ? plan.ofLeaf[~node.ref] : plan.ofSplit[node.ref], i);
        if (!node.kids.length) return;
        const [left, right] = [node.kids[0], node.kids.at(-1)].map((kid) => nodes[kid]);
        assert.ok(left.x <= node.x && node.x <= right.x, "over the middle of its children");
        for (const kid of node.kids) {
          assert.equal(nodes[kid].parent, i);
          assert.ok(boxes[kid].top > boxes[i].bottom, "which lie below it");
        }
        if (node.kids.length === 2) assert.deepEqual([left.side, right.side], [0, 1]);
      });
    }
  });
}
