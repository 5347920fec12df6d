"""What a live view without a screen has, asks and can."""

from __future__ import annotations

import asyncio
import json

import numpy as np
import pytest
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from websockets.asyncio.server import serve

from benchmarks.load.live import LiveViews, View
from tests.helpers.coroutines import run_coroutine
from tests.helpers.wait import SECONDS
from treecore.viewer.messages.wire import pack


def curves(*epochs):
    rows = np.zeros((len(epochs), 8), dtype=np.float32)
    rows[:, 0] = epochs
    return {"curves": rows}


def frames(*numbers):
    return [{"n": number} for number in numbers]


def test_a_view_asks_with_what_it_has():
    view = View()
    assert view.have() == {}
    first = {"v": 3, "run": "a.0", "state": "running", "mark": 7, "frames": frames(0, 1)}
    view.receive(first | {"curves": 0}, curves(0, 1, 2))
    view.receive({"run": "a.0", "frames": frames(1, 2, 3), "curves": 2, "mark": 8}, curves(2.5, 3))
    assert view.n_pictures == 4, "a tree that comes again is no other picture"
    assert view.meta["state"] == "running", "what is not said anew stays"
    assert view.have() == {
        "run": "a.0",
        "mark": 8,
        "n": 3,
        "curves": [4, 3.0],
    }


def test_trees_of_another_run_are_counted_from_its_beginning():
    view = View()
    view.receive({"v": 3, "run": "a.0", "frames": frames(0, 1, 2)}, {})
    view.receive({"v": 3, "run": "a.1", "frames": frames(0, 1)}, {})
    assert (view.n_pictures, view.have()["n"]) == (5, 1)


@pytest.mark.parametrize(
    ("state", "playing", "can"),
    [
        ("paused", False, ["play", "step", "reset"]),
        ("running", True, ["pause", "reset"]),
        ("running", False, ["play", "pause", "reset"]),  # the step under way is its last
        ("waiting", True, ["pause", "reset"]),
        ("finished", False, ["reset"]),
        ("failed", False, ["reset"]),
    ],
)
def test_buttons_can_be_pressed_where_they_do_something(state, playing, can):
    view = View()
    assert view.can("play") is None
    view.receive({"v": 3, "state": state, "commands": {"playing": playing, "next": 1.0}}, {})
    assert [what for what in ("play", "pause", "step", "reset") if view.can(what)] == can
    assert view.can("export") is None


@pytest.mark.parametrize(
    ("drawn", "state", "news"),
    [
        ("paused", "running", "running"),
        ("paused", "paused", None),
        ("running", "finished", "finished"),
        ("running", "waiting", None),
        (None, "running", None),
        ("paused", None, None),
    ],
)
def test_the_page_is_told_what_it_is_not_drawn_for(drawn, state, news):
    view = View()
    view.drawn = drawn
    view.receive({"v": 3, "state": state}, {})
    assert view.news_for_page == news


def placed(**more):
    data = {"wire": "live/token", "view": "run"} | more
    return BidiComponent(id="$$ID-1-live", json=json.dumps(data))


def test_views_hear_ask_command_and_tell_the_page_by_the_wire():
    said, page, places = [], [], []

    async def server(socket):
        places.append(socket.request.path)
        commands = {"playing": False, "next": 2.0}
        meta = {"v": 3, "run": "a.0", "state": "paused", "commands": commands, "curves": 0}
        news = [
            pack({"views": {"run": meta}}, {f"run/{n}": a for n, a in curves(0, 1).items()}),
            pack({"views": {"run": {"run": "a.0", "state": "running"}, "other": {}}}, {}),
        ]
        async for text in socket:
            said.append(json.loads(text))
            if "have" in said[-1] and news:
                await socket.send(news.pop(0))

    async def run():
        changed = asyncio.Condition()

        async def reported():
            async with changed:
                changed.notify_all()

        async def tell_page(*what):
            page.append(what)
            await reported()

        async def until(condition):
            async with asyncio.timeout(SECONDS), changed:
                await changed.wait_for(condition)

        async with serve(server, "127.0.0.1", 0) as serving:
            port = serving.sockets[0].getsockname()[1]
            views = LiveViews(f"http://127.0.0.1:{port}/base", reported, tell_page)
            views.take(BidiComponent(id="gallery", json="[1]"), "")
            views.take(placed(drawn="paused", lens=None), "stage")
            await until(lambda: views.n_messages == 2)
            await until(lambda: page)
            assert views.state == "running"
            await views.command("pause")
            await views.command("step")
            await views.close()
            return views

    views = run_coroutine(run())
    assert places == ["/base/live/token"]
    assert views.n_broken == 0
    assert page[0] == ("$$ID-1-live", "stage", "state", "running")
    have = [one["have"] for one in said if "have" in one]
    assert have[:2] == [
        {"run": {}},
        {
            "run": {
                "run": "a.0",
                "commands": {"playing": False, "next": 2.0},
                "n": -1,
                "curves": [2, 1.0],
            }
        },
    ]
    assert [one for one in said if "do" in one] == [
        {"do": "pause", "view": "run", "value": None},
        {"do": "step", "view": "run", "value": 2.0},
    ]


def test_messages_that_streamlit_brings_are_understood_too():
    async def nothing(*_):
        pass

    views = LiveViews("http://127.0.0.1:1", nothing, nothing)
    for numbers in ((0, 1), (1, 2)):
        meta = {"v": 2, "run": "a", "state": "running", "frames": frames(*numbers)}
        views.take(BidiComponent(id="$$ID-1-live", bytes=pack(meta, {})), "stage")
    assert (views.n_messages, views.n_pictures, views.state) == (2, 3, "running")
    assert views.can("play") is None
