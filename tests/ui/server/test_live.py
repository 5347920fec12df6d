"""The wire: who may listen, what is answered, and what ends it."""

import contextlib
import json
import math
import threading
from types import SimpleNamespace

import pytest
import uvicorn
from starlette.applications import Starlette
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import connect

from tests.helpers.wait import SECONDS, until
from treecore.viewer.messages.wire import unpack
from ui.jobs.machine.worker import afterwards
from ui.live import channel as channels
from ui.live.channel import Channel
from ui.live.train_session import RunSource, TrainSession
from ui.server import live as wire
from ui.server.routes import routes


@pytest.fixture(scope="module")
def port():
    """Where the routes of our own are served by themselves."""
    config = uvicorn.Config(
        Starlette(routes=routes()), "127.0.0.1", 0, log_level="error", ws="websockets-sansio"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started, "for the server")
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(SECONDS)


class Listener:
    """A view at the other end of a wire."""

    def __init__(self, port: int, token: str, **settings):
        address = f"ws://127.0.0.1:{port}/live/{token}"
        self._opening = connect(address, max_size=None, **settings)

    def __enter__(self):
        self.socket = self._opening.__enter__()
        return self

    def __exit__(self, *raised):
        return self._opening.__exit__(*raised)

    def say(self, said) -> None:
        self.socket.send(said if isinstance(said, str | bytes) else json.dumps(said))

    def ask(self, **have) -> None:
        """Say what each view has."""
        self.say({"have": have})

    def hear(self, seconds: float = SECONDS):
        """The next message: the meta of every view, and the arrays."""
        meta, arrays = unpack(self.socket.recv(seconds))
        return meta["views"], arrays


class Letters:
    """A source that has so many letters."""

    def __init__(self):
        self.n = 0
        self.looks = 0
        self.said = []
        self.asked_in = []

    def news(self, have):
        self.looks += 1
        self.asked_in.append(threading.get_ident())
        return None if have.get("n", -1) == self.n else ({"n": self.n}, {})

    def look(self):
        self.looks += 1

    def do(self, what, value):
        self.said.append((what, value))


@pytest.fixture
def shown():
    """An open channel and what its one view shows."""
    channel, letters = Channel(), Letters()
    channel.show("a", letters)
    yield channel, letters
    channel.close()


def refused(port, token, **settings):
    with pytest.raises(InvalidStatus) as reported, Listener(port, token, **settings):
        pass
    response = reported.value.response
    return response.status_code, bytes(response.body or b"")


def test_unknown_malformed_closed_and_foreign_are_refused_alike(port, shown):
    channel, _ = shown
    gone = Channel()
    gone.close()
    elsewhere = {"origin": "http://elsewhere.example"}
    reported = {
        refused(port, "nobody"),
        refused(port, "%00%F0%9F%8C%B3"),
        refused(port, gone.token),
        refused(port, channel.token, **elsewhere),
    }
    assert len(reported) == 1, "nothing tells them apart"
    with Listener(port, channel.token, origin=f"http://127.0.0.1:{port}") as own:
        own.ask(a={})
        assert own.hear()[0] == {"a": {"n": 0}}


def test_a_question_is_answered_once_and_only_when_there_is_news(port, shown):
    channel, letters = shown
    with Listener(port, channel.token) as view:
        view.ask(a={})
        assert view.hear()[0] == {"a": {"n": 0}}
        looks = letters.looks
        view.ask(a={"n": 0})
        until(lambda: letters.looks > looks, "for the question")
        with pytest.raises(TimeoutError):
            view.socket.recv(timeout=0)
        letters.n = 1
        channel.announce()
        assert view.hear()[0] == {"a": {"n": 1}}
        letters.n = 2
        channel.announce()
        with pytest.raises(TimeoutError):
            view.socket.recv(timeout=0)  # it has not asked
        view.ask(a={"n": 1})
        assert view.hear()[0] == {"a": {"n": 2}}


