"""One visitor in a real Chromium: from a click to the picture it asks for, and pictures a second.

    python -m benchmarks.load.chromium --clicks 100

It serves the app, opens the Lab with 500 points and 63 splits, and presses Step again and again:
from the click, as the browser dates it, until the frame after the one in which the tree at the end
of the pass is drawn.
Then the run plays at Normal, and the trees that are drawn are counted.

    python -m benchmarks.load.chromium --cold

How long a visitor waits for the first pictures of a server that has just been started.

    python -m benchmarks.load.chromium --tab

The same of a page in one file, which trains without a server.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from playwright.sync_api import Page

from benchmarks.load import cold, tab
from benchmarks.load.figures import percentile
from benchmarks.load.visitor import ENDLESS, SPIRALS
from tests.helpers.browser import chromium_started, serving

ROOT = "[data-run][data-state]"

WATCH = """(root) => {
  window.waits = [];
  let clicked = null, goal = 0;
  document.addEventListener("click", (event) => {
    clicked = event.timeStamp;
    goal = root.view.meta.commands.next;
  }, true);
  new MutationObserver(() => {
    if (clicked === null || Number(root.dataset.epoch) < goal) return;
    const started = clicked;
    clicked = null;
    requestAnimationFrame((now) => requestAnimationFrame(() => window.waits.push(now - started)));
  }).observe(root, { attributes: true, attributeFilter: ["data-epoch"] });
}"""


DRAWN = "(root) => [Number(root.dataset.pictures), performance.now() / 1000]"


def press(page: Page, name: str) -> None:
    """Press a button of the live view once it can be pressed."""
    page.get_by_role("button", name=name, exact=True).click()


def waits(page: Page, n_clicks: int) -> list[float]:
    """Milliseconds from each of so many clicks on Step to its picture."""
    page.locator(ROOT).evaluate(WATCH)
    for number in range(n_clicks):
        page.locator(f"{ROOT}[data-state=paused]").wait_for()
        press(page, "Step")
        page.wait_for_function("(n) => window.waits.length > n", arg=number)
    return page.evaluate("() => window.waits")


def main() -> None:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--clicks", type=int, default=100)
    parser.add_argument("--seconds", type=float, default=20.0)
    parser.add_argument("--cold", action="store_true", help="of a server that has just started")
    parser.add_argument("--tab", action="store_true", help="of a page in one file")
    options = parser.parse_args()
    if options.cold or options.tab:
        print(cold.measure() if options.cold else tab.measure(options.seconds))
        return
    query = SPIRALS.format(seed=1, epochs=ENDLESS)
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as served,
        chromium_started() as browser,
    ):
        page = browser.new_page()
        page.goto(f"{served.address}/lab?{query}")
        found = waits(page, options.clicks)
        press(page, "Play")
        page.locator(f"{ROOT}[data-state=running]").wait_for()
        pictures = tab.rate(page, lambda: page.locator(ROOT).evaluate(DRAWN), options.seconds)
    p50, p95 = (percentile(found, share) for share in (0.5, 0.95))
    print("| clicks | click to picture p50 / p95, ms | pictures a second |")
    print("| --- | --- | --- |")
    print(f"| {len(found)} | {p50:.0f} / {p95:.0f} | {pictures:.1f} |")


if __name__ == "__main__":
    main()
