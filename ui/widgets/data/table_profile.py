"""What is in a table of one's own: its columns and their kinds, which can be overruled."""

import math
import zlib
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from treecore.base import in_unit
from treecore.data import CategoryColumn, ColumnReport, Dataset, Kind, NumberColumn
from ui.jobs.own_table import OwnTable
from ui.jobs.session import remembered
from ui.language.translate import N_, _, ngettext, said, written
from ui.shell.safe_text import in_cell, plain

KIND_TITLES = {
    "number": N_("number"),
    "words": N_("words"),
    "date": N_("date"),
    "leave out": N_("leave out"),
}
"""What a column can be read as, and how that is called."""

_GUESSES: dict[str, Kind] = {
    "numbers": "number",
    "words": "words",
    "dates": "date",
    "times": "date",
    "nothing": "leave out",
}
"""Of a report's kinds."""

MAX_ROWS, HEIGHT = 10, 390
"""Columns that are shown at once, and pixels of a longer list."""

MOST_DRAWN = 20_000
"""Rows that such a picture is made of: a profile of 100,000 rows is there within a second."""

MOST_WORDS = 3
"""Words of a column that are told, the most frequent ones."""


def profile(guess: OwnTable, table: OwnTable) -> pd.DataFrame:
    """A row a column but the target: its kind as guessed, why, and what it holds."""
    table = guess if table.dataset is None else table
    values = {} if table.dataset is None else dict(_columns_of(table.dataset))
    n_rows = 1 if table.dataset is None else len(table.dataset.y)
    found = {report.name: report for report in table.reports}
    rows = []
    for report in guess.reports or table.reports:
        now = found.get(report.name, report)
        now = report if now.why_not else now
        rows.append(
            {
                "column": in_cell(report.name),
                "kind": guessed_kind(report),
                "reason": said(report.why_not or report.reason),
                "missing": 100 * now.n_missing / n_rows,
                **_values(now, values.get(report.name)),
            }
        )
    return pd.DataFrame(rows)


