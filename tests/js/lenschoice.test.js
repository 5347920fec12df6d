// What is chosen on the map stays chosen, however late the page hears of it.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { stopClock } from "./helpers.js";

const wait = stopClock();
const { LensChoice } = await import("../../treecore/viewer/js/app/lenschoice.js");
const { TOLD_GAP } = await import("../../treecore/viewer/js/app/place.js");

const USUAL = { region: "class", point: "class", side: "both", margins: false, flips: false };

/** A mount of the view, and a page that it tells of its choice. */
class MountedView {
  constructor() {
    this.heard = [];
    this.said = undefined;
    this.choice = new LensChoice(() => this.said, (lens) => this.heard.push(lens));
  }

  /** What the page says. */
  say(lens, link = 1) {
    this.said = { link, ...USUAL, ...lens };
    return this.choice.take(this.said);
  }

  choose(change) {
    wait(1);
    this.choice.choose(change);
  }
}

/** @type {MountedView} */
let view;

beforeEach(() => {
  view = new MountedView();
  view.say({});
});

test("an older word of the page does not undo a choice, another link does", () => {
  view.choose({ region: "gap" });
  view.choose({ side: "test" });
  assert.equal(view.say({ region: "gap" }), false);
  assert.deepEqual(view.choice.lens, { ...USUAL, region: "gap", side: "test" });
  assert.equal(view.say({ region: "gap", side: "test" }), false);
  assert.equal(view.say({ region: "leaf" }), true);
  view.choose({ region: "gap" });
  assert.equal(view.say({}, 2), true);
  assert.deepEqual(view.choice.lens, USUAL);
});

test("the page is told again until it has heard, at most three times", () => {
  view.choose({ flips: true });
  wait(TOLD_GAP);
  assert.equal(view.heard.length, 2);
  view.say({ flips: true });
  wait(5 * TOLD_GAP);
  assert.equal(view.heard.length, 2);
  view.choose({ flips: false });
  for (let i = 0; i < 9; i += 1) wait(TOLD_GAP);
  assert.equal(view.heard.length, 5);
});

test("a mount goes on with what the page has not heard of the one before", () => {
  view.choose({ region: "gap" });
  view.choice.leave();
  const next = new MountedView();
  next.say({});
  next.choice.goOnWith(view.choice);
  assert.equal(next.choice.lens.region, "gap");
  assert.equal(next.say({}), false, "the page still says what was so before");
  wait(TOLD_GAP);
  assert.deepEqual(next.heard, [{ ...USUAL, region: "gap" }]);
});

test("what is chosen in the new mount is later than what the one before had not been told of", () => {
  view.choose({ region: "gap" });
  const next = new MountedView();
  next.say({ region: "gap" });
  next.choose({ flips: true });
  next.say({ region: "gap", flips: true });
  next.choice.goOnWith(view.choice); // with the first message of the run
  assert.deepEqual(next.choice.lens, { ...USUAL, region: "gap", flips: true });
});

test("another link counts more than a choice in the mount before it", () => {
  view.choose({ region: "gap" });
  const next = new MountedView();
  next.say({ region: "leaf" }, 2);
  next.choice.goOnWith(view.choice);
  assert.equal(next.choice.lens.region, "leaf");
});

test("a page that says nothing of the lens is told nothing, and the choice outlives a mount", () => {
  view = new MountedView();
  view.choose({ side: "train" });
  const next = new MountedView();
  next.choice.goOnWith(view.choice);
  assert.equal(next.choice.lens.side, "train");
  wait(5 * TOLD_GAP);
  assert.deepEqual([...view.heard, ...next.heard], []);
});
