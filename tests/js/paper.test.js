// A chart can be drawn smaller while a page is printed, and has its own size again afterwards.

import assert from "node:assert/strict";
import test from "node:test";

import { fitCharts } from "../../treecore/viewer/js/app/paper.js";

test("charts have a view box while they are printed", () => {
  const attributes = new Map([["width", "880"], ["height", "400"]]);
  const chart = {
    getAttribute: (name) => attributes.get(name) ?? null,
    setAttribute: (name, value) => attributes.set(name, value),
    removeAttribute: (name) => attributes.delete(name),
  };
  const before = { window: globalThis.window, document: globalThis.document };
  const window = new EventTarget();
  Object.assign(globalThis, { window, document: { querySelectorAll: () => [chart] } });
  try {
    fitCharts();
    window.dispatchEvent(new Event("beforeprint"));
    assert.equal(attributes.get("viewBox"), "0 0 880 400");
    window.dispatchEvent(new Event("afterprint"));
    assert.equal(attributes.has("viewBox"), false);
  } finally {
    Object.assign(globalThis, before);
  }
});
