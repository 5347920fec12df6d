// Components say nothing to a page that is not theirs, and no page that comes is called back.

import assert from "node:assert/strict";
import { beforeEach, test } from "node:test";

import { stopClock } from "./helpers.js";

const wait = stopClock();
class Element {
  classList = [];
}
class HTMLAnchorElement extends Element {}
class HTMLButtonElement extends Element {}
const location = { origin: "http://localhost" };
Object.assign(globalThis, { Element, HTMLAnchorElement, HTMLButtonElement, location });
const { arrive, noteClick, noteStep, pageOf, patient } = await import(
  "../../treecore/viewer/js/app/leaving.js"
);
const APP = new URL("../../treecore/", import.meta.url).pathname; // where the app seems to live

/** @type {unknown[]} */
let heard;
/** @type {{isConnected: boolean}} */
let node;
/** @type {(name: string, value: unknown) => void} */
let say;

/** Somebody clicks on a link to a page of ours, in his way. */
function click(page, ways = {}) {
  const link = new HTMLAnchorElement();
  Object.assign(link, { origin: location.origin, pathname: APP + page });
  noteClick({ composedPath: () => [link], ...ways });
}

/** Somebody has gone back: the browser's address is another one. */
function goBack(page, search = "") {
  Object.assign(location, { pathname: APP + page, search });
  noteStep();
}

beforeEach(() => {
  heard = [];
  node = { isConnected: true };
  say = patient({ parentElement: node, setTriggerValue: (...news) => heard.push(news) });
  wait(60_000);
  arrive("train", "v=1&depth=4");
});

test("while a link leads away nothing is said that would call the old page back", () => {
  say("state", "paused 1");
  click("compare");
  say("state", "running");
  say("lens", 1);
  say("state", "paused 2");
  wait(5000);
  arrive("train", "v=1"); // asked for before the click
  wait(5000);
  assert.deepEqual(heard, [["state", "paused 1"]]);
  arrive("compare", "");
  wait(1000); // whoever is still there may speak
  assert.deepEqual(heard.slice(1), [["state", "paused 2"], ["lens", 1]], "the newest of each");
  say("state", "running");
  assert.equal(heard.length, 4);
});

test("a button that leads to another page keeps components silent as a link does", () => {
  const press = (name, button = new HTMLButtonElement()) =>
    noteClick({ composedPath: () => [button, Object.assign(new Element(), { classList: [name] })] });
  press("st-key-play");
  press("st-key-to_inspect_0", new Element()); // beside it
  press("st-key-to_inspect_0", Object.assign(new HTMLButtonElement(), { disabled: true }));
  say("state", "running");
  press("st-key-to_inspect_0");
  say("state", "paused 2");
  assert.equal(heard.length, 1);
  arrive("inspect", "");
  wait(1000);
  assert.equal(heard.length, 2);
});

test("what a component has not said before it went is not said to the page that has come", () => {
  goBack("");
  say("state", "running");
  arrive("", "");
  node.isConnected = false;
  wait(1000);
  assert.deepEqual(heard, []);
});

test("a link that leads to no other page, or nowhere, keeps nobody silent for ever", () => {
  click("train");
  click("compare", { ctrlKey: true });
  say("state", "running");
  assert.equal(heard.length, 1);
  click("no-page");
  say("state", "paused 2");
  wait(29_000);
  assert.equal(heard.length, 1);
  wait(2000);
  assert.equal(heard.length, 2);
});

test("Back has come when the page is drawn by that address", () => {
  goBack("train", "?v=1&depth=3&set=a+b");
  say("state", "running");
  arrive("train", "v=1&depth=4");
  wait(1000);
  assert.deepEqual(heard, []);
  arrive("train", "set=a%20b&v=1&depth=3");
  wait(1000);
  assert.equal(heard.length, 1);
});

test("a page's name is what follows the address of the app", () => {
  const named = (home, paths) => paths.map((path) => pageOf(path, home));
  assert.deepEqual(named("/", ["/", "/train", "/train/"]), ["", "train", "train"]);
  assert.deepEqual(named("/a/b/", ["/a/b", "/a/b/", "/a/b/train"]), ["", "", "train"]);
});
