"""The live views of a visitor's page, without a screen: pictures, states of runs, commands.

They hear of their runs by the app's own wire, as the view's own ``channel.js`` does: they say
what they have, take the answer, and ask again a picture of the screen later.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable, Mapping
from typing import Any
from urllib.parse import urlsplit

import numpy as np
from streamlit.proto.BidiComponent_pb2 import BidiComponent
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from treecore.viewer.messages.wire import unpack

PICTURE_SECONDS = 1 / 60
"""From an answer to the next question: what it holds has been drawn then."""

TOLD_SECONDS = 2.0
"""After which a page is told once more in which state its run is."""

Arrays = Mapping[str, np.ndarray]


class View:
    """What one view has of its run, as ``treecore/viewer/js/app/receive.js`` keeps it."""

    def __init__(self) -> None:
        self.meta: dict[str, Any] = {}  # the newest word of each kind
        self.n_pictures = 0  # trees to draw that were not known before
        self.drawn: str | None = None  # the state that the page around it is drawn for, if it cares
        self.component, self.fragment = "", ""
        self._newest = -1
        self._epochs = np.empty(0, dtype=np.float32)  # of the points of the curves

    def have(self) -> dict[str, Any]:
        """What it asks with."""
        known = ("run", "mark", "at", "detail", "commands", "heading")
        found = {name: self.meta[name] for name in known if name in self.meta}
        if "run" not in found:  # a clock or a board
            return found
        last = float(self._epochs[-1]) if len(self._epochs) else 0.0
        return found | {"n": self._newest, "curves": [len(self._epochs), last]}

    def receive(self, meta: Mapping[str, Any], arrays: Arrays) -> None:
        """A message, or this view's part of one."""
        if meta.get("run") != self.meta.get("run"):
            self._newest = -1
        self.meta = dict(meta) if "v" in meta else self.meta | meta
        if "curves" in arrays and isinstance(meta.get("curves"), int):
            rows = arrays["curves"].reshape(-1, 8)
            self._epochs = np.concatenate([self._epochs[: meta["curves"]], rows[:, 0]])
        numbers = [frame["n"] for frame in meta.get("frames", [])]
        self.n_pictures += sum(number > self._newest for number in numbers)
        self._newest = max([self._newest, *numbers])

    def can(self, what: str) -> bool:
        """Whether its button, "play" or "pause", is there and does something now."""
        commands, state = self.meta.get("commands"), self.meta.get("state")
        if commands is None:
            return False
        if what == "pause":
            return commands["playing"] or state == "running"
        return not commands["playing"] and state not in ("finished", "failed")

    @property
    def news_for_page(self) -> str | None:
        """The run's state, where the page around the view is drawn for another one; of a run at
        rest also which tree, where the page says that as well.
        """
        state = self.meta.get("state")
        if self.drawn is None or state in (None, "waiting", self.drawn):
            return None
        resting = f"{state} {self._newest}" if self.meta.get("commands") else state
        moment = state if state == "running" else resting
        return None if moment == self.drawn else moment


class LiveViews:
    """All live views of a page.

    reported: called after every message that came by the wire; tell_page: tells the page's script
    what a component has to say.
    """

    def __init__(
        self,
        address: str,
        reported: Callable[[], Awaitable[None]],
        tell_page: Callable[[str, str, str, Any], Awaitable[None]],
    ):
        self._address, self._told, self._tell_page = address.rstrip("/"), reported, tell_page
        self.views: dict[str, View] = {}
        self.n_messages = self.n_bytes = 0  # received by the wire
        self.n_broken = 0  # connections that the server has ended or refused
        self._wire, self._closed = "", False
        self._socket: ClientConnection | None = None
        self._tasks: list[asyncio.Task] = []

    @property
    def n_pictures(self) -> int:
        """Of all views."""
        return sum(view.n_pictures for view in self.views.values())

    @property
    def state(self) -> str:
        """Of the first view's run, as in :class:`treecore.viewer.messages.status.Status`."""
        return next((view.meta.get("state", "waiting") for view in self.views.values()), "waiting")

    def take(self, component: BidiComponent, fragment: str) -> None:
        """A component that Streamlit has put on the page."""
        if component.json.startswith("{"):
            placed = json.loads(component.json)
            if "wire" in placed:
                view = self.views.setdefault(placed["view"], View())
                view.drawn = placed.get("drawn")
                view.component, view.fragment = component.id, fragment
                self._listen(placed["wire"])

    def can(self, what: str) -> bool:
        """See :meth:`View.can`: of the first view."""
        return any(view.can(what) for view in self.views.values())

    async def command(self, what: str) -> None:
        """Press a button of the first view."""
        name = next(iter(self.views))
        await self._send({"do": what, "view": name, "value": None})

    async def close(self) -> None:
        """The tab is closed."""
        self._wire, self._closed = "", True
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        if self._socket is not None:
            await self._socket.close()

    def _listen(self, wire: str) -> None:
        if wire == self._wire or self._closed:
            return
        self._wire = wire
        for task in self._tasks:
            task.cancel()
        self._tasks = [asyncio.create_task(self._hear(wire)), asyncio.create_task(self._tell())]

    async def _hear(self, wire: str) -> None:
        parts = urlsplit(self._address)
        # A connection that is refused is as lost as one that breaks.
        with contextlib.suppress(ConnectionClosed, InvalidHandshake, OSError):
            async with connect(
                f"ws://{parts.netloc}{parts.path}/{wire}",
                origin=f"http://{parts.netloc}",
                max_size=None,
                compression=None,
                open_timeout=60,
            ) as socket:
                self._socket = socket
                await self._ask()
                async for message in socket:
                    self._read(message)
                    await self._told()
                    await asyncio.sleep(PICTURE_SECONDS)
                    await self._ask()
        if wire == self._wire:
            self.n_broken += 1

    def _read(self, message: bytes) -> None:
        meta, arrays = unpack(message)
        self.n_messages += 1
        self.n_bytes += len(message)
        for name, part in meta["views"].items():
            start = f"{name}/"
            own = {n.removeprefix(start): a for n, a in arrays.items() if n.startswith(start)}
            if name in self.views:
                self.views[name].receive(part, own)

    async def _ask(self) -> None:
        await self._send({"have": {name: view.have() for name, view in self.views.items()}})

    async def _send(self, said: dict[str, Any]) -> None:
        if self._socket is not None:
            with contextlib.suppress(ConnectionClosed):
                await self._socket.send(json.dumps(said))

    async def _tell(self) -> None:
        """Have the page drawn anew for a run in another state."""
        while True:
            reported = False
            for view in self.views.values():
                if state := view.news_for_page:
                    await self._tell_page(view.component, view.fragment, "state", state)
                    reported = True
            # Told again after a while, since what a page is told may be lost.
            await asyncio.sleep(TOLD_SECONDS if reported else PICTURE_SECONDS)
