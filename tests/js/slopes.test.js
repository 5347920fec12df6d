// Linear leaves on the map: the last piece over a point has the shade of what is said there.

import assert from "node:assert/strict";
import test from "node:test";

import { boxPolygon } from "../../treecore/viewer/js/map/geometry.js";
import { shadeOf } from "../../treecore/viewer/js/map/lenses.js";
import { classPieces, modelsOf, numberPieces } from "../../treecore/viewer/js/map/slopes.js";
import { normal, randomOf } from "./helpers.js";

const BOX = boxPolygon([-1, 2, -1, 1]);

const modelOf = (random) => {
  const [a, b, c, end] = [normal(random), normal(random), normal(random), normal(random)];
  return { a, b, c, low: Math.min(c, end) - 0.5, high: Math.max(c, end) + 0.5 };
};
const valueAt = (m, [x, y]) => Math.min(Math.max(m.a * x + m.b * y + m.c, m.low), m.high);

function holds(polygon, [x, y]) {
  let side = 0;
  for (let i = 0, j = polygon.length - 2; i < polygon.length; j = i, i += 2) {
    const turn = (polygon[i] - polygon[j]) * (y - polygon[j + 1]) - (polygon[i + 1] - polygon[j + 1]) * (x - polygon[j]);
    if (turn * side < 0) return false;
    side ||= turn;
  }
  return true;
}
const lastAt = (pieces, at) => pieces.findLast((piece) => holds(piece.polygon, at));
const places = (random) => Array.from({ length: 200 }, () => [3 * random() - 1, 2 * random() - 1]);

test("of a number: that of its shade", () => {
  const random = randomOf(1);
  const scale = { low: -1, high: 1.2 };
  for (let i = 0; i < 10; i++) {
    const model = modelOf(random);
    const pieces = numberPieces(BOX, model, scale);
    for (const at of places(random)) assert.equal(lastAt(pieces, at).shade, shadeOf(scale, valueAt(model, at)));
  }
});

for (const k of [2, 3, 5]) {
  test(`of ${k} classes: the likeliest one, of two with its probability`, () => {
    const random = randomOf(k);
    for (let i = 0; i < 10; i++) {
      const models = Array.from({ length: k }, () => modelOf(random));
      const pieces = classPieces(BOX, models);
      for (const at of places(random)) {
        const scores = models.map((m) => valueAt(m, at));
        const { label, share } = lastAt(pieces, at);
        assert.equal(label, scores.indexOf(Math.max(...scores)));
        const p = 1 / scores.reduce((sum, s) => sum + Math.exp(s - scores[label]), 0);
        if (k === 2) assert.ok(share <= p && p <= share + 1 / 32 + 1e-9, `${share} is not ${p}`);
      }
    }
  });
}

test("models are read by leaf and output", () => {
  const slopes = Float32Array.from({ length: 30 }, (_, i) => i); // three leaves of two outputs
  const frame = { slopes, children: new Int16Array(4) };
  assert.deepEqual(modelsOf(frame, 1)[1], { a: 15, b: 16, c: 17, low: 18, high: 19 });
  assert.deepEqual(modelsOf({ ...frame, slopes: null }, 1), []);
});