def _columns_of(dataset: Dataset) -> Iterator[tuple[str, tuple[Any, np.ndarray]]]:
    """Every column that is learnt from, with the features that were made of it."""
    every = max(1, len(dataset.y) // MOST_DRAWN)
    at = 0
    # A dataset names no columns where each of them is one number.
    for column in dataset.columns or [NumberColumn(name) for name in dataset.feature_names]:
        n_features = len(column.feature_names)
        yield column.name, (column, dataset.X[::every, at : at + n_features])
        at += n_features


def _values(report: ColumnReport, found: tuple[Any, np.ndarray] | None) -> dict[str, Any]:
    """What a column holds, in words and as heights of bars."""
    text, bars = span(report), []
    if found is not None and isinstance(found[0], CategoryColumn):
        shares = found[1].mean(axis=0)
        text, bars = _words(found[0].categories, shares), shares.tolist()
    elif found is not None:
        bars = _bars(found[1][:, 0])
    return {"values": in_cell(text), "distribution": bars}


def _target(dataset: Dataset) -> str:
    if dataset.task == "classification":
        return _("{n_classes} classes", n_classes=dataset.n_classes)
    low, middle, high = np.quantile(dataset.y, [0, 0.5, 1])
    return _(
        "from {low} to {high}, half below {middle}",
        low=_six(low),
        high=_six(high),
        middle=_six(middle),
    )


def _bars(values: np.ndarray) -> list[float]:
    """How many values lie in each of equal parts of their range."""
    known = values[np.isfinite(values)]
    return np.histogram(known, 16)[0].tolist() if len(known) else []


def _words(words: Sequence[str], shares: np.ndarray) -> str:
    order = np.argsort(-shares, kind="stable")[:MOST_WORDS]
    shares_text = ", ".join(f"{words[i]} {written(shares[i], '.0%')}" for i in order)
    more = len(words) - MOST_WORDS
    return shares_text + (_(" and {more} more", more=more) if more > 0 else "")


def span(report: ColumnReport) -> str:
    """Least and greatest value of a column, or how many words it has; never begins with a sign."""
    if report.kind == "words":
        return ngettext("{n} word", "{n} different words", report.n_kinds)
    if math.isnan(report.low):
        return ""
    low, high = (in_unit(value, report.unit, _six) for value in (report.low, report.high))
    return _("from {low} to {high}", low=low, high=high)


def _six(value: float) -> str:
    return written(value, ".6g")


def profile_text(table: OwnTable) -> None:
    """How much of the table is learnt from, what was told of it, and its classes."""
    dataset = table.dataset
    assert dataset is not None, "only of a table that can be read"
    st.markdown(
        _(
            "**{n_samples:,} rows**. Target: {target}, {what}. Features come from {used} of {n} "
            "columns ({features}).",
            n_samples=dataset.n_samples,
            target=f"**{plain(dataset.target_name, 40)}**",
            what=_target(dataset),
            used=len(dict(_columns_of(dataset))),
            n=len(table.columns) - 1,
            features=ngettext("{n} feature", "{n} features", dataset.n_features),
        )
    )
    reasons = [f"{report.name}: {said(report.reason)}." for report in dataset.reports[:1]]
    for note in (*reasons, *map(said, dataset.notes)):
        st.caption(plain(note, 1000))
    if dataset.task == "classification":
        _classes(dataset)


def _classes(dataset: Dataset) -> None:
    counts = np.bincount(dataset.y, minlength=dataset.n_classes)
    shares = 100 * counts / len(dataset.y)
    frame = pd.DataFrame(
        {_("Class"): [*map(in_cell, dataset.class_names)], _("Rows"): counts, _("Share"): shares}
    )
    st.dataframe(
        frame,
        hide_index=True,
        height="content" if len(frame) <= 12 else 450,
        column_config={
            _("Share"): st.column_config.ProgressColumn(
                min_value=0, max_value=100, format="%.1f %%"
            )
        },
        alt=_("Rows of each class."),
    )
    st.caption(
        _(
            "Always predicting {class_names} is right for {max:.1f} % of the rows: a tree has to "
            "do better.",
            class_names=plain(dataset.class_names[int(counts.argmax())], 40),
            max=shares.max(),
        )
    )


def kinds_of(file_id: str) -> dict[str, Kind]:
    """The kinds that were chosen for columns of the file, by name; one's own to change."""
    return remembered("own_kinds", file_id, dict)


def guessed_kind(report: ColumnReport) -> Kind:
    """What a column is read as where nobody says otherwise."""
    return "leave out" if report.why_not else _GUESSES[report.kind]


def kinds_control(profile: pd.DataFrame, names: Sequence[str], file_id: str) -> None:
    """The columns of a ``profile``, by their names in the file, with menus of their kinds."""
    kinds, guesses = kinds_of(file_id), profile["kind"].tolist()
    shown = [kinds.get(name, guess) for name, guess in zip(names, guesses, strict=True)]
    key = f"kinds_{file_id}_{zlib.crc32(repr(names).encode())}"
    column = st.column_config
    st.data_editor(
        profile.assign(kind=shown),
        hide_index=True,
        height="content" if len(profile) <= MAX_ROWS else HEIGHT,
        disabled=[name for name in profile if name != "kind"],
        column_config={
            "column": column.TextColumn(_("Column"), pinned=True, width=130),
            "kind": column.SelectboxColumn(
                _("Kind"),
                options=list(KIND_TITLES),
                format_func=lambda kind: _(KIND_TITLES[str(kind)]),
                required=True,
                width=100,
            ),
            "reason": column.TextColumn(_("Reason")),
            "missing": column.ProgressColumn(
                _("Missing"), min_value=0, max_value=100, format="%.1f %%", width="small"
            ),
            "values": column.TextColumn(_("Values")),
            "distribution": column.BarChartColumn(
                _("Distribution"),
                y_min=0,
                help=_("Number of rows by value, smallest first; for words, the share of each."),
            ),
        },
        key=key,
        on_change=_overrule,
        args=(key, names, guesses, kinds),
        alt=_("Columns of the table. Press Enter on a kind to change it."),
    )


def _overrule(key: str, names: Sequence[str], guesses: list[Kind], kinds: dict[str, Kind]) -> None:
    """Before the page is drawn: keep what has been chosen, but for what is guessed anyway."""
    for row, cells in st.session_state[key]["edited_rows"].items():
        kinds.pop(names[row], None)
        if (kind := cells.get("kind", guesses[row])) != guesses[row]:
            kinds[names[row]] = kind
