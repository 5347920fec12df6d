// Names that are cut are still told apart.

import assert from "node:assert/strict";
import test from "node:test";

import { shortened } from "../../treecore/viewer/js/app/names.js";

const within = (/** @type {number} */ n) => (/** @type {string} */ text) => text.length <= n;
const IRIS = ["sepal length (cm)", "sepal width (cm)", "petal length (cm)", "petal width (cm)"];

test("a name that fits stays as it is", () => {
  for (const name of IRIS) assert.equal(shortened(name, within(17), IRIS), name);
});

test("first goes the unit, then the ends of words, the longest first", () => {
  const cut = (/** @type {number} */ n) => shortened(IRIS[0], within(n), IRIS);
  assert.equal(cut(13), "sepal length");
  assert.equal(cut(11), "sepa. leng.");
  assert.equal(cut(9), "sep. len.");
  assert.equal(cut(7), "se. le.");
  assert.equal(cut(5), "s. l.");
});

test("names of one table are told apart at every width at which they can be", () => {
  const tables = [
    IRIS, ["mean radius", "worst radius", "mean area", "worst area"], ["fare (usd)", "fare (eur)"],
    Array.from({ length: 64 }, (_, i) => `pixel_${i >> 3}_${i & 7}`),
    ["Component 1", "Component 2"],
    ["satisfaction_with_price", "satisfaction_with_service"],
    ["measurement12", "measurement13"], ["concave points error", "concavity error", "compactness error"],
  ];
  for (const table of tables) {
    for (const width of [8, 10, 12, 16, 24]) {
      const short = table.map((name) => shortened(name, within(width), table));
      assert.equal(new Set(short).size, table.length, short.join());
      for (const name of short) assert.ok(name.length <= width, name);
    }
  }
});
