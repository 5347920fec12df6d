"""The wire: a WebSocket on which the views of a session ask for news and give commands.

A view writes JSON, answered in the binary format of :mod:`treecore.viewer.messages.wire`::

    {"have": {VIEW: {...}, ...}}            what the views have; answered once, when there is news
    {"do": NAME, "view": VIEW, "value": X}  a command

An answer is packed beside the event loop and sent only after a question: a slow browser asks
seldom. Changes of threads wait for Python's lock, so a run packs its pictures in its own thread.
"""

from __future__ import annotations

import asyncio
import json
import logging
import threading
import time
from collections import deque
from collections.abc import Callable, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from functools import partial
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

from ui.jobs.machine.events import count
from ui.jobs.machine.worker import put_off
from ui.live.channel import Channel, find_channel

MOST_CHARACTERS = 16_384
"""Of a message of a view's: what it has is told in a few words for each view."""

MOST_WIRES = 8
"""Of a channel: a page has one, and for a while after a break perhaps another."""

MOST_A_SECOND = 150
"""Messages of a view's: one for each picture of a fast display, and a few commands."""

LOOK_SECONDS = 2.0
"""An open wire counts as looking; so often it looks where nothing has happened."""

REFUSED = 1008
GONE = 1001
TOO_MUCH = 1009
DEFECT = 1011

_PACKERS = ThreadPoolExecutor(2, thread_name_prefix="wire")


async def live(websocket: WebSocket) -> None:
    """Answer one connection; a page of another origin and unknown tokens are refused alike."""
    origin, host = websocket.headers.get("Origin"), websocket.headers.get("Host")
    channel = find_channel(websocket.path_params["token"])
    allowed = _is_origin_allowed(origin, host)
    if channel is None or not allowed or channel.n_listeners >= MOST_WIRES:
        await websocket.close(REFUSED)
        return
    await websocket.accept()
    connection = _Connection(websocket, channel)
    with suppress(WebSocketDisconnect, RuntimeError):  # whoever has gone needs no answer
        await connection.serve()


class _Mail:
    """What threads hand to an event loop, which is woken once for all that lies there."""

    _last: _Mail | None = None

    @classmethod
    def of(cls, loop: asyncio.AbstractEventLoop) -> _Mail:
        """One for all connections of a loop, in which this is called."""
        if cls._last is None or cls._last._loop is not loop:
            cls._last = cls(loop)
        return cls._last

    def __init__(self, loop: asyncio.AbstractEventLoop):
        self._loop = loop
        self._lying: deque[Callable[[], None]] = deque()
        self._woken = False

    def send(self, receive: Callable[[], None]) -> None:
        """Have the loop call this; RuntimeError where it is closed."""
        self._lying.append(receive)
        if not self._woken:  # else it will look after what was put there before it does
            self._woken = True
            self._loop.call_soon_threadsafe(self._receive)

    def _receive(self) -> None:
        self._woken = False
        while self._lying:
            self._lying.popleft()()


