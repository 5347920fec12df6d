"""How fluent the live view is, in a real browser: pictures a second, clicks, memory.

The spirals with 500 points and 63 splits play on the Train page, at its usual speed and without
limit. A click is answered when the page shows what it asked for.

Run with ``python -m benchmarks.surface``; ``--minutes 10`` also watches the memory that long.
"""

from __future__ import annotations

import argparse
import os
import statistics
import tempfile
import time
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from tests.helpers.browser import CHROMIUM_FLAGS, chromium_path, seconds_until, serving

ADDRESS = "train?v=1&data=spirals&size=500&test=0&seed=0&run={method}&depth=6&epochs=100000"
STATE = "[data-run][data-state={}]"


def rate(page: Page, seconds: float) -> float:
    """Pictures a second."""
    root = page.locator("[data-run][data-state]")
    count = "e => [performance.now(), Number(e.dataset.pictures)]"
    begun, before = root.evaluate(count)
    page.wait_for_timeout(1000 * seconds)
    end, after = root.evaluate(count)
    return 1000 * (after - before) / (end - begun)


def browser_mebibytes(page: Page) -> float:
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    used = session.send("Runtime.getHeapUsage")["usedSize"]
    session.detach()
    return used / 2**20


def server_mebibytes(pid: int) -> float:
    status = Path(f"/proc/{pid}/status")
    if not status.exists():
        return float("nan")
    line = next(line for line in status.read_text().splitlines() if line.startswith("VmRSS"))
    return int(line.split()[1]) / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=0.0, help="how long to watch memory")
    parser.add_argument("--clicks", type=int, default=15)
    parser.add_argument("--method", default="stable-sgd")
    options = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        serving(Path(folder)) as (address, process),
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 720})
        page.goto(f"{address}/{ADDRESS.format(method=options.method)}")
        page.locator(STATE.format("paused")).wait_for(timeout=120_000)
        for speed in ("Normal", "Unlimited"):
            page.get_by_role("radio", name=speed).click()
            seconds_until(page, "Play", "running")
            page.wait_for_timeout(2000)
            print(f"{speed:10} {rate(page, 5):5.1f} pictures a second", end="")
            waits = {"Pause": [], "Play": []}
            for _ in range(options.clicks):
                for name, state in (("Pause", "paused"), ("Play", "running")):
                    page.wait_for_timeout(700)
                    waits[name].append(1000 * seconds_until(page, name, state))
            for name, found in waits.items():
                found.sort()
                print(
                    f", {name.lower()} {statistics.median(found):.0f} ms"
                    f" ({found[0]:.0f} to {found[-1]:.0f})",
                    end="",
                )
            print(f", load {os.getloadavg()[0]:.1f}", flush=True)
            seconds_until(page, "Pause", "paused")
        if options.minutes:
            page.get_by_role("radio", name="Normal").click()
            seconds_until(page, "Play", "running")
            begun = time.monotonic()
            while (spent := (time.monotonic() - begun) / 60) < options.minutes:
                print(
                    f"{spent:5.1f} min: browser {browser_mebibytes(page):.1f} MiB,"
                    f" server {server_mebibytes(process.pid):.0f} MiB",
                    flush=True,
                )
                page.wait_for_timeout(60_000)
        browser.close()


if __name__ == "__main__":
    main()
