// Which changes of the address are steps of the visitor's, and which only complete it.

import assert from "node:assert/strict";
import test from "node:test";

import history, { completes } from "../../treecore/viewer/js/pages/history.js";

const TRAIN = "http://localhost:8501/train";

test("an address that the page completes by itself is replaced", () => {
  assert(completes(TRAIN, "/train?v=1&data=moons"));
  assert(completes(`${TRAIN}?data=moons`, "/train?v=1&data=moons&seed=0"));
  assert(completes(`${TRAIN}#map`, new URL(`${TRAIN}?v=1`)));
});

test("a page that gets another session says so, once, and the way back leads past a bare address", () => {
  const told = [], hear = {};
  let backs = 0;
  globalThis.window = {
    history: { pushState() {}, replaceState() {}, back: () => (backs += 1) },
    addEventListener: (name, listener) => (hear[name] = listener),
  };
  globalThis.location = { href: `${TRAIN}?v=1&data=moons` };
  globalThis.performance.getEntriesByType = () => [{ name: `${TRAIN}?data=moons` }];
  const draw = (session) =>
    history({ data: { session }, setTriggerValue: (name, value) => told.push([name, value]) });
  draw("a");
  draw("a");
  assert.deepEqual(told, []);
  draw("b");
  draw("b");
  assert.deepEqual(told, [["renewed", "b"]]);
  hear.popstate();
  assert.equal(backs, 0, "what the page shows itself is a place to be at");
  globalThis.location.href = `${TRAIN}?data=moons`;
  hear.popstate();
  assert.equal(backs, 1);
});

test("whatever a visitor changes or goes to is a step", () => {
  assert(!completes(`${TRAIN}?v=1&data=moons`, "/train?v=1&data=spirals"));
  assert(!completes(TRAIN, "/compare?v=1&data=moons"));
  assert(!completes(`${TRAIN}?v=1`, "/"));
  assert(!completes(TRAIN, "/train"));
  assert(!completes(TRAIN, null));
});
