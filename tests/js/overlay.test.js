// Curves of several runs: what makes their charts be built anew.

import assert from "node:assert/strict";
import test from "node:test";

globalThis.fetch = async () => new Response("");
globalThis.CSSStyleSheet = class {
  replaceSync() {}
};
const { shapeOf } = await import("../../treecore/viewer/js/charts/overlay.js");

const leaves = { title: "Active leaves", unit: "count", help: "", low: 0, high: 32 };

test("a chart of the same title in another unit is another chart", () => {
  const byNu = { parts: ["charts"], charts: [{ ...leaves, unit: "count, by ν" }] };
  assert.notEqual(shapeOf(byNu), shapeOf({ parts: ["charts"], charts: [leaves] }));
});

test("values and limits are drawn into what is built", () => {
  const more = { parts: ["charts"], state: "running", charts: [{ ...leaves, high: 64 }] };
  assert.equal(shapeOf(more), shapeOf({ parts: ["charts"], charts: [leaves] }));
});
