"""What the live view draws of a tree that is too large to be drawn whole."""

from tests.helpers.browser import drawn
from tests.helpers.liveview import data, message, send


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
    live.keyboard.press("Home")
    live.keyboard.press("f")  # the root is on top already
    assert live.evaluate(check)["root"] == 0
    live.keyboard.press("ArrowDown")
    live.keyboard.press("Enter")
    split = int(data(live)["pinned"].split()[1])
    live.get_by_role("button", name=f"Only below split {split}").click()
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
