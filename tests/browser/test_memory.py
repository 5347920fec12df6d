"""What a long run leaves behind in the browser: nodes, listeners and buffers, counted."""

import base64
from itertools import pairwise

import pytest

from tests.helpers.browser import drawn
from tests.helpers.liveview import message
from treecore.viewer.messages.wire import pack

MESSAGES = 240
TREES = 24
"""In a message, and two more that are known already: many times what the view keeps, all in all."""

SEND = """
async (texts) => {
  for (const text of texts) {
    window.send(text);
    await new Promise(requestAnimationFrame);
  }
}
"""


def held(page):
    """Nodes and listeners, and bytes of buffers, that are left when nobody needs them is gone."""
    drawn(page)
    session = page.context.new_cdp_session(page)
    session.send("HeapProfiler.collectGarbage")
    counts = session.send("Memory.getDOMCounters")
    buffers = session.send("Runtime.getHeapUsage")["backingStorageSize"]
    session.detach()
    return counts["nodes"], counts["jsEventListeners"], buffers


@pytest.mark.slow
def test_the_view_holds_no_more_than_what_it_counts(live):
    found = []
    for batch in range(0, MESSAGES, 20):
        texts = []
        for first in range(TREES * batch, TREES * (batch + 20), TREES):
            parts = message(first=first, last=first + TREES + 1, now=first / 60, n_splits=63)
            parts[1]["curves"] = parts[1]["curves"][-500:]  # as the server thins a long run's
            texts.append(base64.b64encode(pack(*parts)).decode())
        live.evaluate(SEND, texts)
        found.append(held(live))
    player = live.evaluate_handle("() => window.root.view.player")
    frames, counted = player.evaluate("player => [player.frames.length, player.bytes]")
    assert frames <= 2400
    assert counted <= 24 << 20
    nodes, listeners, buffers = zip(*found, strict=True)
    assert max(nodes) - min(nodes) < 20, "not one for a message"
    assert max(listeners) == min(listeners)
    assert buffers[-1] < counted + (2 << 20), "and what the newest message brought"


@pytest.mark.slow
def test_the_page_holds_no_more_after_many_messages(visit):
    screen = visit("lab?data=spirals&run=sgd~epochs~100000")
    screen.wait_for("paused")
    screen.press("Play")
    screen.wait_for("running")
    screen.take_in(20)
    found = [held(screen.page)]
    for _ in range(2):
        screen.take_in(150)
        found.append(held(screen.page))
    # What the page draws once, while it plays, comes in one of the two; a leak grows in both.
    for what, counts in zip(("nodes", "listeners"), zip(*found, strict=True), strict=False):
        grown = [after - before for before, after in pairwise(counts)]
        assert min(grown) < 50, f"{what}, less than one for three messages"