class _Connection:
    """One open wire: the last question of its views, and who answers it.

    A run that announces a tree packs it in its own thread, once it holds nothing that others need;
    for whoever else announces news a packing thread does it. The loop does no more than send it.
    """

    def __init__(self, websocket: WebSocket, channel: Channel):
        self._websocket = websocket
        self._channel = channel
        self._loop = asyncio.get_running_loop()
        self._mail = _Mail.of(self._loop)
        # Guarded by the lock, since any thread may announce news.
        self._lock = threading.Lock()
        self._have: Mapping[str, Any] | None = None  # None: answered
        self._asked: set[str] = set()  # the views of the last question
        self._stale = True  # something was announced since the last answer was begun
        self._packing = False
        # Of the event loop.
        self._outbox: deque[bytes] = deque()
        self._failure: Exception | None = None
        self._changed = asyncio.Event()

    async def serve(self) -> None:
        end = self._channel.listen(self._wake)
        tasks = [asyncio.create_task(work()) for work in (self._send, self._read, self._look)]
        try:
            await asyncio.wait(tasks, return_when=asyncio.FIRST_COMPLETED)
        finally:
            end()
            for task in tasks:
                task.cancel()
            found = await asyncio.gather(*tasks, return_exceptions=True)
        for result in found:
            if isinstance(result, int):
                await self._websocket.close(result)
                return
        for result in found:
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect):
                told = f"a wire has failed: {type(result).__name__}"
                logging.getLogger(__name__).error(told, exc_info=result)
                await self._websocket.close(DEFECT)
                return

    # In any thread --------------------------------------------------------------------------------

    def _wake(self) -> None:
        """There may be news. It may be told while others wait for what the teller holds."""
        with self._lock:
            self._stale = True
            begin = self._begins()
        with suppress(RuntimeError):  # the server ends
            if begin and not put_off(self._pack):
                _PACKERS.submit(self._pack)
            if self._channel.closed:
                self._loop.call_soon_threadsafe(self._changed.set)

    def _begins(self) -> bool:
        """Whether a question is to be packed that nobody packs yet; called under the lock."""
        begins = self._have is not None and self._stale and not self._packing
        self._packing = self._packing or begins
        return begins

    def _ask(self, have: Mapping[str, Any]) -> None:
        """A question: where all that is new is announced, one that follows an answer can wait."""
        with self._lock:
            requested = set(have)
            self._stale = self._stale or not self._channel.announced or requested != self._asked
            self._have, self._asked = have, requested
            begin = self._begins()
        if begin:
            _PACKERS.submit(self._pack)

    def _pack(self) -> None:
        """Answer the question, again where it has changed or more was announced meanwhile."""
        message: bytes | None = None
        failure: Exception | None = None
        while True:
            with self._lock:
                have, self._stale = self._have, False
            try:
                message = None if have is None else self._channel.answer(have)
            except Exception as error:  # a defect: the event loop ends the wire
                failure = error
            with self._lock:
                if self._have is not have:
                    self._stale = True  # another question has come meanwhile
                elif message is not None:
                    self._have = None
                self._packing = self._have is not None and self._stale and failure is None
                going_on = self._packing
            if message is not None or failure is not None:
                with suppress(RuntimeError):
                    self._mail.send(partial(self._post, message, failure))
            if not going_on:
                return

    # In the event loop ----------------------------------------------------------------------------

    def _post(self, message: bytes | None, failure: Exception | None) -> None:
        if message is not None:
            self._outbox.append(message)
        self._failure = failure
        self._changed.set()

    async def _send(self) -> int:
        while not self._channel.closed:
            await self._changed.wait()
            self._changed.clear()
            if self._failure is not None:
                raise self._failure
            while self._outbox:
                message = self._outbox.popleft()
                await self._websocket.send_bytes(message)
                count("frames")
                count("bytes", len(message))
        return GONE

    async def _look(self) -> None:
        """Keep going what is shown; what only time changes is told then as well."""
        while True:
            await asyncio.sleep(LOOK_SECONDS)
            await self._beside(self._channel.look)
            self._wake()

    async def _read(self) -> int:
        """Take in questions and commands; gives why the wire is to be closed."""
        budget, last = float(MOST_A_SECOND), time.monotonic()
        while True:
            message = await self._websocket.receive()
            if message["type"] == "websocket.disconnect":
                return GONE
            text = message.get("text")
            if text is None or len(text) > MOST_CHARACTERS:
                return TOO_MUCH
            now = time.monotonic()
            budget = min(MOST_A_SECOND, budget + (now - last) * MOST_A_SECOND) - 1
            last = now
            if budget < 0:
                return REFUSED
            said = _read_json(text)
            if said is None:
                return REFUSED
            have, what, view = said.get("have"), said.get("do"), said.get("view")
            if isinstance(have, dict):
                self._ask({k: v for k, v in have.items() if isinstance(v, dict)})
            elif isinstance(what, str) and isinstance(view, str):
                await self._beside(self._channel.do, view, what, said.get("value"))
            else:
                return REFUSED

    async def _beside(self, work, *args):
        return await self._loop.run_in_executor(_PACKERS, work, *args)


def _read_json(text: str) -> dict | None:
    try:
        said = json.loads(text)
    except (ValueError, RecursionError):
        return None
    return said if isinstance(said, dict) else None
