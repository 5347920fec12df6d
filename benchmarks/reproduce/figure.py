"""What a figure is, and what it is asked for.

A figure is a list of *points* that are measured one after the other. Each has a key, which together
with the data decides it, and gives rows of one table; picture, table and verdicts are made of these
rows alone.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import pandas as pd
from matplotlib.figure import Figure as Canvas

from benchmarks.data import PaperData, Part
from benchmarks.marks import COLUMN


@dataclass(eq=False)
class Setup:
    """What a reproduction is asked for."""

    data: PaperData
    datasets: tuple[str, ...]  # that the figure is measured on
    quick: bool = False  # samples of the rows and fewer points: minutes
    depths: tuple[int, ...] = ()  # that are shown, ascending
    rows: list[dict] = field(default_factory=list)  # of the points that have been measured

    def load(self, dataset: str, quick_rows: int, seed: int = 0) -> tuple[Part, Part]:
        """Read training and test rows; a quick reproduction draws so many of the training rows.

        seed: divides the rows where there is no official test part.
        """
        training, test = self.data.load(dataset, seed)
        return training.sample(quick_rows if self.quick else None), test

    def measured(self, **key) -> list[dict]:
        """The rows measured so far that have these values."""
        return [row for row in self.rows if key.items() <= row.items()]


@dataclass(frozen=True)
class Grid:
    """A table of the page: what one column of the figure's table says, by two others."""

    title: str  # what is shown, with its unit
    down: tuple[str, ...]  # the columns whose values are its rows
    across: str  # the column whose values are its columns
    value: str
    deviation: str = ""  # of the same rows, columns where there are any
    published: str = ""
    verdict: str = ""


class Figure(Protocol):
    """One figure or table of a paper: a module with these names."""

    NAME: str  # on the command line
    TITLE: str  # over the picture
    CLAIM: str  # what it shows, in a sentence
    SOURCE: str  # where the published one stands
    DATASETS: tuple[str, ...]  # that it is measured on, see benchmarks.data.PaperData
    DEPTHS: tuple[int, ...]  # that are shown; none where there are none to choose
    QUICK_DEPTHS: tuple[int, ...]
    TITLES: dict[str, str]  # with the unit, of every column that is shown; the day is, behind them
    DIGITS: dict[str, int]  # after the point of a column's numbers; 0 where it is not named
    GRID: Grid | None  # how the page shows the table; None: as it is
    SIZE: tuple[float, float]  # of the picture, in inches

    def points(self, setup: Setup) -> list[dict]:
        """The keys of all points, in the order in which they are measured."""

    def measure(self, key: dict, setup: Setup) -> list[dict]:
        """Measure the point of a key; gives rows of numbers and texts.

        A row with a ``step`` of ``choice`` says which settings were chosen, for points that come
        later, and is not shown.
        """

    def table(self, rows: pd.DataFrame) -> pd.DataFrame:
        """The table that is shown, published values and verdicts included, of all points' rows."""

    def claims(self, lines: pd.DataFrame) -> list[str]:
        """Sentences on the paper's claims, computed from the table."""

    def draw(self, canvas: Canvas, rows: pd.DataFrame) -> None:
        """Draw the rows of all points."""

    def notes(self, setup: Setup) -> list[str]:
        """Sentences on how it is measured, and in what it differs from the paper."""


def over_runs(rows: pd.DataFrame, by: list[str], /, **columns: tuple) -> pd.DataFrame:
    """A row for each group of runs: their number, the oldest day, and columns as of pandas' agg."""
    found = rows.groupby(by, sort=False).agg(
        **columns, runs=(COLUMN, "size"), **{COLUMN: (COLUMN, "min")}
    )
    return found.reset_index()
