import assert from "node:assert/strict";
import { test } from "node:test";

import { besides } from "../../treecore/viewer/js/app/beside.js";

const CARD = { width: 320, height: 400 };
const WINDOW = { width: 1280, height: 800 };

test("a card lies beside what it tells of, and inside the window", () => {
  for (let x = -200; x <= 1500; x += 50) {
    for (let y = -300; y <= 1200; y += 50) {
      const [left, top] = besides({ x, y, r: 20 }, CARD, WINDOW);
      assert.ok(left >= 0 && left + CARD.width <= WINDOW.width);
      assert.ok(top >= 0 && top + CARD.height <= WINDOW.height);
      if (x >= 400 && x <= 900) assert.ok(left > x + 20 || left + CARD.width < x - 20, "it does not cover it");
    }
  }
});

test("a card goes to the left where there is no room at the right", () => {
  const x = (/** @type {number} */ at) => besides({ x: at, y: 400, r: 6 }, CARD, WINDOW)[0];
  assert.ok(x(640) > 646);
  assert.ok(x(1200) + CARD.width < 1194);
});

test("a window smaller than the card shows the card's beginning", () => {
  const [left, top] = besides({ x: 100, y: 100 }, CARD, { width: 300, height: 200 });
  assert.ok(left >= 0 && left < 20 && top >= 0 && top < 20);
});
