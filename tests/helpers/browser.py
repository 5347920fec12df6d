"""The app served for real, a real Chromium to drive it, and what tells that a page is ready."""

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import urllib.request
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT
from tests.helpers.wait import SECONDS, until

CHROMIUM_FLAGS = [
    "--no-sandbox",
    "--process-per-site",
    "--disable-gpu",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-sync",
    "--no-first-run",
]


def chromium_path() -> str:
    """The system's Chromium; the test is skipped where there is none."""
    for name in ("chromium", "chromium-browser", "google-chrome"):
        if path := shutil.which(name):
            return path
    pytest.skip("no Chromium on this machine; install Debian's package chromium")


@contextlib.contextmanager
def chromium_started():
    """The system's Chromium, started for as long as it is needed."""
    sync_api = pytest.importorskip("playwright.sync_api")
    with sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        yield browser
        browser.close()


@dataclass(frozen=True)
class Served:
    """The app that is being served.

    folder: where it keeps runs (``runs``) and sweeps (``sweeps``), and its log.
    """

    address: str
    process: subprocess.Popen
    folder: Path


@contextlib.contextmanager
def serving(folder: Path, root: Path = ROOT, base: str = ""):
    """Serve the app in ``root`` on a free port, below a path; gives :class:`Served`."""
    words = ["streamlit", "run", "app.py", "--server.headless=true", "--server.port={port}"]
    words += ["--server.address=127.0.0.1", f"--server.baseUrlPath={base}"]
    places = {"TREECORE_RUNS": f"{folder}/runs", "TREECORE_SWEEPS": f"{folder}/sweeps"}
    below = f"{base and '/'}{base}"
    with answering(words, f"{below}/_stcore/health", folder, root, places) as (address, process):
        yield Served(address + below, process, folder)


def free_port() -> int:
    """A port of this machine that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return probe.getsockname()[1]


@contextlib.contextmanager
def answering(
    words: list[str], health: str, folder: Path, at: Path, environment: dict[str, str]
) -> Iterator[tuple[str, subprocess.Popen]]:
    """Run a module as a server; gives its address and process once ``health`` answers there.

    In ``words``, module first, ``{port}`` is a free port. It runs in the folder ``at``, and what it
    says goes to ``server.log`` in ``folder``.
    """
    port = free_port()
    command = [sys.executable, "-m", *(word.format(port=port) for word in words)]
    # To a file: a pipe that nobody reads stops a server that has much to say.
    log = folder / "server.log"
    with log.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(
            command, cwd=at, stdout=file, stderr=file, env=os.environ | environment
        )
    address = f"http://127.0.0.1:{port}"

    def healthy() -> bool:
        if process.poll() is not None:
            raise RuntimeError(log.read_text(encoding="utf-8"))
        with contextlib.suppress(OSError):
            urllib.request.urlopen(address + health, timeout=SECONDS).close()
            return True
        return False

    try:
        until(healthy, f"for {words[0]}")
        yield address, process
    finally:
        process.terminate()
        process.wait(timeout=SECONDS)


def at_rest(page) -> None:
    """Wait until a page is drawn: its run is over, its styles are there, nothing fades in.

    Streamlit loads the part that brings our styles after the text that they are for.
    """
    # The page is asked with every picture, so what costs most is asked last.
    page.wait_for_function(
        """() => {
          const state = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState;
          if (state !== "notRunning") return false;
          const moving = document.getAnimations().some((a) =>
            a.playState === "running" && a.effect.getComputedTiming().iterations !== Infinity);
          return !moving && [...document.querySelectorAll("style")].some((e) =>
            e.textContent.includes("stCaptionContainer"));
        }"""
    )


def drawn(page, pictures: int = 3) -> None:
    """Wait until the page has been drawn so many times more, however slowly that goes."""
    page.evaluate(
        """(pictures) => new Promise((done) => {
          const wait = (n) => (n ? requestAnimationFrame(() => wait(n - 1)) : done());
          wait(pictures);
        })""",
        pictures,
    )


def in_view(page, one, across=False) -> None:
    """Wait till it is whole on the screen; ``across``: from side to side, wherever it stands."""
    one.wait_for()
    page.wait_for_function(
        """([one, across]) => {
          const { top, bottom, left, right } = one.getBoundingClientRect();
          const beside = left >= 0 && right <= innerWidth;
          return beside && (across || (top >= 0 && bottom <= innerHeight));
        }""",
        arg=[one.element_handle(), across],
    )
