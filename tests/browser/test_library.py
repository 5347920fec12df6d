"""The Library in a browser: a click on a dot opens its tree."""

import pytest

from tests.helpers.axe import violations
from tests.helpers.browser import at_rest
from tests.helpers.contrast import pale
from tests.helpers.controls import small, touch
from tests.helpers.library import keep_run
from tests.helpers.wait import until
from treecore.sweeps import SerialPool, Sweep, read_spec

SWEEP = {
    "data": {"name": "sample:moons", "size": 120},
    "final": {"seeds": [0]},
    "methods": [{"method": "axis", "depth": [1, 2, 4]}],
}


@pytest.mark.slow
def test_a_click_on_a_dot_opens_its_tree(visit, folder):
    with Sweep(read_spec(SWEEP), folder / "sweeps" / "dots", SerialPool()) as sweep:
        list(sweep.run())
    screen = visit("library?tab=Sweeps&sweep=dots", height=1400)
    page = screen.page
    screen.pick(page.locator(".js-plotly-plot .scatterlayer .point").nth(2))
    page.get_by_role("heading", name="depth 4").wait_for()
    screen.wait_for("finished")
    assert "row=" in page.url
    # By keyboard as well: the box below the plot has the same runs.
    page.get_by_role("combobox", name="Open the tree of a run").focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("depth 1")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="depth 1").wait_for()


@pytest.mark.slow
def test_an_open_run_is_for_everyone(visit, folder):
    keep_run(folder, "kept")
    page = visit("library", height=1400).page
    page.get_by_text("Settings and versions").click()
    page.mouse.move(2, 2)
    page.locator(".stJson .variable-value").first.wait_for()
    until(lambda: pale(page) == [], "for text that stands out")
    assert violations(page) == []
    touch(page)
    at_rest(page)
    assert small(page) == []
