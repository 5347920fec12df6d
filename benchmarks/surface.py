"""How fluent the live view is, in a real browser: pictures a second, clicks, load, memory.

The spirals with 500 points and 63 splits play on the Train page, at its usual speed and without
limit. A click is answered when the page shows what it asked for. What the server does while a run
plays without limit is set against what it does once nobody looks any more.

Run with ``python -m benchmarks.surface``; ``--minutes 10`` also watches the memory that long.
"""

from __future__ import annotations

import argparse
import os
import statistics
import time
from pathlib import Path
from tempfile import TemporaryDirectory

from playwright.sync_api import Page, sync_playwright

from tests.helpers.browser import CHROMIUM_FLAGS, chromium_path, serving
from tests.helpers.screen import Screen
from ui.server.process import cores, usage

PLACE = "train?v=1&data=spirals&size=500&test=0&seed=0&run={method}&depth=6&epochs=100000"

PAUSE = "Pause", "paused"
PLAY = "Play", "running"
"""Buttons, and the state on the screen that answers them."""


def seconds_until(screen: Screen, name: str, state: str) -> float:
    """From the pressing of a button to the state on the screen."""
    button = screen.page.get_by_role("button", name=name, exact=True)
    box = button.bounding_box()
    screen.page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    # Timed inside the page, so that the driver's own polling does not count.
    screen.root.evaluate(
        """(root, state) => {
          window.answered = new Promise((resolve) => {
            let begun = 0;
            document.addEventListener("pointerdown", () => (begun = performance.now()),
              { once: true, capture: true });
            const look = () => {
              if (begun && root.dataset.state === state) resolve(performance.now() - begun);
              else requestAnimationFrame(look);
            };
            look();
          });
        }""",
        state,
    )
    screen.page.mouse.down()
    screen.page.mouse.up()
    return screen.page.evaluate("window.answered") / 1000


def rate(screen: Screen, seconds: float) -> float:
    """Pictures a second."""
    count = "e => [performance.now(), Number(e.dataset.pictures)]"
    started, before = screen.root.evaluate(count)
    screen.page.wait_for_timeout(1000 * seconds)
    end, after = screen.root.evaluate(count)
    return 1000 * (after - before) / (end - started)


def fluency(screen: Screen, speed: str, clicks: int) -> None:
    """Print pictures a second and how long clicks take at a speed; ends as it begins, paused."""
    screen.page.get_by_role("radio", name=speed).click()
    seconds_until(screen, *PLAY)
    screen.page.wait_for_timeout(2000)
    reported = [f"{speed:10} {rate(screen, 5):5.1f} pictures a second"]
    waits = {PAUSE: [], PLAY: []}
    for _ in range(clicks):
        for what, found in waits.items():
            screen.page.wait_for_timeout(700)
            found.append(1000 * seconds_until(screen, *what))
    for (name, _), found in waits.items():
        middle, smallest, most = statistics.median(found), min(found), max(found)
        reported.append(f"{name.lower()} {middle:.0f} ms ({smallest:.0f} to {most:.0f})")
    print(", ".join(reported), flush=True)
    seconds_until(screen, *PAUSE)


def processors(pid: int, seconds: float) -> float:
    """Processors that a process keeps busy."""
    before = usage(pid)
    time.sleep(seconds)
    return cores(before, usage(pid))


def browser_mebibytes(page: Page) -> float:
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    session.detach()
    return used / 2**20


def memory(screen: Screen, pid: int, minutes: float) -> None:
    """Print once a minute what browser and server hold."""
    started = time.monotonic()
    while (elapsed := (time.monotonic() - started) / 60) < minutes:
        print(
            f"{elapsed:5.1f} min: browser {browser_mebibytes(screen.page):.1f} MiB,"
            f" server {usage(pid).mebibytes:.0f} MiB",
            flush=True,
        )
        screen.page.wait_for_timeout(60_000)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=0.0, help="how long to watch memory")
    parser.add_argument("--clicks", type=int, default=15)
    parser.add_argument("--method", default="stable-sgd")
    options = parser.parse_args()
    with (
        TemporaryDirectory() as folder,
        serving(Path(folder)) as served,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        screen = Screen(browser.new_page(viewport={"width": 1280, "height": 720}))
        screen.page.goto(f"{served.address}/{PLACE.format(method=options.method)}")
        screen.page.locator("[data-run][data-state=paused]").wait_for(timeout=120_000)
        print(f"Others keep {os.getloadavg()[0]:.1f} processors busy")
        for speed in ("Normal", "Unlimited"):
            fluency(screen, speed, options.clicks)
        seconds_until(screen, *PLAY)
        pid = served.process.pid
        if options.minutes:
            memory(screen, pid, options.minutes)
        playing = processors(pid, 5)
        screen.page.close()
        time.sleep(5)
        print(f"Server: {playing:.2f} processors while a run plays without limit,", end=" ")
        print(f"{processors(pid, 5):.2f} once its tab is gone")
        browser.close()


if __name__ == "__main__":
    main()
