// What several tests draw upon: numbers at random that are the same every time, trees, messages, a clock.

import { mock } from "node:test";

/** From now on time is what tests say: a function that lets so many milliseconds pass. */
export function stopClock() {
  let now = 0;
  Object.assign(globalThis, { performance: { now: () => now } });
  mock.timers.enable({ apis: ["setTimeout"] });
  return (milliseconds) => {
    now += milliseconds;
    mock.timers.tick(milliseconds);
  };
}

/** Even random numbers from 0 to 1, the same for the same seed (mulberry32). */
export function randomOf(seed) {
  let state = seed * 0x9e3779b9;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** Normally distributed ones out of even ones. */
export const normal = (random) =>
  Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());

/** A tree grown at leaves picked at random: lines w1, w2, b of the splits, and their children. */
export function randomTree(random, m) {
  const split = Float32Array.from({ length: 3 * m }, () => normal(random));
  if (m > 3) {
    split[3] = split[4] = 0; // no weights at all: everything goes one way
    split[6] = 0; // axis-aligned
  }
  const children = new Int16Array(2 * m);
  const free = [];
  for (let i = 0; i < m; i++) {
    if (i) {
      const [at] = free.splice(Math.floor(random() * free.length), 1);
      children[at] = i;
    }
    free.push(2 * i, 2 * i + 1);
  }
  free.sort((a, b) => a - b).forEach((at, leaf) => (children[at] = ~leaf));
  return { split, children };
}

/** Leaf numbers with the splits above them and the sides taken, found by walking down. */
export function waysOf(children) {
  const ways = new Map();
  const walk = (ref, way) => {
    if (ref < 0) ways.set(~ref, way);
    else for (const side of [0, 1]) walk(children[2 * ref + side], [...way, [ref, side]]);
  };
  walk(children.length ? 0 : ~0, []);
  return ways;
}

/** A whole number from 0 to n - 1. */
export const pick = (random, n) => Math.floor(random() * n);

/** A frame of a tree; what is not given is missing. */
export const frameOf = (tree, rest = {}) => ({
  n: 0, t: 0, epoch: 0, size: null, reach: null, value: null, at: null, used: null, loss: null,
  bound: null, detail: null, bytes: 0,
  leaf: new Uint8Array((tree.children.length >> 1) + 1),
  share: new Uint8Array((tree.children.length >> 1) + 1).fill(255),
  ...tree, ...rest,
});
