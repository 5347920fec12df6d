// Nodes of a large tree found by a feature, a label or a number; and where the small tree has them.

import assert from "node:assert/strict";
import test from "node:test";

import { placesOf } from "../../treecore/viewer/js/tree/places.js";
import { matchesOf } from "../../treecore/viewer/js/tree/matches.js";
import { frameOf, randomOf, randomTree, waysOf } from "./helpers.js";

const META = { features: ["alcohol", "hue", "colour"], classes: ["red", "white"], task: "classification" };
const TREE = { split: new Float32Array(6), children: Int16Array.of(1, ~0, ~1, ~2) };
const FRAME = frameOf(TREE, {
  leaf: Uint8Array.of(0, 1, 0),
  detail: {
    feature: Int32Array.of(-1, 2), threshold: Float32Array.of(0, 1), features: 3,
    row: Int32Array.of(0, -1), weights: Int8Array.of(127, -3, 0), norm: Float32Array.of(1, 0),
  },
});

const CASES = [
  ["", []], ["  ", []], ["alc", [0]], ["HUE", [0]], ["colour", [1]], ["white", [~1]], ["red", [~0, ~2]],
  ["1", [1, ~1]], ["2", [~2]], ["leaf 0", [~0]], ["split 1", [1]], ["split 2", []], ["99", []],
  ["nothing", []],
];

for (const [text, refs] of CASES) {
  test(`${JSON.stringify(text)} names ${refs.length} nodes`, () => {
    assert.deepEqual(matchesOf(FRAME, META, text), refs);
  });
}

test("the small tree has leaves in their order and splits over what is below them", () => {
  const { children } = randomTree(randomOf(3), 60);
  const { split, leaf, depth, levels } = placesOf(children);
  const order = [...waysOf(children).keys()].map((i) => leaf[i]);
  assert.deepEqual(order, [...order].sort((a, b) => a - b));
  assert.equal(new Set(order).size, 61);
  for (const [i, way] of waysOf(children)) {
    way.forEach(([at], level) => assert.equal(depth[at], level));
    assert.ok(way.length <= levels);
    const own = split[way.at(-1)[0]];
    assert.ok(Math.abs(own - leaf[i]) < 1 && own > 0 && own < 1);
  }
});
