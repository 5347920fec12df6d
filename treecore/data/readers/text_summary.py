"""What a column of text holds: which texts, how often, and which of them are no number or date."""

from __future__ import annotations

import copy
import re
from collections import Counter
from collections.abc import Collection

import numpy as np
import pyarrow as pa
import pyarrow.compute as pc

from treecore.data.readers.cells import (
    CURRENCIES,
    FORMS,
    MARKED,
    MAX_DISTINCT,
    MAY_BE_NAMES,
    NumberForm,
    as_numbers,
    is_rounded,
    known_text,
    unit_in,
)
from treecore.data.readers.dates import as_time, likely_forms, sensible
from treecore.data.readers.table import MISSING

MAX_KEPT = 30_000_000
"""Characters of the texts that are counted; where there are more, they are no categories."""

SAY_NOTHING = frozenset(
    {"unknown", "not known", "missing", "no data", "not available", "n.a.", "n.d.", "n.d", "nd"}
    | {"unbekannt", "keine angabe", "k.a.", "fehlt", "-", "--", "---", ".", "..", "...", "*"}
    | {"#value!", "#ref!", "#div/0!", "#num!", "#name?", "#null!"}
)
"""Cells of a column of numbers or dates, in any case, that stand for a missing value."""

FEW_TEXTS = 20
"""Different texts at most of a column in which numbers may be categories."""

NAME_SHARE = 5
"""A word for a missing value is a name where it stands in one of so many rows, or in more."""


class Malformed:
    """Cells of a column that are not what the others are.

    first: the row of the first one, and the cell; only where there is one; texts: different ones,
    two at most.
    """

    def __init__(self) -> None:
        self.n, self.first = 0, (0, "")
        self.texts: set[str] = set()

    def add(self, odd: np.ndarray, counts: pa.StructArray, cells: pa.Array, rows: np.ndarray):
        """Count some of the different ``values`` of cells, which are told with their ``counts``."""
        if not odd.any():
            return
        values = counts.field("values").filter(pa.array(odd))
        if not self.n:
            found = pc.index_in(cells, value_set=values).is_valid().to_numpy(zero_copy_only=False)
            place = int(np.argmax(found))
            self.first = int(rows[place]), cells[place].as_py()
        self.n += int(counts.field("counts").to_numpy()[odd].sum())
        if len(self.texts) < 2:
            self.texts.update(values.slice(0, 2).to_pylist())

    @property
    def are_alike(self) -> bool:
        """Whether all are the same word.

        3B, time and again beside 1A and 2A, tells more than that a number is missing.
        """
        return len(self.texts) == 1 and not (self.n > 1 and re.search(r"\d", min(self.texts)))


