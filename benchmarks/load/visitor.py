"""Visitors: what they do on a page, and what they measure of it.

A page is open when its run has come to its end and the live view has been told something. A click
is answered when the view shows what it asked for: the button itself cannot be pressed any more.
"""

from __future__ import annotations

import asyncio
import random
import time

from streamlit.proto.Element_pb2 import Element

from benchmarks.load.client import PageClient
from benchmarks.load.figures import ANSWER_SECONDS, Measured
from benchmarks.load.live import LiveViews

SPIRALS = "v=1&data=spirals&size=500&test=0&seed={seed}&run=stable-sgd&depth=6&epochs={epochs}"
"""500 points and 63 splits; each visitor has points of their own."""

ENDLESS = 100_000

PLAYING_SECONDS = 6.0, 14.0
PAUSED_SECONDS = 1.0, 3.0
OPEN_SECONDS = 120.0


class Visitor:
    """One visitor with one tab. number: decides the points and the moments of the clicks."""

    def __init__(self, address: str, number: int):
        self.measured = Measured()
        self._random = random.Random(number)
        query = SPIRALS.format(seed=number, epochs=ENDLESS)
        self._client = PageClient(address, "lab", query, self._take)
        self._live = LiveViews(address, self._client.reported, self._client.tell)

    async def visit(self, until: float) -> None:
        """Open the page and use it until a moment of the monotonic clock."""
        started = time.monotonic()
        try:
            await self._client.open()
            here = await self._client.until(self._is_open, OPEN_SECONDS)
            self.measured.opened.append(time.monotonic() - started)
            if here:
                await self._use(until)
            else:
                self.measured.lost = "the page did not open"
        except OSError as error:
            self.measured.lost = f"no connection: {error}"
        if self._client.lost:
            self.measured.lost = "the connection was ended"
        if self._live.n_broken:
            self.measured.lost = "the live view's connection was ended"
        if self._client.exceptions:
            self.measured.lost = f"the page showed {self._client.exceptions[0]}"
        self.measured.n_bytes = self._client.n_bytes + self._live.n_bytes
        await self._live.close()
        await self._client.close()

    async def _use(self, until: float) -> None:
        while time.monotonic() < until and not self._client.lost:
            if await self._click("play", until):
                before, started = self._live.n_pictures, time.monotonic()
                await self._pause(PLAYING_SECONDS, until)
                self.measured.n_pictures += self._live.n_pictures - before
                self.measured.playing += time.monotonic() - started
            await self._click("pause", until)
            await self._pause(PAUSED_SECONDS, until)

    async def _click(self, key: str, until: float) -> bool:
        """Press a button once it can be pressed; gives whether there was an answer.

        Nobody presses one when the time is up: all of them would at the same moment.
        """
        if time.monotonic() >= until or not await self._client.until(
            lambda: self._live.can(key), max(0.0, until - time.monotonic())
        ):
            return False
        started = time.monotonic()
        await self._live.command(key)
        if await self._client.until(lambda: not self._live.can(key), ANSWER_SECONDS):
            self.measured.answered.append(time.monotonic() - started)
            return True
        if not self._client.lost:
            self.measured.n_unanswered += 1
        return False

    async def _pause(self, between: tuple[float, float], until: float) -> None:
        seconds = self._random.uniform(*between)
        await self._client.until(lambda: False, min(seconds, max(0.0, until - time.monotonic())))

    def _is_open(self) -> bool:
        return self._client.n_finished > 0 and self._live.n_messages > 0

    def _take(self, element: Element, fragment: str) -> None:
        if element.WhichOneof("type") == "bidi_component":
            self._live.take(element.bidi_component, fragment)


async def arrive(visitors: list[Visitor], seconds: float, until: float) -> None:
    """All visitors, the one after the other within so many seconds, until all have left."""

    async def one(number: int, visitor: Visitor) -> None:
        await asyncio.sleep(seconds * number / len(visitors))
        await visitor.visit(until)

    await asyncio.gather(*(one(number, visitor) for number, visitor in enumerate(visitors)))
