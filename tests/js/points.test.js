// Points that are drawn by hand, points that arrow keys walk to, and the shades of scales.

import assert from "node:assert/strict";
import test from "node:test";

import { Drawing, SPREAD, strayed } from "../../treecore/viewer/js/draw/drawpoints.js";
import { HALF, halfOf, pointsIn } from "../../treecore/viewer/js/draw/drawstore.js";
import { findLens, isWrong, legendTicks, lensesFor, POINT_LENSES, rampOf, REGION_LENSES, shadeOf } from "../../treecore/viewer/js/map/lenses.js";
import { nextPoint } from "../../treecore/viewer/js/map/maphands.js";
import { pick, randomOf } from "./helpers.js";

test("whatever was done is undone and done again, gesture by gesture", () => {
  const random = randomOf(1);
  const drawing = new Drawing(50);
  const past = [drawing.points];
  for (let i = 0; i < 60; i++) {
    const changed = drawing.gesture(() => {
      if (random() < 0.7) drawing.add([[random(), random(), pick(random, 3)], [random(), random(), 0]]);
      else drawing.keep((_, j) => j !== pick(random, 40));
    });
    assert.equal(changed, drawing.points !== past.at(-1));
    if (changed) past.push(drawing.points);
  }
  assert.ok(past.length > 20);
  for (const points of past.slice(0, -1).reverse()) {
    assert.ok(drawing.undo());
    assert.equal(drawing.points, points);
  }
  assert.equal(drawing.undo(), false);
  for (const points of past.slice(1)) {
    assert.ok(drawing.redo());
    assert.equal(drawing.points, points);
  }
  assert.equal(drawing.redo(), false);
  drawing.undo();
  drawing.gesture(() => drawing.keep(() => false));
  assert.equal(drawing.redo(), false, "something else was done instead");
});

test("there is room for so many points and no more", () => {
  const drawing = new Drawing(3);
  drawing.add([[0.00001, 1 / 3, 0], [1, 1, 1]]);
  assert.deepEqual(drawing.points, [[0, 0.3333, 0], [1, 1, 1]], "rounded as the server does");
  assert.equal(drawing.full, false);
  drawing.add([[2, 2, 2], [3, 3, 3]]);
  assert.deepEqual([drawing.full, drawing.points.length], [true, 3]);
  assert.deepEqual(drawing.counts(4), [1, 1, 1, 0]);
});

test("the nearest point is nearest, and within reach", () => {
  const random = randomOf(2);
  const drawing = new Drawing(100);
  drawing.add(Array.from({ length: 100 }, () => [random(), random(), 0]));
  for (let round = 0; round < 50; round++) {
    const [x, y, reach] = [random(), random(), 0.1 * random()];
    const far = drawing.points.map(([a, b]) => Math.hypot(a - x, b - y));
    const least = Math.min(...far);
    assert.equal(drawing.nearest(x, y, reach), least <= reach ? far.indexOf(least) : -1);
  }
});

test("sprayed points stray normally, and stay within the canvas", () => {
  const random = randomOf(3);
  const points = Array.from({ length: 20_000 }, () => strayed(0.2, -0.1, 4, HALF, random));
  for (const [axis, middle] of [[0, 0.2], [1, -0.1]]) {
    const mean = points.reduce((sum, p) => sum + p[axis], 0) / points.length;
    const square = points.reduce((sum, p) => sum + (p[axis] - mean) ** 2, 0) / points.length;
    assert.ok(Math.abs(mean - middle) < 0.005);
    assert.ok(Math.abs(Math.sqrt(square) - SPREAD) < 0.005);
  }
  assert.ok(points.every(([, , label]) => label === 4));
  const edge = Array.from({ length: 500 }, () => strayed(HALF, HALF, 0, HALF, random));
  assert.ok(edge.every(([x, y]) => Math.abs(x) <= HALF && Math.abs(y) <= HALF));
});

test("the server's points come without what single precision adds, on a canvas that holds them", () => {
  const arrays = { xy: Float32Array.of(0.1, -0.7, 1.31, 0), label: Uint8Array.of(2, 0) };
  const points = pointsIn({ array: (name) => arrays[name] });
  assert.deepEqual(points, [[0.1, -0.7, 2], [1.31, 0, 0]]);
  assert.equal(halfOf(points), 1.35);
  assert.equal(halfOf([]), HALF);
  assert.deepEqual(pointsIn({ array: () => null }), []);
});