class TextSummary:
    """What a column of text holds, counted over its blocks.

    decimal_comma: whether a comma is more likely the point of numbers than a mark between their
    thousands; missing: the words for a missing value, as of :func:`.cells.known_text`; more_dates:
    ways to write dates that are not guessed, such as :data:`.dates.YEAR`.

    - missing: the words that mean a missing value whatever the others are.
    - n_known: cells that are not missing.
    - counts: how often each text occurs, of the first :data:`.cells.MAX_DISTINCT` texts and one
      more.
    - names: the same of words for a missing value that may be names; ``n_known`` does not count
      them.
    - first: the first text of all.
    - longest: characters of the longest text.
    """

    def __init__(
        self,
        decimal_comma: bool,
        missing: Collection[str] | None = None,
        more_dates: Collection[str] = (),
    ):
        self.n_known = self.longest = self._n_kept = 0
        self.counts, self.names = Counter[str](), Counter[str]()
        self.first: str | None = None
        self._first_row = 0
        self.missing = MISSING - MAY_BE_NAMES if missing is None else missing
        self._are_usual = missing is None
        forms = FORMS if decimal_comma else sorted(FORMS, key=lambda form: form.comma)
        self._numbers = {form: Malformed() for form in forms}  # what is no number, in each form
        self._decimal_comma = decimal_comma
        self._dates: dict[str, Malformed] | None = None
        self._more_dates = more_dates
        self._unit = ""
        self._all_digits, self._padded = True, False

    def add(self, column: pa.Array, rows: np.ndarray) -> None:
        """Count the cells of the rows with these numbers."""
        cells = known_text(column, self.missing)
        if self._are_usual:
            named = pc.is_in(pc.utf8_lower(cells), value_set=pa.array(sorted(MAY_BE_NAMES)))
            if pc.any(named).as_py():
                found = cells.filter(named).value_counts()
                self.names.update(dict(zip(*(f.to_pylist() for f in found.flatten()), strict=True)))
                cells = pc.if_else(named, pa.scalar(None, pa.string()), cells)
        self._count(cells.drop_null(), rows[cells.is_valid().to_numpy(zero_copy_only=False)])

    def _count(self, cells: pa.Array, rows: np.ndarray) -> None:
        if not len(cells):
            return
        if self.first is None:
            self.first, self._first_row = cells[0].as_py(), int(rows[0])
        counts = cells.value_counts()
        values = counts.field("values")
        self._add_numbers(counts, cells, rows)
        if self._dates is None:
            self._dates = {form: Malformed() for form in (*likely_forms(values), *self._more_dates)}
        self.n_known += len(cells)
        for form, malformed in list(self._dates.items()):
            malformed.add(np.isnan(as_time(values, form)), counts, cells, rows)
            if 2 * malformed.n >= self.n_known:
                del self._dates[form]
        self.longest = max(self.longest, pc.max(pc.utf8_length(values)).as_py())
        self._all_digits = self._all_digits and pc.all(pc.utf8_is_decimal(values)).as_py()
        if self._all_digits:
            self._padded |= pc.any(pc.match_substring_regex(values, "^0.")).as_py()
        for cell, n in zip(values.to_pylist(), counts.field("counts").to_pylist(), strict=True):
            if cell not in self.counts:
                if len(self.counts) > MAX_DISTINCT or self._n_kept > MAX_KEPT:
                    continue
                self._n_kept += len(cell)
            self.counts[cell] += n

    def _add_numbers(self, counts: pa.StructArray, cells: pa.Array, rows: np.ndarray) -> None:
        values = counts.field("values")
        unit = unit_in(values, counts.field("counts").to_numpy())
        if unit and not self._unit:
            self._unit = unit
            for form, malformed in list(self._numbers.items()):  # what came before had no unit
                earlier = copy.deepcopy(malformed)
                if unit not in CURRENCIES and self.n_known:
                    earlier.n, earlier.texts = self.n_known, {*sorted(self.counts)[:2]}
                    earlier.first = self._first_row, self.first or ""
                self._numbers[form._replace(unit=unit)] = earlier
        marked = pc.any(pc.match_substring_regex(values, MARKED)).as_py()
        commas = pc.any(pc.match_substring(values, ",")).as_py()
        found: dict[NumberForm, np.ndarray] = {}
        for form, malformed in self._numbers.items():
            if form.marks and not marked:
                found[form] = found[form._replace(marks=False)]
            elif form.comma and not commas and not self._decimal_comma:
                found[form] = found[form._replace(comma=False)]
            else:
                found[form] = ~np.isfinite(as_numbers(values, form))
            malformed.add(found[form], counts, cells, rows)

    @property
    def form(self) -> NumberForm:
        """How most of the numbers are written; with a unit only if nearly all of the cells are."""
        forms = [
            form
            for form, malformed in self._numbers.items()
            if (not form.unit or self.are_few(malformed)) and (not form.comma or self._may_be_point)
        ]
        return min(forms, key=lambda form: self._numbers[form].n)

    @property
    def _may_be_point(self) -> bool:
        """Whether a comma may be the point of numbers: 1,2 is a list where it comes again."""
        return self._decimal_comma or not self.has_few_texts

    @property
    def malformed(self) -> Malformed:
        """What is no number."""
        return self._numbers[self.form]

    def malformed_of(self, form: NumberForm) -> Malformed:
        """What is no number in a way to write numbers."""
        return self._numbers.get(form, self.malformed)

    @property
    def texts(self) -> pa.Array:
        """The different texts."""
        return pa.array(sorted(self.counts), pa.string())

    @property
    def date_forms(self) -> tuple[str, ...]:
        """The ways of writing dates in which most of the cells are one.

        03/04/2024 is a day of March or of April: of a column in which nothing tells the two apart
        there are two.
        """
        found = self._dates or {}
        smallest = min((malformed.n for malformed in found.values()), default=0)
        forms = tuple(form for form, malformed in found.items() if malformed.n == smallest)
        return sensible(self.texts, forms) if forms else ()

    @property
    def date_form(self) -> str | None:
        """How the cells are written, most of which are dates; None where they are none."""
        forms = self.date_forms
        return forms[0] if len(forms) == 1 else None

    def malformed_dates(self, form: str) -> Malformed:
        """What is no date in one of :attr:`date_forms`."""
        return (self._dates or {})[form]

    def are_few(self, malformed: Malformed) -> bool:
        """Whether so few cells are something else that they may be taken for missing ones.

        They are one in twenty at most, or say that a value is missing, or are all the same word.
        Where there are few different texts and they come again, such a word is one of them.
        """
        silent = sum(n for text, n in self.counts.items() if text.lower() in SAY_NOTHING)
        telling, rest = self.n_known - silent, max(0, malformed.n - silent)
        if 20 * rest <= telling and 4 * telling >= self.n_known:
            return True
        may_be_name = self.has_few_texts and malformed.n > 1
        return malformed.are_alike and 2 * malformed.n < self.n_known and not may_be_name

    @property
    def has_few_texts(self) -> bool:
        """Whether there are so few different texts, again and again, that they may be names."""
        return len(self.counts) <= FEW_TEXTS and 2 * len(self.counts) <= self.n_known

    def repeated(self, odd: np.ndarray) -> bool:
        """Whether the odd ones of :attr:`texts`, bool (n,), occur twice or more on average."""
        often = np.array([self.counts[text] for text in self.texts.to_pylist()])[odd]
        return bool(often.sum() >= 2 * len(often))

    @property
    def is_rounded(self) -> bool:
        """Whether some whole number is another one as a float."""
        return any(map(is_rounded, self.counts))

    @property
    def are_codes(self) -> bool:
        """Whether cells are codes, no numbers: all of digits, and one begins as 007 does."""
        return self._all_digits and self._padded

    @property
    def frequent_names(self) -> tuple[str, ...]:
        """The words for a missing value that are so frequent that they are names."""
        n_rows = self.n_known + self.names.total()
        often = Counter[str]()
        for word, n in self.names.items():
            often[word.lower()] += n
        return tuple(
            sorted(word for word in self.names if NAME_SHARE * often[word.lower()] >= n_rows)
        )
