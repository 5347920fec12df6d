// Where the focus waits while the button that was pressed is disabled.

import assert from "node:assert/strict";
import test from "node:test";

import { Standin } from "../../treecore/viewer/js/app/keepfocus.js";

let active = null;

const HTMLButtonElement = (globalThis.HTMLButtonElement = class {
  disabled = false;
  isConnected = true;
  focus(options) {
    assert.deepEqual(options, { preventScroll: true }, "a page that is read does not move");
    active = this;
  }
});

test("from Play the focus goes to Pause and back, and Step that was pressed can be pressed again", () => {
  const [play, pause, step, reset] = Array.from({ length: 4 }, () => new HTMLButtonElement());
  const standin = new Standin();
  const now = (...enabled) => {
    for (const one of [play, pause, step, reset]) one.disabled = !enabled.includes(one);
    standin.changed([pause, play, reset], active);
    return active;
  };
  active = play;
  assert.equal(now(pause, reset), pause, "it learns");
  assert.equal(now(play, step, reset), play, "it was paused");
  active = step;
  assert.equal(now(reset), reset, "it takes a step");
  assert.equal(now(play, step, reset), step, "which is over");
  active = reset;
  assert.equal(now(play, step, reset), reset, "who has gone on by hand stays there");
});
