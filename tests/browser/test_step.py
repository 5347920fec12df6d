"""The page *One step* in a real browser: by mouse, by keyboard, on a narrow screen."""

from __future__ import annotations

import re

import pytest

from tests.helpers.browser import at_rest
from tests.helpers.wait import until


@pytest.fixture
def screen(visit):
    screen = visit("step")
    screen.page.get_by_text("What the step changes").wait_for()
    return screen


def reported(screen, pattern):
    """The first paragraph that begins like this, once there is one."""
    return screen.page.get_by_text(re.compile("^" + pattern)).first.inner_text()


def test_a_step_is_looked_at_applied_and_taken_back(screen):
    first = reported(screen, r"Example \d+").split(",")[0]
    screen.press("Apply this step")
    after = reported(screen, r"Example \d+.*1 step applied")
    assert after.split(",")[0] != first
    screen.press("Undo")
    reported(screen, f"{first},")

    screen.pick(screen.page.locator(".js-plotly-plot").first.locator(".point").nth(40))
    reported(screen, r"Example \d+.*picked by you")

    screen.page.get_by_role("button", name="Hardest").focus()
    screen.page.keyboard.press("Enter")
    reported(screen, r"Example \d+.*greatest bound")


@pytest.mark.slow
def test_a_node_is_picked_on_the_drawing_of_the_tree(screen):
    page = screen.page
    page.get_by_role("tab", name="TAO").click()
    reported(screen, r"Split [1-9]")
    page.get_by_text("The ring marks the chosen split").wait_for()
    at_rest(page)  # the drawings of the other tab are gone
    nodes = page.locator(".js-plotly-plot").nth(1).locator(".scatterlayer .point")
    nodes.first.wait_for()
    heights = [node.bounding_box()["y"] for node in nodes.all()]
    screen.pick(nodes.nth(heights.index(min(heights))))
    reported(screen, "Split 0")


@pytest.mark.slow
def test_a_split_is_turned_with_the_keyboard_and_put_back(screen):
    page = screen.page
    page.get_by_role("tab", name="By hand").click()
    page.get_by_text("It is as it was learnt").wait_for()
    angle = page.get_by_role("slider", name="Turned by")
    angle.focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
    page.get_by_text(re.compile("examples change sides")).wait_for()
    page.wait_for_url(re.compile(r"angle=\d"))
    screen.press("Put it back")
    page.get_by_text("It is as it was learnt").wait_for()


@pytest.mark.slow
def test_a_narrow_screen_holds_every_tab(visit):
    screen = visit("step", width=390, height=844)
    for name in ("OC1", "TAO", "By hand", "One example"):
        screen.page.get_by_role("tab", name=name).click()
        screen.page.get_by_role("tab", name=name, selected=True).wait_for()
        screen.page.locator(".js-plotly-plot .point").first.wait_for()
        at_rest(screen.page)
        assert screen.overflow() <= 0, name


SAID_THERE = """({ view }) => {
  const { frame: { split, children, leaf, at }, changes } = view;
  const told = changes.shown();
  let node = 0;
  while (node >= 0) {
    const [w1, w2, b] = split.subarray(3 * node, 3 * node + 3);
    node = children[2 * node + (w1 * told.to[0] + w2 * told.to[1] > b ? 1 : 0)];
  }
  return [leaf[at[told.point]], leaf[~node]];
}"""
"""What the drawn tree says of the pinned point, and where the arrow ends."""


FOCUSED = """(root) => root.getRootNode().activeElement?.getAttribute("aria-roledescription")"""
"""What of a view has the keyboard's focus."""


def test_a_point_of_a_run_has_its_step_taken_apart_in_place(visit):
    screen = visit("lab?data=xor&run=sgd")
    screen.wait_for("paused")
    page, run = screen.page, screen.said("run")
    point = "({ view }) => view.pin({ leaf: -1, split: -1, gap: -1, point: 3 }, { x: 500, y: 300 })"
    screen.root.evaluate(point)  # another one may lie over it, and held-out ones have no step
    page.get_by_text("it would take").first.wait_for()
    before, after = screen.root.evaluate(SAID_THERE)
    assert before != after
    page.get_by_label("What is wanted").select_option(str(before))
    page.get_by_text("Nothing has to change").first.wait_for()
    page.get_by_role("button", name="Take its step apart").click()
    dialog = page.get_by_role("dialog")
    dialog.get_by_text("Every leaf as a danger").wait_for()
    at_rest(page)
    page.evaluate("window.dispatchEvent(new Event('tc-unheard'))")  # has the page drawn anew
    screen.stays()
    at_rest(page)
    dialog.get_by_text("Every leaf as a danger").wait_for()
    page.keyboard.press("Escape")
    dialog.wait_for(state="detached")
    assert screen.said("run") == run
    until(lambda: screen.root.evaluate(FOCUSED) == "map", "for the keyboard to be where it was")


SHOWN_BY = """() => [...document.querySelectorAll(".js-plotly-plot")].flatMap((plot) =>
  (plot._fullData ?? []).filter(({ meta, uid }) =>
    meta && plot.querySelector(`g.trace${uid}`)?.classList.contains("lit")).map(({ meta }) => meta))
"""
"""The parts of figures that are marked."""


@pytest.mark.slow
def test_a_term_of_a_formula_marks_what_it_means_and_no_other_drawing_of_that(visit):
    page = visit("step", height=1600).page
    page.locator(".js-plotly-plot .point").first.wait_for()
    at_rest(page)
    update = page.get_by_test_id("formulas").nth(1)
    for number, part in enumerate(("after", "before")):
        update.get_by_role("button", name="w i", exact=True).nth(number).focus()
        shown = page.evaluate(SHOWN_BY)
        assert shown, "the step turns a split"
        assert {meta.split(".")[1] for meta in shown} == {part}
    way = page.get_by_test_id("formulas").first
    way.get_by_role("button", name="s i", exact=True).first.focus()
    nodes = {meta.split(".")[0] for meta in page.evaluate(SHOWN_BY)}
    assert nodes <= set(page.evaluate(SHOWN_BY)), "in the tree as well as on the map"
