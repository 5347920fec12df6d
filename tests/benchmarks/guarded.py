"""Rows of results that a slow test measures again, one cheap row of every page at least."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any

import pandas as pd

from benchmarks import (
    ablation,
    accuracy,
    bound_search,
    bound_variants,
    budgets,
    digits,
    distillation,
    draws,
    forests,
    inference,
    intervals,
    linear_leaves,
    methods,
    tables,
)
from benchmarks.data import PaperData
from benchmarks.marks import MARK, ROOT, cells_of
from benchmarks.pages import Page
from benchmarks.peers import LEARNERS
from benchmarks.reproduce import boosting
from benchmarks.reproduce.__main__ import FIGURES
from benchmarks.reproduce.figure import Setup
from benchmarks.reproduce.forest_models import flat
from ui.lab.draws import FILE

Figures = Mapping[str, float]

OF_THE_MACHINE = {
    *("compiling.md", "growth.md", "hinge_speed.md", "predictions.md", "roofline.md"),
    *("memory.md", "results.md: figure4"),
}
"""Pages of nothing but times and peaks of memory: these belong to a machine, so nothing guards."""


@dataclass(frozen=True)
class Guarded:
    """A row, and how its command measures it.

    - page: a file, and behind a colon the section where it has several.
    - row: the row's first cells, as the page has them.
    - stored, measure: what the page says, and what is measured now, by column.
    - error: how far the two may be apart, in the unit of the column.
    - data: what must be at hand; empty where it is drawn or comes with scikit-learn.
    """

    page: str
    row: str
    stored: Callable[[], Figures]
    measure: Callable[[], Figures]
    error: float
    data: str = ""

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
    """Numbers of a row by column, without words and times."""
    pairs = zip(columns, map(str, cells), strict=True)
    return {
        column: number(cell)
        for column, cell in pairs
        if column != "seconds" and re.match(r"[-+]?\d", cell)
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
    """The rows that ``docs/results.md`` has of a figure, by the figure's names of columns."""
    text = (ROOT / "docs/results.md").read_text(encoding="utf-8")
    section = text.split(f"\n## {name}: ")[1].split("\n## ")[0]
    lines = [cells_of(line) for line in section.splitlines() if line.startswith("|")][2:]
    return [dict(zip(FIGURES[name].titles, cells, strict=True)) for cells in lines]


def of_figure(
    name: str,
    keys: list[dict],
    row: dict[str, Any],
    columns: tuple[str, ...],
    error: float,
    depths: tuple[int, ...] = (),
    before: Callable[[], list[dict]] = list,
    data: str = "",
) -> Guarded:
    """Guard columns of the rows of a figure that have the cells of ``row``.

    ``keys`` are the figure's points behind them, ``before`` gives the rows that these build on.
    """
    figure = FIGURES[name]

    def stored() -> Figures:
        (found,) = [r for r in section_rows(name) if row.items() <= r.items()]
        assert MARK not in found["measured"]
        return {column: number(found[column]) for column in columns}

    def measure() -> Figures:
        datasets = tuple({key.get("dataset", figure.datasets[0]) for key in keys})
        setup = Setup(PaperData(), datasets, depths=depths, rows=before())
        rows = [r | {"measured": ""} for key in keys for r in figure.measure(key, setup)]
        table = figure.table(pd.DataFrame(rows))
        own = [
            line
            for line in table.to_dict("records")
            if all(_same(line[key], value) for key, value in row.items())
        ]
        (found,) = own
        return {column: float(found[column]) for column in columns}

    return Guarded(f"results.md: {name}", str(row), stored, measure, error, data)


def _same(value: Any, cell: str) -> bool:
    return value == cell if isinstance(value, str) else value == float(cell)


def of_lines(
    page: str, lines: Callable[[], list[dict]], keys: dict, measure: Callable[[], dict], *rest: Any
) -> Guarded:
    """Guard a line of a file of JSON lines from which a page is made."""
    columns, error, data = rest

    def figures(found: dict) -> Figures:
        return {column: pd.Series(found[column]).mean() for column in columns}

    def stored() -> Figures:
        return figures(next(line for line in lines() if keys.items() <= line.items()))

    return Guarded(page, str(keys), stored, lambda: figures(measure()), error, data)


def distilled() -> dict:
    """The annealed tree that a teacher of wine has taught."""
    (table,) = tables.read_tables("cls", ["wine"])
    lines = distillation.measure(table, 3)
    return next(line for line in lines if line["model"] == "annealed, distilled")


def budget() -> list[str]:
    """Accuracy on Letter of the axis-aligned tree at its greatest effort."""
    training, test = budgets.parts_of("letter", PaperData())
    learner = LEARNERS["treecore, axis"]
    predict = learner.fit(*training, learner.efforts[-1])
    return ["", "", f"{100 * float((predict(test.X) == test.y).mean()):.1f}"]


def boosting_choice() -> list[dict]:
    """The settings that the page has of :data:`BOOSTED`, as the row of a choice."""
    row = next(row for row in section_rows("boosting") if BOOSTED.items() <= row.items())
    candidates = boosting.models(BOOSTED["dataset"])[BOOSTED["model"]].candidates
    reported = [", ".join(f"{k}={v}" for k, v in flat(one).items()) for one in candidates]
    return [{**BOOSTED, "step": "choice", "chosen": reported.index(row["settings"])}]


def xor_draws() -> dict:
    """The draws of XOR by which the file is guarded, measured."""
    return {name: run.mean for name, run in draws.draws("xor", 4).runs.items()}


