// A page that is drawn larger: the pointer is where it is seen.

import assert from "node:assert/strict";
import { test } from "node:test";
import { inWindow, within } from "../../treecore/viewer/js/app/zoom.js";

test("a place goes to the window and back, however large the page is drawn", () => {
  for (const currentCSSZoom of [undefined, 1, 1.4]) {
    const element = /** @type {Element} */ (/** @type {unknown} */ (
      { currentCSSZoom, getBoundingClientRect: () => ({ left: 70, top: 140 }) }));
    const { x, y } = inWindow(element, 10, 20);
    assert.ok(x >= 80 && y >= 160);
    const event = /** @type {MouseEvent} */ ({ clientX: x, clientY: y });
    const [back, down] = within(element, event);
    assert.ok(Math.abs(back - 10) < 1e-9 && Math.abs(down - 20) < 1e-9);
  }
});
