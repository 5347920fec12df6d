"""The wire: a WebSocket on which the views of a session ask for news and give commands.

A view writes JSON, the server answers in the binary format of :mod:`treecore.viewer.wire`::

    {"have": {VIEW: {...}, ...}}            what the views have; answered once, when there is news
    {"do": NAME, "view": VIEW, "value": X}  a command

A question takes the place of the one before it. An answer is packed in a thread beside the event
loop, which Streamlit needs as well, and sent only after a question: a browser that draws slowly
asks seldom, and at rest nothing is sent at all.
"""

from __future__ import annotations

import asyncio
import json
import logging
import time
from collections.abc import Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Any

from starlette.websockets import WebSocket, WebSocketDisconnect
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

from ui.jobs.events import count
from ui.live.channel import Channel, find_channel

MOST_CHARACTERS = 16_384
"""Of a message of a view's: what it has is told in a few words for each view."""

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
    """Answer one connection until either side ends it.

    A page of another origin, an unknown token and a malformed one are refused alike.
    """
    origin, host = websocket.headers.get("Origin"), websocket.headers.get("Host")
    channel = find_channel(websocket.path_params["token"])
    allowed = _is_origin_allowed(origin, host)
    if channel is None or not allowed or channel.n_listeners >= channel.most:
        await websocket.close(REFUSED)
        return
    await websocket.accept()
    connection = _Connection(websocket, channel)
    with suppress(WebSocketDisconnect, RuntimeError):  # whoever has gone needs no answer
        await connection.serve()


class _Connection:
    """One open wire: the last question of the views, and what wakes the answer to it."""

    def __init__(self, websocket: WebSocket, channel: Channel):
        self._websocket = websocket
        self._channel = channel
        self._loop = asyncio.get_running_loop()
        self._have: Mapping[str, Any] | None = None  # None: answered
        self._changed = asyncio.Event()
        self._told = False  # a wake is on its way to the loop

    async def serve(self) -> None:
        end = self._channel.listen(self._wake)
        answering = asyncio.create_task(self._answer())
        reading = asyncio.create_task(self._read())
        try:
            await asyncio.wait((answering, reading), return_when=asyncio.FIRST_COMPLETED)
        finally:
            end()
            answering.cancel()
            reading.cancel()
            found = await asyncio.gather(answering, reading, return_exceptions=True)
        for result in found:
            if isinstance(result, int):
                await self._websocket.close(result)
                return
        for result in found:
            if isinstance(result, Exception) and not isinstance(result, WebSocketDisconnect):
                logging.getLogger(__name__).error("a wire has failed", exc_info=result)
                await self._websocket.close(DEFECT)
                return

    def _wake(self) -> None:
        """Called in any thread, often many times before the loop comes to it."""
        if not self._told:
            self._told = True
            with suppress(RuntimeError):  # the server ends
                self._loop.call_soon_threadsafe(self._changed.set)

    async def _answer(self) -> int:
        while not self._channel.closed:
            self._changed.clear()
            self._told = False
            have = self._have
            if have is not None:
                message = await self._beside(self._channel.answer, have)
                if message is not None:
                    if self._have is have:
                        self._have = None
                    await self._websocket.send_bytes(message)
                    count("frames")
                    count("bytes", len(message))
                    continue
            try:
                await asyncio.wait_for(self._changed.wait(), LOOK_SECONDS)
            except TimeoutError:
                await self._beside(self._channel.look)
        return GONE

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
                self._have = {k: v for k, v in have.items() if isinstance(v, dict)}
                self._changed.set()
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
