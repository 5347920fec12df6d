"""The rows of a sweep as a page reads them: figures of single runs, and means over seeds."""

import json
import math
import statistics
from collections.abc import Callable, Hashable, Sequence
from dataclasses import dataclass
from typing import Any

from treecore.training import METHODS
from ui.jobs.run_title import long_title
from ui.language.translate import _, within


@dataclass(frozen=True)
class Dot:
    """One finished run of a sweep; good: accuracy or R² on validation, if final on test rows."""

    key: str
    settings: dict[str, Any]
    final: bool
    candidate: str
    good: float
    leaves: int
    seconds: float

    @property
    def method(self) -> str:
        return self.settings["method"]

    @property
    def title(self) -> str:
        return long_title(self.method)

    def get(self, name: str) -> float | None:
        """A setting that is a number; None where the method has none of this name."""
        value = self.settings.get(name)
        return value if isinstance(value, int | float) and not isinstance(value, bool) else None

    def settings_text(self, names: Sequence[str]) -> str:
        """Its method and the settings of these names, in words."""
        parts = [self.title]
        labels = {"seed": "Seed"} | {s.name: s.label for s in METHODS[self.method].definitions()}
        for name in names:
            if name != "method" and (value := self.settings.get(name)) is not None:
                shown = f"{value:g}" if isinstance(value, int | float) else value
                label = _(labels.get(name, name)).split(" (")[0]
                parts.append(f"{within(label) if len(label) > 1 else label} {shown}")
        return ", ".join(parts)


@dataclass(frozen=True)
class RunsTable:
    """What a sweep has found; dots: runs of the longest rung; varying: settings that differ."""

    dots: tuple[Dot, ...]
    failed: tuple[tuple[str, str], ...]
    numbers: bool
    varying: tuple[str, ...]

    @property
    def good_title(self) -> str:
        return "R²" if self.numbers else _("Accuracy")

    def dot(self, key: str | None) -> Dot | None:
        return next((dot for dot in self.dots if dot.key == key), None)


def table_of(rows: Sequence[dict[str, Any]]) -> RunsTable:
    """What the rows of a sweep say; those that make no sense are left out."""
    failed = tuple((str(r.get("method")), str(r["error"])) for r in rows if r.get("error"))
    fine = [row for row in rows if not row.get("error")]
    rung = max((row.get("rung") or 0 for row in fine if row.get("stage") == "search"), default=0)
    dots = []
    for row in fine:
        if row.get("stage") == "search" and (row.get("rung") or 0) < rung:
            continue
        if (dot := _dot(row)) is not None:
            dots.append(dot)
    numbers = any(row.get("r2") is not None for row in fine)
    return RunsTable(tuple(dots), failed, numbers, _varying(dots))


def _dot(row: dict[str, Any]) -> Dot | None:
    final = row.get("stage") == "final"
    part = "test" if final else "validation"
    good = row.get(f"{part}_accuracy")
    good = row.get(f"{part}_r2") if good is None else good
    try:
        if good is None or not math.isfinite(good):
            return None
        settings = json.loads(row["settings"])
        if settings["method"] not in METHODS or not row["key"].isalnum():
            return None  # the key is a file's name
        return Dot(
            row["key"],
            settings,
            final,
            str(row["candidate"]),
            float(good),
            int(row.get("active_leaves") or row["n_leaves"]),
            float(row["seconds"]),
        )
    except (KeyError, TypeError, ValueError, AttributeError):
        return None


def _varying(dots: Sequence[Dot]) -> tuple[str, ...]:
    """Names in which runs of a method differ, and the method; that and the depth come first."""
    names = dict.fromkeys(("method", "depth", "nu", "eta"))
    names |= dict.fromkeys(name for dot in dots for name in dot.settings)
    by_method = grouped(dots, lambda dot: dot.method)

    def differs(name: str) -> bool:
        if name == "method":
            return len(by_method) > 1
        return any(
            len({json.dumps(run.settings.get(name)) for run in runs}) > 1
            for runs in by_method.values()
        )

    return tuple(name for name in names if differs(name))


@dataclass(frozen=True)
class Mean:
    """A figure over ``n`` runs, its bar below and above, and the key of the nearest run."""

    x: float
    mean: float
    below: float
    above: float
    n: int
    text: str
    nearest: str


def mean_of(
    x: float,
    dots: Sequence[Dot],
    figure: Callable[[Dot], float],
    text: str = "",
    is_count: bool = False,
) -> Mean:
    """Mean and sample's deviation of a figure; is_count: to the least and the greatest."""
    values = [figure(dot) for dot in dots]
    mean = statistics.fmean(values)
    below = above = statistics.stdev(values) if len(values) > 1 else 0.0
    if is_count:
        below, above = mean - min(values), max(values) - mean
    nearest = min(dots, key=lambda dot: abs(figure(dot) - mean))
    return Mean(x, mean, below, above, len(values), text, nearest.key)


def grouped(dots: Sequence[Dot], by: Callable[[Dot], Hashable]) -> dict[Any, list[Dot]]:
    found: dict[Any, list[Dot]] = {}
    for dot in dots:
        found.setdefault(by(dot), []).append(dot)
    return found


def best_by_depth(dots: Sequence[Dot], varying: Sequence[str]) -> list[Mean]:
    """For every depth the candidate of the best mean; as the papers draw it."""
    line = []
    for depth, of_depth in sorted(grouped(dots, lambda dot: dot.get("depth")).items()):
        runs = max(
            grouped(of_depth, lambda dot: dot.candidate).values(),
            key=lambda runs: statistics.fmean(run.good for run in runs),
        )
        text = runs[0].settings_text([name for name in varying if name != "seed"])
        line.append(mean_of(depth, runs, lambda dot: dot.good, text))
    return line


def frontier(dots: Sequence[Dot]) -> list[Dot]:
    """Runs than which no smaller one is as good, from the smallest on."""
    best, found = float("-inf"), []
    for dot in sorted(dots, key=lambda dot: (dot.leaves, -dot.good)):
        if dot.good > best:
            best = dot.good
            found.append(dot)
    return found
