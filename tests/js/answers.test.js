// The browser's memory of answers: what is kept, what is taken over, what is forgotten.

import assert from "node:assert/strict";
import test, { beforeEach } from "node:test";

const stored = new Map();
globalThis.localStorage = {
  getItem: (key) => stored.get(key) ?? null,
  setItem: (key, text) => stored.set(key, text),
  removeItem: (key) => stored.delete(key),
};
const { default: answers, kept } = await import("../../treecore/viewer/js/pages/answers.js");

const first = ["angles", "guess", 0, 1, true];
const second = ["angles", "why", 0, 2, false];
const third = ["nu", "guess", 7, 1, null];

/** What the server hears of a message. */
function told(data) {
  const heard = [];
  answers({ data, setTriggerValue: (name, value) => heard.push([name, value]) });
  return heard;
}

beforeEach(() => stored.clear());

test("a server that does not know is told what is kept, and nothing is written", () => {
  stored.set("treecore.answers", JSON.stringify([first, second]));
  const [[name, value]] = told({ restored: false, forgotten: 0, records: [third] });
  assert.equal(name, "kept");
  assert.deepEqual(value.records, [first, second]);
  assert.deepEqual(kept(), [first, second]);
});

test("what the server knows is kept beside what another tab has kept", () => {
  stored.set("treecore.answers", JSON.stringify([first, third]));
  const settled = [...third.slice(0, 4), true];
  assert.deepEqual(told({ restored: true, forgotten: 0, records: [second, settled] }), []);
  assert.deepEqual(kept(), [first, settled, second]);
});

test("to forget is to forget, and not to find it again in the next message", () => {
  told({ restored: true, forgotten: 0, records: [first] });
  told({ restored: true, forgotten: 1, records: [] });
  assert.deepEqual(kept(), []);
  told({ restored: true, forgotten: 1, records: [second] });
  assert.deepEqual(kept(), [second]);
});

test("what is not ours is passed over", () => {
  for (const odd of ["{", "7", '{"a": 1}', '[1, null, ["x"]]']) {
    stored.set("treecore.answers", odd);
    assert.deepEqual(kept(), []);
  }
});
