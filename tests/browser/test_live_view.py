"""The live view is linked and goes back in time, and its numbers are the core's."""

import re

import numpy as np
import pytest

from tests.helpers.browser import drawn
from tests.helpers.liveview import data, digits, menu, message, picture, send, show, spirals
from treecore.core.routing import apply
from treecore.viewer.messages.wire import unpack

SCORES = """
async (points) => {
  const { scoresOn, wayTo } = await import("/app/frame.js");
  const { view } = window.root;
  return points.map((i) => {
    const way = wayTo(view.frame, view.frame.at[i]);
    return [way.map(({ right }) => right), scoresOn(view.frame, way, i, view)];
  });
}
"""


@pytest.mark.parametrize("make", [spirals, digits])
def test_the_scores_on_the_way_of_a_point_are_those_of_the_core(page, live, make):
    stage, status, trainer = run = make()
    show(live, run, make.__name__)
    shown = stage._shown_points
    reported = shown.scores(status.frames[-1], at_rest=True)
    points = list(range(0, len(reported), max(1, len(reported) // 60)))
    leaf = apply(trainer.model, shown.X)
    for i, (sides, scores) in zip(points, live.evaluate(SCORES, points), strict=True):
        assert len(scores) == np.isfinite(reported[i]).sum()
        np.testing.assert_allclose(scores, reported[i][: len(scores)], rtol=2e-4, atol=2e-4)
        node = 0
        for right in sides:
            node = (trainer.model.right if right else trainer.model.left)[node]
        assert ~node == leaf[i]


# Linked ---------------------------------------------------------------------------------------


def test_a_point_is_walked_to_pinned_and_let_go_with_the_keyboard(live):
    show(live, spirals(), "keys")
    canvas = live.locator(".tc-map canvas")
    before = {panel: picture(live, panel) for panel in ("map", "tree")}
    canvas.focus()
    live.keyboard.press("ArrowRight")
    live.keyboard.press("ArrowUp")
    live.keyboard.press("Enter")
    drawn(live)
    pinned = data(live)["pinned"]
    assert pinned.startswith("point ")
    card = live.get_by_role("complementary", name="Selection")
    assert card.is_visible()
    i = int(pinned.split()[1])
    shares = live.evaluate(
        "(i) => [window.root.view.frame.loss[i], window.root.view.frame.bound[i]]", i
    )
    text = card.inner_text()
    for value in shares:
        assert f"{value:.3g}"[:4] in text
    way = card.locator("tr[data-split]")
    assert way.count() == live.evaluate(
        """async (i) => { const { wayTo } = await import("/app/frame.js");
           const { frame } = window.root.view; return wayTo(frame, frame.at[i]).length; }""",
        i,
    )
    assert "Point" in live.locator(".tc-said").inner_text()
    for panel, earlier in before.items():
        assert picture(live, panel) != earlier, f"the {panel} shows the way"
    live.keyboard.press("Escape")
    drawn(live)
    assert data(live)["pinned"] == ""
    assert card.is_hidden()


def test_a_click_pins_what_lies_there_and_another_lets_go(live):
    show(live, spirals(), "click")
    canvas = live.locator(".tc-map canvas")
    x, y = live.evaluate("() => window.root.view.map.placeOf(7)")
    canvas.click(position={"x": x, "y": y})
    pinned = data(live)["pinned"]
    assert pinned.startswith("point ")
    send(live, unpack(spirals()[0].message(spirals()[1], "click")))  # a message changes nothing
    assert data(live)["pinned"] == pinned
    live.get_by_role("button", name="Clear the selection").click()
    assert data(live)["pinned"] == ""
    live.locator(".tc-tree canvas").first.click(position=place(live, "split", 2), force=True)
    assert data(live)["pinned"] == "split 2"
    reported = live.locator(".tc-card").bounding_box()
    assert 0 <= reported["x"] <= 900 - reported["width"]
    assert 0 <= reported["y"] <= 900 - reported["height"]
    live.locator(".tc-tree canvas").first.click(position=place(live, "split", 2), force=True)
    assert data(live)["pinned"] == ""
    live.locator(".tc-tree canvas").first.click(position=place(live, "leaf", 3), force=True)
    assert data(live)["pinned"] == "leaf 3"
    live.keyboard.press("Escape")  # the focus is on the page, not in the view
    assert data(live)["pinned"] == ""


def place(live, kind, i):
    x, y = live.evaluate("([kind, i]) => window.root.view.tree.placeOf(kind, i)", [kind, i])
    return {"x": x, "y": y}


def test_what_the_pointer_is_on_lights_up_in_the_other_panel(live):
    show(live, spirals(), "hover")
    before = picture(live, "map")
    live.locator(".tc-tree canvas").hover(position=place(live, "split", 1), force=True)
    drawn(live)
    assert live.evaluate("() => window.root.view.marks.hover.split") == 1
    assert picture(live, "map") != before
    live.mouse.move(2, 2)
    drawn(live)
    before = picture(live, "tree")
    box = live.locator(".tc-map canvas").bounding_box()
    live.mouse.move(box["x"] + 0.6 * box["width"], box["y"] + 0.3 * box["height"])
    drawn(live)
    hover = live.evaluate("() => window.root.view.marks.hover")
    assert hover["leaf"] >= 0 or hover["point"] >= 0
    assert picture(live, "tree") != before


def test_the_tree_is_a_treeview_that_arrow_keys_walk_and_enter_opens(live):
    show(live, spirals(), "tree")
    tree = live.get_by_role("tree", name="Splits and leaves of the tree")
    items = tree.get_by_role("treeitem")
    children = live.evaluate("() => Array.from(window.root.view.frame.children)")
    assert items.count() == len(children) + 1, "every split and every leaf"
    names = items.evaluate_all("(all) => all.map((one) => one.ariaLabel)")
    assert all(re.fullmatch(r"(Root split|Split \d+|Leaf \d+), depth \d+: .*\.", n) for n in names)
    at = "() => Number(window.root.getRootNode().activeElement.dataset.node)"
    nodes = live.evaluate("() => window.root.view.tree.check().nodes")

    def press(key):
        live.keyboard.press(key)
        node = nodes[live.evaluate(at)]
        return node["ref"], node["depth"]

    stops = live.locator(".tc-tree [tabindex='0'], .tc-map [tabindex='0']")
    assert stops.get_attribute("role") == "application", "the tab key comes to the map"
    stops.press("PageDown")
    assert stops.get_attribute("data-node") == "0", "and from then on to the tree"
    assert press("ArrowRight") == (children[0], 1), "into it"
    assert press("ArrowLeft") == (0, 0), "and out again"
    assert press("ArrowDown") == (children[0], 1)
    assert press("ArrowUp") == (0, 0)
    last = press("End")
    assert last[0] < 0, "the last one is a leaf"
    assert press("Home") == (0, 0)
    press("ArrowRight")
    live.keyboard.press("Enter")
    assert data(live)["pinned"] == f"split {children[0]}"
    live.keyboard.press("Escape")
    assert data(live)["pinned"] == ""


def test_nodes_of_a_run_that_another_one_replaces_are_no_items_when_there_is_time(live):
    live.evaluate("() => { window.requestIdleCallback = (act) => { window.later = act } }")
    show(live, spirals(), "before")
    send(live, ({**message("after", "waiting")[0], "frames": []}, {}))
    drawn(live)
    live.evaluate("() => window.later()")


# Time -----------------------------------------------------------------------------------------


def test_a_replay_runs_through_the_recorded_trees_and_the_slider_walks_from_one_to_one(live):
    send(live, message(run="t", state="paused", last=899))
    live.wait_for_function("() => window.root.dataset.frame === '899'")
    menu(live).get_by_label("Replay speed").select_option("0.25")
    before = int(data(live)["pictures"])
    live.get_by_role("button", name="Replay").click()
    live.wait_for_function("(n) => window.root.dataset.pictures > n", arg=before + 5)
    assert data(live)["mode"] == "replay"
    assert data(live)["state"] == "paused", "training is another matter"
    assert 0 < float(data(live)["epoch"]) < 899
    live.get_by_role("button", name="Pause").click()
    assert data(live)["mode"] == "parked"
    held = data(live)["frame"]
    drawn(live, 10)
    assert data(live)["frame"] == held
    menu(live).get_by_label("Replay speed").select_option("16")
    live.get_by_role("button", name="Replay").click()
    live.wait_for_function("() => window.root.dataset.mode === 'live'")
    assert data(live)["frame"] == "899"
    live.locator(".tc-slider").focus()
    for keys, frame in ((["ArrowLeft"] * 2, "897"), (["Shift+ArrowLeft"], "887")):
        for key in keys:
            live.keyboard.press(key)
        live.wait_for_function("(n) => window.root.dataset.frame === n", arg=frame)
    assert data(live)["mode"] == "parked"
    live.get_by_role("button", name="Live: return to the present tree").click()
    live.wait_for_function("() => window.root.dataset.frame === '899'")


# Weights within their ball --------------------------------------------------------------------


def test_a_pinned_split_shows_its_length_against_the_ball(live):
    meta, arrays = show(live, spirals(), "ball")
    live.evaluate("() => window.root.view.pin({ leaf: -1, split: 1, point: -1, gap: -1 })")
    card = live.get_by_role("complementary", name="Selection")
    length, most = float(arrays["length"][1]), np.sqrt(meta["nu"])
    bar = card.locator(".limit i").bounding_box()["width"]
    room = card.locator(".limit").evaluate("(bar) => bar.clientWidth")
    assert bar / room == pytest.approx(length / most, abs=0.03)
    assert f"{length:.3g} of {most:.3g}" in card.inner_text()
    assert f"(ν = {meta['nu']:.1f})" in card.inner_text()
    live.keyboard.press("Escape")
