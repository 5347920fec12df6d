"""A page in one file that trains by itself: how soon it is ready, and pictures a second.

It is opened from disk with 1,000 points and trees of depth 8, at the processor's own speed and
slowed four times by Chromium. It is ready when Play can be pressed and the map with a tree is on
the screen, counted by the page's own clock.
"""

from __future__ import annotations

import statistics
import tempfile
from collections.abc import Callable
from pathlib import Path

from playwright.sync_api import Browser, Page

from tests.helpers.browser import chromium_started
from treecore import RunConfig, Trainer
from treecore.data.generators import generate
from treecore.viewer.pages.page import page_html
from treecore.viewer.pages.recorded import record

OPENED = 5
"""So often it is opened at each speed; the median counts."""

VIEW = "learnings[0].view"
READY = f"""(look = () => globalThis.learnings && {VIEW}.frame && {VIEW}.map.canvas.height !== 150
  ? console.log(performance.now()) : requestAnimationFrame(look))();"""  # a blank canvas has 150
DRAWN = f"() => [Number({VIEW}.root.dataset.pictures), performance.now() / 1000]"


def opened(browser: Browser, path: Path, slowed: float) -> tuple[Page, float]:
    """The page once it is ready, and after how many seconds."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    page.context.new_cdp_session(page).send("Emulation.setCPUThrottlingRate", {"rate": slowed})
    page.add_init_script(READY)  # Playwright's own scripts would be slowed and counted as well
    with page.expect_console_message() as told:
        page.goto(path.as_uri())
    return page, float(told.value.text) / 1000


def rate(page: Page, drawn: Callable[[], tuple[float, float]], seconds: float) -> float:
    """Pictures a second while it trains; drawn: gives their number, and the moment."""
    page.wait_for_timeout(1000)
    before, started = drawn()
    page.wait_for_timeout(1000 * seconds)
    after, end = drawn()
    return (after - before) / (end - started)


def measure(seconds: float) -> str:
    """The table."""
    train = generate("spirals", 1000, 0.1, 0)
    config = RunConfig("sgd", depth=8, epochs=1000)
    lines = ["| slowed | ready, s | pictures a second |", "| --- | --- | --- |"]
    with tempfile.TemporaryDirectory() as folder, chromium_started() as browser:
        path = Path(folder, "page.html")
        run = record(Trainer(config, train.X, train.y), train, live=True)
        path.write_text(page_html("SGD", [run]), encoding="utf-8")
        for slowed in (1, 4):
            found = [opened(browser, path, slowed) for _ in range(OPENED)]
            page, wait = found[-1][0], statistics.median(wait for _, wait in found)
            page.get_by_role("button", name="Play").click()
            drawn = rate(page, lambda page=page: page.evaluate(DRAWN), seconds)
            lines.append(f"| {slowed} × | {wait:.2f} | {drawn:.0f} |")
            for one, _ in found:  # they share a thread, and the last one trains
                one.close()
    return "\n".join(lines)
