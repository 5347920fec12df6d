// A run played by a clock of the test's own: live a little late, in a replay, looked back at.

import assert from "node:assert/strict";
import test from "node:test";

import { Player, RATES } from "../../treecore/viewer/js/app/player.js";

const CHILDREN = new Int16Array([1, 2, -1, -2, -3, -4]);

/** A message about frames with these numbers, `gap` seconds apart by the server's clock. */
function message(numbers, gap = 0.1, { state = "running", loss = 0, details = false } = {}) {
  const arrays = {
    split: () => new Float32Array(9).fill(1), children: () => CHILDREN.slice(),
    bound: () => new Float32Array(loss),
  };
  return {
    meta: { state, frames: numbers.map((n) => ({ n, t: n * gap, epoch: n })) },
    shape: (name) => (details && name === "feature" ? [3] : []),
    array: (name) => (details && name === "feature" ? new Int32Array(3) : arrays[name.split(".")[1]]?.() ?? null),
  };
}

const range = (from, to) => Array.from({ length: to - from }, (_, i) => from + i);

/** A player that knows frames 0 to n - 1 of a run that rests. */
function rested(n, gap = 0.1) {
  const player = new Player("run");
  player.receive(message(range(0, n), gap, { state: "paused" }), 0);
  return player;
}

test("trees that come in bursts are shown a little late, at the pace of their training", () => {
  const player = new Player();
  const shown = [];
  for (let now = 0; now < 6; now += 0.02) {
    // Five messages a second, each with the trees since the last; the clocks differ by 100 s.
    if (Math.round(now * 50) % 10 === 0) {
      const last = Math.floor(now / 0.05 + 1e-9);
      player.receive(message(range(Math.max(0, last - 3), last + 1), 0.05), now + 100);
    }
    shown.push([now, player.pick(now + 100).n]);
  }
  shown.slice(150).forEach(([now, n], i, late) => {
    if (i) assert.ok(n >= late[i - 1][1] && n - late[i - 1][1] <= 1, "every tree, and none twice");
    assert.ok(Math.abs(now - player.delay - n * 0.05) < 0.08, `${n} at ${now}`);
  });
  assert.ok(player.waiting());
});

test("a tree that comes as fast as the display draws is shown at once", () => {
  const player = new Player();
  for (let n = 0; n < 100; n++) {
    player.receive(message([n], 1 / 60), n / 60);
    assert.equal(player.pick(n / 60).n, n);
  }
  assert.equal(player.delay, 0);
  assert.equal(player.waiting(), false);
});

test("lost and repeated messages leave no trace", () => {
  const player = new Player();
  for (const first of [0, 3, 3, 9, 6]) player.receive(message(range(first, first + 5)), first / 10);
  assert.deepEqual(player.frames.map(({ n }) => n), [...range(0, 8), ...range(9, 14)]);
  assert.ok(player.frames.every(({ children }) => children === player.frames[0].children), "shared");
});

test("a run that rests shows its newest tree, and never goes backwards for it", () => {
  const player = new Player();
  for (let last = 0; last < 10; last++) player.receive(message([2 * last, 2 * last + 1]), last / 5);
  assert.ok(player.pick(1.8).n < 19);
  player.receive(message([], 0.1, { state: "paused" }), 1.8);
  assert.equal(player.pick(1.8).n, 19);
  player.receive(message([20]), 2);
  assert.equal(player.pick(2).n, 20, "the first one after a rest is shown at once");
  assert.equal(player.waiting(), false);
});

test("details belong to the newest frame, and come with it again", () => {
  const player = new Player();
  player.receive(message([0, 1]), 0);
  assert.deepEqual(player.frames.map(({ detail }) => detail), [null, null]);
  const { meta, ...rest } = message([], 0.1, { details: true });
  assert.equal(player.receive({ ...rest, meta: { ...meta, detail: [1, 0.1, true] } }, 0), true);
  assert.equal(player.newest.detail.of, 1);
  player.receive(message([2], 0.1), 0);
  assert.equal(player.newest.detail.of, 1, "until others come, those of a tree of this shape");
});

for (const rate of RATES) {
  test(`a replay at ${rate}× runs through all trees in their time`, () => {
    const player = rested(41);
    player.rate = rate;
    player.replay(0);
    let now = 0;
    let last = 0;
    while (player.mode === "replay" && now < 100) {
      now += 1 / 60;
      const { epoch } = player.pick(now);
      assert.ok(epoch >= last && epoch <= 40, "time runs forward");
      last = epoch;
    }
    assert.equal(last, 40);
    assert.ok(Math.abs(now - 4 / rate) < 0.04, `${now} seconds`);
    assert.equal(player.mode, "live");
  });
}

test("a replay does not wait as long as its visitor once paused, nor for a hidden tab", () => {
  const player = new Player();
  player.receive(message([0, 1], 1000, { state: "paused" }), 0);
  player.replay(0);
  for (let i = 0; i < 5; i++) player.pick(0.1 * i);
  assert.equal(player.mode, "replay");
  player.pick(0.55);
  assert.equal(player.mode, "live");
  const other = rested(41);
  other.replay(0);
  assert.ok(other.pick(60).epoch <= 6, "it goes on where it was");
});

test("looking back: by epoch, from tree to tree, held, and live again", () => {
  const player = rested(20);
  player.scrub(7.5);
  assert.deepEqual([player.mode, player.shown.n], ["parked", 7]);
  assert.equal(player.pick(99).n, 7, "and stays there");
  player.nudge(-2);
  assert.equal(player.shown.n, 5);
  player.nudge(-99);
  assert.equal(player.shown.n, 0);
  player.replay(0);
  player.pick(0.25);
  player.hold();
  assert.deepEqual([player.mode, player.shown.n], ["parked", 2]);
  assert.equal(player.recorded, player.frames[2]);
  player.follow();
  assert.deepEqual([player.live, player.shown.n], [true, 19]);
});

test("earlier trees: a pass ago, and some at even distances", () => {
  const player = rested(20);
  player.scrub(10);
  assert.equal(player.passAgo().n, 9);
  assert.deepEqual(player.before(3, 0.25).map(({ n }) => n), [7, 4, 1]);
  player.scrub(0);
  assert.equal(player.passAgo(), null);
  assert.deepEqual(player.before(3, 0.25), []);
  assert.equal(new Player().pick(0), null, "nothing is there to be shown");
});

for (const loss of [0, 5000]) {
  test(`a long run is thinned and still replayed from end to end (${loss} losses a tree)`, () => {
    const player = new Player();
    const gap = 1 / 30;
    for (let first = 0; first < 12_000; first += 5) {
      player.receive(message(range(first, first + 5), gap, { loss }), first * gap);
    }
    assert.ok(player.bytes <= 24 << 20);
    assert.ok(player.frames.length <= 2400 && player.frames.length > 500);
    assert.deepEqual([player.frames[0].n, player.newest.n], [0, 11_999]);
    player.rate = 8;
    player.replay(0);
    let now = 0;
    let last = 0;
    while (player.mode === "replay") {
      now += 1 / 60;
      const { epoch } = player.pick(now);
      assert.ok(epoch >= last);
      last = epoch;
    }
    assert.equal(last, 11_999);
    assert.ok(now <= (1.1 * 12_000) / 30 / 8);
  });
}
