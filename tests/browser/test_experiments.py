"""The page Experiments in a browser: a click on a dot opens its tree; a sweep from the form."""

from __future__ import annotations

import pytest

from tests.helpers.browser import CHROMIUM_FLAGS, chromium_path, serving
from treecore import RunConfig
from treecore.runs import begin, go_on
from treecore.sources import Source
from treecore.sweeps import SerialPool, Sweep, read_spec

sync_api = pytest.importorskip("playwright.sync_api")
pytest.importorskip("pyarrow")
pytestmark = pytest.mark.browser

WANTED = {
    "data": {"name": "sample:moons", "size": 120},
    "final": {"seeds": [0]},
    "methods": [{"method": "axis", "depth": [1, 2, 4]}],
}


@pytest.fixture(scope="module")
def page(tmp_path_factory):
    path = chromium_path()
    own = tmp_path_factory.mktemp("kept")
    with Sweep(read_spec(WANTED), own / "sweeps" / "moons", SerialPool()) as sweep:
        list(sweep.run())
    run = RunConfig("sgd", depth=3, epochs=30)
    stopped = go_on(begin(own / "runs" / "moons-1", run, Source("sample:moons", size=120)))
    for _ in range(5):
        next(stopped)
    stopped.close()
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TREECORE_RUNS", str(own / "runs"))
        patch.setenv("TREECORE_SWEEPS", str(own / "sweeps"))
        with serving() as (address, _), sync_api.sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
            page = browser.new_page(viewport={"width": 1280, "height": 1400})
            complaints = []
            page.on("pageerror", lambda error: complaints.append(str(error)))
            page.goto(address)
            page.get_by_role("link", name="Experiments").first.click()
            page.get_by_role("tab", name="Sweeps").wait_for(timeout=180_000)
            yield page
            browser.close()
            assert complaints == []


def test_a_click_on_a_dot_opens_its_tree(page):
    page.get_by_role("tab", name="Sweeps").click()
    dots = page.locator(".js-plotly-plot .scatterlayer .point")
    dots.first.wait_for(timeout=60_000)
    page.wait_for_timeout(500)
    box = dots.nth(2).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    page.get_by_role("heading", name="depth 4").wait_for(timeout=60_000)
    page.locator("[data-run][data-state=finished]").wait_for(timeout=60_000)
    assert "row=" in page.url
    # By keyboard as well: the box below the plot has the same runs.
    box = page.get_by_role("combobox", name="Open the tree of a run")
    box.focus()
    page.keyboard.press("Control+A")
    page.keyboard.type("depth 1")
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="depth 1").wait_for(timeout=60_000)


def test_a_small_sweep_is_started_and_seen_to_its_end(page):
    page.get_by_text("Start a small sweep").click()
    page.get_by_role("button", name="Start", exact=True).wait_for(timeout=60_000)
    for method in ("SGD", "Stable SGD"):
        page.get_by_role("button", name=f"Non-greedy {method}", exact=True).click()
    page.get_by_text("8 runs").wait_for(timeout=60_000)
    page.get_by_role("button", name="Start", exact=True).click()
    page.get_by_text("8 of 8 runs, finished").wait_for(timeout=120_000)
    page.get_by_text("spirals: all 8 runs done").wait_for(timeout=60_000)


def test_a_kept_run_goes_on_in_train(page):
    page.get_by_role("tab", name="Runs").click()
    page.get_by_role("link", name="Go on in Train").click()
    page.locator("[data-run][data-state=paused]").wait_for(timeout=60_000)
    assert "folder=moons-1" in page.url
