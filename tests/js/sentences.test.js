// Every node of a tree in one sentence.

import assert from "node:assert/strict";
import test from "node:test";

import { nodeSentence } from "../../treecore/viewer/js/tree/sentences.js";
import { frameOf } from "./helpers.js";

const TREE = { split: Float32Array.of(0.8, -0.5, 1.2), children: Int16Array.of(~0, ~1) };
const META = { features: ["alcohol", "hue"], classes: ["red", "white"], task: "classification" };

const scene = (detail, meta = {}, rest = {}) => ({
  frame: frameOf(TREE, { leaf: Uint8Array.of(0, 1), share: Uint8Array.of(255, 51), detail, ...rest }),
  meta: { ...META, ...meta },
});
const counts = Uint32Array.of(30, 5, 1, 84);

test("a split says its rule, its rows and the share that goes right", () => {
  assert.equal(nodeSentence(scene({ classes: 2, counts }), { ref: 0, depth: 0, kind: "card" }),
    "Root split, depth 0: 0.80·alcohol − 0.50·hue > 1.20, 120 examples, 71 % of them go right.");
  assert.match(nodeSentence(scene(null), { ref: 0, depth: 0, kind: "fold" }), /folded up\.$/);
});

test("one on one feature says its threshold, one on many its greatest weights", () => {
  const axis = { feature: Int32Array.of(1), threshold: Float32Array.of(2.5) };
  assert.match(nodeSentence(scene(axis), { ref: 0, depth: 3, kind: "dot" }), /depth 3: hue > 2\.5\.$/);
  const oblique = (split, features) => nodeSentence({
    frame: frameOf({ ...TREE, split: Float32Array.of(...split) }, {}), meta: { ...META, features },
  }, { ref: 0, depth: 0, kind: "card" });
  assert.match(oblique([-0.5, 0, 1], ["alcohol"]), /: alcohol < −2\b/);
  assert.match(oblique([0, 0.5, 1], META.features), /: hue > 2\b/);
  const features = ["a", "b", "c", "d", "e"];
  const many = {
    features: 5, row: Int32Array.of(0), weights: Int8Array.of(0, 3, -12, 4, 1),
    norm: Float32Array.of(Math.sqrt(170)),
  };
  assert.match(nodeSentence(scene(many, { features }), { ref: 0, depth: 0, kind: "card" }),
    /a weighted sum of 4 features, mainly b 3\.00, c −12\.0, d 4\.00\.$/);
});

test("one on a set of levels names the column and its levels", () => {
  const asked = (isIn) => nodeSentence(scene({
    features: 2, row: Int32Array.of(0), weights: Int8Array.of(127, 127), sets: { 0: ["colour", ["red", "blue"], isIn] },
  }), { ref: 0, depth: 0, kind: "card" });
  assert.match(asked(true), /: colour in \{red, blue\}\.$/);
  assert.match(asked(false), /: colour not in \{red, blue\}\.$/);
  const one = { feature: Int32Array.of(1), threshold: Float32Array.of(0.5), sets: { 0: ["colour", ["red"], true] } };
  assert.match(nodeSentence(scene(one), { ref: 0, depth: 0, kind: "card" }), /: colour in \{red\}\.$/);
  const many = nodeSentence(scene({
    features: 2, row: Int32Array.of(0), sets: { 0: ["letter", [..."abcdefgh"], true] },
  }), { ref: 0, depth: 0, kind: "card" });
  assert.match(many, /: letter in \{a, b, c, d, e, f and 2 more\}\.$/);
});

test("a leaf says what it predicts, how surely, and whether rows come to it", () => {
  const told = scene({ classes: 2, counts: Uint32Array.of(0, 0, 1, 0) });
  assert.equal(nodeSentence(told, { ref: ~1, depth: 1, kind: "leaf" }),
    "Leaf 1, depth 1: predicts white with probability 20 %, 1 example.");
  assert.match(nodeSentence(told, { ref: ~0, depth: 1, kind: "leaf" }), /inactive: no example reaches it\.$/);
  const numbers = scene(null, { task: "regression" }, { value: Float32Array.of(-1, 2.5) });
  assert.equal(nodeSentence(numbers, { ref: ~1, depth: 1, kind: "leaf" }), "Leaf 1, depth 1: predicts 2.50.");
});
