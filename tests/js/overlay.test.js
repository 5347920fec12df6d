// Curves of several runs: what makes their charts be built anew, and what the pointer is on.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.fetch = async () => new Response("");
globalThis.CSSStyleSheet = class {
  replaceSync() {}
};
const { nearestOf } = await import("../../treecore/viewer/js/map/geometry.js");
const { rowAt, shapeOf } = await import("../../treecore/viewer/js/charts/overlay.js");
const { valueAfter, valueAt } = await import("../../treecore/viewer/js/charts/limit.js");

const leaves = { title: "Active leaves", unit: "count", help: "", low: 0, high: 32 };

test("a chart of the same title in another unit is another chart", () => {
  const byNu = { parts: ["charts"], charts: [{ ...leaves, unit: "count, by ν" }] };
  assert.notEqual(shapeOf(byNu), shapeOf({ parts: ["charts"], charts: [leaves] }));
});

test("values and limits are drawn into what is built", () => {
  const more = { parts: ["charts"], state: "running", charts: [{ ...leaves, high: 64 }] };
  assert.equal(shapeOf(more), shapeOf({ parts: ["charts"], charts: [leaves] }));
});

test("a moment of the clock is the last row that is not after it", () => {
  const rows = Float32Array.of(0, 9, 0.5, 8, 1, 7);
  assert.deepEqual([null, 0, 0.4, 0.5, 2].map((cross) => rowAt(rows, 2, 0, cross)), [4, 0, 0, 2, 4]);
  const trail = Float32Array.of(0, 50, 0, 0.3, 60, 0.5, 0.2, 70, 1); // leaves may become fewer
  assert.equal(rowAt(trail, 3, 2, 0.7), 3);
});

test("a line is pointed at within reach, and the nearest of several", () => {
  const places = [[0, 0], [10, 0], [NaN, 1]];
  assert.equal(nearestOf(places, 7, 1, 12), 1);
  assert.equal(nearestOf(places, 50, 50, 12), -1);
  assert.equal(nearestOf([], 0, 0, 12), -1);
});

const values = [2, 4, 8, 16, 32]; // limits of leaves

test("the limit's line goes to the nearest limit along the axis, and not beyond the last", () => {
  const limit = { most: 8, values, octaves: 6 };
  assert.deepEqual([-1, 0, 0.34, 0.49, 0.6, 9].map((share) => valueAt(limit, share)), [2, 2, 4, 8, 16, 32]);
});

test("keys go from limit to limit, and other keys nowhere", () => {
  const from = (n, ...keys) => keys.map((key) => valueAfter(values, n, key));
  assert.deepEqual(from(8, "ArrowLeft", "ArrowUp", "End", "Home", "Tab"), [4, 16, 32, 2, undefined]);
  assert.deepEqual([...from(2, "ArrowDown"), ...from(32, "ArrowRight")], [2, 32]);
});
