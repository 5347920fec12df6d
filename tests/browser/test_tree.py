"""What the live view draws of a tree that is too large to be drawn whole."""

import numpy as np
import pytest

from tests.helpers.browser import drawn
from tests.helpers.liveview import data, message, random_tree, send

DRAWN = """
async ([children, counts, wish, width]) => {
  const { windowOf } = await import("/treewindow.js");
  const { layoutTree } = await import("/layout.js");
  const { flowsOf, rowsAt, total } = await import("/stories.js");
  const leaves = new Uint8Array(counts.length);
  const detail = { classes: 1, counts: Uint32Array.from(counts) };
  const frame = { children, leaf: leaves, detail };
  const flows = flowsOf(frame);
  const shown = windowOf(wish, children, flows, width);
  const { nodes, folded, hidden } = layoutTree(children, width, 300, 1.75, false, shown);
  return {
    from: shown.from, to: shown.to, top: shown.top, bottom: shown.bottom, folded, hidden,
    nodes: nodes.map(({ ref, depth, kind, parent, x, kids }) => ({
      ref, depth, kind, parent, x, kids, rows: total(rowsAt(flows, ref)) })),
  };
}
"""


@pytest.mark.parametrize("seed", range(4))
def test_what_is_drawn_of_a_tree_is_what_was_asked_for(page, seed):
    rng = np.random.default_rng(seed)
    m = 200
    _, children = random_tree(rng, m)
    counts = rng.integers(0, 4, m + 1) * rng.integers(0, 2, m + 1)
    depth = np.zeros(m, dtype=int)
    above = np.full(m, -1)
    for i in range(m):
        for child in children[i][children[i] >= 0]:
            depth[child], above[child] = depth[i] + 1, i
    root = int(rng.integers(0, 12))
    for wish in (
        {"root": 0, "from": 0, "to": None, "least": 0},
        {"root": root, "from": 0, "to": None, "least": 0},
        {"root": 0, "from": 2, "to": 5, "least": 0},
        {"root": 0, "from": 0, "to": 7, "least": 0.02},
        {"root": 10**6, "from": 99, "to": -3, "least": 1},
    ):
        found = page.evaluate(DRAWN, [children.ravel().tolist(), counts.tolist(), wish, 600])
        nodes = found["nodes"]
        assert 0 <= found["from"] < found["to"] <= found["from"] + 9
        assert all(found["from"] <= node["depth"] <= found["to"] for node in nodes)
        splits = [node for node in nodes if node["ref"] >= 0]
        assert all(node["depth"] == depth[node["ref"]] for node in splits)
        on_top = [node for node in nodes if node["parent"] < 0]
        assert all(node["rows"] >= wish["least"] * counts.sum() for node in nodes) or not (
            len(nodes) > len(on_top)
        )
        ends = [node["x"] for node in nodes if not node["kids"]]
        assert len(set(ends)) == len(ends), "no two ends at one place"
        if wish["least"] == 0:
            assert found["hidden"] == 0
            drawn = {node["ref"] for node in splits if node["kind"] != "fold"}
            under = set(range(m))
            if wish["root"]:
                chain = {i: {i} for i in range(m)}
                for i in range(m):
                    chain[i] |= chain[above[i]] if above[i] >= 0 else set()
                under = {i for i in range(m) if root in chain[i]}
            within = {i for i in under if found["from"] <= depth[i]}
            assert drawn == {i for i in within if depth[i] < found["to"]}
            assert found["folded"] == len(within - drawn)
        if wish["to"] is None and found["to"] > found["from"] + 2:
            assert 600 / len(ends) >= 5, "every end has room, unless one asks for more"


def test_a_subtree_is_looked_into_with_the_keyboard_and_left_again(live):
    send(live, message(run="large", state="paused", n_splits=127))
    live.wait_for_function("() => window.root.dataset.run === 'large'")
    drawn(live)
    bar = live.get_by_role("group", name="What of the tree is drawn")
    assert bar.is_visible()
    check = "() => window.root.view.tree.check()"
    whole = live.evaluate(check)
    live.get_by_role("treeitem").first.focus()
    live.keyboard.press("ArrowDown")
    live.keyboard.press("f")
    assert live.evaluate(check)["root"] > 0
    assert live.evaluate(check)["nodes"][0]["ref"] == live.evaluate(check)["root"]
    live.keyboard.press("u")
    assert live.evaluate(check) == whole
    live.keyboard.press("f")  # the root is on top already
    assert live.evaluate(check)["root"] == 0
    live.keyboard.press("ArrowDown")
    live.keyboard.press("Enter")
    split = int(data(live)["pinned"].split()[1])
    live.get_by_role("button", name=f"Show only below split {split}").click()
    assert live.evaluate(check)["root"] == split
    live.get_by_role("navigation").get_by_role("button", name="Root").click()
    assert live.evaluate(check)["root"] == 0
    live.get_by_label("First level drawn").select_option("2")
    assert {node["depth"] for node in live.evaluate(check)["nodes"]} >= {2, 3}
    assert min(node["depth"] for node in live.evaluate(check)["nodes"]) == 2
    live.get_by_label("Branches hidden").select_option(label="below 5 %")
    assert "hidden" in live.locator(".tc-remark").inner_text()
    live.keyboard.press("Escape")
    send(live, message(run="small", state="paused", n_splits=3))
    live.wait_for_function("() => window.root.dataset.run === 'small'")
    drawn(live)
    assert live.evaluate(check)["from"] == 0, "levels are those of one run"
    assert live.get_by_label("Branches hidden").input_value() == "0.05"
