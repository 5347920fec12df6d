// Regions: they partition the box, each is the set of points that its leaf gets, and so for bands.

import assert from "node:assert/strict";
import test from "node:test";

import {
  area, bandOf, boxPolygon, centre, cut, leafLine, leavesBelow, lineOf, parents, partition, route,
} from "../../treecore/viewer/js/map/geometry.js";
import { normal, randomOf, randomTree, waysOf } from "./helpers.js";

const BOX = [-2, 3, -1, 1.5];
const WHOLE = (BOX[1] - BOX[0]) * (BOX[3] - BOX[2]);

const close = (a, b, slack = 1e-9) =>
  assert.ok(Math.abs(a - b) <= slack * Math.max(1, Math.abs(b)), `${a} is not ${b}`);

/** How far inside a counter-clockwise convex polygon a point is, negative outside. */
function depthIn(polygon, [x, y]) {
  let least = Infinity;
  for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
    const [dx, dy] = [polygon[i] - polygon[j], polygon[i + 1] - polygon[j + 1]];
    const long = Math.hypot(dx, dy);
    if (long > 1e-12) least = Math.min(least, (dx * (y - polygon[j + 1]) - dy * (x - polygon[j])) / long);
  }
  return least;
}

const inBox = (random) =>
  [BOX[0] + random() * (BOX[1] - BOX[0]), BOX[2] + random() * (BOX[3] - BOX[2])];

for (const [seed, m] of [[0, 0], [1, 1], [2, 7], [3, 40], [4, 200]]) {
  test(`regions of ${m} splits partition the box`, () => {
    const random = randomOf(seed);
    const { split, children } = randomTree(random, m);
    const { leaves, regions, lines, depth } = partition(split, children, BOX);
    assert.equal(leaves.length, m + 1);
    close(leaves.reduce((sum, polygon) => sum + (polygon ? area(polygon) : 0), 0), WHOLE);
    // Wherever a point lies, the region of its leaf holds it, and no other one does.
    let clear = 0;
    for (let i = 0; i < 400; i++) {
      const place = inBox(random);
      const inside = leaves.flatMap((polygon, leaf) =>
        (polygon && depthIn(polygon, place) > 1e-9 ? [leaf] : []));
      if (!inside.length) continue; // on an edge
      assert.deepEqual(inside, [route(split, children, ...place)]);
      clear += 1;
    }
    assert.ok(clear > 395);
    leaves.forEach((polygon, leaf) => {
      if (polygon && area(polygon) > 1e-9) {
        assert.equal(route(split, children, ...centre(polygon)), leaf);
      }
    });
    // A split divides its region into those of its children, along its line.
    for (let i = 0; i < m; i++) {
      const parts = [children[2 * i], children[2 * i + 1]].map((child) =>
        (child < 0 ? leaves[~child] : regions[child]));
      const own = regions[i] ? area(regions[i]) : 0;
      close(parts.reduce((sum, polygon) => sum + (polygon ? area(polygon) : 0), 0), own);
      for (let k = 0; lines[i] && k < 4; k += 2) {
        const [w1, w2, b] = split.subarray(3 * i, 3 * i + 3);
        close(w1 * lines[i][k] + w2 * lines[i][k + 1], b, 1e-6);
      }
    }
    for (const [leaf, way] of waysOf(children)) {
      way.forEach(([at], level) => assert.equal(depth[at], level, `a split above leaf ${leaf}`));
    }
  });
}

test("what is found of one split alone is what is found with all others", () => {
  const { split, children } = randomTree(randomOf(5), 60);
  const above = parents(children);
  const { lines } = partition(split, children, BOX);
  lines.forEach((line, node) => assert.deepEqual(lineOf(split, children, above, BOX, node), line));
});

test("the leaves below a split are those of its two sides", () => {
  const { children } = randomTree(randomOf(3), 20);
  for (let i = 0; i < 20; i++) {
    const [left, right] = [0, 1].map((side) => leavesBelow(children, children[2 * i + side]));
    assert.deepEqual(leavesBelow(children, i), new Set([...left, ...right]));
    assert.ok([...left].every((leaf) => !right.has(leaf)));
  }
  assert.equal(leavesBelow(children, 0).size, 21, "all of them below the root");
});

test("a line that misses leaves all on one side", () => {
  const box = boxPolygon([-1, 1, -1, 1]);
  assert.deepEqual(cut(box, 1, 0, -2), { left: null, right: box, line: null });
  assert.deepEqual(cut(box, 1, 0, 2), { left: box, right: null, line: null });
  assert.deepEqual(cut(box, 0, 0, 0), { left: box, right: null, line: null }, "ties go left");
  const { left, right, line } = cut(box, 1, 0, 0.5);
  assert.deepEqual([area(left), area(right)], [3, 1]);
  assert.deepEqual([line[0], line[2]], [0.5, 0.5]);
});

for (const seed of [0, 1, 2]) {
  test(`a margin is where the score is small (${seed})`, () => {
    const random = randomOf(seed);
    const [w1, w2, b] = [normal(random), normal(random), normal(random)];
    const band = bandOf(boxPolygon([-1, 1, -1, 1]), w1, w2, b, 0.4);
    let within = 0;
    for (let i = 0; i < 200; i++) {
      for (let j = 0; j < 200; j++) {
        const [x, y] = [(i + 0.5) / 100 - 1, (j + 0.5) / 100 - 1];
        within += Math.abs(w1 * x + w2 * y - b) <= 0.4 ? 1 : 0;
      }
    }
    close(band ? area(band) : 0, (4 * within) / 200 ** 2, 0.03);
  });
}

test("the line of a linear leaf is level beyond its range", () => {
  const model = { a: 2, c: 1, low: -1, high: 3 };
  assert.deepEqual(leafLine(model, [-2, 4]), [[-2, -1], [-1, -1], [1, 3], [4, 3]]);
  assert.deepEqual(leafLine(model, [0, 0.5]), [[0, 1], [0.5, 2]]);
  const level = { a: 0, c: 9, low: 9, high: 9 };
  assert.deepEqual(leafLine(level, [-2, 4]), [[-2, 9], [4, 9]], "a level one has no corners");
});