def stored_draws() -> dict:
    """The same draws as the file has them."""
    lines = map(json.loads, FILE.read_text(encoding="utf-8").splitlines())
    (found,) = [one for one in lines if (one["data"], one["leaves"]) == ("xor", 4)]
    return {name: sum(run["accuracies"]) / draws.SEEDS for name, run in found["runs"].items()}


BOOSTED_ON_MNIST = boosting.models("mnist")["boosted annealed"]
BOOSTED = {"dataset": "digits", "model": "boosted annealed"}

GUARDED = (
    of_page(
        accuracy.PAGE, ("Pendigits",), partial(accuracy.measure, "pendigits"), 0.3, "pendigits"
    ),
    of_page(bound_search.PAGE, ("iris", "6"), partial(bound_search.measure, "iris", 6), 0.3),
    of_page(
        bound_variants.PAGE,
        ("letter", "8", "CO2, the start"),
        partial(bound_variants.measure, "letter", 8, "CO2, the start"),
        0.3,
        "letter",
    ),
    of_page(budgets.PAGE, ("letter", "treecore, axis"), budget, 0.1, "letter"),
    of_page(digits.PAGE, ("digits", "8"), digits.measure, 0.3),
    of_page(
        forests.PAGE,
        ("mnist", "5,000", "boosted annealed", "3"),
        lambda: forests.measure("mnist", BOOSTED_ON_MNIST, 3, True, 5000)[0][4:],
        0.3,
        "mnist",
    ),
    of_page(
        inference.PAGE,
        ("digits", "12", "20", "axis"),
        partial(inference.measure, "digits", 12, 20, "axis"),
        0.02,
    ),
    of_page(methods.PAGE, ("axis", "digits"), partial(methods.measure, "axis", "digits"), 0.1),
    of_page(
        methods.PAGE, ("annealed", "digits"), partial(methods.measure, "annealed", "digits"), 0.3
    ),
    of_page(methods.PAGE, ("sgd", "stripes"), partial(methods.measure, "sgd", "stripes"), 0.3),
    of_lines(
        "tables.md",
        lambda: list(tables.Outcomes(tables.RESULTS).rows.values()),
        {"table": "wine", "kind": "cls", "model": "auto"},
        lambda: tables.measure(tables.read_tables("cls", ["wine"])[0], "auto", 3),
        ("scores", "log_loss"),
        0.01,
        "tables/cls/wine",
    ),
    of_lines(
        "candidates.md",
        lambda: linear_leaves.read_lines(ablation.RESULTS),
        {"table": "servo", "kind": "reg", "fold": 0},
        lambda: tables.ablated("reg", tables.read_tables("reg", ["servo"])[0])[0],
        ("inside", "outside"),
        0.01,
        "tables/reg/servo",
    ),
    of_lines(
        "linear_leaves.md",
        lambda: linear_leaves.read_lines(linear_leaves.RESULTS),
        {"table": "servo", "split": 0, "model": "linear"},
        partial(linear_leaves.outcome, "servo", 0, "linear"),
        ("r2",),
        0.01,
        "tables/reg/servo",
    ),
    of_lines(
        "linear_leaves.md",
        lambda: linear_leaves.read_lines(linear_leaves.OF_CLASSES),
        {"table": "heart", "split": 0, "model": "annealed, linear"},
        partial(linear_leaves.outcome_of_classes, "heart", 0, "annealed, linear"),
        ("accuracy", "log_loss"),
        0.02,
        "tables/cls/heart",
    ),
    of_lines(
        "intervals.md",
        lambda: linear_leaves.read_lines(intervals.RESULTS),
        {"kind": "reg", "table": "servo", "division": 0},
        partial(intervals.outcome, "reg", "servo", 0),
        ("inside", "root_inside"),
        0.035,
        "tables/reg/servo",
    ),
    of_lines(
        "distillation.md",
        lambda: linear_leaves.read_lines(distillation.RESULTS),
        {"kind": "cls", "table": "wine", "model": "annealed, distilled"},
        distilled,
        ("scores",),
        0.03,
        "tables/cls/wine",
    ),
    of_figure(
        "figure2",
        [{"dataset": "connect4", "method": "Axis-aligned"}],
        {"dataset": "Connect4", "method": "Axis-aligned", "depth": "6"},
        ("test", "training", "leaves"),
        0.1,
        depths=(6,),
        data="connect4",
    ),
    of_figure(
        "figure3",
        [{"depth": 10, "method": "sgd", "nu": 10}],
        {"depth": "10", "method": "SGD", "nu": "10.00"},
        ("leaves", "start", "test"),
        0.5,
        depths=(10,),
        data="mnist",
    ),
    of_figure(
        "hinge-table2",
        [{"problem": "iris", "method": "fern", "run": run} for run in range(15)],
        {"problem": "iris", "method": "hinge ferns"},
        ("test", "deviation", "best"),
        0.1,
    ),
    of_figure(
        "hinge-table3",
        [{"dataset": "letter", "kind": "fern", "step": "test", "seed": seed} for seed in range(3)],
        {"problem": "letter", "method": "hinge ferns"},
        ("test", "deviation", "best"),
        0.05,
        before=lambda: [{"dataset": "letter", "kind": "fern", "step": "choice", "chosen": 1}],
        data="letter",
    ),
    of_figure(
        "boosting",
        [{**BOOSTED, "step": "test", "seed": seed} for seed in range(3)],
        BOOSTED,
        ("error", "deviation"),
        0.1,
        before=boosting_choice,
    ),
    of_figure(
        "oc1-forest",
        [{"tenths": 1, "seed": seed} for seed in range(25)],
        {"share": "0.1", "forest": "OC1 forest"},
        ("accuracy", "deviation"),
        0.1,
    ),
    Guarded(FILE.name, "xor, 4 leaves", stored_draws, xor_draws, 0.001),
)
