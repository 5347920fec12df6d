"""Rows of results that a slow test measures again, one cheap row of every page at least."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

import pandas as pd

from benchmarks import (
    ablation,
    accuracy,
    draws,
    inference,
    intervals,
    methods,
    tables,
)
from benchmarks.data import PaperData
from benchmarks.lines import Lines
from benchmarks.marks import MARK, cells_of
from benchmarks.pages import Page
from benchmarks.reproduce.__main__ import FIGURES, PAPERS
from benchmarks.reproduce.figure import Setup
from benchmarks.reproduce.folder import ReproductionFolder
from benchmarks.reproduce.page import TABLE
from ui.lab.draws import FILE

Figures = Mapping[str, float]

OF_THE_MACHINE = {"compiling.md", "results.md: figure4"}
"""Pages of nothing but times and peaks of memory: these belong to a machine, so nothing guards."""

NOT_COMPARED = {"seconds", "active leaves"}
"""Columns of times, and of numbers that change with the last bits of a processor's sums."""


@dataclass(frozen=True)
class Guarded:
    """A row, and how its command measures it."""

    page: str  # a file, and behind a colon the section where it has several
    row: str  # the row's first cells, as the page has them
    stored: Callable[[], Figures]  # what the page says, by column
    measure: Callable[[], Figures]  # what is measured now
    error: float  # how far the two may be apart, in the unit of the column
    data: str = ""  # what must be at hand; empty where it is drawn or comes with scikit-learn

    def differences(self) -> dict[str, tuple[float, float]]:
        """Measure the row, and return what is stored and what was found where these differ."""
        stored, found = self.stored(), self.measure()
        assert set(found) <= set(stored), f"{self.page}: no column {set(found) - set(stored)}"
        assert found, f"{self.page}: nothing was measured"
        return {
            column: (stored[column], value)
            for column, value in found.items()
            if not abs(stored[column] - value) <= self.error
        }


def number(cell: str) -> float:
    """Read the first number of a cell."""
    return float(re.findall(r"-?\d[\d,]*\.?\d*", cell)[0].replace(",", ""))


def figures_of(columns: tuple[str, ...] | list[str], cells: Any) -> dict[str, float]:
    """Numbers of a row by column, without words and what is not compared."""
    pairs = zip(columns, map(str, cells), strict=True)
    return {
        column: number(cell)
        for column, cell in pairs
        if column not in NOT_COMPARED and re.match(r"[-+]?\d", cell)
    }


def of_page(
    page: Page, keys: tuple[str, ...], measure: Callable[[], Any], error: float, data: str = ""
) -> Guarded:
    """Guard a row of a page whose command keeps rows one by one."""
    columns = page.columns[page.n_keys :]
    return Guarded(
        page.path.name,
        " | ".join(keys),
        lambda: figures_of(columns, page.rows()[keys][page.n_keys : -1]),
        lambda: figures_of(columns, measure()),
        error,
        data,
    )


def section_rows(name: str) -> list[dict[str, str]]:
    """The rows of the table of a figure, by the titles of its columns."""
    text = (PAPERS / name / TABLE).read_text(encoding="utf-8")
    header, _, *lines = [cells_of(line) for line in text.splitlines() if line.startswith("|")]
    return [dict(zip(header, cells, strict=True)) for cells in lines]


def of_figure(
    name: str,
    points: dict[str, Any],
    row: dict[str, str],
    columns: tuple[str, ...],
    error: float,
    data: str = "",
) -> list[Guarded]:
    """Guard columns of the row of a figure that has the cells of ``row``, by the columns' names.

    ``points`` is what the keys of the measured points behind it have in common; without such a
    point there is nothing to guard.
    """
    if not (PAPERS / name).exists():
        return []
    figure, folder = FIGURES[name], ReproductionFolder(PAPERS / name)
    keys = [point["key"] for point in folder.points if points.items() <= point["key"].items()]

    def stored() -> Figures:
        wanted = {figure.TITLES[column]: cell for column, cell in row.items()}
        (found,) = [r for r in section_rows(name) if wanted.items() <= r.items()]
        assert MARK not in found["measured"]
        return {column: number(found[figure.TITLES[column]]) for column in columns}

    def measure() -> Figures:
        setup = Setup(PaperData(), figure.DATASETS, depths=figure.DEPTHS, rows=folder.rows)
        rows = [r | {"measured": ""} for key in keys for r in figure.measure(key, setup)]
        table = figure.table(pd.DataFrame(rows))
        (found,) = [
            line
            for line in table.to_dict("records")
            if all(_same(line[key], value) for key, value in row.items())
        ]
        digits = figure.DIGITS  # as the page prints them
        return {column: round(float(found[column]), digits.get(column, 0)) for column in columns}

    guard = Guarded(f"results.md: {name}", str(row), stored, measure, error, data)
    return [guard] * bool(keys)