def test_where_all_is_announced_whoever_announces_packs_and_nobody_in_vain(port, monkeypatch):
    monkeypatch.setattr(wire, "LOOK_SECONDS", 10 * SECONDS)
    channel, letters, lock = Channel(announced=True), Letters(), threading.Lock()
    channel.show("a", letters)
    with Listener(port, channel.token) as view:
        view.ask(a={})
        view.hear()
        view.ask(a={"n": 0})
        view.say({"do": "mark", "view": "a"})
        until(lambda: letters.said, "for the command behind the question")
        assert len(letters.asked_in) == 1, "nothing was announced since the answer"
        with afterwards(), lock:
            letters.n = 1
            channel.announce()
            assert len(letters.asked_in) == 1, "not while it holds a lock"
        assert view.hear()[0] == {"a": {"n": 1}}
        assert letters.asked_in[1:] == [threading.get_ident()]
    channel.close()


def test_commands_arrive_in_their_order(port, shown):
    channel, letters = shown
    said = [("play", None), ("step", 7), ("pause", {"odd": [1]})]
    with Listener(port, channel.token) as view:
        for what, value in said:
            view.say({"do": what, "view": "a", "value": value})
        until(lambda: letters.said == said, "for the commands")


@pytest.mark.parametrize(
    "said",
    ["", "[]", "{", '{"have": 3}', '{"do": 1, "view": "a"}', b"\0" * 9, "[" * 9000, "x" * 2**15],
)
def test_what_no_view_says_ends_the_wire(port, shown, said):
    channel, _ = shown
    with Listener(port, channel.token) as view:
        view.say(said)
        with pytest.raises(ConnectionClosed):
            view.hear()
    until(lambda: channel.n_listeners == 0, "for the end")


def test_who_says_too_much_is_not_heard(port, shown):
    channel, _ = shown

    def insist(view):
        for _ in range(10 * wire.MOST_A_SECOND):
            view.ask()
        view.hear()

    with Listener(port, channel.token) as view, pytest.raises(ConnectionClosed):
        insist(view)


def test_a_channel_has_few_connections_and_ends_them_all(port, shown):
    channel, _ = shown
    with contextlib.ExitStack() as stack:
        views = [stack.enter_context(Listener(port, channel.token)) for _ in range(wire.MOST_WIRES)]
        until(lambda: channel.n_listeners == wire.MOST_WIRES)
        refused(port, channel.token)
        channel.close()
        for view in views:
            with pytest.raises(ConnectionClosed):
                view.hear()
    until(lambda: channel.n_listeners == 0, "for the end of all")


def test_a_source_that_fails_ends_its_wire_and_no_other(port, shown, monkeypatch, caplog):
    channel, _ = shown
    broken = Channel()
    broken.show("a", object())
    with Listener(port, channel.token) as view, Listener(port, broken.token) as other:
        other.ask(a={})
        with pytest.raises(ConnectionClosed):
            other.hear()
        view.ask(a={})
        assert view.hear()[0] == {"a": {"n": 0}}
    broken.close()
    assert "a wire has failed" in caplog.text


def test_a_run_does_what_it_is_told_and_nothing_that_it_does_not_know():
    done = []
    known = {name: lambda name=name: done.append(name) for name in ("play", "pause", "reset")}
    source = RunSource(SimpleNamespace(step_to=done.append, **known), None, "run", None)
    for said in (*known, ("step", 3), ("step", "x"), ("step", math.nan), "fly"):
        source.do(*(said if isinstance(said, tuple) else (said, None)))
    assert done == [*known, 3.0]


def test_the_end_of_a_session_ends_its_wire(port):
    session = TrainSession()
    with Listener(port, session.channel.token) as view:
        session.close()
        with pytest.raises(ConnectionClosed):
            view.hear()
    assert refused(port, session.channel.token) == refused(port, "nobody")


def test_an_open_wire_counts_as_looking_and_a_closed_one_does_not(port, shown, monkeypatch):
    channel, letters = shown
    monkeypatch.setattr(wire, "LOOK_SECONDS", 0.01)
    with Listener(port, channel.token):
        until(lambda: letters.looks > 3, "for looks")
    until(lambda: channel.n_listeners == 0, "for the end")
    looks = letters.looks
    assert not channels._OPEN[channel.token]._listeners
    assert letters.looks == looks
