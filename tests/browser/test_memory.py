"""Ten minutes of a run, hurried: as many messages, in the browser and on the server."""

from __future__ import annotations

import base64
import gc
import os
import time
from pathlib import Path

import pytest

from tests.helpers.liveview import message, mounted, page
from treecore import RunConfig, warm_up
from treecore.datasets import split
from treecore.generators import generate
from ui.data import ChosenData
from ui.desk import builder
from ui.frames import Stage
from ui.planes import feature_plane
from ui.runner import SPEEDS, Runner
from ui.wire import pack

__all__ = ["mounted", "page"]  # fixtures

MESSAGES = 6000
"""Ten a second for ten minutes."""

FILLED = 1500
"""After so many of them the buffers are as full as they get."""

BATCH = 100
CURVE_POINTS = 500

SEND = """
async (texts) => {
  for (const [i, text] of texts.entries()) {
    window.send(text);
    if (i % 4 === 0) await new Promise(requestAnimationFrame);
  }
}
"""

pytestmark = pytest.mark.slow


@pytest.mark.browser
def test_the_browser_holds_no_more_after_ten_minutes(page, mounted):
    session = page.context.new_cdp_session(page)

    def megabytes():
        session.send("HeapProfiler.collectGarbage")
        usage = session.send("Runtime.getHeapUsage")
        return (usage["usedSize"] + usage["backingStorageSize"]) / 2**20

    live, filled, begun = page, 0.0, time.monotonic()
    for batch in range(0, MESSAGES, BATCH):
        if batch == FILLED:
            filled = megabytes()
        texts = []
        for number in range(batch, batch + BATCH):
            # Six trees a message and two of them known already, as at the usual speed.
            first, now = 4 * number, time.monotonic() - begun
            parts = message(first=first, last=first + 5, now=now, n_splits=63)
            # The server thins the curves of a long run.
            parts[1]["curves"] = parts[1]["curves"][-CURVE_POINTS:]
            texts.append(base64.b64encode(pack(*parts)).decode())
        live.evaluate(SEND, texts)
    report = live.evaluate("() => window.root.view.figures()")
    assert report["pictures"] > 100, "it has drawn all the while"
    assert report["bytes"] <= 24 << 20
    assert megabytes() < 1.1 * filled
    assert not page.errors


def resident() -> float:
    """Megabytes of this process."""
    statm = Path("/proc/self/statm")
    if not statm.exists():
        pytest.skip("no /proc on this system to read memory from")
    gc.collect()
    return int(statm.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


def test_the_server_holds_no_more_after_ten_minutes():
    warm_up()
    train, held = split(generate("spirals", 500, seed=0), 0.25, 0)
    config = RunConfig("sgd", seed=0, depth=6, epochs=100_000)
    stage = Stage(train, held, feature_plane(train, 0, 1), config)
    runner = Runner(builder(ChosenData(train, held, ()), config, None), SPEEDS["Unlimited"], True)
    filled = 0.0
    try:
        for number in range(MESSAGES):
            if number == FILLED:
                filled = resident()
            stage.message(runner.look(), "run", "desk", number)
            if number % 4 == 0:
                time.sleep(0.005)  # the run's own turn
        now, epochs = resident(), runner.look().event.done
    finally:
        runner.close()
    assert epochs > 500, "it has learnt all the while"
    assert now < 1.1 * filled
