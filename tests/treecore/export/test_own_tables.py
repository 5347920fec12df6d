"""Every export answers as ``treecore predict`` does on the table that people have, in text."""

import csv
import dataclasses
import io
import re
import sqlite3
from contextlib import closing
from datetime import datetime, timedelta
from itertools import product
from pathlib import Path
from types import SimpleNamespace
from typing import NamedTuple

import numpy as np
import pyarrow as pa
import pytest
from numpy.testing import assert_allclose

from tests.helpers.cases import case
from tests.helpers.exports import random_model
from treecore.data.readers.cells import NumberForm
from treecore.data.readers.columns import CategoryColumn, DateColumn, NumberColumn
from treecore.data.readers.dates import DATE_FORMATS
from treecore.export import FORMATS
from treecore.export.programs.sql_columns import sql_columns
from treecore.persistence import TreeFormatError, load
from treecore.persistence.columns import read_columns, write_columns
from treecore.persistence.values import Values

# Random tables as people keep them, in text: words, dates, units, holes and awkward names.

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


# Exports of trees that have learnt from them.


def trained(shell, table, seed):
    """Have the command line learn ``m.json`` from ``t.csv``, a table."""
    Path("t.csv").write_bytes(table.content)
    words = ("--header", "-m", "tao" if seed % 4 == 3 else "axis", "--depth", 1 + seed % 4)
    shell("train", "t.csv", *words, "-q", "--target", table.names[-1], "-o", "m.json")


@pytest.mark.parametrize("seeds", [range(6), pytest.param(range(6, 200), marks=pytest.mark.slow)])
def test_every_program_answers_as_predict_does_on_the_table(seeds, shell):
    for seed in seeds:
        with case(seed=seed):
            trained(shell, random_own_table(seed), seed)
            for name in ("sql", "py", "sklearn", "onnx") + ("c", "js") * (seed % 5 == 0):
                said = shell("export", "m.json", "out", "--to", name, "--check", "t.csv").stderr
                assert "predicts like treecore predict" in said


@pytest.mark.parametrize("typed", [False, True])
def test_duckdb_answers_alike_whether_its_columns_are_text_or_typed(typed, shell):
    duckdb = pytest.importorskip("duckdb")
    for seed in range(4):
        with case(seed=seed):
            table = random_own_table(seed)
            trained(shell, table, 4 * seed)
            with duckdb.connect() as base:
                base.execute(
                    "CREATE TABLE data AS SELECT * FROM read_csv('t.csv', header=true, "
                    f"delim={table.separator!r}, all_varchar={not typed}, quote='\"', escape='\"')"
                )
                found = base.execute(FORMATS["sql"].write(load("m.json")).decode()).fetchall()
            said = csv.reader(io.StringIO(shell("predict", "m.json", "t.csv").stdout))
            found, wanted = [row[-1] for row in found], [row[0] for row in said][1:]
            if load("m.json").class_names:
                assert found == wanted
            else:
                assert_allclose(np.array(found, float), np.array(wanted, float), rtol=1e-6)


def read_by_sqlite(column, cells):
    """What a query reads of a column of text."""
    made = sql_columns(SimpleNamespace(columns=[column]), [0])
    tables, last = made.tables("data")
    before = f"WITH {tables.rstrip().rstrip(',')} " if tables else ""
    with closing(sqlite3.connect(":memory:")) as base:
        base.execute(f'CREATE TABLE "data" ("{column.name}" TEXT)')
        base.executemany('INSERT INTO "data" VALUES (?)', [(cell,) for cell in cells])
        found = base.execute(f'{before}SELECT {made.features[0]} FROM "{last}" AS original')
        return np.array([np.nan if v is None else v for (v,) in found], dtype=float)


def read_by_treecore(column, cells):
    return column.encode(pa.array(cells, pa.string()))[:, 0]


@pytest.mark.parametrize(
    ("words", "found"), [(("no", "yes"), [1, 0, 1, 0, 0]), (("T", "yes"), [0, 0, 0, 0, 1])]
)
def test_truth_values_of_a_database_are_the_words_that_it_made_them_of(words, found):
    cells = ["no", "yes", "false", "true", "T"]
    assert read_by_sqlite(CategoryColumn("member", words), cells).tolist() == found


NUMBERS = ("1", "-1", "+1.5", "1.", ".5", "1e5", "1.5E-3", "-.5e+3", "", " 7 ", "NA", "nan", "inf",
           "1-2", "--1", "+-1", "1e", "e5", ".", "-", "1.2.3", "5more", "2005-01", "0x10", "1e+-5",
           "\u22123", "1 2", "9" * 30, "0." + "1" * 60)  # fmt: skip


