// A run put into words.

import assert from "node:assert/strict";
import test from "node:test";

import { checkpoints, sentence } from "../../treecore/viewer/js/app/summarywords.js";

const ROW = [12, 0.5, 0.25, NaN, 0.93, 0.88, 14, 0];

test("checkpoints go evenly from the first row to the last", () => {
  assert.deepEqual(checkpoints(3, 9), [0, 1, 2]);
  assert.deepEqual(checkpoints(0, 9), []);
  for (const n of [10, 57, 4000]) {
    const found = checkpoints(n, 9);
    assert.equal(found.length, 9);
    assert.equal(found[0], 0);
    assert.equal(found[8], n - 1);
    const steps = found.slice(1).map((at, i) => at - found[i]);
    assert.ok(Math.max(...steps) - Math.min(...steps) <= 1);
  }
});

test("a run says how far it is and how good, by the newest row of its curves", () => {
  const curves = Float32Array.of(...ROW.map(() => 1), ...ROW);
  assert.equal(sentence({ unit: "epoch", n_epochs: 40, task: "classification" }, curves),
    "Epoch 12.0 of 40, training accuracy 93.0 % and test accuracy 88.0 %, "
    + "14 active leaves.");
  curves[13] = NaN;
  assert.equal(sentence({ unit: "level", task: "regression" }, curves),
    "Level 12.0, explains 93.0 % of the training variance, 14 active leaves.");
  assert.equal(sentence({}, null), "");
});

test("one of several runs says what stands above it", () => {
  assert.equal(sentence({ heading: ["II · SGD", "epoch 3.0"] }, null), "II · SGD: epoch 3.0.");
  assert.equal(sentence({ heading: ["I · OC1", "level 5, finished", "93 %", "test accuracy"] }, null),
    "I · OC1: level 5, finished, 93 % test accuracy.");
});
