"""The views of a visitor's page: what they are told by their wire, and what they command there."""

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
        self._have: dict[str, dict] = {}  # by view
        self._can: dict = {}
        self._commanded = ""  # the view whose buttons there are
        self._drawn: dict = {}  # by view, the state for which the page was drawn, and by what
        self._address_of_wire = ""
        self._wire: ClientConnection | None = None
        self._hearing: asyncio.Task | None = None

    def take(self, component: BidiComponent, fragment: str) -> None:
        """A component that Streamlit has put on the page, and the fragment that drew it."""
        if component.WhichOneof("data") != "json":
            return
        place = json.loads(component.json)
        if not isinstance(place, dict) or "wire" not in place:
            return
        if place["wire"] != self._address_of_wire:
            self._address_of_wire = place["wire"]
            if self._hearing is not None:
                self._hearing.cancel()
            self._have = {}
            self._hearing = asyncio.create_task(self._hear(place["wire"]))
        self._have.setdefault(place["view"], {})
        self._drawn[place["view"]] = place.get("drawn"), fragment

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
            await self._send({"do": what, "view": self._commanded})

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
                    await self._send({"have": self._have})
                    self._read(await self._wire.recv())
                    await self._told()
                    for drawn, fragment in tuple(self._drawn.values()):
                        if drawn is not None and self.state not in ("waiting", drawn):
                            await self._run(fragment)
                    await asyncio.sleep(DRAWING_SECONDS)

    async def _send(self, said: dict) -> None:
        assert self._wire is not None, "the wire is open"
        with contextlib.suppress(ConnectionClosed):
            await self._wire.send(json.dumps(said))

    def _read(self, message: bytes) -> None:
        """A message of the wire; see :mod:`ui.live.wire`."""
        whole, arrays = unpack(message)
        self.n_messages += 1
        self.n_bytes += len(message)
        for view, meta in whole["views"].items():
            self.state = meta.get("state", self.state)
            if "commands" in meta:
                self._can, self._commanded = meta["commands"], view
            frames = [frame["n"] for frame in meta.get("frames", [])]
            self.n_pictures += len(frames)
            have = self._have[view]
            if meta.get("run") != have.get("run"):
                have = {"n": -1}
            known = ("run", "mark", "at", "detail", "commands", "heading")
            have |= {name: meta[name] for name in known if name in meta}
            if frames:
                have["n"] = frames[-1]
            rows = arrays.get(f"{view}/curves")
            if rows is not None and len(rows):
                have["curves"] = [meta["curves"] + len(rows), float(rows[-1, 0])]
            self._have[view] = have
