"""The app served for real and a real Chromium to drive it."""

from __future__ import annotations

import contextlib
import os
import shutil
import socket
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import pytest

from tests.helpers.paths import ROOT

CHROMIUM_FLAGS = [
    "--no-sandbox",
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
def serving(folder: Path):
    """Serve the app on a free port, its runs and sweeps in a folder; gives address and process."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, "-m", "streamlit", "run", "app.py", "--server.headless=true"]
    command += [f"--server.port={port}", "--server.address=127.0.0.1"]
    places = {"TREECORE_RUNS": f"{folder}/runs", "TREECORE_SWEEPS": f"{folder}/sweeps"}
    process = subprocess.Popen(
        command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, env=os.environ | places
    )
    address = f"http://127.0.0.1:{port}"
    try:
        _wait_until_healthy(process, address)
        yield address, process
    finally:
        process.terminate()
        process.communicate(timeout=20)


def _wait_until_healthy(process: subprocess.Popen, address: str) -> None:
    end = time.monotonic() + 60
    while time.monotonic() < end:
        if process.poll() is not None:
            raise RuntimeError(process.stdout.read().decode())
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"{address}/_stcore/health", timeout=1).close()
            return
        time.sleep(0.1)
    raise RuntimeError("the app did not answer within a minute")


def seconds_until(page, name: str, state: str) -> float:
    """From the pressing of a button to the state on the screen."""
    button = page.get_by_role("button", name=name, exact=True)
    box = button.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    # Timed inside the page, so that the driver's own polling does not count.
    page.evaluate(
        """state => {
          const root = document.querySelector("[data-run][data-state]") ?? findRoot(document);
          function findRoot(node) {
            for (const e of node.querySelectorAll("*")) {
              if (e.dataset?.run) return e;
              const inside = e.shadowRoot && findRoot(e.shadowRoot);
              if (inside) return inside;
            }
            return null;
          }
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
    page.mouse.down()
    page.mouse.up()
    return page.evaluate("window.answered") / 1000


def at_rest(page, timeout: float = 60_000) -> None:
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
        }""",
        timeout=timeout,
    )


def drawn(page) -> None:
    """Wait until the page has drawn what it knows: three pictures later, however slow they come."""
    page.evaluate(
        """() => new Promise((done) => {
          const wait = (n) => (n ? requestAnimationFrame(() => wait(n - 1)) : done());
          wait(3);
        })"""
    )