def _same(value: Any, cell: str) -> bool:
    return value == cell if isinstance(value, str) else value == float(cell)


def of_lines(page: str, path: Path, keys: dict, measure: Callable[[], dict], *rest: Any) -> Guarded:
    """Guard a line of a file of JSON lines from which a page is made."""
    columns, error, *data = rest

    def figures(found: dict) -> Figures:
        return {column: pd.Series(found[column]).mean() for column in columns}

    def stored() -> Figures:
        return figures(Lines(path, *keys).rows[tuple(keys.values())])

    return Guarded(page, str(keys), stored, lambda: figures(measure()), error, *data)


def candidates() -> dict:
    """What the candidates reach on the first fold of servo."""
    (table,) = tables.read_tables("reg", ["servo"])
    return ablation.measure(*table, tables.folds_of(table, 1))[0]


def xor_draws() -> dict:
    """The draws of XOR by which the file is guarded, measured."""
    return {name: run.mean for name, run in draws.draws("xor", 4).runs.items()}


def stored_draws() -> dict:
    """The same draws as the file has them."""
    lines = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
    (found,) = [one for one in lines if (one["data"], one["leaves"]) == ("xor", 4)]
    return {name: sum(run["accuracies"]) / draws.SEEDS for name, run in found["runs"].items()}


LINES = [
    ("tables.md", tables.RESULTS,
        {"table": "wine", "kind": "cls", "model": "auto"},
        lambda: tables.measure(tables.read_tables("cls", ["wine"])[0], "auto", 3),
        ("scores", "log_loss"), 0.01, "tables/cls/wine"),
    ("candidates.md", ablation.RESULTS,
        {"table": "servo", "kind": "reg", "fold": 0},
        candidates,
        ("inside", "outside"), 0.01, "tables/reg/servo"),
    ("intervals.md", intervals.RESULTS,
        {"kind": "reg", "table": "hill", "division": 0},
        partial(intervals.outcome, "reg", "hill", 0), ("inside", "expected"), 0.035),
]  # fmt: skip
"""Rows for :func:`of_lines`."""

POINTS = [
    ("figure2", {"dataset": "connect4", "method": "Axis-aligned"},
        {"dataset": "Connect4", "method": "Axis-aligned", "depth": "6"},
        ("test", "training", "leaves"), 0.1, "connect4"),
    ("figure3", {"depth": 10, "method": "SGD from cuts", "nu": 10},
        {"depth": "10", "method": "SGD from cuts", "nu": "10.00"}, ("start", "test"), 0.5, "mnist"),
    ("hinge-table2", {"problem": "iris", "method": "fern", "rule": "ours"},
        {"problem": "iris", "method": "hinge ferns"}, ("test", "best"), 0.1),
    ("hinge-table3", {"dataset": "usps", "kind": "fern", "rule": "paper"},
        {"problem": "usps", "method": "hinge ferns, as in the paper"}, ("test", "best"), 0.3,
        "usps"),
    ("hinge-figure3", {"dataset": "madelon", "depth": 1}, {"dataset": "madelon", "depth": "1"},
        ("least", "last"), 0.3, "madelon"),
    ("boosting", {"dataset": "digits", "model": "boosted CART", "step": "test"},
        {"dataset": "digits", "model": "boosted CART"}, ("error", "training"), 0.1),
    ("oc1-tree", {}, {"tree": "OC1, as on the slides"}, ("accuracy", "height"), 0.1),
    ("oc1-forest", {"tenths": 1}, {"share": "0.1", "forest": "OC1 forest"},
        ("accuracy", "deviation"), 0.1),
]  # fmt: skip
"""Rows for :func:`of_figure`.

Learning by chance ends elsewhere on another processor, whose sums differ in their last bits: its
rows may differ as much as runs of other seeds, and leaves, which differ more, are not compared.
"""

GUARDED = (
    of_page(
        accuracy.PAGE, ("Pendigits",), partial(accuracy.measure, "pendigits"), 0.3, "pendigits"
    ),
    of_page(
        inference.PAGE,
        ("digits", "12", "20", "axis"),
        partial(inference.measure, "digits"),
        0.02,
    ),
    of_page(
        inference.REACHED,
        ("digits", "6", "20", "10", "exact"),
        partial(inference.reached, "digits", 10.0, "exact"),
        0.3,
    ),
    of_page(methods.PAGE, ("axis", "digits"), partial(methods.measure, "axis", "digits"), 0.1),
    of_page(
        methods.PAGE, ("annealed", "digits"), partial(methods.measure, "annealed", "digits"), 0.3
    ),
    of_page(methods.PAGE, ("sgd", "stripes"), partial(methods.measure, "sgd", "stripes"), 0.3),
    *(of_lines(*row) for row in LINES),
    *(guard for row in POINTS for guard in of_figure(*row)),
    Guarded(FILE.name, "xor, 4 leaves", stored_draws, xor_draws, 0.001),
)
