"""What a reproducible figure is, and the one way in which all of them are made.

A figure is a list of *points* that are measured one after the other. Each has a key, which with
the options and the data decides it, and gives rows of one table; the picture is drawn from that
table alone, so that it can be drawn again without measuring.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from benchmarks.reproduce.drawing import check_drawing, picture, png_of, svg_of
from benchmarks.reproduce.folder import FigureError, FigureFolder, rows_of
from benchmarks.reproduce.page import page
from benchmarks.data import Papers
from benchmarks.reproduce.tables import Table
from treecore.warmup import warm_up


@dataclass
class Setup:
    """What a figure is asked for.

    Attributes
    ----------
    papers : Papers
        The data that are at hand.
    quick : bool
        Samples of the rows, fewer points: minutes.
    datasets : tuple of str
        Those asked for and at hand.
    depths : tuple of int, or None
        None: the figure's own.
    memo : dict
        What several points need and need not compute twice; nothing in it decides a point.
    rows : list of dict
        What the points before the present one have given.
    """

    papers: Papers
    quick: bool = False
    datasets: tuple[str, ...] = ()
    depths: tuple[int, ...] | None = None
    memo: dict = field(default_factory=dict)
    rows: list[dict] = field(default_factory=list)

    def once(self, key: Any, make: Callable[[], Any]) -> Any:
        """``make()``, or what it gave for this key before."""
        if key not in self.memo:
            self.memo[key] = make()
        return self.memo[key]


@dataclass(frozen=True)
class Figure:
    """One figure or table of a paper.

    Attributes
    ----------
    name, title, sentence : str
        Name on the command line; title over the picture; what it shows, for a newcomer.
    source : str
        Where the published one stands.
    datasets : tuple of str
        What it is made on, see :class:`Papers`.
    points : callable (Setup) -> list of dict
        The keys of all points, in the order in which they are measured.
    measure : callable (dict, Setup) -> list of dict
        The rows of the table that one point gives; plain numbers and texts.
    table : callable (rows) -> Table
    draw : callable (matplotlib Figure, rows) -> None
    notes : callable (Setup) -> list of str
        How it was measured, and in what it differs from the paper; whole sentences.
    depths : bool
        Whether ``depths`` can be chosen.
    size : (float, float)
        Inches of the picture.
    """

    name: str
    title: str
    sentence: str
    source: str
    datasets: tuple[str, ...]
    points: Callable[[Setup], list[dict]]
    measure: Callable[[dict, Setup], list[dict]]
    table: Callable[[list[dict]], Table]
    draw: Callable[[Any, list[dict]], None]
    notes: Callable[[Setup], list[str]]
    depths: bool = False
    size: tuple[float, float] = (9.0, 6.0)


@dataclass(frozen=True)
class Progress:
    """How far a reproduction is.

    Attributes
    ----------
    done, total : int
        Points.
    text : str
        The point that was just finished, or is about to be measured.
    """

    done: int
    total: int
    text: str


class Reproduction:
    """One figure at work on its folder.

    Parameters
    ----------
    figure : Figure
    path : path
        The folder; points that are in it are not measured again.
    papers : Papers
    quick : bool
    datasets : sequence of str, or None
        None: all of the figure's.
    depths : sequence of int, or None
    command : str
        The words that started it, to be kept beside the result.

    Attributes
    ----------
    absent : list of str
        A sentence on every dataset that is not at hand.

    Raises
    ------
    ValueError
        In one sentence, where nothing can be measured or the folder is another reproduction's.
    """

    def __init__(
        self,
        figure: Figure,
        path: str | Path,
        papers: Papers,
        *,
        quick: bool = False,
        datasets: Sequence[str] | None = None,
        depths: Sequence[int] | None = None,
        command: str = "",
    ):
        check_drawing()
        if depths and not figure.depths:
            raise FigureError(f"{figure.name} has no depths to choose")
        for name in datasets or ():
            if name not in figure.datasets:
                raise FigureError(
                    f"{figure.name} is not made on {name!r}, but on {', '.join(figure.datasets)}"
                )
        asked = [name for name in figure.datasets if not datasets or name in datasets]
        kept = tuple(name for name in asked if papers.load(name) is not None)
        self._absent = [name for name in asked if name not in kept]
        self.absent = [papers.absent(name) for name in self._absent]
        if not kept:
            raise FigureError("; ".join(self.absent))
        self.figure, self.command = figure, command
        self.setup = Setup(papers, quick, kept, tuple(sorted(set(depths))) if depths else None)
        self._keys = figure.points(self.setup)
        self.folder = FigureFolder(
            path,
            figure.name,
            {"quick": quick, "datasets": list(kept), "depths": self.setup.depths},
            {name: papers.fingerprint(name) for name in kept},
        )

    def run(self) -> Iterator[Progress]:
        """Measure what is missing, tell of every point before it and at the end; then draw."""
        total = len(self._keys)
        missing = [key for key in self._keys if self.folder.find(key) is None]
        if missing:  # seconds of learning are not to be those of compiling
            yield Progress(total - len(missing), total, "compiling")
            warm_up()
        for done, key in enumerate(self._keys):
            text = ", ".join(f"{name} {value}" for name, value in key.items())
            yield Progress(done, total, text)
            if self.folder.find(key) is None:
                self.setup.rows = rows_of(self.folder.points)
                begun = time.perf_counter()
                rows = self.figure.measure(key, self.setup)
                self.folder.append(key, rows, time.perf_counter() - begun)
        yield Progress(total, total, "drawing")
        self.draw()

    def draw(self) -> None:
        """Draw what is there, all of it or the points so far.

        Raises
        ------
        FigureError
            Where there is no point yet.
        """
        done, total = len(self.folder.points), len(self._keys)
        if not done:
            raise FigureError(f"{self.folder.path} has no finished point yet to draw")
        if not self.folder.record["finished"]:
            notes = self.figure.notes(self.setup)
            notes += [f"{name} was not at hand and is left out." for name in self._absent]
            if done < total:
                notes.insert(0, f"Unfinished: {done} of {total} points have been measured so far.")
            self.folder.finish(self.command, notes, total)
        render(self.figure, self.folder)


def render(figure: Figure, folder: FigureFolder) -> None:
    """Write the table, the picture and the page of a reproduction."""
    rows = rows_of(folder.points)
    table = figure.table(rows)
    folder.write("table.csv", table.csv().encode())
    folder.write("table.md", table.markdown().encode())
    folder.write("table.json", table.json().encode())
    with picture(figure.size) as canvas:
        figure.draw(canvas, rows)
        canvas.suptitle(headline(figure, folder.record))
        folder.write("figure.png", png_of(canvas))
        drawn = svg_of(canvas)
    folder.write("index.html", page(figure, folder.record, table, drawn).encode())


def headline(figure: Figure, record: dict) -> str:
    """The title, and that it is a quick one where it is."""
    return figure.title + (" (quick)" if record["options"]["quick"] else "")
