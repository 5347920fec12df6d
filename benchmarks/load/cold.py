"""A server that has just been started, with no kernel compiled: how long until there is a picture.

Each row is a server of its own. "Heading" is a page of Streamlit that has nothing but one; the
others are told in seconds beyond it. Bytes are those of a browser that has kept nothing.
"""

from __future__ import annotations

import contextlib
import os
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path

from playwright.sync_api import Browser, Page, Request

from tests.helpers.browser import answering, chromium_started
from tests.helpers.paths import ROOT

EMPTY = "import streamlit as st\n\nst.title('Heading')\n"
RUN = "[data-run]"
PATIENCE = 120_000
"""Milliseconds to wait for the first tree: compiling takes longer where others work."""
PAGES = {
    "Lab": ("lab", f"{RUN}[data-state=finished]"),
    "Home": ("", "[data-testid=home] canvas"),
}
"""Address, and what is there once the page has its picture. Kernels go on compiling where a server
has ended; in the Lab they are waited for."""


@contextlib.contextmanager
def started(script: str | None = None) -> Iterator[str]:
    """The address of a new server with an empty cache: of the app, or of a script."""
    with tempfile.TemporaryDirectory() as folder:
        root = ROOT if script is None else Path(folder)
        if script is not None:
            (root / "app.py").write_text(script, encoding="utf-8")
        words = ["streamlit", "run", "app.py", "--server.headless=true", "--server.port={port}"]
        cache = {"NUMBA_CACHE_DIR": f"{folder}/cache", "TREECORE_RUNS": f"{folder}/runs"}
        with answering(words, "/_stcore/health", Path(folder), root, cache) as (address, _):
            yield address


def opened(browser: Browser, address: str, there: str) -> tuple[Page, float, int]:
    """A page once ``there`` is on it, after how many seconds, and bytes that came over the wire."""
    page = browser.new_page(viewport={"width": 1280, "height": 800})
    came: list[Request] = []
    page.on("requestfinished", lambda request: came.append(request))
    began = time.perf_counter()
    page.goto(address)
    page.locator(there).first.wait_for()
    seconds = time.perf_counter() - began
    page.wait_for_timeout(1000)
    return page, seconds, sum(request.sizes()["responseBodySize"] for request in came)


def first_live(page: Page) -> float:
    """Seconds from Play to the first tree that is learnt here."""
    began = time.perf_counter()
    page.get_by_role("button", name="Replay").click()
    page.locator(f"{RUN}[data-state=running]").first.wait_for(timeout=PATIENCE)
    return time.perf_counter() - began


def measure() -> str:
    """The table."""
    lines = ["| cold server | picture, s | beyond a heading, s | MB beyond Streamlit's |"]
    lines.append("| --- | --- | --- | --- |")
    with chromium_started() as browser:
        with started(EMPTY) as address:
            _, heading, own = opened(browser, address, "h1")
        lines.append(f"| heading | {heading:.1f} | – | – |")
        for name, (path, there) in PAGES.items():
            with started() as address:
                page, seconds, size = opened(browser, f"{address}/{path}", there)
                more = (size - own) / 1e6
                lines.append(f"| {name} | {seconds:.1f} | {seconds - heading:.1f} | {more:.1f} |")
                if name == "Lab":
                    lines.append(f"| Lab, from Play | {first_live(page):.1f} | – | – |")
    lines.append(f"\n{os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}")
    return "\n".join(lines)
