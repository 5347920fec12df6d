// Which changes of the address are steps of the visitor's, and which only complete it.

import assert from "node:assert/strict";
import test from "node:test";

import { completes, redraws } from "../../treecore/viewer/js/pages/address.js";
import history from "../../treecore/viewer/js/pages/history.js";

const TRAIN = "http://localhost:8501/train";

test("an address that the page completes by itself is replaced", () => {
  assert(completes(TRAIN, "/train?v=1&data=moons"));
  assert(completes(`${TRAIN}?data=moons`, "/train?v=1&data=moons&seed=0"));
  assert(completes(`${TRAIN}#map`, new URL(`${TRAIN}?v=1`)));
});

test("a page tells its theme, says once that its session is another, and narrow it leaves no sidebar open", () => {
  const told = [], hear = {};
  globalThis.window = {
    history: { pushState() {} },
    addEventListener: (name, listener) => (hear[name] = listener),
  };
  const app = { colorScheme: "light" }, body = { style: {} };
  globalThis.document = { addEventListener() {}, body, querySelector: () => app };
  globalThis.MutationObserver = class { observe() {} };
  globalThis.getComputedStyle = (element) => element;
  const draw = (session) =>
    history({ data: { session }, setTriggerValue: (name, value) => told.push([name, value]) });
  draw("a");
  app.colorScheme = "dark";
  draw("a");
  assert.equal(body.style.colorScheme, "dark", "what floats above the page follows its theme");
  assert.deepEqual(told, []);
  draw("b");
  draw("b");
  assert.deepEqual(told, [["renewed", "b"]]);

  const left = { "stSidebarCollapsed-": "false", other: "1" };
  const removeItem = (name) => delete left[name];
  Object.defineProperty(left, "removeItem", { value: removeItem, enumerable: false });
  Object.defineProperty(globalThis, "localStorage", { value: left, configurable: true });
  for (const [matches, names] of [[false, 2], [true, 1]]) {
    globalThis.matchMedia = () => ({ matches });
    hear.pagehide();
    assert.equal(Object.keys(left).length, names);
  }
});

test("whatever a visitor changes or goes to is a step", () => {
  assert(!completes(`${TRAIN}?v=1&data=moons`, "/train?v=1&data=spirals"));
  assert(!completes(TRAIN, "/compare?v=1&data=moons"));
  assert(!completes(`${TRAIN}?v=1`, "/"));
  assert(!completes(TRAIN, "/train"));
  assert(!completes(TRAIN, null));
});

test("points that are drawn are no steps, and all that changes besides is one", () => {
  const drawn = `${TRAIN}?v=1&data=drawn&seed=0&drawing=`;
  assert(redraws(`${drawn}AAAAAA`, "/train?v=1&data=drawn&seed=0&drawing=AAAAAABBBBBB"));
  assert(redraws(`${drawn}AAAAAA`, "/train?v=1&data=drawn&seed=0"), "too many for a link");
  assert(!redraws(`${drawn}AAAAAA`, "/train?v=1&data=drawn&seed=1&drawing=AAAAAA"));
  assert(!redraws(`${drawn}AAAAAA`, "/train?v=1&data=spirals&seed=0"));
  assert(!redraws(`${TRAIN}?v=1`, "/train?v=1"));
  assert(!redraws(`${drawn}AAAAAA`, null));
});
