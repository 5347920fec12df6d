// Cells of points: they partition the box, and each is the set of places nearest to its point.

import assert from "node:assert/strict";
import test from "node:test";

import { cellsOf } from "../../treecore/viewer/js/map/cells.js";
import { area, centre } from "../../treecore/viewer/js/map/geometry.js";
import { normal, randomOf } from "./helpers.js";

const BOX = [-2, 3, -1, 1.5];
const SCALE = [40, 130];

for (const [seed, n] of [[1, 1], [2, 2], [3, 30], [4, 1000]]) {
  test(`cells of ${n} points partition the box into what is nearest to each`, () => {
    const random = randomOf(seed);
    const xy = Float32Array.from({ length: 2 * n }, () => 0.4 * normal(random));
    if (n > 2) xy.set(xy.subarray(2, 4), 10); // two at one place
    const shown = Array.from({ length: n }, (_, i) => i).filter((i) => n < 30 || i % 7);
    const cells = cellsOf(xy, shown, BOX, SCALE);
    const whole = cells.reduce((sum, cell) => sum + (cell ? area(cell) : 0), 0);
    assert.ok(Math.abs(whole - 12.5) < 1e-6, `${whole}`);
    const far = ([x, y], i) => Math.hypot((x - xy[2 * i]) * SCALE[0], (y - xy[2 * i + 1]) * SCALE[1]);
    cells.forEach((cell, k) => {
      if (!cell) return;
      const [x, y] = centre(cell);
      for (let c = 0; c < cell.length; c += 2) { // a place well inside, towards each corner
        const at = [x + 0.9 * (cell[c] - x), y + 0.9 * (cell[c + 1] - y)];
        const least = Math.min(...shown.map((i) => far(at, i)));
        assert.ok(far(at, shown[k]) <= least + 1e-6);
      }
    });
    if (n > 2) assert.deepEqual([shown.indexOf(1), shown.indexOf(5)].map((k) => cells[k] === null), [false, true]);
  });
}
