"""What columns mean, whatever file they are in, and the dataset that follows.

- numbers are numbers; a feature of text with at least half of its cells numbers is numeric as well,
  and many other cells in it an error; with fewer it becomes one feature of zeros and ones per
  category. Where the file's separator is not a comma, a column may use a decimal comma;
- text of which nearly every cell is a date, all written in one way, is one feature of days, and
  times of day are one of hours; numbers may have marks between their thousands, and the same unit
  behind nearly each of them, a percent sign, that of a currency, or a word;
- a few cells that are no numbers or dates in a column of them, or infinite where the file is text,
  are read as missing, as are more of them where they are all the same word;
- a target of many different numbers is a quantity, any other one holds classes; the caller may
  say which of the two it is. Classes written with leading zeros are names: 007 is not 7;
- a missing number stays missing, a missing text belongs to no category, and a row whose target is
  missing is left out;
- nothing is repaired in silence: what was left out or named is told in the dataset's notes.

One pass over the columns of text says all this; from then on the rows come as blocks of numbers. A
whole table is written into one matrix (:mod:`treecore.data.readers.whole`).
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import pyarrow as pa

from treecore.data.readers.cells import (
    Slips,
    TextSummary,
    and_more,
    check_range,
    count_of,
    known_text,
)
from treecore.data.readers.columns import CategoryColumn, Column, DateColumn, NumberColumn
from treecore.data.readers.dates import ISO, kind_of, unit_of
from treecore.data.readers.ranges import ColumnReport, NumberRange
from treecore.data.readers.table import (
    Table,
    TableError,
    Unusable,
    few,
    quoted,
    repeated,
)
from treecore.data.readers.targets import TASKS, Target, find_target

MAX_CATEGORIES = 50
_NUMBERS_ROWS = re.compile(r"(?i)(id|index|nr|no|number|row|#)[._ ]*$")
"""Names of columns that hold the number of the row, if they count; others that do may be time."""

UNUSABLE = ("refuse", "drop")

_T = TypeVar("_T")


class Block(NamedTuple):
    """Some rows that follow one another.

    Attributes
    ----------
    X : float64 array, shape (n_rows, n_features), or CSR
    y : array, shape (n_rows,)
        Classes, int64, or numbers, float64.
    rows : int64 array, shape (n_rows,)
        Their numbers in the table, from 0.
    """

    X: np.ndarray
    y: np.ndarray
    rows: np.ndarray


class EncodedTable:
    """A table to learn from, looked over and ready to be read in blocks any number of times.

    Parameters
    ----------
    table : Table
    target : str or None
        As for :func:`treecore.data.readers.csv.read_csv`, as is ``task``.
    unusable : {"refuse", "drop"}
        What becomes of a table of which a column cannot be learnt from: it is refused, or such
        columns are left out, as are those that are of no use, and told in ``reports``.
    in_pieces : bool
        Whether the blocks are not to be joined, so that there may be any number of rows.

    Attributes
    ----------
    table : Table
    target : Target
    features : list of NumberColumn, CategoryColumn and DateColumn
    feature_names : tuple of str
    n_rows : int
        Those with a target; no others come.
    n_missing : int
        Rows without a target.
    empty : list of str
        The columns without any value.
    left_out : dict
        Why columns cannot be learnt from, in a few words, by name; none where they are refused.
    slips : dict
        What is no number or date in columns of them, and is read as missing.

    Raises
    ------
    TableError
        In one sentence, where the table cannot be learnt from.
    """

    sparse = False

    def __init__(
        self,
        table: Table,
        target: str | None = None,
        task: str | None = None,
        unusable: str = "refuse",
        *,
        in_pieces: bool = False,
    ):
        if task not in (None, *TASKS):
            raise ValueError(f"task={task!r} must be None or one of {', '.join(TASKS)}")
        if unusable not in UNUSABLE:
            raise ValueError(f"unusable={unusable!r} must be one of {', '.join(UNUSABLE)}")
        table.reading.check(table.columns, target)
        dropped = table.reading.left_out
        columns = tuple(name for name in table.columns if name not in dropped)
        self.table, self.target = table, Target(table, find_target(columns, target))
        self._in_pieces, self._forgiving = in_pieces, unusable == "drop"
        self.left_out: dict[str, str] = {}
        self.slips: dict[str, Slips] = {}
        features = [name for name in columns if name != self.target.name]
        self._columns = features
        if self._forgiving:
            held = {name: table.unreadable[name] for name in features if name in table.unreadable}
            self.left_out = {name: f"holds cells of the type {kind}" for name, kind in held.items()}
            self._columns = [name for name in features if name not in held]
        if not self._forgiving:
            for place, name in enumerate(self._columns):  # before anything is read
                self._check_size(name, place + 1, table.n_rows)
        texts = [name for name in self._columns if name in table.texts]
        self._summaries = {name: TextSummary(table.decimal_comma) for name in texts}
        self._n_read = 0
        groups: list[Sequence[str]] = [*self.groups(texts)] or [[]]
        for group in groups:
            for batch, rows in self.labelled([*group, self.target.name]):
                if group is groups[0]:
                    self.target.add(batch.column(self.target.name), rows)
                for name in group:
                    self._summaries[name].add(known_text(batch.column(name)), rows)
        self.target.decide(task)
        self.n_rows, self.n_missing = self.target.n_known, self._n_read - self.target.n_known
        self._plan()

    def blocks(self, *, last: bool = False) -> Iterator[Block]:
        """All rows that have a target, in the order of the table; for the ``last`` time or not."""
        target = self.target.name
        columns = [*(column.name for column in self.features), target]
        for batch, rows in self.labelled(columns, last=last):
            X = np.ascontiguousarray(encoded(self.table, self.features, batch, rows))
            yield Block(X, self.target.encode(batch.column(target), rows), rows)

    def groups(self, columns: Sequence[_T]) -> Iterator[Sequence[_T]]:
        """Columns that are read together."""
        at_once = self.table.columns_at_once or max(1, len(columns))
        for start in range(0, len(columns), at_once):
            yield columns[start : start + at_once]

    def labelled(
        self, columns: Sequence[str], *, last: bool = False
    ) -> Iterator[tuple[pa.RecordBatch, np.ndarray]]:
        """Batches of the rows that have a target, and the numbers of these rows.

        A batch has the target as well where it is asked for, or some row has none.

        Parameters
        ----------
        columns : sequence of str
        last : bool
            As for :meth:`treecore.data.readers.table.Table.batches`.
        """
        start, target = 0, self.target.name
        if target not in columns and self.n_missing:
            columns = [*columns, target]
        for batch in self.table.batches(columns, [target], last=last):
            rows = np.arange(start, start + batch.num_rows)
            start += batch.num_rows
            if target in columns:
                known = self.target.known(batch.column(target))
                if not known.all():
                    batch, rows = batch.filter(pa.array(known)), rows[known]
            if len(rows):
                yield batch, rows
        self._n_read = start

    def _plan(self) -> None:
        self.features: list[Column] = []
        self.empty = [name for name, found in self._summaries.items() if found.n_known == 0]
        for name in self._columns:
            if name in self.empty:
                continue
            try:
                self.features.append(self._feature(name, self._summaries.get(name)))
            except Unusable as error:
                if not self._forgiving:
                    raise
                self.left_out[name] = error.why
        if self._forgiving:
            self._leave_out_useless()
        elif self._in_pieces:
            self.leave_out_empty(self._without_numbers())
        self._name_features()

    def leave_out_empty(self, empty: Collection[str]) -> None:
        """Leave out columns that have turned out to be without any number.

        A table that is read whole is told so (:func:`.whole.joined`) when all is read: to look
        for a number in each of its columns beforehand would take as long as reading them.
        """
        without = {*self.empty, *empty}
        self.empty = [name for name in self._columns if name in without]
        self.features = [feature for feature in self.features if feature.name not in without]
        self._name_features()

    def name_days(self, X: np.ndarray) -> None:
        """Have typed instants that are all midnights written as days; X holds every feature."""
        place = 0
        for i, feature in enumerate(self.features):
            if feature.name in self.table.dates and isinstance(feature, DateColumn):
                days = X[:, place]
                if np.array_equal(days, np.rint(days), equal_nan=True):
                    self.features[i] = feature._replace(form=ISO)
            place += len(feature.feature_names)

    def _name_features(self) -> None:
        self.no_category: dict[str, int] = {}
        names: list[str] = []
        for feature in self.features:
            names += feature.feature_names
            self._check_size(feature.name, len(names), self.n_rows)
            if isinstance(feature, CategoryColumn):
                known = self._summaries[feature.name].n_known
                self.no_category[feature.name] = self.n_rows - known
        if not names:
            why = "".join(f"; {quoted(n)} {why}" for n, why in [*self.left_out.items()][:3])
            raise TableError(
                f"no feature has a value in any row{why}: fill some in, or add a feature"
                if not why
                else f"no column can be learnt from{why}: add a feature"
            )
        if twice := repeated(names):
            raise TableError(
                f"two columns become the same feature, {quoted(twice[0])}: rename one of them"
            )
        self.feature_names = tuple(names)

    def _leave_out_useless(self) -> None:
        """Leave out what is beyond the range of numbers, is the same everywhere, or counts rows."""
        self._ranges = {feature.name: NumberRange() for feature in self.features}
        numbers = [f for f in self.features if not isinstance(f, CategoryColumn)]
        for group in self.groups(numbers):
            for batch, rows in self.labelled([feature.name for feature in group]):
                for feature in group:
                    values = feature.encode(batch.column(feature.name))[:, 0]
                    self._ranges[feature.name].add(values, rows)
        found = {feature.name: self._ranges[feature.name] for feature in numbers}
        empty = [name for name in found if not found[name].n_known]
        self.empty = [name for name in self._columns if name in {*self.empty, *empty}]
        self.features = [feature for feature in self.features if feature.name not in empty]
        why = {name: "holds numbers beyond 3.4e38" for name in found if found[name].is_too_great}
        useful = [
            feature.name
            for feature in self.features
            if feature.name not in why
            and not (feature.name in found and found[feature.name].is_constant)
            and not (isinstance(feature, CategoryColumn) and len(feature.categories) == 1)
        ]
        same = {f.name for f in self.features} - set(useful) - set(why)
        counting = {
            name
            for name in useful
            if name in found and found[name].counts and _NUMBERS_ROWS.search(name)
        }
        if useful:  # else it can be read, and is said to be of no use
            why |= dict.fromkeys(same, "has the same value in all rows")
        if len(useful) > len(counting):
            why |= dict.fromkeys(counting, "numbers the rows")
        self.left_out |= why
        self.features = [feature for feature in self.features if feature.name not in why]

    def _check_size(self, column: str, n_features: int, n_rows: int) -> None:
        n_values = 0 if self._in_pieces else n_features * n_rows
        limits = self.table.limits
        if n_features > limits.n_columns or n_values > limits.n_values:
            raise TableError(
                f"up to column {quoted(column)} there are {n_features} features for {n_rows} rows, "
                "categories counted one by one: remove columns or rows, for at most "
                f"{limits.n_columns} features and {limits.n_values / 1e6:g} million values"
            )

    @property
    def slip_note(self) -> str:
        """What was read as missing in columns of numbers or dates; or nothing."""
        return slip_note(self.table, self.slips)

    def _without_numbers(self) -> set[str]:
        """The columns of numbers that have none in any row with a target."""
        without: set[str] = set()
        for group in self.groups(sorted(set(self._columns) - self.table.texts)):
            rest = set(group)
            for batch, _ in self.labelled(group):
                read = {name: NumberColumn(name).encode(batch.column(name)) for name in rest}
                rest -= {name for name, values in read.items() if not np.isnan(values).all()}
                if not rest:
                    break
            without |= rest
        return without

    def _feature(self, name: str, found: TextSummary | None) -> Column:
        if found is None:
            date = self.table.dates.get(name)
            return DateColumn(name, date) if date else NumberColumn(name)
        column: Column
        if form := found.date_form:
            slips, column = found.date_slips(form), DateColumn(name, form)
            kind = "holds dates" if kind_of(form) == "dates" else "holds times of day"
        elif 2 * found.slips.n <= found.n_known:
            slips, column = found.slips, NumberColumn(name, found.form)
            kind = "holds numbers"
        else:
            return self._categories(name, found)
        if slips.n and not found.are_few(slips):
            cell, where = self.table.locate(name, *slips.first)
            odd = f"{quoted(cell)}{and_more(slips.n)}"
            raise Unusable(
                name,
                f"{kind}, and in {where} the text {odd}",
                f"column {quoted(name)} {kind}, but in {where} the text {odd}: correct it, remove "
                "the row, or leave the column out (drop)",
            )
        if slips.n:
            self.slips[name] = slips
        return column

    def _categories(self, name: str, found: TextSummary) -> CategoryColumn:
        most = self.table.limits.n_text
        if len(found.distinct) > MAX_CATEGORIES and found.date_forms:
            why = "holds dates that do not tell day from month"
            sentence = (
                f"column {quoted(name)} {why}, such as {quoted(found.first or '')}: write them as "
                "2024-12-31, or leave the column out (drop)"
            )
        elif len(found.distinct) > MAX_CATEGORIES:
            why = f"holds {count_of(found.distinct)} different texts"
            sentence = (
                f"column {quoted(name)} {why}, more than {MAX_CATEGORIES}: leave it out (drop) if "
                "it is an identifier or free text, or group them"
            )
        elif found.longest > most:
            why = f"holds a text of {found.longest} characters"
            sentence = (
                f"column {quoted(name)} {why}, more than {most}: shorten it, or leave the column "
                "out (drop)"
            )
        else:
            return CategoryColumn(name, tuple(sorted(found.distinct)))
        raise Unusable(name, why, sentence)

    @property
    def columns(self) -> tuple[Column, ...]:
        """How columns become features; empty where each of them is one number."""
        plain = all(isinstance(f, NumberColumn) and not f.form.unit for f in self.features)
        return () if plain else tuple(self.features)

    @property
    def reports(self) -> list[ColumnReport]:
        """All columns but the target, those that were left out among them; only where they are."""
        features = {feature.name: feature for feature in self.features}
        names = [name for name in self.table.columns if name in {*self._columns, *self.left_out}]
        return [self._report(name, features.get(name)) for name in names]

    def _report(self, name: str, feature: Column | None) -> ColumnReport:
        words, numbers = self._summaries.get(name), self._ranges.get(name, NumberRange())
        why = self.left_out.get(name, "has no value" if feature is None else "")
        if name in self.empty or name in self.table.unreadable:
            return ColumnReport(name, "nothing", self.n_rows, 0, np.nan, np.nan, why)
        if numbers.n_known:
            date = self.table.dates.get(name) or (words and words.date_form)
            if isinstance(feature, DateColumn):
                date = feature.form
            n_missing = self.n_rows - numbers.n_known
            kind, unit = "numbers", words.form.unit if words else ""
            if date:
                kind, unit = kind_of(date), unit_of(date)
            return ColumnReport(name, kind, n_missing, 0, numbers.low, numbers.high, why, unit)
        assert words is not None, "a column of numbers has some"
        n_missing = self.n_rows - words.n_known
        return ColumnReport(name, "words", n_missing, len(words.distinct), np.nan, np.nan, why)


def slip_note(table: Table, found: Mapping[str, Slips]) -> str:
    """What is read as missing, being no number or date in a column of them; or nothing.

    Parameters
    ----------
    table : Table
        Says where the first of a column's slips is.
    found : dict
        The slips of columns, by name.
    """
    told = []
    for name, slips in list(found.items())[:5]:
        cell, where = table.locate(name, *slips.first)
        told.append(f"{quoted(name)} has {quoted(cell)}{and_more(slips.n)} in {where}")
    told += [""] * (len(found) - len(told))
    return f"Slips were read as missing: {few(told, 5)}." if told else ""


def encoded(
    table: Table,
    features: Sequence[Column],
    batch: pa.RecordBatch,
    rows: np.ndarray,
) -> np.ndarray:
    """The features of some rows, shape (n_rows, n_features), each a piece of memory of its own.

    Parameters
    ----------
    table : Table
    features : sequence of Column
    batch : pyarrow.RecordBatch
    rows : int array, shape (n_rows,)
        The numbers of the rows of the batch.
    """
    X = np.empty((sum(len(feature.feature_names) for feature in features), len(rows))).T
    place = 0
    for feature in features:
        values = feature.encode(batch.column(feature.name))
        if not isinstance(feature, CategoryColumn):
            check_range(table, feature.name, values[:, 0], rows)
        X[:, place : place + values.shape[1]] = values
        place += values.shape[1]
    return X
