// Dates are written as dates, times as times, all else as a number before its unit.

import assert from "node:assert/strict";
import test from "node:test";

import { splitStory } from "../../treecore/viewer/js/app/stories.js";
import { axisMarks, inUnit } from "../../treecore/viewer/js/app/units.js";
import { nodeSentence } from "../../treecore/viewer/js/tree/sentences.js";
import { frameOf } from "./helpers.js";

test("a value is written in its unit, as Python writes it", () => {
  for (const [value, unit, text] of [
    [19799, "date", "2024-03-17"], [19799.5, "date", "2024-03-17"], [19798.9995, "date", "2024-03-17"],
    [-0.5, "date", "1969-12-31"], [-719162, "date", "0001-01-01"], [19799.5, "moment", "2024-03-17 12:00"],
    [13.75, "time", "13:45"], [-1.5, "time", "−01:30"], [42, "kg", "42\u00a0kg"], [42, "", "42"],
    [Math.fround(41.15), "", "41.15"], [-2019.5, "", "−2019.5"], [1584.6123, "", "1585"], [0.001547, "", "0.00155"], [0, "", "0"],
    [NaN, "date", "–"], [Infinity, "time", "–"],
  ]) assert.equal(inUnit(value, unit), text);
  assert.equal(inUnit(19799.5, "date", true), "2024-03-18");
});

test("the marks of an axis are round and tell their day", () => {
  const texts = (low, high, unit) => axisMarks(low, high, 6, unit).map(({ text }) => text);
  for (const [unit, low, high, wanted] of [
    ["date", 19000, 19800, ["2022-07", "2023-01", "2023-07", "2024-01"]],
    ["date", 19700, 19702, ["2023-12-09", "2023-12-10", "2023-12-11"]],
    ["date", 0, 20000, ["1970", "1980", "1990", "2000", "2010", "2020"]],
    ["date", -300000, 20000, ["1200", "1400", "1600", "1800", "2000"]],
    ["moment", 19700, 19701.2, ["2023-12-09", "06:00", "12:00", "18:00", "2023-12-10"]],
    ["moment", 19700.1, 19700.15, ["2023-12-09 02:30", "02:45", "03:00", "03:15", "03:30"]],
    ["time", -1, 25, ["00:00", "06:00", "12:00", "18:00", "24:00"]],
    ["time", 0, 1e6, ["0", "200000", "400000", "600000", "800000", "1000000"]],
    ["date", -1e7, 1e7, ["−10000000", "−5000000", "0", "5000000", "10000000"]],
    ["kg", 0, 1, ["0.0", "0.2", "0.4", "0.6", "0.8", "1.0"]],
  ]) assert.deepEqual(texts(low, high, unit), wanted);
});

const TREE = { split: Float32Array.of(-1, 0, -19799.5), children: Int16Array.of(~0, ~1) };
const META = { features: ["bought", "age"], units: ["date", "years"], classes: ["a", "b"], task: "classification" };

test("a split on one feature asks for its value in its unit, a sum says what dates count as", () => {
  const node = { ref: 0, depth: 0, kind: "card" };
  const asked = (meta, split = TREE.split) =>
    nodeSentence({ frame: frameOf({ ...TREE, split: Float32Array.of(...split) }, {}), meta }, node);
  assert.match(asked(META), /: bought < 2024-03-18\.$/);
  assert.match(asked(META, [0, 1, 30]), /: age > 30\u00a0years\.$/);
  const story = (meta) => splitStory({
    frame: frameOf({ ...TREE, split: Float32Array.of(0.1, 1, 30) }, {}), meta, theme: {}, lens: {},
  }, 0, 0).note;
  assert.match(story(META), /In sums, dates count as days since the start of 1970/);
  assert.doesNotMatch(story({ ...META, units: [] }), /1970/);
});
