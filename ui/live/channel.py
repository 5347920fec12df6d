"""Channels: what the views of one session show, at an address that nobody can guess.

A view says what it has; a source answers with what is newer, once there is something. So no
messages wait for a slow browser, and a broken connection goes on by asking again.
"""

import json
import secrets
import threading
import time
import zlib
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager

import numpy as np

from treecore.viewer import Have, News, pack, spoken
from ui.language.catalogue import ENGLISH
from ui.language.translate import _, speaking

BETWEEN = "/"
"""What stands between the name of a view and that of its array in a message."""


class ViewSource(ABC):
    """What one view shows. Calls come from one thread at a time."""

    @abstractmethod
    def news(self, have: Have) -> News | None:
        """What is newer than what the view has; None: nothing. Asking counts as looking."""

    def look(self) -> None:  # noqa: B027
        """Somebody has the view open, though it does not ask at the moment."""

    def do(self, what: str, value: object) -> None:  # noqa: B027
        """A command of the visitor's, who may send one twice; strange ones are passed over."""


class Channel:
    """The views of one session, by name; whoever knows its ``token`` sees and commands its runs.

    prepare: called under the lock, before sources are asked; announced: whether all that is new is.
    """

    def __init__(
        self,
        lock: AbstractContextManager | None = None,
        prepare: Callable[[], object] | None = None,
        announced: bool = False,
    ):
        self.announced = announced
        self._asking = lock or threading.RLock()
        self._prepare = prepare or (lambda: None)
        self.token = secrets.token_urlsafe(24)
        self.closed = False
        self.language = ENGLISH
        self._sources: dict[str, ViewSource] = {}
        self._listeners: tuple[Callable[[], None], ...] = ()
        self._listening = threading.Lock()
        with _OPENING:
            _OPEN[self.token] = self

    @property
    def address(self) -> str:
        """Relative to the address of the app."""
        return f"live/{self.token}"

    def show(self, view: str, source: ViewSource) -> None:
        """From now on ``view`` shows this."""
        if self._sources.get(view) is not source:
            self._sources[view] = source
            self.announce()

    def close(self) -> None:
        """End every connection; the address leads nowhere from now on."""
        with _OPENING:
            _OPEN.pop(self.token, None)
        self.closed = True
        self._sources = {}
        self.announce()

    # Who looks ----------------------------------------------------------------------------------

    def announce(self) -> None:
        """Some view may have news. Any thread may say so, whatever it holds: this never waits."""
        for wake in self._listeners:
            wake()

    def listen(self, wake: Callable[[], None]) -> Callable[[], None]:
        """Call ``wake``, which must not wait, when there may be news; gives what ends that."""
        with self._listening:
            self._listeners = (*self._listeners, wake)

        def end() -> None:
            with self._listening:
                self._listeners = tuple(one for one in self._listeners if one is not wake)

        return end

    @property
    def n_listeners(self) -> int:
        return len(self._listeners)

    # What they ask ------------------------------------------------------------------------------

    def answer(self, have: Mapping[str, Have]) -> bytes | None:
        """The news of all views asked for in one message, arrays as view/name; None without any."""
        with self._asking, speaking(self.language):
            if self.closed:
                return None
            self._prepare()
            views: dict[str, dict] = {}
            arrays: dict[str, np.ndarray] = {}
            for view, known in have.items():
                source = self._sources.get(view)
                news = None if source is None else source.news(known)
                if news is not None:
                    views[view] = spoken(news[0], _)
                    arrays |= {f"{view}{BETWEEN}{name}": one for name, one in news[1].items()}
        return pack({"views": views}, arrays) if views else None

    def look(self) -> None:
        """Keep going what is shown."""
        self._prepare()
        for source in tuple(self._sources.values()):
            source.look()

    def do(self, view: str, what: str, value: object) -> None:
        """A command to what a view shows."""
        source = self._sources.get(view)
        if source is not None:
            source.do(what, value)


_OPEN: dict[str, Channel] = {}
_OPENING = threading.Lock()


def find_channel(token: str) -> Channel | None:
    with _OPENING:
        return _OPEN.get(token)


def open_channels() -> list[Channel]:
    with _OPENING:
        return list(_OPEN.values())


class WholeSource(ViewSource):
    """A small source, told whole when changed, without ``hurry`` not before ``gap`` seconds."""

    def __init__(
        self,
        make: Callable[[], News | None],
        do: Callable[[str, object], None] | None = None,
        hurry: Callable[[], bool] = lambda: True,
        gap: float = 0.1,
    ):
        self._make = make
        self._do = do or (lambda what, value: None)
        self._hurry = hurry
        self._gap = gap

    def news(self, have: Have) -> News | None:
        now, last_answer = time.monotonic(), have.get("at")
        late = not isinstance(last_answer, int | float) or not 0 <= now - last_answer < self._gap
        if not (late or self._hurry()):
            return None
        made = self._make()
        if made is None:
            return None
        meta, arrays = made
        mark = zlib.crc32(json.dumps(meta).encode())
        for array in arrays.values():
            mark = zlib.crc32(array.tobytes(), mark)
        return None if mark == have.get("mark") else (meta | {"mark": mark, "at": now}, arrays)

    def do(self, what: str, value: object) -> None:
        self._do(what, value)
