"""What the live view of a visitor's page is told: pictures, and the state of its run."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from streamlit.proto.BidiComponent_pb2 import BidiComponent

from ui.live.wire import unpack


class LiveView:
    """The live view of a page, without a screen.

    Parameters
    ----------
    address : str
        Of the app.
    told : async callable ()
        Called after every message that came on a wire of its own.

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

    def __init__(self, address: str, told: Callable[[], Awaitable[None]]):
        self._address, self._told = address, told
        self.n_messages = self.n_pictures = self.n_bytes = 0
        self.state = "waiting"
        self._newest: dict[str, int] = {}

    def take(self, component: BidiComponent) -> None:
        """A component that Streamlit has put on the page."""
        if component.WhichOneof("data") == "bytes":
            self._read(component.bytes)

    def _read(self, message: bytes) -> None:
        """A message of the live view; see :mod:`ui.live.wire`."""
        meta, _ = unpack(message)
        self.n_messages += 1
        self.state = meta.get("state", self.state)
        run = meta.get("run", "")
        known = self._newest.get(run, -1)
        numbers = [frame["n"] for frame in meta.get("frames", [])]
        self.n_pictures += sum(number > known for number in numbers)
        self._newest = {run: max([known, *numbers])}

    async def close(self) -> None:
        """The tab is closed."""