@pytest.mark.parametrize(
    ("form", "cells"),
    [
        (NumberForm(), NUMBERS),
        (NumberForm(comma=True), ("1,5", "-1,5e3", "1.5", "1,5,6", ",5", "7", "x", "")),
        (
            NumberForm(marks=True),
            ("1,234.5", "12,345,678", "1,23", "1234", "1,2345", "1234,567", "1'234", "1 234",
             "-1,234e2", "--1,234", "5.1,2", "12,345,67", ""),
        ),
        (NumberForm(comma=True, marks=True), ("1.234,5", "1.234.567", "1.23", "12,5", "1.234")),
        (NumberForm(unit="kg"), ("42 kg", "42kg", "-1.5 kg", "kg", "42 g", "1e3 kg", "4\u00a0kg")),
        (NumberForm(unit="%"), ("12 %", "12%", "-3.5 %", "% 3")),
        (NumberForm(unit="years"), ("1 year", "2 years", "3 yea", "4 years ")),
        (NumberForm(unit="€"), ("€ 12", "12 €", "-€5", "5", "€", "$ 5", "€ -3", "12€")),
        (NumberForm(comma=True, marks=True, unit="EUR"), ("1.234,5 EUR", "EUR 12", "3,5", "7 USD")),
    ],
)  # fmt: skip
def test_sql_reads_numbers_as_treecore_does(form, cells):
    column = NumberColumn("x", form)
    assert_allclose(read_by_sqlite(column, cells), read_by_treecore(column, cells), rtol=1e-15)


CLOCKS = (
    "0:00", "9:05", "23:59:59", "24:00", "12:60", "12:30:05.25", "12:30:60", "12:30:05.",
    "7"
)  # fmt: skip
DAYS = (
    "2024-01-05", "2024-2-29", "2023-02-29", "1999-12-31", "1900-02-29", "2000-02-29",
    "9-1-1", "2024-13-01", "2024-00-10", "05.01.2024", "5.1.2024", "31.04.2024",
    "1/2/2024", "12/31/1969", "2024/1/5", "5-1-2024", "05-13-2024", "0001-01-01",
    "9999-12-31", "05.01.24", "1/2/99", "5-1-36", "24-01-05", "37/1/5", "01/24", "2024-01",
    "2024/01", "01/2024", "1-2024", "20240105", "NA", "x", ""
)  # fmt: skip


def test_sql_reads_dates_and_times_as_treecore_does_or_refuses_them():
    cells = [
        *DAYS,
        *CLOCKS,
        *(f"{day}{t}{clock}" for day in DAYS for clock in CLOCKS for t in " T"),
    ]
    for form in DATE_FORMATS:
        with case(form=form):
            column = DateColumn("x", form, 1937 if "%y" in form else 0)
            if set(form) & set("bIz"):
                with pytest.raises(TreeFormatError, match="which the query cannot read"):
                    read_by_sqlite(column, cells)
                continue
            found = read_by_sqlite(column, cells)
            wanted = read_by_treecore(column, cells)
            # What databases themselves write is read in a column of any form.
            own = ~np.isnan(wanted)
            assert own.any()
            assert_allclose(found[own], wanted[own], rtol=1e-15)
            others = np.array(cells)[~own & ~np.isnan(found)].tolist()
            iso = r"\d{4}-\d\d-\d\d( \d\d:\d\d:\d\d(\.\d+)?)?|\d\d:\d\d:\d\d(\.\d+)?"
            assert all(re.fullmatch(iso, other.strip()) for other in others), others


def test_columns_that_databases_do_not_tell_apart_are_refused():
    document = random_model(0, "classes", n_features=2)
    for names, sentence in (
        (("A", "a"), "differ in case only"),
        (("", "a"), "called ''"),
        (("TRUE", "a"), "called 'TRUE': rename it"),
        (("treecore leaf 1", "a"), "calls its own columns treecore"),
    ):
        with pytest.raises(TreeFormatError, match=sentence):
            FORMATS["sql"].write(dataclasses.replace(document, feature_names=names))


def test_a_file_keeps_how_numbers_are_written():
    columns = tuple(
        NumberColumn(f"x{i}", NumberForm(comma, marks, unit))
        for i, (comma, marks, unit) in enumerate(product((False, True), (False, True), ("", "kg")))
    )
    assert read_columns(Values([{"columns": write_columns(columns)}], str)) == columns


def test_what_answers_otherwise_is_refused_and_nothing_is_written(shell, monkeypatch):
    Path("t.csv").write_text("x,y\n" + "".join(f"{i},{'ab'[i > 9]}\n" for i in range(20)))
    shell("train", "t.csv", "-m", "axis", "-o", "m.json")
    wrong = dataclasses.replace(FORMATS["py"], write=lambda _: b"predict = lambda x: 'a'")
    monkeypatch.setitem(FORMATS, "py", wrong)
    said = shell("export", "m.json", "m.py", "--check", "t.csv", code=1).stderr
    assert "answers 10 of 20 rows differently from treecore predict: rows 11, 12" in said
    assert not Path("m.py").exists()
    said = shell("export", "m.json", "m.txt", "--check", "t.csv", code=1).stderr
    assert "Text cannot be run: leave out --check" in said
