"""How far work is: a bar on a terminal; elsewhere, as in batch jobs, a line now and then."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable

from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn

LINE_SECONDS = 30.0
"""Seconds between two lines where there is no terminal."""


class ProgressReport:
    """The progress of one piece of work; a context, of which nothing is left on a terminal."""

    def __init__(self, console: Console, clock: Callable[[], float] = time.monotonic):
        self._console, self._clock = console, clock
        self._begun = clock()
        self._lock = threading.Lock()
        self._ended = threading.Event()
        self._stage, self._text, self._due = "", "", 0.0
        self._bar: Progress | None = None
        self._thread: threading.Thread | None = None
        if console.is_terminal:
            self._bar = Progress(
                TextColumn("{task.description}"),
                BarColumn(),
                TextColumn("{task.fields[share]}"),
                TimeRemainingColumn(),
                TextColumn("{task.fields[figures]}"),
                console=console,
                transient=True,
            )
            self._task = self._bar.add_task("", total=None, share="", figures="")

    def __enter__(self) -> ProgressReport:
        if self._bar is not None:
            self._bar.start()
        elif not self._console.quiet:
            # A single run of a sweep may take hours, and tells nothing until it is done.
            self._thread = threading.Thread(target=self._tick_until_ended, daemon=True)
            self._thread.start()
        return self

    def __exit__(self, *reason) -> None:
        if self._bar is not None:
            self._bar.stop()
        self._ended.set()
        if self._thread is not None:
            self._thread.join()

    def update(
        self,
        stage: str,
        completed: float | None = None,
        total: float = 1.0,
        figures: str = "",
    ) -> None:
        """Say that ``completed`` of ``total`` is done (None: nobody knows), and some figures."""
        if completed is None:
            share = ""
        elif total == 1.0:
            share = f"{100 * completed:3.0f} %"
        else:
            share = f"{completed:g} of {total:g}"
        if self._bar is not None:
            known = None if completed is None else total
            self._bar.update(
                self._task,
                description=stage,
                completed=completed or 0.0,
                total=known,
                share=share,
                figures=figures,
            )
            return
        with self._lock:
            is_new, self._stage = stage != self._stage, stage
            self._text = "  ".join(part for part in (stage, share.strip(), figures) if part)
            if is_new:
                self._print()
        self.tick()

    def tick(self) -> None:
        """Print a line where one is due."""
        with self._lock:
            if self._stage and self._clock() >= self._due:
                self._print()

    def _print(self) -> None:
        now = self._clock()
        self._due = now + LINE_SECONDS
        line = f"{elapsed(now - self._begun)}  {self._text}"
        self._console.print(line, markup=False, highlight=False)

    def _tick_until_ended(self) -> None:
        while not self._ended.wait(1.0):
            self.tick()


def elapsed(seconds: float) -> str:
    """A time as ``"1:02:03"``: hours, minutes and seconds."""
    minutes, seconds = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{seconds:02}"
