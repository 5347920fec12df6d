"""What the live view draws of a tree that is too large to be drawn whole."""

from tests.helpers.browser import drawn
from tests.helpers.liveview import data, menu, message, sent
from treecore import RunConfig, Trainer
from treecore.data.generators import generate
from treecore.viewer.messages.standing_tree import standing_message
from treecore.viewer.messages.wire import unpack


def test_a_subtree_is_looked_into_with_the_keyboard_and_left_again(live):
    sent(live, message(run="large", state="paused", n_splits=127))
    check = "() => window.root.view.tree.check()"
    entire = live.evaluate(check)
    live.get_by_role("treeitem").first.focus()
    live.keyboard.press("ArrowDown")
    live.keyboard.press("f")
    assert live.evaluate(check)["root"] > 0
    assert live.evaluate(check)["nodes"][0]["ref"] == live.evaluate(check)["root"]
    live.keyboard.press("u")
    assert live.evaluate(check) == entire
    live.keyboard.press("Home")
    live.keyboard.press("f")  # the root is on top already
    assert live.evaluate(check)["root"] == 0
    live.keyboard.press("ArrowDown")
    live.keyboard.press("Enter")
    split = int(data(live)["pinned"].split()[1])
    below = live.get_by_role("button", name=f"Only below split {split}")
    below.scroll_into_view_if_needed()
    drawn(live)
    card = live.locator(".tc-card").bounding_box()
    button = below.bounding_box()
    assert card["y"] >= button["y"] + button["height"], "the card leaves the split's buttons free"
    below.click()
    assert live.evaluate(check)["root"] == split
    live.get_by_role("navigation").get_by_role("button", name="Root").click()
    assert live.evaluate(check)["root"] == 0
    menu(live).get_by_label("Hidden branches").select_option(label="below 5 %")
    assert "hidden" in live.locator(".tc-remark").inner_text()
    menu(live).get_by_label("Last level drawn").select_option("1")
    assert max(node["depth"] for node in live.evaluate(check)["nodes"]) == 1
    live.keyboard.press("Escape")
    sent(live, message(run="small", state="paused", n_splits=3))
    shown = live.evaluate(check)
    assert shown["to"] == shown["bottom"] > 1, "levels are those of one run"
    assert menu(live).get_by_label("Hidden branches").input_value() == "0.05"


def test_a_tree_that_stands_alone_is_folded_up_and_fitted_again(live):
    table = generate("stripes", 900, seed=0)
    tree = Trainer(RunConfig("axis", depth=9), table.X, table.y, n_classes=2).run()
    reported = standing_message(tree, "alone", ("width", "height"), ("red", "blue"))
    sent(live, unpack(reported))
    check = "() => window.root.view.tree.check().nodes.map((node) => node.ref)"
    entire = live.evaluate(check)
    live.get_by_role("treeitem").first.focus()
    live.keyboard.press("ArrowDown")
    live.keyboard.press("c")
    folded = live.evaluate(check)
    assert entire[1] in folded
    assert len(folded) < len(entire)
    assert live.locator(".tc-remark").inner_text().endswith("folded up.")
    live.keyboard.press("ArrowRight")
    assert live.evaluate(check) == entire, "the key that goes to a child unfolds it first"
    live.keyboard.press("c")
    assert live.evaluate(check) == folded
    live.get_by_role("button", name="Fit").click()
    assert live.evaluate(check) == entire


def test_on_a_telephone_the_legend_stands_above_the_tree(own_context, served):
    page = own_context(viewport={"width": 390, "height": 844}, has_touch=True).new_page()
    page.goto(f"{served.address}/inspect?data=iris&tree=grown")
    legend = page.locator(".tc-tree-legend")
    legend.get_by_text("inactive").wait_for()
    words, tree = legend.bounding_box(), page.locator(".tc-tree-panel canvas").bounding_box()
    assert words["y"] + words["height"] <= tree["y"]