for (const direction of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
  test(`an arrow key leads to the nearest point ahead (${direction})`, () => {
    const random = randomOf(5);
    const places = Array.from({ length: 80 }, () => [400 * random(), 400 * random()]);
    for (const start of places.slice(0, 20)) {
      const far = places.map(([x, y]) => {
        const [dx, dy] = [x - start[0], y - start[1]];
        const ahead = dx * direction[0] + dy * direction[1];
        const aside = direction[0] ? Math.abs(dy) : Math.abs(dx);
        return ahead > 0.01 && aside <= ahead ? ahead + 2 * aside : Infinity;
      });
      const least = Math.min(...far);
      const expected = least < Infinity ? far.indexOf(least) : -1;
      assert.equal(nextPoint(places, start, direction), expected);
      const hidden = places.map((place, i) => (i === expected ? null : place));
      assert.notEqual(nextPoint(hidden, start, direction), expected === -1 ? 0 : expected);
    }
  });
}

test("scales are read by lightness alone", () => {
  const linear = (c) => (c / 255 <= 0.04045 ? c / 255 / 12.92 : ((c / 255 + 0.055) / 1.055) ** 2.4);
  for (const dark of [false, true]) {
    for (const name of ["worse", "surer", "number"]) {
      const light = rampOf({ dark, back: String(dark) }, name).map((colour) => {
        const [r, g, b] = colour.match(/\d+/g).map(Number).map(linear);
        return 0.2126 * r + 0.7152 * g + 0.0722 * b;
      });
      const steps = light.slice(1).map((v, i) => v - light[i]);
      assert.ok(steps.every((v) => v > 0) || steps.every((v) => v < 0), `${name} ${dark}`);
      assert.equal(new Set(light).size, light.length);
    }
  }
});

test("shades go evenly from end to end of a scale, and stay at its ends", () => {
  const scale = { low: 2, high: 6 };
  const shades = Array.from({ length: 401 }, (_, i) => shadeOf(scale, 2 + i / 100));
  assert.deepEqual([shades[0], shades.at(-1)], [0, 23]);
  for (let shade = 0; shade < 24; shade++) {
    const wide = shades.filter((one) => one === shade).length;
    assert.ok(wide >= 16 && wide <= 18, `${wide} values have shade ${shade}`);
  }
  assert.deepEqual([shadeOf(scale, -99), shadeOf(scale, 99)], [0, 23]);
  assert.equal(shadeOf({ low: 1, high: 1 }, 1), 0, "no extent: no division by zero");
});

test("lenses are those that make sense, and legends say what their ends mean", () => {
  const keys = (lenses, meta) => lensesFor(lenses, meta).map(({ key }) => key);
  const numbers = { task: "regression", range: [0, 10] };
  assert.deepEqual(keys(REGION_LENSES, {}), ["class", "confidence", "leaf", "loss", "gap"]);
  assert.deepEqual(keys(REGION_LENSES, numbers), ["value", "leaf", "loss", "gap"]);
  assert.deepEqual(keys(POINT_LENSES, numbers), ["target", "loss", "bound"]);
  assert.equal(findLens(REGION_LENSES, "class", numbers).key, "value", "the first that there is");
  const texts = (key, meta) => legendTicks(findLens(REGION_LENSES, key, meta).scale(meta)).map(({ text }) => text);
  assert.deepEqual(texts("loss", { classes: ["a", "b"] }), ["0.0", "0.7", "≥ 1.4"]);
  assert.deepEqual(texts("gap", { classes: ["a", "b"] }), ["0.0", "≥ 1.4"]);
  assert.deepEqual(texts("value", numbers), ["≤ 0.0", "≥ 10"]);
});

test("nothing is marked as wrong before learning has begun, where that would be noise", () => {
  const points = { label: Uint8Array.of(0, 1) };
  const frame = (epoch, splits) => ({
    epoch, children: new Int16Array(2 * splits), leaf: new Uint8Array(splits + 1),
    at: new Uint16Array(2),
  });
  const wrong = (state, epoch, splits, heading) => isWrong(
    { points, frame: frame(epoch, splits), meta: { state, heading, task: "classification" } }, 1,
  );
  assert(!wrong("paused", 0, 0), "no split yet");
  assert(!wrong("paused", 0, 3, ["I", ""]), "random splits beside others");
  assert(wrong("paused", 0, 3), "the tree that one is to watch");
  assert(wrong("running", 1, 3, ["I", ""]));
  assert(wrong("finished", 0, 0), "a tree that stays a leaf");
});
