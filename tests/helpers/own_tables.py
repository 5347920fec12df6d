"""Random tables as people keep them, in text: words, dates, units, holes and awkward names."""

from __future__ import annotations

import csv
import io
from datetime import datetime, timedelta
from typing import NamedTuple

import numpy as np

NAMES = (
    "size", 'the "size"', "it's", "a=b", "Größe", "{x}", "x;y", "--", "select", "日本", "a %d",
    "x\\", "*/", "</script>", "$1", "??/", "two  blanks", "original", "data", "NULL"
)  # fmt: skip

LABELS = (
    ("yes", "no"),
    ('"quoted"', "it's", "both '\""),
    ("ja", "nein", "vielleicht ü", "日本", "\u2028"),
    ("one\nline", "two\nlines"),
    ("9007199254740993", "9007199254740995"),
    ("1", "2", "3"),
    ("0.5", "1.5"),
    ("007", "7a"),
    ("-", "."),
    ("True", "False"),
    ("--", "*/", "</script>", "\\"),
)

WORDS = (
    "red", "blue", "green", "it's", '"q"', "a,b", "ü", "x=y", "Red", "1A", "%", "\\n",
    "tru", "-"
)  # fmt: skip
MISSING = ("", "NA", "?", "n/a", "NaN", "null", " ")
DATES = (
    "%Y-%m-%d", "%Y/%m/%d", "%d.%m.%Y", "%m/%d/%Y", "%d-%m-%Y", "%Y-%m-%d %H:%M",
    "%Y-%m-%dT%H:%M:%S", "%d.%m.%Y %H:%M:%S", "%Y-%m-%d %H:%M:%S.%f", "%H:%M", "%H:%M:%S"
)  # fmt: skip


class OwnTable(NamedTuple):
    """A table as text, its cells, and its target, the last column."""

    content: bytes
    names: list[str]
    rows: list[list[str]]
    separator: str


def random_own_table(seed: int) -> OwnTable:
    """A table whose target depends on its first columns."""
    rng = np.random.default_rng(seed)
    n, p = int(rng.integers(30, 90)), int(rng.integers(1, 5))
    comma = bool(rng.random() < 0.25)
    names = [str(name) for name in rng.choice(NAMES, p + 1, replace=False)]
    columns, signal = [], np.zeros(n)
    for _ in range(p):
        cells, numbers = _column(rng, n, comma)
        signal += rng.normal() * (numbers - numbers.mean()) / (numbers.std() or 1)
        columns.append(_with_holes(rng, cells))
    columns.append(_target(rng, signal, comma))
    rows = [list(row) for row in zip(*columns, strict=True)]
    separator = ";" if comma else str(rng.choice([",", ";", "\t"]))
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator, lineterminator="\n")
    writer.writerows([names, *rows])
    return OwnTable(text.getvalue().encode(), names, rows, separator)


def _column(rng: np.random.Generator, n: int, comma: bool) -> tuple[list[str], np.ndarray]:
    """Cells of one kind, and numbers that go with them."""
    kind = rng.integers(5)
    if kind == 0:
        words = rng.choice(WORDS, int(rng.integers(2, 6)), replace=False)
        places = rng.integers(len(words), size=n)
        return [str(words[place]) for place in places], places.astype(float)
    if kind == 1:
        return _dates(rng, n)
    scale = 10.0 ** rng.integers(-3, 8)
    numbers = scale * (rng.normal(size=n) if rng.random() < 0.7 else rng.integers(1, 9, n))
    cells = [_written(rng, number) for number in numbers]
    if kind == 2:
        numbers = np.abs(scale * rng.normal(size=n)).round(2)
        marked = scale >= 1e3
        cells = [f"{v:,.2f}" if marked else f"{v:.2f}" for v in numbers]
    if comma:
        cells = [c.translate(str.maketrans(",.", ".,")) for c in cells]
    if kind == 3:
        unit = str(rng.choice(["kg", "%", "€", "years", "m2", "km/h", "$", "EUR"]))
        before = unit in "€$" and rng.random() < 0.5
        cells = [f"{unit} {c}" if before else f"{c} {unit}" for c in cells]
    if rng.random() < 0.2:
        cells = [c.replace("-", "\u2212") if "e-" not in c else c for c in cells]
    return cells, numbers


def _written(rng: np.random.Generator, number: float) -> str:
    form = rng.integers(4)
    if form == 0:
        return repr(float(number))
    return f"{number:.{form}f}" if form < 3 else f"{number:+.6g}"


def _dates(rng: np.random.Generator, n: int) -> tuple[list[str], np.ndarray]:
    form, days = str(rng.choice(DATES)), rng.integers(-9000, 25_000) + rng.integers(0, 400, n)
    seconds = rng.integers(0, 86_400, n)
    start = datetime(1970, 1, 1)
    cells = [
        (start + timedelta(days=int(d), seconds=int(s), milliseconds=250)).strftime(form)
        for d, s in zip(days, seconds, strict=True)
    ]
    if rng.random() < 0.4 and not form.startswith("%H") and "%f" not in form:
        cells = [c.replace(".0", ".").replace("-0", "-").replace("/0", "/") for c in cells]
    return cells, days + seconds / 86_400 if "%d" in form else seconds.astype(float)


def _with_holes(rng: np.random.Generator, cells: list[str]) -> list[str]:
    share, word = rng.choice([0.0, 0.0, 0.1, 0.3]), str(rng.choice(MISSING))
    odd = {int(rng.integers(len(cells))): "odd"} if rng.random() < 0.2 else {}
    blanks = " " if rng.random() < 0.1 else ""
    return [
        word if rng.random() < share else blanks + odd.get(i, cell) + blanks
        for i, cell in enumerate(cells)
    ]


def _target(rng: np.random.Generator, signal: np.ndarray, comma: bool) -> list[str]:
    if rng.random() < 0.3:
        offset = rng.choice([0, 0, 1e6])
        cells = [f"{offset + v:.4f}" for v in signal]
        return [c.replace(".", ",") for c in cells] if comma else cells
    labels = LABELS[rng.integers(len(LABELS))]
    edges = np.quantile(signal, np.arange(1, len(labels)) / len(labels))
    places = np.searchsorted(edges, signal)
    places[:9] = np.arange(9) % len(labels)  # every label is there
    return [labels[place] for place in places]
