// Axes hold what they are to hold, labels are pushed apart, numbers are written as they are read.

import assert from "node:assert/strict";
import test from "node:test";

import { Glide, roundUp, spread, timeEnd, valueRange } from "../../treecore/viewer/js/charts/axes.js";
import { number, ticks, tickText } from "../../treecore/viewer/js/app/theme.js";
import { pick, randomOf } from "./helpers.js";

test("the time axis holds what is done, and all that is planned once half of it is", () => {
  for (const all of [0, 5, 12, 100, 1000]) {
    for (let now = 0; now <= (all || 500); now += 0.5) {
      const end = timeEnd(all, now);
      assert.ok(end >= now && end > 0, `${all} ${now}`);
      if (all) assert.ok(end <= all);
      if (all && now > 0.45 * all) assert.equal(end, all);
    }
  }
  assert.equal(timeEnd(10, 0), 10, "a short run is seen whole");
  assert.ok(timeEnd(1000, 1) <= 50, "the first minutes of a long one are no dot in the corner");
});

test("a value axis holds the values, and keeps its end while that fits", () => {
  const random = randomOf(1);
  for (let round = 0; round < 50; round++) {
    const values = Array.from({ length: 1 + pick(random, 20) }, () => random() * 10 ** pick(random, 4));
    const spec = { scale: 1, series: [{ col: 0 }], whole: round % 2 === 0 };
    const [low, high] = valueRange(spec, (i) => values[i], values.length);
    assert.ok(low <= 0 && high >= Math.max(...values));
    assert.deepEqual(valueRange(spec, (i) => values[i], values.length, high), [low, high]);
    if (spec.whole) assert.ok(Number.isInteger(high));
  }
});

test("shares end at a hundred and begin below the least", () => {
  const spec = { scale: 100, series: [{ col: 0 }], most: 100 };
  assert.deepEqual(valueRange(spec, () => 0.71, 3), [60, 100]);
  assert.deepEqual(valueRange(spec, () => 0.05, 3), [0, 100]);
  assert.deepEqual(valueRange(spec, () => NaN, 3), [0, 100], "nothing is known yet");
  assert.deepEqual(valueRange({ ...spec, most: undefined }, () => NaN, 3), [0, 1]);
});

test("a wild start is forgotten", () => {
  const values = [1e6, ...new Array(40).fill(1)];
  const spec = { scale: 1, series: [{ col: 0 }] };
  assert.ok(valueRange(spec, (i) => values[i], 41)[1] < 2);
  assert.ok(valueRange(spec, (i) => values[i], 20)[1] >= 1e6, "but not at once");
});

test("a round number is at most twice what it rounds", () => {
  const random = randomOf(2);
  for (let i = 0; i < 500; i++) {
    const high = 10 ** (8 * random() - 4);
    const top = roundUp(high);
    assert.ok(top >= high * (1 - 1e-12) && top <= 1.7 * high, `${top} for ${high}`);
    assert.equal(roundUp(0.6 * top, top), top);
    assert.ok(roundUp(0.5 * top, top) < top);
    assert.ok(roundUp(1.1 * top, top) >= 1.1 * top * (1 - 1e-12));
  }
  assert.equal(roundUp(NaN), 1);
  assert.equal(roundUp(2.2, undefined, true), 4);
});

test("labels keep their order and their distance, within their room", () => {
  const random = randomOf(3);
  for (let round = 0; round < 100; round++) {
    const labels = Array.from({ length: 1 + pick(random, 6) }, (_, name) => ({ name, at: 100 * random() }));
    const before = [...labels].sort((a, b) => a.at - b.at).map(({ name }) => name);
    spread(labels, 14, 0, 100);
    assert.deepEqual(labels.map(({ name }) => name), before);
    labels.forEach(({ at }, i) => {
      assert.ok(at >= 0 && at <= 100);
      if (i) assert.ok(at - labels[i - 1].at >= 14 - 1e-9);
    });
  }
  const free = [{ at: 80 }, { at: 20 }];
  spread(free, 14, 0, 100);
  assert.deepEqual(free, [{ at: 20 }, { at: 80 }], "those apart stay where they are");
});

test("a glide comes to its goal and stays there", () => {
  const glide = new Glide();
  assert.equal(glide.to(3, 0.016, false), false, "the first goal is where it starts");
  let steps = 0;
  let last = 3;
  while (glide.to(10, 0.016, false)) {
    assert.ok(glide.value > last && glide.value < 10);
    last = glide.value;
    steps += 1;
  }
  assert.equal(glide.value, 10);
  assert.ok(steps > 10 && steps < 60);
  assert.equal(glide.to(-5, 0.016, true), false, "at once for those who asked for less motion");
});

test("numbers have three digits that matter and a true minus sign", () => {
  const cases = [[0, "0.00"], [1.23456, "1.23"], [-12.345, "−12.3"], [123.4, "123"], [99999, "99999"],
    [1e6, "1.0e+6"], [-0.00001, "−1.0e−5"], [NaN, "–"], [undefined, "–"], [Infinity, "–"]];
  for (const [value, text] of cases) assert.equal(number(value), text);
  assert.deepEqual([number(-0.03, 2), number(-0.06, 2), number(-1e-9, 2)], ["0.0", "−0.1", "−1.0e−9"]);
});

test("ticks are round, within their ends and about as many as asked for", () => {
  const random = randomOf(5);
  for (let round = 0; round < 200; round++) {
    const low = 2000 * random() - 1000;
    const high = low + 10 ** (6 * random() - 3);
    const found = ticks(low, high, 6);
    assert.ok(found.length >= 2 && found.length <= 7, `${found.length} from ${low} to ${high}`);
    const step = Number((found[1] - found[0]).toPrecision(6));
    assert.match(step.toExponential(), /^[125]e/);
    for (const tick of found) {
      assert.ok(tick >= low - 1e-6 * step && tick <= high + 1e-6 * step);
      assert.ok(Math.abs(tick / step - Math.round(tick / step)) < 1e-6);
    }
    assert.equal(new Set(tickText(found)).size, found.length, "each reads as another number");
  }
  const whole = ticks(0, 3, 10, true).map((tick) => tick + 0); // no −0
  assert.deepEqual(whole, [0, 1, 2, 3], "counts have no halves");
  assert.deepEqual(ticks(1, 1, 5), []);
});
