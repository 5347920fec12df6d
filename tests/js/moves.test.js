// Points on the move, counted in the plainest way.

import assert from "node:assert/strict";
import test from "node:test";

import { countFlips, frozenLeaf, NOWHERE } from "../../treecore/viewer/js/map/flips.js";
import { Marks, leafOf, markOf, NOTHING } from "../../treecore/viewer/js/map/marks.js";
import { frameOf, pick, randomOf, randomTree } from "./helpers.js";

const M = 20;
const N = 400;

function scene(seed) {
  const random = randomOf(seed);
  const tree = randomTree(random, M);
  const leaves = () => Uint16Array.from({ length: N }, () => pick(random, M + 1));
  const at = leaves();
  // Most points stay where they are.
  const old = at.map((leaf) => (random() < 0.7 ? leaf : pick(random, M + 1)));
  const used = at.map((leaf) => [leaf, pick(random, M + 1), NOWHERE][pick(random, 3)]);
  return {
    frame: frameOf(tree, { at, used }), earlier: frameOf(tree, { at: old }),
    points: { held: Uint8Array.from({ length: N }, () => pick(random, 2)) },
    lens: { side: "both" }, meta: { classes: ["a", "b"] },
  };
}

test("brackets are counted as they are drawn", () => {
  const view = scene(3);
  const { at, used } = view.frame;
  const moved = at.filter((leaf, i) => leaf !== view.earlier.at[i]).length;
  const frozen = used.filter((leaf, i) => leaf !== NOWHERE && leaf !== at[i]).length;
  const [trained, tested] = ["train", "test"].map((side) => countFlips({ ...view, lens: { side } }));
  assert.equal(trained.moved + tested.moved, moved);
  assert.equal(tested.moved, at.filter((leaf, i) => view.points.held[i] && leaf !== view.earlier.at[i]).length);
  assert.deepEqual(countFlips(view), { moved, frozen });
  assert.deepEqual(countFlips({ ...view, frame: null }), { moved: 0, frozen: 0 });
  assert.equal(frozenLeaf({ ...view.frame, used: null }, 0), -1);
});

test("a mark is taken away by who has made it, or by another one", () => {
  const marks = new Marks();
  assert.equal(marks.on("map", markOf("leaf", 3)), true);
  assert.equal(marks.on("map", markOf("leaf", 3)), false, "nothing has changed");
  assert.equal(marks.on("tree", null), null, "not for the tree to say");
  assert.equal(marks.on("tree", markOf("split", 1)), true);
  assert.equal(marks.on("map", null), null);
  marks.pinned = markOf("point", 2);
  assert.deepEqual(marks.all(), [markOf("point", 2), markOf("split", 1)]);
  assert.equal(marks.on("tree", null), true);
  assert.deepEqual(marks.all(), [marks.pinned]);
  assert.deepEqual(marks.hover, NOTHING);
});

test("a mark leads to its leaf, or to that of its point", () => {
  const frame = { leaf: new Uint8Array(3), at: Uint16Array.of(2, 0) };
  assert.equal(leafOf(markOf("leaf", 1), frame), 1);
  assert.equal(leafOf(markOf("leaf", 3), frame), -1, "no longer part of the tree");
  assert.equal(leafOf(markOf("point", 0), frame), 2);
  assert.equal(leafOf(markOf("point", 0), { ...frame, at: null }), -1);
  assert.equal(leafOf(markOf("split", 0), frame), -1);
});
