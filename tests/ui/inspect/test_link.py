"""Links to Inspect."""

from ui.inspect.link import TABS, read_tree


def test_an_unknown_tab_is_told_without_naming_one_that_is_not_shown():
    reading = read_tree(TABS, {"tab": ["Somewhere"]})
    (problem,) = reading.problems
    assert "Somewhere" in problem
    assert "tree_tab" not in reading.state, "the page opens its own first tab"
    assert read_tree(TABS, {"tab": ["Pruning"]}).state["tree_tab"] == "Pruning"
