// A page is told of each state of its run once, and not of those that pass.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { stopClock } from "./helpers.js";

const wait = stopClock();
const { Place, TOLD_GAP } = await import("../../treecore/viewer/js/app/place.js");

/** @type {Place} */
let place;
/** @type {unknown[]} */
let heard;

/** What the page says, drawn for a state; its wire is not what this is about. */
function draw(drawn) {
  Object.assign(place.told, { drawn });
  place.tellPage();
}

beforeEach(() => {
  place?.leave();
  heard = [];
  place = new Place({ have: () => ({}), receive: () => {} }, () => {});
  place.report = (name, value) => heard.push(value);
  draw("paused 1");
});

test("another state is told at once, and once until the page could have missed it", () => {
  place.saw("paused 1");
  place.saw("running");
  place.saw("running");
  draw("paused 1"); // called again, before the page has run
  assert.deepEqual(heard, ["running"]);
  wait(TOLD_GAP);
  assert.deepEqual(heard, ["running", "running"]);
  draw("running");
  wait(2 * TOLD_GAP);
  assert.deepEqual(heard, ["running", "running"]);
  place.saw("finished 9");
  assert.deepEqual(heard.slice(2), ["finished 9"]);
});

test("of steps that follow each other at once only where they end is told", () => {
  for (const step of [2, 3, 4]) {
    place.saw("running", true);
    wait(40);
    place.saw(`paused ${step}`, true);
    wait(100);
  }
  assert.deepEqual(heard, []);
  wait(200);
  assert.deepEqual(heard, ["paused 4"]);
  draw("paused 4");
  place.saw("running", true);
  for (let i = 0; i < 10; i++) {
    wait(100);
    place.saw("running", true);
  }
  assert.deepEqual(heard.slice(1), ["running"], "a step that takes long is one that runs");
});
