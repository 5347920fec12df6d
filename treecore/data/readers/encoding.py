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

One pass over the columns of text says all this, a second one writes all rows into one matrix; its
columns of numbers are looked over where they stand.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping, Sequence

import numpy as np
import pyarrow as pa

from treecore.data.dataset import SMALLEST_IMAGE
from treecore.data.readers.cells import PLAIN, and_more, check_range, number_name
from treecore.data.readers.columns import (
    CategoryColumn,
    Column,
    ColumnReport,
    DateColumn,
    NumberColumn,
)
from treecore.data.readers.dates import DIGITS, ISO, YEAR, days_in, kind_of, unit_of
from treecore.data.readers.guesses import alike_but_for_case, guess_column
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

MIN_IDS = 10
"""Rows at least whose numbers may be names of them."""

UNUSABLE = ("refuse", "drop")

_LARGEST = float(np.finfo(np.float32).max)


class EncodedTable:
    """A table to learn from, as one matrix.

    Raises TableError where the table cannot be learnt from.

    - target: as for :func:`treecore.data.readers.csv.read_csv`, as is ``task``.
    - unusable: what becomes of a table of which a column cannot be learnt from: it is refused, or
      such columns are left out and told in ``reports``, as are those that are the same in all rows.
    - only_features: whether no column is to be predicted, and none is left out for its numbers.
    - X: float64 (n_rows, n_features), NaN where a value is missing; only rows with a target.
    - y: (n_rows,), Int64 for classes, float64 for numbers.
    - features, feature_names: how columns became those of ``X``.
    - low, high, n_missing: (n_features,), of the columns of ``X``.
    - n_unlabelled: rows without a target.
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
        self._forgiving, self._only_features = unusable == "drop", only_features
        self.left_out: dict[str, str] = {}
        self._ranges: dict[str, tuple[float, float, int]] = {}  # low, high, missing
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
        self._summarize()
        if self._target and self.target.decide():
            self._summarize()  # of the rows that turned out to have a target
        if self.target.malformed.n:
            self.malformed[self.target.name] = self.target.malformed
        self._guess()
        self._fill()
        self._look_over_numbers()
        self._leave_out_useless()
        if twice := repeated(self.feature_names):
            raise TableError(
                f"two columns become the same feature, {quoted(twice[0])}: rename one of them"
            )

    def _summarize(self) -> None:
        """Look over all text, and the target, in the rows that have one."""
        table, reading = self.table, self.table.reading
        is_decided = self.target.is_decided
        texts = [name for name in self._columns if name in table.texts or name in self._as_text]
        self._summaries = {
            name: TextSummary(table.decimal_comma, reading.missing, years)
            for name in texts
            for years in [(YEAR,) if reading.kinds.get(name) == "date" else ()]
        }
        self.n_rows = 0
        read = [*texts, *self._target] or self._columns[:1]  # a batch of no column has no rows
        for batch, rows in self._labelled(read):
            self.n_rows += len(rows)
            for name in () if is_decided else self._target:
                self.target.add(batch.column(name), rows)
            for name in texts:
                self._summaries[name].add(batch.column(name), rows)
        self.n_unlabelled = self._n_read - self.n_rows

    def _labelled(self, columns: Sequence[str]) -> Iterator[tuple[pa.RecordBatch, np.ndarray]]:
        """Batches of the rows that have a target, and the numbers of these rows."""
        start, target = 0, self.target.name
        as_text = self._as_text.intersection(columns)
        as_text |= {name for name in self._target if self.target.is_read_as_text}
        for batch in self.table.batches(columns, as_text):
            rows = np.arange(start, start + batch.num_rows)
            start += batch.num_rows
            if self._target:
                known = self.target.known(batch.column(target))
                if not known.all():
                    batch, rows = batch.filter(pa.array(known)), rows[known]
            if len(rows):
                yield batch, rows
        self._n_read = start

    def _guess(self) -> None:
        """Decide what each column is."""
        self.features: list[Column] = []
        found, kinds = self._summaries, self.table.reading.kinds
        self.empty = [n for n, one in found.items() if not (one.n_known or one.frequent_names)]
        for name in self._columns:
            if name in self.empty:
                continue
            try:
                guess = guess_column(
                    self.table, name, found.get(name), kinds.get(name), self.n_rows
                )
            except Unusable as error:
                if not self._forgiving:
                    raise
                self.left_out[name] = error.why
                continue
            self.features.append(guess.column)
            self.reasons[name] = guess.reason
            if guess.malformed.n:
                self.malformed[name] = guess.malformed

    def _fill(self) -> None:
        """Write all rows that have a target, in the order of the table."""
        n_features = 0
        for feature in self.features:
            n_features += len(feature.feature_names)
            self._check_size(feature.name, n_features, self.n_rows)
        self._as_text |= {f.name for f in self.features if _is_written(f)} - self.table.texts
        X = self.X = np.empty((self.n_rows, n_features))
        self.y = np.empty(self.n_rows, np.int64 if self.target.class_names else np.float64)
        self._rows, start = np.empty(self.n_rows, np.int64), 0
        names = [feature.name for feature in self.features]
        numbers = [f.name for f in self.features if isinstance(f, NumberColumn)]
        rounded = {n for n in numbers if n in self._summaries and self._summaries[n].is_rounded}
        for batch, rows in self._labelled([*names, *self._target]):
            part = slice(start, start + len(rows))
            X[part] = encoded(self.table, self.features, batch, rows, not self._forgiving)
            self._rows[part], start = rows, part.stop
            rounded |= {name for name in numbers if _is_rounded(batch.column(name))}
            for name in self._target:
                self.y[part] = self.target.encode(batch.column(name), rows)
        self._rounded = rounded | {name for name in self._target if self.target.is_rounded}
        self.low, self.high = (f.reduce(X, axis=0, initial=np.nan) for f in (np.fmin, np.fmax))
        self.n_missing = np.isnan(X).sum(axis=0)

    def _places(self) -> Iterator[tuple[int, Column, int]]:
        """The number of each feature, and of its first column of ``X``."""
        place = 0
        for i, feature in enumerate(self.features):
            yield i, feature, place
            place += len(feature.feature_names)

    def _look_over_numbers(self) -> None:
        """Find columns without any number, and those that are a number or nothing, or days."""
        X, kinds, n_missing = self.X, self.table.reading.kinds, self.n_missing
        for i, feature, j in self._places():
            name, low, high = feature.name, float(self.low[j]), float(self.high[j])
            if isinstance(feature, CategoryColumn):
                continue
            self._ranges[name] = low, high, int(n_missing[j])
            if n_missing[j] == self.n_rows:
                self.empty.append(name)
            elif isinstance(feature, DateColumn):
                if name in self.table.dates and np.array_equal(X[:, j], np.rint(X[:, j]), True):
                    self.features[i] = feature._replace(form=ISO)  # midnights are days
            elif feature.form != PLAIN or name in kinds or self._only_features:
                continue
            elif low == high and n_missing[j]:
                number = number_name(low)
                self.features[i] = CategoryColumn(name, (number,), feature.missing)
                self.reasons[name] = f"{quoted(number)} or nothing"
                X[:, j] = ~np.isnan(X[:, j])
                self.low[j], self.high[j] = 0, 1
                n_missing[j] = 0
            elif (days := days_in(X[:, j], low, high)) is not None:
                self.features[i] = DateColumn(name, DIGITS, 0, feature.missing)
                self.reasons[name] = f"dates such as {low:.0f}"
                X[:, j], self.low[j], self.high[j] = days, np.nanmin(days), np.nanmax(days)
                self._ranges[name] = float(self.low[j]), float(self.high[j]), int(n_missing[j])
        self.empty = [name for name in self._columns if name in self.empty]

    def _leave_out_useless(self) -> None:
        """Leave out what is empty, beyond the range of numbers, constant, or names the rows."""
        kinds = self.table.reading.kinds
        places = {feature.name: j for _, feature, j in self._places()}
        known = [feature for feature in self.features if feature.name not in self.empty]
        numbers = [f.name for f in known if not isinstance(f, CategoryColumn)]
        great = [name for name in numbers if max(map(abs, self._ranges[name][:2])) > _LARGEST]
        why = dict.fromkeys(great, "holds numbers beyond 3.4e38")
        same = [f.name for f in known if f.name not in why and self._is_constant(f)]
        names = [f.name for f in known if f.name not in (*why, *same)]
        of_rows = {
            name: reason
            for name in names
            if name in numbers and name not in kinds
            if (reason := self._what_of_rows(name, self.X[:, places[name]]))
        }
        if not self._only_features:
            if names and self._forgiving and not self._may_be_image(known):
                unsaid = [name for name in same if name not in kinds]
                why |= dict.fromkeys(unsaid, "has the same value in all rows")
            if len(names) > len(of_rows):
                why |= of_rows
        self.left_out |= why
        widths = [len(feature.feature_names) for feature in self.features]
        kept = [f.name not in {*why, *self.empty} for f in self.features]
        self.features = [f for f, stays in zip(self.features, kept, strict=True) if stays]
        if not self.features:
            raise self._nothing_left()
        if not all(kept):
            stay = np.repeat(kept, widths)
            self.X, self.n_missing = self.X.compress(stay, axis=1), self.n_missing[stay]
            self.low, self.high = self.low[stay], self.high[stay]
        self.feature_names = tuple(name for f in self.features for name in f.feature_names)
        self.no_category = {
            f.name: self._count_without(f) for f in self.features if isinstance(f, CategoryColumn)
        }

    def _nothing_left(self) -> TableError:
        why = "".join(f"; {quoted(name)} {why}" for name, why in [*self.left_out.items()][:3])
        return TableError(
            f"no column can be used as a feature{why}: add one"
            if why
            else "no feature has a value in any row: fill some in, or add a feature"
        )

    def _what_of_rows(self, name: str, numbers: np.ndarray) -> str:
        """Whether a column numbers or names the rows: in a few words; empty where it does not."""
        rows = self._rows
        if _NUMBERS_ROWS.search(name) and np.array_equal(numbers - numbers[0], rows - rows[0]):
            return "numbers the rows"
        is_name = _NAMES_ROWS.search(name.strip()) and len(rows) >= MIN_IDS
        if is_name and np.array_equal(numbers, np.rint(numbers)):  # not so where one is missing
            return "names the rows" if len(np.unique(numbers)) == len(rows) else ""
        return ""

    def _is_constant(self, feature: Column) -> bool:
        if isinstance(feature, CategoryColumn):
            return len(feature.categories) == 1 and not self._count_without(feature)
        low, high, n_missing = self._ranges[feature.name]
        return low == high and not n_missing

    def _count_without(self, feature: CategoryColumn) -> int:
        """Rows that have no category."""
        if (found := self._summaries.get(feature.name)) is None:
            return self._ranges[feature.name][2]
        return self.n_rows - found.n_known - sum(found.names[c] for c in feature.categories)

    def _may_be_image(self, features: Sequence[Column]) -> bool:
        """Whether columns may be the pixels of an image, of which some are always dark."""
        n = len(features)
        numbers = all(isinstance(feature, NumberColumn) for feature in features)
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
        """Columns with a whole number that is another one as a float."""
        names = [*(feature.name for feature in self.features), *self._target]
        return [name for name in names if name in self._rounded]

    @property
    def alike_words(self) -> list[str]:
        """Columns with words, and the target with classes, that differ in case only."""
        words = {f.name: f.categories for f in self.features if isinstance(f, CategoryColumn)}
        words[self.target.name] = self.target.class_names
        alike = {name: alike_but_for_case(found) for name, found in words.items()}
        return [f"{quoted(name)}: {listed(same, 3)}" for name, same in alike.items() if same]

    @property
    def reports(self) -> list[ColumnReport]:
        """What every column but the target holds, and why it was left out or read in its way."""
        features = {feature.name: feature for feature in self.features}
        names = [name for name in self.table.columns if name not in self._target]
        return [self._report(name, features.get(name)) for name in names]

    def _report(self, name: str, feature: Column | None) -> ColumnReport:
        words, numbers = self._summaries.get(name), self._ranges.get(name)
        why = self.left_out.get(name, "has no value" if feature is None else "")
        reason = self.reasons.get(name, "")
        if name in self.table.reading.left_out:
            return ColumnReport(name, "nothing", 0, why_not="set to leave out")
        if name in self.empty or name in self.table.unreadable:
            return ColumnReport(name, "nothing", self.n_rows, why_not=why)
        if isinstance(feature, CategoryColumn) and words is None:
            return ColumnReport(name, "words", self._count_without(feature), 1, reason=reason)
        if numbers is not None:
            low, high, n_missing = numbers
            date = self.table.dates.get(name) or (words and words.date_form)
            if isinstance(feature, DateColumn):
                date = feature.form
            kind, unit = "numbers", words.form.unit if words else ""
            if date and not isinstance(feature, NumberColumn):
                kind, unit = kind_of(date), unit_of(date)
            return ColumnReport(name, kind, n_missing, 0, low, high, why, unit, reason)
        words = self._summaries[name]
        n_missing = self.n_rows - words.n_known
        if isinstance(feature, CategoryColumn):
            n_missing = self._count_without(feature)
        n_kinds = len(words.counts) + len(words.frequent_names)
        return ColumnReport(name, "words", n_missing, n_kinds, why_not=why, reason=reason)


def _is_written(feature: Column) -> bool:
    """Whether a column is read as text though it may hold numbers."""
    return isinstance(feature, CategoryColumn) or (
        isinstance(feature, DateColumn) and feature.form in (DIGITS, YEAR)
    )


def _is_rounded(column: pa.Array) -> bool:
    """Whether some whole number of a typed column is another one as a float."""
    if not pa.types.is_integer(column.type) or column.null_count == len(column):
        return False
    values = column.drop_null().to_numpy(zero_copy_only=False)
    if max(-int(values.min()), int(values.max())) <= 2**53:
        return False
    return bool((values.astype(np.float64).astype(object) != values).any())


def malformed_note(table: Table, found: Mapping[str, Malformed]) -> str:
    """What is read as missing, being no number or date in a column of them; or nothing.

    table: says where the first of a column's slips is; found: the slips of columns, by name.
    """
    reported = []
    for name, malformed in list(found.items())[:5]:
        cell, where = table.locate(name, *malformed.first)
        reported.append(f"{quoted(name)} has {quoted(cell)}{and_more(malformed.n)} in {where}")
    reported += [""] * (len(found) - len(reported))
    return f"Malformed values were read as missing: {few(reported)}." if reported else ""


def encoded(
    table: Table,
    features: Sequence[Column],
    batch: pa.RecordBatch,
    rows: np.ndarray,
    is_checked: bool = True,
) -> np.ndarray:
    """The features of some rows, shape (n_rows, n_features), each a piece of memory of its own.

    rows: int (n_rows,), the numbers of the rows of the batch; is_checked: whether numbers beyond
    float32 are refused.
    """
    X = np.empty((sum(len(feature.feature_names) for feature in features), len(rows))).T
    place = 0
    for feature in features:
        values = feature.encode(batch.column(feature.name))
        if is_checked and not isinstance(feature, CategoryColumn):
            check_range(table, feature.name, values[:, 0], rows)
        X[:, place : place + values.shape[1]] = values
        place += values.shape[1]
    return X
