"""What a column is taken for, and why, in a few words.

A guess is made of the texts of a column and how often each occurs; whoever reads the table may
overrule it (:mod:`treecore.data.readers.settings`).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
import pyarrow as pa

from treecore.data.readers.cells import and_more, as_numbers, count_of
from treecore.data.readers.columns import CategoryColumn, Column, DateColumn, NumberColumn
from treecore.data.readers.dates import as_time, first_year, is_without_day, kind_of
from treecore.data.readers.settings import Kind
from treecore.data.readers.table import Table, Unusable, listed, quoted
from treecore.data.readers.text_summary import Malformed, TextSummary

MAX_CATEGORIES = 255
"""Different texts of a column, one feature each."""

MAX_ONCE = 50
"""Different texts of a column that may occur once each; of more, half have to come again."""

CODE_LENGTH = 3
"""Digits of a code, such as 007, at least: 07 may well be a number."""


class ColumnGuess(NamedTuple):
    """What a column is taken for.

    reason: remarks of a few words, with semicolons between them; malformed: the cells that are
    something else and are read as missing.
    """

    column: Column
    reason: str
    malformed: Malformed = Malformed()


def guess_column(
    table: Table, name: str, found: TextSummary | None, kind: Kind | None, n_rows: int
) -> ColumnGuess:
    """Return what a column is taken for.

    found: what it holds, if it holds text; kind: what somebody says it is. Raises Unusable where
    nothing can be learnt from it.
    """
    missing = table.reading.missing
    if found is None:
        date = table.dates.get(name)
        column: Column = NumberColumn(name, missing=missing)
        if date:
            column = DateColumn(name, date, missing=missing)
        said = f"set to {kind}" if kind else "stored as dates" if date else "all values are numbers"
        return ColumnGuess(column, said)
    if kind == "number":
        return guess_numbers(table, name, found, kind)
    if kind == "date":
        return guess_dates(table, name, found, kind)
    if kind == "words":
        return _words(table, name, found, _said(kind))
    if form := found.date_form:
        malformed, holds = found.malformed_dates(form), "holds dates"
        odd_texts = np.isnan(as_time(found.texts, form, first_year(form)))
        if found.are_few(malformed):
            return guess_dates(table, name, found)
        if kind_of(form) == "times":
            holds = "holds times of day"
    else:
        malformed, holds = found.malformed, "holds numbers"
        odd_texts = ~np.isfinite(as_numbers(found.texts, found.form))
        if 2 * malformed.n > found.n_known and not found.are_few(malformed):
            single = len(found.counts) == 1 and not found.frequent_names
            text = _example(found)
            remark = (
                f"{text} or nothing" if found.n_known < n_rows else f"the same in all rows: {text}"
            )
            return _words(table, name, found, [remark] if single else [])
        if malformed.n == 0 and _are_codes(found):
            example = quoted(_padded(found) if found.are_codes else max(found.counts))
            return _words(table, name, found, [f"codes such as {example}"])
        if found.are_few(malformed):
            return guess_numbers(table, name, found)
    if found.has_few_texts and found.repeated(odd_texts):
        odd = _odd(malformed)
        remarks = [f"different texts: {len(found.counts)}", f"not all are numbers or dates: {odd}"]
        return _words(table, name, found, remarks)
    cell, where = table.locate(name, *malformed.first)
    odd = f"{quoted(cell)}{and_more(malformed.n)}"
    raise Unusable(
        name,
        f"{holds}, and in {where} the text {odd}",
        f"column {quoted(name)} {holds}, but in {where} the text {odd}: correct it, remove "
        "the row, say that the column holds words or that others are missing (kind), or leave the "
        "column out (drop)",
    )


def _are_codes(found: TextSummary) -> bool:
    """Whether numbers are codes that come again: 007, or longer than a float has digits."""
    n = len(found.counts)
    few = n <= MAX_CATEGORIES and 2 * n <= found.n_known
    return few and ((found.are_codes and found.longest >= CODE_LENGTH) or found.is_rounded)


def _padded(found: TextSummary) -> str:
    return min(text for text in found.counts if len(text) > 1 and text.startswith("0"))


def guess_numbers(
    table: Table, name: str, found: TextSummary, kind: Kind | None = None, title: str = ""
) -> ColumnGuess:
    """Return a column that is read as numbers; title: what sentences call it."""
    malformed, form = found.malformed, found.form
    if malformed.n == found.n_known:
        title, text = title or f"column {quoted(name)}", _example(found)
        sentence = f"{title} is set to number but holds texts such as {text}: choose another kind"
        raise Unusable(name, "holds no number", sentence)
    share = "most values are numbers" if malformed.n else "all values are numbers"
    remarks = [*_said(kind), share, *_others(found, malformed)]
    if form.unit:
        remarks.append(f"all are in {form.unit}")
    if found.are_codes and found.longest >= CODE_LENGTH and not kind:
        remarks.append(f"some begin with zeros, such as {quoted(_padded(found))}")
    if found.is_rounded:
        remarks.append("only the first 15 digits are kept")
    column = NumberColumn(name, form, table.reading.missing)
    return ColumnGuess(column, "; ".join(remarks), malformed)


def guess_dates(
    table: Table, name: str, found: TextSummary, kind: Kind | None = None, title: str = ""
) -> ColumnGuess:
    """Return a column that is read as dates or times of day; title: what sentences call it."""
    if not (forms := found.date_forms):
        title, text = title or f"column {quoted(name)}", _example(found)
        raise Unusable(
            name,
            "holds no date",
            f"{title} is set to date but holds texts such as {text}: write them as 2024-12-31, or "
            "choose another kind",
        )
    form, malformed = forms[0], found.malformed_dates(forms[0])
    column = DateColumn(name, form, first_year(form), table.reading.missing)
    days = column.encode(found.texts)[:, 0]
    good = found.texts.filter(pa.array(~np.isnan(days)))
    example = quoted(good[0].as_py()) if len(good) else ""
    is_date = kind_of(form) == "dates"
    what = f"dates such as {example}" if is_date else f"times of day such as {example}"
    remarks = [*_said(kind), what, *_others(found, malformed)]
    if len(forms) > 1:
        is_month_first = form.find("%m") < form.find("%d")
        order = "the month is read first" if is_month_first else "the day is read first"
        remarks += ["day and month cannot be distinguished", order]
    if column.since:
        known = days[~np.isnan(days)].astype(np.int64)
        years = known.astype("datetime64[D]").astype("datetime64[Y]")
        first, last = years.min(), years.max()
        remarks.append(f"the years are {first} to {last}")
    if is_without_day(form):
        remarks.append("each month is read as its first day")
    return ColumnGuess(column, "; ".join(remarks), malformed)


def _said(kind: Kind | None) -> list[str]:
    return [f"set to {kind}"] if kind else []


def _others(found: TextSummary, malformed: Malformed) -> list[str]:
    if not malformed.n:
        return []
    return [f"{malformed.n} of {found.n_known} are not, such as {_odd(malformed)}, and are missing"]


def _odd(malformed: Malformed) -> str:
    return quoted(min(malformed.texts))


def _example(found: TextSummary) -> str:
    return quoted(found.first or "")


def _words(table: Table, name: str, found: TextSummary, remarks: list[str]) -> ColumnGuess:
    n, most = len(found.counts), table.limits.n_text
    names = found.frequent_names
    once = sum(count == 1 for count in found.counts.values())
    if found.date_forms and len(found.date_forms) > 1 and n > MAX_ONCE and not remarks:
        why = "holds dates whose day and month cannot be distinguished"
        example = _example(found)
        sentence = (
            f"column {quoted(name)} {why}, such as {example}: write them as 2024-12-31, "
            "say that they are dates, month first (kind), or leave the column out (drop)"
        )
    elif n + len(names) > MAX_CATEGORIES or (n > MAX_ONCE and 2 * once > n and not remarks):
        why = f"holds {count_of([*found.counts])} different texts"
        limit = f"more than {MAX_CATEGORIES}" if n > MAX_CATEGORIES else "most of them in one row"
        sentence = (
            f"column {quoted(name)} {why}, {limit}: leave it out (drop) if it is an identifier or "
            "free text, or group them"
        )
    elif found.longest > most:
        why = f"holds a text of {found.longest} characters"
        sentence = (
            f"column {quoted(name)} {why}, more than {most}: shorten it, or leave the column "
            "out (drop)"
        )
    else:
        categories = tuple(sorted({*found.counts, *names}))
        remarks = remarks or [f"different texts: {len(categories)}"]
        if len(found.date_forms) > 1:
            remarks.append("day and month cannot be distinguished")
        if names:
            remarks.append(f"so frequent that it is a category: {listed(names, 3)}")
        if alike := alike_but_for_case(categories):
            remarks.append(f"{listed(alike, 2)} differ in case only")
        return ColumnGuess(
            CategoryColumn(name, categories, table.reading.missing), "; ".join(remarks)
        )
    raise Unusable(name, why, sentence)


def alike_but_for_case(words: Sequence[str]) -> list[str]:
    """The words that differ from another one only in upper and lower case."""
    often = Counter(word.casefold() for word in words)
    return [word for word in words if often[word.casefold()] > 1]
