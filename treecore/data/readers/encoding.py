"""What columns mean, whatever file they are in, and the dataset that follows.

- numbers are numbers. Text is numbers, dates, times of day, or words, of which each becomes one
  feature of zeros and ones; :mod:`treecore.data.readers.guesses` tells which, and why;
- a target of many different numbers is a quantity, any other one holds classes; dates are days
  (:mod:`treecore.data.readers.targets`);
- a missing number stays missing, a missing text belongs to no category, and a row whose target is
  missing is left out;
- a column that numbers or names the rows is left out; of a column that is one number, or one
  text, or nothing, that is the information;
- whoever reads the table may say otherwise (:mod:`treecore.data.readers.settings`);
- nothing is repaired in silence: what was left out or named is told in the dataset's notes, and
  each column's report says what it was taken for and why.

One pass over the columns of text says all this, and one over those numbers that may be of no use;
from then on the rows come as blocks of numbers. A whole table is written into one matrix
(:mod:`treecore.data.readers.whole_table`).
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple, TypeVar

import numpy as np
import pyarrow as pa

from treecore.data.dataset import SMALLEST_IMAGE
from treecore.data.readers.cells import PLAIN, and_more, check_range, number_name
from treecore.data.readers.columns import CategoryColumn, Column, DateColumn, NumberColumn
from treecore.data.readers.dates import DIGITS, ISO, YEAR, kind_of, unit_of
from treecore.data.readers.guesses import alike_but_for_case, guess_column
from treecore.data.readers.ranges import ColumnReport, NumberRange
from treecore.data.readers.table import Table, TableError, Unusable, few, listed, quoted, repeated
from treecore.data.readers.targets import TASKS, Target, find_target
from treecore.data.readers.text_summary import Malformed, TextSummary

_NUMBERS_ROWS = re.compile(r"(?i)(id|index|nr|no|number|row|#)[._ ]*$")
"""Names of columns that hold the number of the row, if they count; others that do may be time."""

_NAMES_ROWS = re.compile(
    r"^(?i:id)$|[^A-Za-z](?i:id)$|[a-z](Id|ID)$|^(?i:(customer|user|patient|passenger|sample|record"
    r"|row|case|subject|student|order|product|client|member|account|person|object|loan|employee"
    r"|transaction)id)$"
)
"""Names of columns that hold names of the rows, if each has a whole number of its own."""

UNUSABLE = ("refuse", "drop")

_T = TypeVar("_T")


class Block(NamedTuple):
    """Some rows that follow one another.

    - X: float64 (n_rows, n_features) or CSR.
    - y: (n_rows,), classes, int64, or numbers, float64.
    - rows: int64 (n_rows,), their numbers in the table, from 0.
    """

    X: np.ndarray
    y: np.ndarray
    rows: np.ndarray


class EncodedTable:
    """A table to learn from, looked over and ready to be read in blocks any number of times.

    Raises TableError where the table cannot be learnt from.

    - target: as for :func:`treecore.data.readers.csv.read_csv`, as is ``task``.
    - unusable: what becomes of a table of which a column cannot be learnt from: it is refused, or
      such columns are left out and told in ``reports``, as are those that are the same in all rows.
    - keep_useless: whether columns that are of no use are not left out.
    - only_features: whether no column is to be predicted.
    - n_rows: those with a target; no others come.
    - n_missing: rows without a target.
    - empty: the columns without any value.
    - left_out: why columns cannot be learnt from or are of no use, in a few words, by name.
    - reasons: why columns were taken for what they are, in a few words, by name.
    - malformed: what is no number or date in columns of them, and is read as missing.
    """

    def __init__(
        self,
        table: Table,
        target: str | None = None,
        task: str | None = None,
        unusable: str = "refuse",
        *,
        keep_useless: bool = False,
        only_features: bool = False,
    ):
        if task not in (None, *TASKS):
            raise ValueError(f"task={task!r} must be None or one of {', '.join(TASKS)}")
        if unusable not in UNUSABLE:
            raise ValueError(f"unusable={unusable!r} must be one of {', '.join(UNUSABLE)}")
        table.reading.check(table.columns, target)
        dropped = table.reading.left_out
        columns = tuple(name for name in table.columns if name not in dropped)
        name = "" if only_features else find_target(columns, target)
        self.table, self.target = table, Target(table, name, task)
        self._target = [] if only_features else [name]
        self._forgiving = unusable == "drop"
        self._keeps_all, self._only_features = keep_useless or only_features, only_features
        self.left_out: dict[str, str] = {}
        self.reasons: dict[str, str] = {}
        self.malformed: dict[str, Malformed] = {}
        features = [name for name in columns if name not in self._target]
        self._columns = features
        if self._forgiving:
            held = {name: table.unreadable[name] for name in features if name in table.unreadable}
            self.left_out = {name: f"holds cells of the type {kind}" for name, kind in held.items()}
            self._columns = [name for name in features if name not in held]
        else:
            for place, name in enumerate(self._columns):  # before anything is read
                self._check_size(name, place + 1, table.n_rows)
        kinds = table.reading.kinds
        self._as_text = {name for name in features if kinds.get(name) in ("words", "date")}
        self._as_text -= {name for name in table.dates if kinds.get(name) == "date"}
        self._n_read = self.n_missing = 0
        self._summarize()
        if self._target and self.target.decide():
            self._summarize()  # of the rows that turned out to have a target
        if self.target.malformed.n:
            self.malformed[self.target.name] = self.target.malformed
        self.n_rows = self._n_read - self.n_missing
        self._plan()

    def _summarize(self) -> None:
        """Look over all text, and the target, in the rows that have one."""
        table, reading = self.table, self.table.reading
        texts = [name for name in self._columns if name in table.texts or name in self._as_text]
        self._summaries = {
            name: TextSummary(table.decimal_comma, reading.missing) for name in texts
        }
        is_decided = self.target.is_decided
        for place, group in enumerate([*self.groups(texts)] or [[]]):
            n_rows = 0
            for batch, rows in self.labelled([*group, *self._target]):
                n_rows += len(rows)
                for name in self._target if place == 0 and not is_decided else ():
                    self.target.add(batch.column(name), rows)
                for name in group:
                    self._summaries[name].add(batch.column(name), rows)
            self.n_missing = self._n_read - n_rows

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
        """
        start, target = 0, self.target.name
        if self._target and target not in columns and self.n_missing:
            columns = [*columns, target]
        as_text = self._as_text.intersection(columns)
        as_text |= {name for name in self._target if self.target.is_read_as_text}
        for batch in self.table.batches(columns, as_text, last=last):
            rows = np.arange(start, start + batch.num_rows)
            start += batch.num_rows
            if self._target and target in columns:
                known = self.target.known(batch.column(target))
                if not known.all():
                    batch, rows = batch.filter(pa.array(known)), rows[known]
            if len(rows):
                yield batch, rows
        self._n_read = start

    def _plan(self) -> None:
        self.features: list[Column] = []
        names = {name: found.frequent_names for name, found in self._summaries.items()}
        self.empty = [n for n, found in self._summaries.items() if not (found.n_known or names[n])]
        kinds = self.table.reading.kinds
        for name in self._columns:
            if name in self.empty:
                continue
            try:
                found = self._summaries.get(name)
                guess = guess_column(self.table, name, found, kinds.get(name), self.n_rows)
            except Unusable as error:
                if not self._forgiving:
                    raise
                self.left_out[name] = error.why
                continue
            self.features.append(guess.column)
            self.reasons[name] = guess.reason
            if guess.malformed.n:
                self.malformed[name] = guess.malformed
        self._look_over_numbers()
        self._leave_out_useless()
        self._as_text |= {f.name for f in self.features if _is_written(f)} - self.table.texts
        self._name_features()

    def _look_over_numbers(self) -> None:
        """Find columns without any number, and those that are a number or nothing, or days.

        Where nothing is left out for its numbers, only columns are read to the end whose first
        numbers may tell as much.
        """
        numbers = [f for f in self.features if not isinstance(f, CategoryColumn)]
        ranges = self._ranges = {f.name: NumberRange() for f in numbers}
        watched = numbers
        if not self._forgiving:
            for group in self.groups(numbers):
                self._add_ranges(group, 1)
            watched = [f for f in numbers if ranges[f.name].may_be_useless(_may_be_id(f.name))]
        for feature in watched:
            ranges[feature.name] = NumberRange(_may_be_id(feature.name))
        for group in self.groups(watched):
            self._add_ranges(group)
        for feature in watched:
            one = ranges[feature.name]
            is_guess = isinstance(feature, NumberColumn) and feature.form == PLAIN
            if not one.n_known:
                self.empty.append(feature.name)
                self.features.remove(feature)
            elif not is_guess or self.is_chosen(feature.name) or self._only_features:
                continue
            elif one.low == one.high and one.n_missing:
                name = number_name(one.low)
                column: Column = CategoryColumn(feature.name, (name,), feature.missing)
                self._replace(feature, column, f"{quoted(name)} or nothing")
            elif one.are_dates:
                column = DateColumn(feature.name, DIGITS, 0, feature.missing)
                self._replace(feature, column, f"dates such as {one.low:.0f}")
        self.empty = [name for name in self._columns if name in self.empty]

    def _add_ranges(self, features: Sequence[Column], n_batches: int | None = None) -> None:
        for place, (batch, rows) in enumerate(self.labelled([f.name for f in features])):
            if place == n_batches:
                break
            for feature in features:
                values = feature.encode(batch.column(feature.name))[:, 0]
                self._ranges[feature.name].add(values, rows)

    def _replace(self, old: Column, new: Column, reason: str) -> None:
        self.features[self.features.index(old)] = new
        self.reasons[new.name] = reason

    def is_chosen(self, name: str) -> bool:
        """Whether somebody has said what a column is."""
        return name in self.table.reading.kinds

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
                self.no_category[feature.name] = self._n_without(feature)
        if not names:
            why = "".join(f"; {quoted(n)} {why}" for n, why in [*self.left_out.items()][:3])
            raise TableError(
                f"no feature has a value in any row{why}: fill some in, or add a feature"
                if not why
                else f"no column can be used as a feature{why}: add one"
            )
        if twice := repeated(names):
            raise TableError(
                f"two columns become the same feature, {quoted(twice[0])}: rename one of them"
            )
        self.feature_names = tuple(names)

    def _leave_out_useless(self) -> None:
        """Leave out what is beyond the range of numbers, is the same everywhere, or names rows."""
        found = self._ranges
        why: dict[str, str] = {}
        if self._forgiving:
            too_great = [name for name, one in found.items() if one.is_too_great]
            why = dict.fromkeys(too_great, "holds numbers beyond 3.4e38")
        same = {f.name for f in self.features if self._is_constant(f)} - {*why}
        names = {f.name for f in self.features} - same - {*why}
        telling = [f.name for f in self.features if f.name in names and not self.is_chosen(f.name)]
        of_rows = {
            name: "numbers the rows" if found[name].counts else "names the rows"
            for name in telling
            if name in found
            and (
                (found[name].counts and _NUMBERS_ROWS.search(name))
                or (_may_be_id(name) and found[name].tells_rows_apart)
            )
        }
        if not self._keeps_all:
            if names and self._forgiving and not self._may_be_image():
                unsaid = [name for name in same if not self.is_chosen(name)]
                why |= dict.fromkeys(unsaid, "has the same value in all rows")
            if len(names) > len(of_rows):
                why |= of_rows
        self.left_out |= why
        self.features = [feature for feature in self.features if feature.name not in why]

    def _is_constant(self, feature: Column) -> bool:
        if isinstance(feature, CategoryColumn):
            return len(feature.categories) == 1 and not self._n_without(feature)
        return self._ranges[feature.name].is_constant

    def _n_without(self, feature: CategoryColumn) -> int:
        """Rows that have no category."""
        if (found := self._summaries.get(feature.name)) is None:
            return self._ranges[feature.name].n_missing
        return self.n_rows - found.n_known - sum(found.names[c] for c in feature.categories)

    def _may_be_image(self) -> bool:
        """Whether columns may be the pixels of an image, of which some are always dark."""
        n = len(self.features)
        numbers = all(isinstance(feature, NumberColumn) for feature in self.features)
        return numbers and n >= SMALLEST_IMAGE and math.isqrt(n) ** 2 == n

    def _check_size(self, column: str, n_features: int, n_rows: int) -> None:
        n_values = n_features * n_rows
        limits = self.table.limits
        if n_features > limits.n_columns or n_values > limits.n_values:
            raise TableError(
                f"the columns up to {quoted(column)} make {n_features} features for {n_rows} "
                "rows, counting each category: remove columns or rows, to at most "
                f"{limits.n_columns} features and {limits.n_values / 1e6:g} million values"
            )

    @property
    def malformed_note(self) -> str:
        """What was read as missing in columns of numbers or dates; or nothing."""
        return malformed_note(self.table, self.malformed)

    @property
    def columns(self) -> tuple[Column, ...]:
        """How columns become features; empty where each of them is one number."""
        features = [
            feature._replace(form=feature.form._replace(comma=True))
            if isinstance(feature, NumberColumn)
            and self.table.comma_in_numbers
            and feature.name not in self.table.texts
            else feature
            for feature in self.features
        ]
        plain = all(
            isinstance(f, NumberColumn) and f.form == PLAIN and f.missing is None for f in features
        )
        return () if plain else tuple(features)

    @property
    def rounded(self) -> list[str]:
        """Columns of text with a whole number that is another one as a float."""
        numbers = [f.name for f in self.features if isinstance(f, NumberColumn)]
        return [n for n in numbers if n in self._summaries and self._summaries[n].is_rounded]

    @property
    def alike_words(self) -> list[str]:
        """Columns with words, and the target with classes, that differ in case only."""
        words = {f.name: f.categories for f in self.features if isinstance(f, CategoryColumn)}
        words[self.target.name] = self.target.class_names
        alike = {name: alike_but_for_case(found) for name, found in words.items()}
        return [f"{quoted(name)}: {listed(same, 3)}" for name, same in alike.items() if same]

    @property
    def reports(self) -> list[ColumnReport]:
        """What every column but the target holds, and why it was left out or read in its way.

        Least and greatest numbers are known of those that were left out, and of the others after
        they have been read.
        """
        features = {feature.name: feature for feature in self.features}
        names = [name for name in self.table.columns if name not in self._target]
        return [self._report(name, features.get(name)) for name in names]

    def add_ranges(self, ranges: Mapping[str, NumberRange]) -> None:
        """Take in the ranges of columns of numbers, by name, for their reports."""
        self._ranges |= ranges

    def _report(self, name: str, feature: Column | None) -> ColumnReport:
        words, numbers = self._summaries.get(name), self._ranges.get(name, NumberRange())
        why = self.left_out.get(name, "has no value" if feature is None else "")
        reason = self.reasons.get(name, "")
        if old := self.table.renamed.get(name):
            reason = "; ".join(filter(None, [reason, f"called {quoted(old)} in the file"]))
        if name in self.table.reading.left_out:
            return ColumnReport(name, "nothing", 0, 0, np.nan, np.nan, "set to leave out")
        if name in self.empty or name in self.table.unreadable:
            return ColumnReport(name, "nothing", self.n_rows, 0, np.nan, np.nan, why)
        if isinstance(feature, CategoryColumn) and words is None:
            return ColumnReport(
                name, "words", numbers.n_missing, 1, np.nan, np.nan, why, reason=reason
            )
        if numbers.n_known:
            date = self.table.dates.get(name) or (words and words.date_form)
            if isinstance(feature, DateColumn):
                date = feature.form
            n_missing = self.n_rows - numbers.n_known
            kind, unit = "numbers", words.form.unit if words else ""
            if date and not isinstance(feature, NumberColumn):
                kind, unit = kind_of(date), unit_of(date)
            low, high = numbers.low, numbers.high
            return ColumnReport(name, kind, n_missing, 0, low, high, why, unit, reason)
        if words is None:
            return ColumnReport(name, "numbers", self.n_rows, 0, np.nan, np.nan, why, reason=reason)
        n_missing = self.n_rows - words.n_known
        if isinstance(feature, CategoryColumn):
            n_missing = self._n_without(feature)
        n_kinds = len(words.counts) + len(words.frequent_names)
        return ColumnReport(name, "words", n_missing, n_kinds, np.nan, np.nan, why, reason=reason)


def _is_written(feature: Column) -> bool:
    """Whether a column is read as text though it may hold numbers."""
    return isinstance(feature, CategoryColumn) or (
        isinstance(feature, DateColumn) and feature.form in (DIGITS, YEAR)
    )


def _may_be_id(name: str) -> bool:
    return bool(_NAMES_ROWS.search(name.strip()))


def malformed_note(table: Table, found: Mapping[str, Malformed]) -> str:
    """What is read as missing, being no number or date in a column of them; or nothing.

    table: says where the first of a column's slips is; found: the slips of columns, by name.
    """
    reported = []
    for name, malformed in list(found.items())[:5]:
        cell, where = table.locate(name, *malformed.first)
        reported.append(f"{quoted(name)} has {quoted(cell)}{and_more(malformed.n)} in {where}")
    reported += [""] * (len(found) - len(reported))
    return f"Malformed values were read as missing: {few(reported, 5)}." if reported else ""


def encoded(
    table: Table,
    features: Sequence[Column],
    batch: pa.RecordBatch,
    rows: np.ndarray,
) -> np.ndarray:
    """The features of some rows, shape (n_rows, n_features), each a piece of memory of its own.

    rows: int (n_rows,), the numbers of the rows of the batch.
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
