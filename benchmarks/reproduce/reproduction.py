"""One figure at work: its points are measured into a folder, then drawn."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

from benchmarks.data import PaperData
from benchmarks.reproduce.figure import Figure, Setup
from benchmarks.reproduce.folder import ReproductionError, ReproductionFolder
from benchmarks.reproduce.page import TABLE, Section
from treecore import RunConfig, warm_up


class Reproduction:
    """A figure that is measured into a folder, but for the points that are in it.

    datasets: limit what is measured now; minutes: no point is started after so many. absent: the
    datasets that are not at hand. Raises ReproductionError where none is, or the folder holds
    another reproduction.
    """

    def __init__(
        self,
        figure: Figure,
        path: str | Path,
        data: PaperData,
        datasets: Sequence[str] = (),
        quick: bool = False,
        minutes: float | None = None,
    ):
        requested = [name for name in figure.DATASETS if not datasets or name in datasets]
        self.absent = [name for name in requested if data.load(name) is None]
        present = tuple(name for name in requested if name not in self.absent)
        if not present:
            raise ReproductionError("; ".join(map(data.why_absent, self.absent)))
        self.figure, self.minutes = figure, minutes
        depths = figure.QUICK_DEPTHS if quick else figure.DEPTHS
        self.setup = Setup(data, present, quick, depths)
        self.keys = figure.points(self.setup)
        marks = {name: data.fingerprint(name) for name in present}
        record = {"figure": figure.NAME, "quick": quick, "data": marks}
        self.folder = ReproductionFolder(path, record)
        self.setup.rows = self.folder.rows

    def measure(self) -> Iterator[str]:
        """Measure the points that are missing; tell of each before."""
        measured = [point["key"] for point in self.folder.points]
        missing = [key for key in self.keys if key not in measured]
        if missing:
            yield "compiling"  # so that no seconds of learning include it
            warm_up()
            warm_up(config=RunConfig("hinge-forest"))
        run_started = time.monotonic()
        for key in missing:
            spent = (time.monotonic() - run_started) / 60
            if self.minutes is not None and spent >= self.minutes:
                yield "the minutes are over; the same command continues with the next point"
                return
            words = ", ".join(f"{name} {value}" for name, value in key.items())
            number = self.keys.index(key) + 1
            yield f"{number} of {len(self.keys)}, {spent:.1f} minutes so far: {words}"
            started = time.perf_counter()
            rows = self.figure.measure(key, self.setup)
            self.folder.append(key, rows, time.perf_counter() - started)
            self.setup.rows = self.folder.rows

    def draw(self) -> None:
        """Write picture and page of the points that are there.

        Raises ReproductionError where there is no point yet.
        """
        section = Section(self.figure, self.folder)
        self.folder.write("figure.png", section.picture())
        self.folder.write("page.md", section.text("figure.png"))
        self.folder.write(TABLE, section.table_text())
