// The wire reads what was written by hand, byte by byte, as treecore/viewer/messages/wire.py describes it.

import assert from "node:assert/strict";
import test from "node:test";

import { unpack } from "../../treecore/viewer/js/app/wire.js";

const ARRAYS = [
  ["points", "f4", [2, 2], Float32Array.of(0.5, -1.25, 3, 1e-3)],
  ["odd", "u1", [3], Uint8Array.of(1, 2, 255)],
  ["wide", "f8", [1], Float64Array.of(Math.PI)],
  ["signed", "i2", [1, 2], Int16Array.of(-7, 7)],
  ["short", "u2", [1], Uint16Array.of(65535)],
  ["small", "i1", [2], Int8Array.of(-128, 127)],
  ["long", "i4", [1], Int32Array.of(-(2 ** 31))],
  ["counts", "u4", [1], Uint32Array.of(2 ** 32 - 1)],
  ["none", "f4", [0, 3], new Float32Array()],
  ["scalar", "i4", [], Int32Array.of(3)],
];

/** A message as Python packs it, at any offset of its buffer. */
function packed(meta, arrays, shift = 0) {
  let offset = 0;
  const entries = arrays.map(([name, dtype, shape, values]) => {
    const entry = { name, dtype, shape, offset };
    offset += Math.ceil(values.byteLength / 8) * 8;
    return entry;
  });
  let header = JSON.stringify({ meta, arrays: entries });
  const length = () => new TextEncoder().encode(header).length;
  while ((4 + length()) % 8) header += " ";
  const start = 4 + length();
  const bytes = new Uint8Array(shift + start + offset);
  new DataView(bytes.buffer).setUint32(shift, length(), true);
  bytes.set(new TextEncoder().encode(header), shift + 4);
  arrays.forEach(([, , , values], i) =>
    bytes.set(new Uint8Array(values.buffer), shift + start + entries[i].offset));
  return bytes.subarray(shift);
}

for (const shift of [0, 3, 8]) {
  test(`arrays come back as they were, from offset ${shift}`, () => {
    const meta = { title: "ä → β", n: 3, nothing: null };
    const message = unpack(packed(meta, ARRAYS, shift));
    assert.deepEqual(message.meta, meta);
    for (const [name, , shape, values] of ARRAYS) {
      assert.deepEqual(message.array(name), values, name);
      assert.deepEqual(message.shape(name), shape, name);
    }
  });
}

test("an array is a copy: it does not keep the message alive", () => {
  const bytes = packed({}, ARRAYS);
  const points = unpack(bytes).array("points");
  assert.equal(points.buffer.byteLength, points.byteLength);
  bytes.fill(0);
  assert.equal(points[0], 0.5);
});

test("what is missing is null, and no message is an empty one", () => {
  const strange = packed({}, [["text", "U3", [1], new Uint8Array(12)]]);
  assert.equal(unpack(strange).array("text"), null);
  for (const bytes of [null, new Uint8Array(), new Uint8Array(3), packed({}, [])]) {
    const message = unpack(bytes);
    assert.deepEqual(message.meta, {});
    assert.equal(message.array("points"), null);
    assert.deepEqual(message.shape("points"), []);
  }
});
