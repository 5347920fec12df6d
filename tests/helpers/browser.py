"""The app served for real, a real Chromium to drive it, and what tells that a page is ready."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import urllib.request
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


@dataclass(frozen=True)
class Served:
    """The app that is being served.

    Attributes
    ----------
    address : str
    process : subprocess.Popen
    folder : Path
        Where it keeps runs (``runs``) and sweeps (``sweeps``), and its log.
    """

    address: str
    process: subprocess.Popen
    folder: Path


@contextlib.contextmanager
def serving(folder: Path, root: Path = ROOT, base: str = ""):
    """Serve the app in ``root`` on a free port, below a path; gives :class:`Served`."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
    command += [f"--server.port={port}", "--server.address=127.0.0.1"]
    command += [f"--server.baseUrlPath={base}"]
    places = {"TREECORE_RUNS": f"{folder}/runs", "TREECORE_SWEEPS": f"{folder}/sweeps"}
    # To a file: a pipe that nobody reads stops a server that has much to say.
    log = folder / "server.log"
    with log.open("w", encoding="utf-8") as file:
        process = subprocess.Popen(
            command, cwd=root, stdout=file, stderr=file, env=os.environ | places
        )
    address = f"http://127.0.0.1:{port}{base and '/'}{base}"

    def healthy() -> bool:
        if process.poll() is not None:
            raise RuntimeError(log.read_text(encoding="utf-8"))
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=SECONDS).close()
            return True
        return False

    try:
        until(healthy, "for the app")
        yield Served(address, process, folder)
    finally:
        process.terminate()
        process.wait(timeout=SECONDS)


def at_rest(page) -> None:
    """Wait until a page is drawn: its run is over, its styles are there, nothing fades in.

    Streamlit loads the part that brings our styles after the text that they are for.
    """
    page.wait_for_function(
        """() => {
          const state = document.querySelector("[data-testid=stApp]")?.dataset.testScriptState;
          const styled = [...document.querySelectorAll("style")].some((e) =>
            e.textContent.includes("stCaptionContainer"));
          const moving = document.getAnimations().some((a) =>
            a.playState === "running" && a.effect.getComputedTiming().iterations !== Infinity);
          return state === "notRunning" && styled && !moving;
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
