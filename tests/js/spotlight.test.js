// A learner that is pointed at: its card and its lines tell each other.

import assert from "node:assert/strict";
import test from "node:test";

import { addCard, light, lightPoint, takePart } from "../../treecore/viewer/js/app/spotlight.js";

/** As much of an element as a card needs. */
class Root extends EventTarget {
  isConnected = true;
  style = {};
  lit = false;
  classList = { toggle: (_, lit) => (this.lit = lit) };
}

/** Cards of a comparison with a board, and what the board has heard. */
function page(wire, n) {
  const heard = [];
  const place = (view) => ({ told: { wire, view } });
  const cards = Array.from({ length: n }, () => new Root());
  const leaves = cards.map((root, i) => addCard(root, place(`${i}`)));
  leaves.push(takePart({
    root: new Root(), place: place("board"), hear: (run) => heard.push(run),
    colour: (run) => ["red", "blue"][run],
  }));
  return { cards, heard, leave: () => leaves.forEach((leave) => leave()) };
}

test("a card with the pointer or the focus lights its learner here and nowhere else", () => {
  const [here, elsewhere] = [page("a", 2), page("b", 2)];
  here.cards[1].dispatchEvent(new Event("pointerenter"));
  assert.deepEqual(here.cards.map((card) => card.lit), [false, true]);
  assert.equal(here.cards[1].style.outlineColor, "blue");
  here.cards[1].dispatchEvent(new Event("pointerleave"));
  here.cards[0].dispatchEvent(new Event("focusin"));
  assert.deepEqual(here.heard, [1, -1, 0]);
  assert.deepEqual(elsewhere.heard, []);
  here.leave();
  elsewhere.leave();
});

test("a line lights its card, and a learner alone is not lit", () => {
  const [two, alone] = [page("a", 2), page("b", 1)];
  light("a", 0);
  assert.deepEqual(two.cards.map((card) => card.lit), [true, false]);
  light("b", 0);
  assert.equal(alone.cards[0].lit, false);
  two.leave();
  light("a", 1);
  assert.deepEqual(two.heard, [0], "what has left hears nothing");
  alone.leave();
});

test("a point under the pointer is marked on the other maps of its comparison alone", () => {
  const marked = [];
  const roots = ["a", "a", "b"].map((wire, i) => {
    const root = new Root();
    return [root, addCard(root, { told: { wire, view: `${i}` } }, (point) => marked.push([i, point]))];
  });
  lightPoint("a", roots[0][0], 7);
  lightPoint("a", roots[0][0], -1);
  lightPoint(undefined, roots[2][0], 3);
  assert.deepEqual(marked, [[1, 7], [1, -1]]);
  roots.forEach(([, leave]) => leave());
});
