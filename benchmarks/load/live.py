"""The live view of a visitor's page: what it is told by its wire, and what it commands there."""

from __future__ import annotations

import asyncio
import contextlib
import json
from collections.abc import Awaitable, Callable
from urllib.parse import urlsplit

from streamlit.proto.BidiComponent_pb2 import BidiComponent
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed

from ui.live.wire import unpack

DRAWING_SECONDS = 1 / 60
"""Between two questions: a view asks again when its display has drawn."""

Page = Callable[[str], Awaitable[None]]
"""Runs the fragment of that name again; the empty name is the page itself."""


class LiveView:
    """The live view of a page, without a screen.

    Parameters
    ----------
    address : str
        Of the app.
    told : async callable ()
        Called after every message that came on a wire of its own.
    run : async callable (fragment)
        What the view asks of the page when its run comes to rest, or plays on.

    Attributes
    ----------
    n_messages : int
    n_pictures : int
        Trees to draw that were not known before.
    n_bytes : int
        Received on the view's own wire.
    state : str
        Of the run, as in :class:`ui.jobs.status.Status`.
    """

    def __init__(self, address: str, told: Callable[[], Awaitable[None]], run: Page):
        self._address, self._told, self._run = address, told, run
        self.n_messages = self.n_pictures = self.n_bytes = 0
        self.state = "waiting"
        self._have: dict = {}
        self._can: dict = {}
        self._place: dict = {}
        self._fragment = ""
        self._wire: ClientConnection | None = None
        self._hearing: asyncio.Task | None = None

    def take(self, component: BidiComponent, fragment: str) -> None:
        """A component that Streamlit has put on the page, and the fragment that drew it."""
        if component.WhichOneof("data") == "bytes":  # a view of a page without a wire
            self.n_messages += 1
        if component.WhichOneof("data") != "json":
            return
        place = json.loads(component.json)
        if not isinstance(place, dict) or "wire" not in place:
            return
        before, self._place, self._fragment = self._place.get("wire"), place, fragment
        if place["wire"] != before:
            if self._hearing is not None:
                self._hearing.cancel()
            self._have = {}
            self._hearing = asyncio.create_task(self._hear(place["wire"]))

    def can(self, what: str) -> bool:
        """Whether the view's button of that name can be pressed, as its JavaScript decides."""
        playing = self._can.get("playing")
        if playing is None:
            return False
        return {
            "play": not playing and self.state not in ("finished", "failed"),
            "pause": playing or self.state == "running",
            "reset": True,
        }[what]

    async def command(self, what: str) -> None:
        """Press that button."""
        if self._wire is not None:
            await self._send({"do": what, "view": self._place["view"]})

    async def close(self) -> None:
        """The tab is closed."""
        if self._hearing is not None:
            self._hearing.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._hearing

    async def _hear(self, wire: str) -> None:
        parts = urlsplit(self._address)
        async with connect(
            f"ws://{parts.netloc}{parts.path}/{wire}",
            origin=f"http://{parts.netloc}",
            max_size=None,
            compression=None,
            open_timeout=60,
        ) as self._wire:
            with contextlib.suppress(ConnectionClosed):
                while True:
                    await self._send({"have": {self._place["view"]: self._have}})
                    self._read(await self._wire.recv())
                    await self._told()
                    if (self.state != "running") is not self._place.get("rest"):
                        await self._run(self._fragment)
                    await asyncio.sleep(DRAWING_SECONDS)

    async def _send(self, said: dict) -> None:
        assert self._wire is not None, "the wire is open"
        with contextlib.suppress(ConnectionClosed):
            await self._wire.send(json.dumps(said))

    def _read(self, message: bytes) -> None:
        """A message of the wire; see :mod:`ui.live.wire`."""
        whole, arrays = unpack(message)
        view = self._place["view"]
        meta = whole["views"][view]
        self.n_messages += 1
        self.n_bytes += len(message)
        self.state = meta["state"]
        self._can = meta["commands"]
        frames = [frame["n"] for frame in meta.get("frames", [])]
        self.n_pictures += len(frames)
        if meta["run"] != self._have.get("run"):
            self._have = {"n": -1}
        self._have |= {
            name: meta[name] for name in ("run", "mark", "detail", "commands") if name in meta
        }
        if frames:
            self._have["n"] = frames[-1]
        rows = arrays.get(f"{view}/curves")
        if rows is not None and len(rows):
            self._have["curves"] = [meta["curves"] + len(rows), float(rows[-1, 0])]
