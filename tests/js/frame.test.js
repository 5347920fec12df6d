// Trees as they are kept: what they share, the ways through them, and what lies between two.

import assert from "node:assert/strict";
import test from "node:test";

import {
  between, isShown, leafFigures, readDetail, readFrame, scoresOn, wayTo,
} from "../../treecore/viewer/js/app/frame.js";
import { frameOf, pick, randomOf, randomTree, waysOf } from "./helpers.js";

/** A message whose arrays are these. */
const messageOf = (arrays, shapes = {}) => ({
  meta: {}, array: (name) => arrays[name]?.slice() ?? null, shape: (name) => shapes[name] ?? [],
});

test("a frame shares with the one before what is the same, and counts its own bytes alone", () => {
  const { split, children } = randomTree(randomOf(0), 7);
  const arrays = {
    "f0.split": split, "f0.children": children, "f0.leaf": new Uint8Array(8).fill(1),
    "f0.at": Uint16Array.of(1, 2, 3), "f0.loss": new Float32Array(3), used0: Uint16Array.of(1, 1, 1),
  };
  const first = readFrame(messageOf(arrays), 0, { n: 4, t: 1, epoch: 2, used: 0 }, null);
  assert.deepEqual(first.split, split);
  assert.deepEqual([first.n, first.t, first.epoch], [4, 1, 2]);
  assert.deepEqual([first.size, first.value, first.bound], [null, null, null]);
  assert.deepEqual(first.share, new Uint8Array(8).fill(255), "sure, where nothing is said");
  assert.equal(first.bytes, 4 * 21 + 4 * 3 + 2 * 14 + 8 + 8 + 6 + 6);
  const moved = { ...arrays, "f0.at": Uint16Array.of(1, 2, 4) };
  const next = readFrame(messageOf(moved), 0, { n: 5, t: 2, epoch: 3 }, first);
  assert.equal(next.children, first.children);
  assert.equal(next.leaf, first.leaf);
  assert.notEqual(next.at, first.at);
  assert.equal(next.used, null, "no assignment of its own");
  assert.equal(next.bytes, 4 * 21 + 4 * 3 + 6);
  assert.equal(readFrame(messageOf({ "f0.split": split }), 0, { n: 0 }, null), null, "not whole");
});

test("details find the row of weights of a split", () => {
  const detail = readDetail(messageOf(
    { weights: new Int8Array(6), weight_of: Int32Array.of(3, 0), feature: new Int32Array(5) },
    { weights: [2, 3], feature: [5], counts: [6, 4] },
  ));
  assert.deepEqual(Array.from(detail.row), [1, -1, -1, 0, -1]);
  assert.deepEqual([detail.splits, detail.features, detail.classes, detail.bytes], [5, 3, 4, 6 + 8 + 20]);
  assert.deepEqual(detail.sets, {});
  assert.equal(readDetail(messageOf({})), null);
});

test("the way to a leaf is the one that leads there", () => {
  const { split, children } = randomTree(randomOf(1), 40);
  for (const [leaf, way] of waysOf(children)) {
    const expected = way.map(([at, side]) => ({ split: at, right: side === 1 }));
    assert.deepEqual(wayTo(frameOf({ split, children }), leaf), expected);
  }
  assert.deepEqual(wayTo(frameOf({ split: new Float32Array(), children: new Int16Array() }), 0), []);
});

test("scores that were sent are those of their own tree alone", () => {
  const { children } = randomTree(randomOf(3), 1);
  const view = { meta: { features: ["a", "b", "c"] }, points: {} };
  const detail = { scores: Float32Array.of(0.5, -0.25), depth: 1, of: 7 };
  const frame = frameOf({ split: new Float32Array(3), children }, { n: 7, detail });
  const [left, right] = [0, 1].map((leaf) => wayTo(frame, leaf));
  assert.deepEqual(scoresOn(frame, right, 0, view), [0.5]);
  assert.deepEqual(scoresOn(frame, left, 1, view), [-0.25]);
  assert.deepEqual(scoresOn(frame, left, 0, view), [NaN], "another way than the scores tell of");
  assert.deepEqual(scoresOn({ ...frame, n: 8 }, right, 0, view), [NaN], "a later tree");
  for (const features of [["a", "b"], ["a", "b", "c"]]) {
    const scores = scoresOn({ ...frame, between: true }, right, 0, { ...view, meta: { features } });
    assert.deepEqual(scores, [NaN], "one between two trees");
  }
});

test("between two trees splits turn evenly", () => {
  const children = new Int16Array([-1, -2]);
  const make = (split, size, epoch) => frameOf({ split: new Float32Array(split), children },
    { size: new Float32Array([size]), reach: new Float32Array([size]), epoch });
  const a = make([1, 0, 0.5], 2, 1);
  const b = make([0, 1, 0.5], 4, 2);
  const half = between(a, b, 0.5);
  assert.deepEqual(Array.from(half.split), [1, 2, 1.5]);
  assert.deepEqual(Array.from(half.reach), [3]);
  assert.deepEqual([half.epoch, half.size, half.between], [1.5, null, true]);
  assert.equal(between(a, b, 0), a);
  assert.equal(between(a, undefined, 0.5), a);
  assert.equal(between(a, { ...b, children: children.slice() }, 0.5), a, "another shape");
});

test("figures of leaves are means over the points of a side", () => {
  const random = randomOf(4);
  const n = 300;
  const numbers = () => Float32Array.from({ length: n }, random);
  const at = Uint16Array.from({ length: n }, () => pick(random, 4));
  const held = Uint8Array.from({ length: n }, () => pick(random, 2));
  const frame = frameOf(randomTree(random, 4), { at, loss: numbers(), bound: numbers() });
  for (const side of ["both", "train", "test"]) {
    const found = leafFigures(frame, { held }, side);
    assert.equal(leafFigures(frame, { held }, side), found, "counted once");
    for (let leaf = 0; leaf < 5; leaf++) {
      const own = Array.from(at.keys()).filter((i) =>
        at[i] === leaf && (side === "both" || (side === "test") === (held[i] === 1)));
      const mean = (value) => own.reduce((sum, i) => sum + value(i), 0) / own.length;
      assert.equal(found.n[leaf], own.length);
      if (!own.length) continue; // no point lands in the last leaf
      assert.ok(Math.abs(found.loss[leaf] - mean((i) => frame.loss[i])) < 1e-9);
      assert.ok(Math.abs(found.gap[leaf] - mean((i) => frame.bound[i] - frame.loss[i])) < 1e-9);
    }
  }
  assert.deepEqual([0, 1].map((i) => isShown({ held: null }, i, "test")), [false, false]);
});
