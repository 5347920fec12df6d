"""A visitor's browser without a screen: Streamlit's protocol over its WebSocket.

It does what Streamlit's JavaScript does: asks for a page, runs again the fragments that the server
asks it to, and keeps messages that the server will only name the next time. It downloads no
scripts and draws nothing. A widget that nobody has touched is left out of what it sends; the
server then takes the value that the page gives.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Callable
from typing import Any
from urllib.parse import urlsplit

from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.Element_pb2 import Element
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.proto.WidgetStates_pb2 import WidgetState
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

SUPERSEDED = ForwardMsg.FINISHED_EARLY_FOR_RERUN


class PageClient:
    """One tab with one page of the app.

    address: of the app, with the path that it is served under; page: its name in an address, such
    as ``lab``; on_element: told of every element that arrives, and which fragment has drawn it.
    """

    def __init__(
        self,
        address: str,
        page: str,
        query: str = "",
        on_element: Callable[[Element, str], None] | None = None,
    ):
        self.address, self._page, self._query = address.rstrip("/"), page, query
        self._on_element = on_element or (lambda element, fragment: None)
        self.n_finished = 0  # runs of the page or of a fragment that have come to their end
        self.n_bytes = 0  # received
        self.exceptions: list[str] = []  # what the page has shown as an error of the program
        self.session = ""  # what the server calls the session; empty before it has said so
        self._changed = asyncio.Condition()
        self._script = ""
        self._cache: dict[str, tuple[ForwardMsg, int]] = {}
        self._n_runs, self._most_age = 0, 2
        self._socket: ClientConnection | None = None
        self._reader: asyncio.Task | None = None
        self._closing = False
        self.lost = False

    # What a visitor does --------------------------------------------------------------------------

    async def open(self, session: str = "") -> None:
        """Ask for the page; it has arrived once :meth:`until` says so.

        session: of a tab whose connection has broken: this one goes on where that was.
        """
        parts = urlsplit(self.address)
        self._socket = await connect(
            f"ws://{parts.netloc}{parts.path}/_stcore/stream",
            origin=f"http://{parts.netloc}",
            subprotocols=["streamlit", *(["no-token", session] if session else [])],
            max_size=None,
            compression=None,
            open_timeout=60,
        )
        self._reader = asyncio.create_task(self._read())
        await self._run()

    async def tell(self, component: str, fragment: str, event: str, value: Any) -> None:
        """What a component of ours says to the script (``setTriggerValue``)."""
        said = WidgetState(
            id=f"$$STREAMLIT_INTERNAL_KEY_{component}__events",
            json_trigger_value=json.dumps([{"event": event, "value": value}]),
        )
        await self._run(fragment, [said])

    async def until(self, condition: Callable[[], bool], seconds: float) -> bool:
        """Wait until a condition on the page holds; gives whether it came to that."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(seconds), self._changed:
                await self._changed.wait_for(lambda: self.lost or condition())
        return condition()

    async def reported(self) -> None:
        """Something has changed that :meth:`until` may wait for."""
        async with self._changed:
            self._changed.notify_all()

    async def close(self) -> None:
        """Close the tab."""
        self._closing = True
        if self._socket is not None:
            await self._socket.close()
        if self._reader is not None:
            await self._reader

    # What its browser does ------------------------------------------------------------------------

    async def _run(self, fragment: str = "", states: list[WidgetState] | None = None) -> None:
        message = BackMsg()
        state = message.rerun_script
        state.query_string = self._query
        state.page_name = "" if self._script else self._page
        state.page_script_hash = self._script
        state.fragment_id = fragment
        state.cached_message_hashes.extend(self._cache)
        state.widget_states.widgets.extend(states or [])
        state.context_info.timezone = "Etc/UTC"
        state.context_info.locale = "en-US"
        state.context_info.url = f"{self.address}/{self._page}"
        state.context_info.color_scheme = "light"
        assert self._socket is not None, "the tab is open"
        with contextlib.suppress(ConnectionClosed):
            await self._socket.send(message.SerializeToString())

    async def _read(self) -> None:
        assert self._socket is not None
        try:
            async for data in self._socket:
                self.n_bytes += len(data)
                message = ForwardMsg()
                message.ParseFromString(data)
                self._take(self._integer(message))
                await self.reported()
        except ConnectionClosed:
            pass
        self.lost = not self._closing
        await self.reported()

    def _integer(self, message: ForwardMsg) -> ForwardMsg:
        """The message itself, where the server has only named one that was sent before."""
        if message.WhichOneof("type") == "ref_hash":
            kept, _ = self._cache.get(message.ref_hash, (None, 0))
            if kept is None:  # forgotten meanwhile: a browser leaves the page as it is
                return message
            entire = ForwardMsg()
            entire.CopyFrom(kept)
            entire.metadata.CopyFrom(message.metadata)
            return entire
        if message.metadata.cacheable:
            self._cache[message.hash] = message, self._n_runs
        return message

    def _take(self, message: ForwardMsg) -> None:
        kind = message.WhichOneof("type")
        if kind == "delta":
            self._draw(message)
        elif kind == "navigation":
            self._script = message.navigation.page_script_hash
        elif kind == "page_info_changed":
            self._query = message.page_info_changed.query_string
        elif kind == "new_session":
            self.session = message.new_session.initialize.session_id or self.session
            self._most_age = message.new_session.config.max_cached_message_age or self._most_age
        elif kind == "script_finished" and message.script_finished != SUPERSEDED:
            self._n_runs += 1
            self._cache = {
                name: (kept, run)
                for name, (kept, run) in self._cache.items()
                if self._n_runs - run <= self._most_age
            }
            self.n_finished += 1

    def _draw(self, message: ForwardMsg) -> None:
        if message.delta.WhichOneof("type") != "new_element":
            return  # a block: what it holds comes by itself
        element = message.delta.new_element
        if element.WhichOneof("type") == "exception":
            self.exceptions.append(element.exception.type)
        self._on_element(element, message.delta.fragment_id)
