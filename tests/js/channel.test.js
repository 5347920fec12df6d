// The channel asks once for all views, when they have drawn, and comes back after a break.

import assert from "node:assert/strict";
import { beforeEach, mock, test } from "node:test";

/** A socket in whose place the test answers. */
class Socket {
  static OPEN = 1;

  /** @type {Socket[]} */
  static all = [];

  constructor(url) {
    this.url = String(url);
    this.readyState = 0;
    this.said = [];
    Socket.all.push(this);
  }

  open() {
    this.readyState = Socket.OPEN;
    this.onopen();
  }

  send(text) {
    this.said.push(JSON.parse(text));
  }

  close(code = 1006) {
    this.readyState = 3;
    this.onclose({ code });
  }

  /** News of views: a message without arrays. */
  answer(views) {
    const header = new TextEncoder().encode(JSON.stringify({ meta: { views }, arrays: [] }));
    const bytes = new Uint8Array(4 + header.length);
    new DataView(bytes.buffer).setUint32(0, header.length, true);
    bytes.set(header, 4);
    this.onmessage({ data: bytes.buffer });
  }
}

const frames = [];
const heard = { document: {}, window: {} };
Object.assign(globalThis, {
  WebSocket: Socket,
  document: { hidden: false, addEventListener: (name, f) => (heard.document[name] = f), removeEventListener() {} },
  window: {
    addEventListener: (name, f) => (heard.window[name] = f), removeEventListener() {},
    matchMedia: () => ({ matches: false }),
  },
  requestAnimationFrame: (f) => frames.push(f),
  cancelAnimationFrame: (n) => n && (frames[n - 1] = () => {}),
  reportError: () => {},
});
mock.timers.enable({ apis: ["setTimeout"] });
const { here, join } = await import("../../treecore/viewer/js/app/channel.js");

let number = 0;

/** A view that counts. */
function view(address, name) {
  const one = { has: {}, got: [], lost: null, broken: null };
  one.line = join(address, name, {
    have: () => one.has,
    receive: ({ meta }) => {
      one.got.push(meta);
      return meta.drawn;
    },
    connected: (lost, broken) => Object.assign(one, { lost, broken }),
  });
  return one;
}

const draw = () => frames.splice(0).forEach((f) => f());

beforeEach(() => {
  Socket.all.length = 0;
  frames.length = 0;
  number += 1;
});

test("views of one address share a wire, whose address follows the scripts'", () => {
  const address = `live/${number}`;
  const [a, b] = [view(address, "a"), view(address, "b")];
  assert.equal(Socket.all.length, 1);
  const [socket] = Socket.all;
  assert.ok(socket.url.endsWith(`/treecore/${address}`), "three folders above this script");
  socket.open();
  assert.deepEqual(socket.said, [{ have: { a: {}, b: {} } }]);
  socket.answer({ a: { n: 1 } });
  assert.deepEqual([a.got, b.got], [[{ n: 1 }], []]);
  view(`${address}x`, "a");
  assert.equal(Socket.all.length, 2);
});

test("the next question comes when the answer has been drawn, and says what is there", () => {
  const one = view(`live/${number}`, "a");
  const [socket] = Socket.all;
  socket.open();
  socket.answer({ a: { n: 1 } });
  one.has = { n: 1 };
  assert.equal(socket.said.length, 1, "nothing has been drawn yet");
  draw();
  assert.deepEqual(socket.said[1], { have: { a: { n: 1 } } });
  draw();
  assert.equal(socket.said.length, 2, "one question at a time");
});

test("where there is nothing to draw the next question comes at once", () => {
  view(`live/${number}`, "a");
  view(`live/${number}`, "b");
  const [socket] = Socket.all;
  socket.open();
  const before = socket.said.length;
  socket.answer({ a: { drawn: false } });
  assert.equal(socket.said.length, before + 1);
  socket.answer({ a: { drawn: false }, b: {} });
  assert.equal(socket.said.length, before + 1, "one of them draws");
});

test("a tab that nobody sees asks once a second", () => {
  view(`live/${number}`, "a");
  const [socket] = Socket.all;
  socket.open();
  globalThis.document.hidden = true;
  socket.answer({ a: {} });
  draw();
  assert.equal(socket.said.length, 1);
  mock.timers.tick(1000);
  assert.equal(socket.said.length, 2);
  socket.answer({ a: {} });
  globalThis.document.hidden = false;
  heard.document.visibilitychange();
  draw();
  assert.equal(socket.said.length, 3, "and at once when it is seen again");
});

test("after a break views are told, and go on where they were", () => {
  const one = view(`live/${number}`, "a");
  Socket.all[0].open();
  assert.equal(one.lost, false);
  one.has = { n: 7 };
  Socket.all[0].close();
  assert.equal(one.lost, true);
  mock.timers.tick(500);
  assert.equal(Socket.all.length, 2);
  Socket.all[1].close();
  mock.timers.tick(250);
  assert.equal(Socket.all.length, 2, "it waits longer and longer");
  mock.timers.tick(10_000);
  assert.equal(Socket.all.length, 3);
  Socket.all[2].open();
  assert.equal(one.lost, false);
  assert.deepEqual(Socket.all[2].said, [{ have: { a: { n: 7 } } }]);
});

test("a wire that a defect of the server has ended is not tried again", () => {
  const one = view(`live/${number}`, "a");
  Socket.all[0].open();
  Socket.all[0].close(1011);
  assert.equal(one.broken, true);
  mock.timers.tick(60_000);
  assert.equal(Socket.all.length, 1);
});

test("commands name their view, and are not kept for later", () => {
  const one = view(`live/${number}`, "a");
  one.line.command("play");
  Socket.all[0].open();
  one.line.command("step", 3);
  assert.deepEqual(Socket.all[0].said.slice(1), [{ do: "step", view: "a", value: 3 }]);
});

test("a view that fails does not stop the others", () => {
  const address = `live/${number}`;
  join(address, "a", { have: () => ({}), connected() {}, receive() { throw new Error("defect"); } });
  const other = view(address, "b");
  const [socket] = Socket.all;
  socket.open();
  socket.answer({ a: {}, b: { n: 1 } });
  draw();
  assert.deepEqual(other.got, [{ n: 1 }]);
  assert.equal(socket.said.length, 2);
});

test("the wire ends a while after its last view, and not for one that comes back", () => {
  const address = `live/${number}`;
  const one = view(address, "a");
  const [socket] = Socket.all;
  socket.open();
  one.line.leave();
  const again = view(address, "a");
  mock.timers.tick(5000);
  assert.equal(socket.readyState, Socket.OPEN);
  again.line.leave();
  mock.timers.tick(5000);
  assert.equal(socket.readyState, 3);
  mock.timers.tick(60_000);
  assert.equal(Socket.all.length, 1, "and is not opened again");
});

test("views of runs that learn in this tab hear of them without a wire", () => {
  const sockets = Socket.all.length;
  const heard = [];
  const line = join("tab/1", "strip", {
    have: () => ({}), receive: ({ meta }) => heard.push(meta.state), connected: (lost) => heard.push(lost),
  });
  const channel = here("tab/1");
  channel.commanded = (what, value) => heard.push(`${what} ${value}`);
  channel.tell("strip", { meta: { state: "running" } });
  channel.tell("board", { meta: { state: "running" } });
  line.command("seek", 0.5);
  line.leave();
  channel.tell("strip", { meta: { state: "paused" } });
  assert.deepEqual(heard, [false, "running", "seek 0.5"]);
  assert.equal(Socket.all.length, sockets);
});
