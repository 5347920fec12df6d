"""Ten minutes of a run, hurried: as many messages, in the browser and on the server."""

from __future__ import annotations

import gc
import time
import tracemalloc

import pytest
from liveview import message, mounted, page, send

from treecore import RunConfig, warm_up
from treecore.datasets import split
from treecore.generators import generate
from ui.data import ChosenData
from ui.desk import builder
from ui.frames import Stage
from ui.planes import feature_plane
from ui.runner import SPEEDS, Runner

__all__ = ["mounted", "page"]  # fixtures

MESSAGES = 6000
"""Ten a second for ten minutes."""

FILLED = 1500
"""After so many of them the buffers are as full as they get."""

pytestmark = pytest.mark.slow


@pytest.mark.browser
def test_the_browser_holds_no_more_after_ten_minutes(page, mounted):
    session = page.context.new_cdp_session(page)

    def megabytes():
        session.send("HeapProfiler.collectGarbage")
        usage = session.send("Runtime.getHeapUsage")
        return (usage["usedSize"] + usage["backingStorageSize"]) / 2**20

    live, filled, begun = page, 0.0, time.monotonic()
    for number in range(MESSAGES):
        if number == FILLED:
            filled = megabytes()
        # Six trees a message and two of them known already, as at the usual speed.
        first, now = 4 * number, time.monotonic() - begun
        send(live, message(first=first, last=first + 5, now=now, n_splits=63))
    report = live.evaluate("() => window.root.view.report()")
    assert report["pictures"] > 100, "it has drawn all the while"
    assert report["bytes"] <= 24 << 20
    assert megabytes() < 1.1 * filled
    assert not page.errors


def test_the_server_holds_no_more_after_ten_minutes():
    warm_up()
    train, held = split(generate("spirals", 500, seed=0), 0.25, 0)
    config = RunConfig("sgd", seed=0, depth=6, epochs=100_000)
    stage = Stage(train, held, feature_plane(train, 0, 1), config)
    runner = Runner(builder(ChosenData(train, held, ()), config, None), SPEEDS["Unlimited"], True)
    filled = 0
    tracemalloc.start()
    try:
        for number in range(MESSAGES):
            if number == FILLED:
                gc.collect()
                filled = tracemalloc.get_traced_memory()[0]
            stage.message(runner.look(), "run", "desk", number)
            time.sleep(0.005)
        gc.collect()
        held_now = tracemalloc.get_traced_memory()[0]
        epochs = runner.look().event.epoch
    finally:
        tracemalloc.stop()
        runner.close()
    assert epochs > 500, "it has learnt all the while"
    assert held_now < 1.1 * filled
