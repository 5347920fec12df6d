"""One figure at work: its points are measured into a folder, then drawn."""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from pathlib import Path

import pandas as pd

from benchmarks.data import PaperData
from benchmarks.reproduce.drawing import as_png
from benchmarks.reproduce.figure import Figure, Setup
from benchmarks.reproduce.folder import ReproductionError, ReproductionFolder
from benchmarks.reproduce.page import page
from treecore import RunConfig, warm_up


class Reproduction:
    """A figure that is measured into a folder.

    absent: the datasets asked for that are not at hand. Raises ReproductionError where no dataset
    is at hand, or the folder holds another reproduction.

    - path: the folder; points that are in it are not measured again.
    - datasets: those asked for; none: all of the figure's.
    - depths: those asked for; none: the figure's own.
    - command: the command that makes the same figure elsewhere.
    """

    def __init__(
        self,
        figure: Figure,
        path: str | Path,
        data: PaperData,
        datasets: Sequence[str] = (),
        quick: bool = False,
        depths: Sequence[int] = (),
        command: str = "",
    ):
        requested = [name for name in figure.datasets if not datasets or name in datasets]
        self.absent = [name for name in requested if data.load(name) is None]
        present = tuple(name for name in requested if name not in self.absent)
        if not present:
            raise ReproductionError("; ".join(map(data.why_absent, self.absent)))
        self.figure = figure
        depths = depths or (figure.quick_depths if quick else figure.depths)
        self.setup = Setup(data, present, quick, tuple(sorted(set(depths))))
        self.keys = figure.points(self.setup)
        self.folder = ReproductionFolder(
            path,
            {
                "figure": figure.name,
                "quick": quick,
                "depths": list(self.setup.depths),
                "only": requested if len(requested) < len(figure.datasets) else [],
                "data": {name: data.fingerprint(name) for name in present},
                "command": command,
                "n_points": len(self.keys),
            },
        )
        self.setup.rows = self.folder.rows

    def measure(self) -> Iterator[str]:
        """Measure the points that are missing; tell of each before."""
        measured = [point["key"] for point in self.folder.points]
        if len(measured) < len(self.keys):
            yield "compiling"  # so that no seconds of learning include it
            warm_up()
            warm_up(config=RunConfig("hinge-forest"))
        for number, key in enumerate(self.keys, 1):
            if key not in measured:
                words = ", ".join(f"{name} {value}" for name, value in key.items())
                yield f"{number} of {len(self.keys)}: {words}"
                started = time.perf_counter()
                rows = self.figure.measure(key, self.setup)
                self.folder.append(key, rows, time.perf_counter() - started)
                self.setup.rows = self.folder.rows

    def draw(self) -> None:
        """Write table, picture and page of the points that are there.

        Raises ReproductionError where there is no point yet.
        """
        figure = self.figure
        rows = pd.DataFrame(row for row in self.folder.rows if row.get("step") != "choice")
        if rows.empty:
            raise ReproductionError(f"{self.folder.path} has no measured point yet to draw")
        table = figure.table(rows)
        columns = [name for name in figure.titles if name in table and table[name].notna().any()]
        notes = figure.notes(self.setup)
        notes += [f"{name} was not at hand and is left out." for name in self.absent]
        title = figure.title_of(self.setup.quick)
        picture = as_png(figure.size, title, lambda canvas: figure.draw(canvas, rows))
        self.folder.write("figure.png", picture)
        self.folder.write("table.csv", table[columns].to_csv(index=False))
        self.folder.write("page.md", page(figure, self.folder, notes, table[columns]))
