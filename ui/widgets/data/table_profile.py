"""What is in a table of one's own: its columns, what is missing, its target, its classes."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any

import numpy as np
import pandas as pd
import streamlit as st

from treecore.base.units import in_unit
from treecore.data.dataset import Dataset
from treecore.data.readers.columns import CategoryColumn, NumberColumn
from treecore.data.readers.ranges import ColumnReport
from ui.jobs.own_table import OwnTable
from ui.language.translate import N_, _, ngettext, said, written
from ui.shell.safe_text import in_cell, plain
from ui.widgets.dialog import dialog

KINDS = (N_("numbers"), N_("dates"), N_("times"), N_("words"), N_("nothing"))
"""Of columns, as :class:`ColumnReport` names them."""

N_BINS = 16
"""Bars of the small picture of a column."""

MOST_DRAWN = 20_000
"""Rows that such a picture is made of: a profile of 100,000 rows is there within a second."""

MOST_WORDS = 3
"""Words of a column that are told, the most frequent ones."""

PROFILE = "profile"
"""Name of the dialog that :func:`show_profile` opens."""


def profile(table: OwnTable) -> pd.DataFrame:
    """A row a column of the file: what it holds, and what becomes of it.

    Parameters
    ----------
    table : OwnTable
        With a dataset, and with reports on its columns.
    """
    dataset = table.dataset
    assert dataset is not None, "only of a table that can be read"
    values = dict(_columns_of(dataset))
    n_rows = len(dataset.y)
    rows = [_row(report, values.get(report.name), n_rows) for report in table.reports]
    return pd.DataFrame([_target(dataset), *rows])


def _columns_of(dataset: Dataset) -> Iterator[tuple[str, tuple[Any, np.ndarray]]]:
    """Every column that is learnt from, with the features that were made of it."""
    every = max(1, len(dataset.y) // MOST_DRAWN)
    at = 0
    # A dataset names no columns where each of them is one number.
    for column in dataset.columns or [NumberColumn(name) for name in dataset.feature_names]:
        n_features = len(column.feature_names)
        yield column.name, (column, dataset.X[::every, at : at + n_features])
        at += n_features


def _row(report: ColumnReport, found: tuple[Any, np.ndarray] | None, n_rows: int) -> dict[str, Any]:
    values, bars = span(report), []
    if found is not None and isinstance(found[0], CategoryColumn):
        shares = found[1].mean(axis=0)
        values, bars = _words(found[0].categories, shares), shares.tolist()
    elif found is not None:
        bars = _bars(found[1][:, 0])
    return {
        _("Column"): in_cell(report.name),
        _("Use"): _("left out: {why_not}", why_not=said(report.why_not))
        if report.why_not
        else _("learnt from"),
        _("Kind"): _(report.kind),
        _("Missing"): 100 * report.n_missing / n_rows,
        _("Values"): in_cell(values),
        _("Distribution"): bars,
    }


def _target(dataset: Dataset) -> dict[str, Any]:
    numbers = dataset.task == "regression"
    said, bars = (
        _("{n_classes} classes", n_classes=dataset.n_classes),
        class_counts(dataset).tolist(),
    )
    if numbers:
        low, middle, high = np.quantile(dataset.y, [0, 0.5, 1])
        said, bars = (
            _(
                "from {low} to {high}, half below {middle}",
                low=_six(low),
                high=_six(high),
                middle=_six(middle),
            ),
            _bars(dataset.y),
        )
    return {
        _("Column"): in_cell(dataset.target_name),
        _("Use"): _("to be predicted"),
        _("Kind"): _("numbers") if numbers else _("classes"),
        _("Missing"): 0.0,
        _("Values"): said,
        _("Distribution"): bars,
    }


def class_counts(dataset: Dataset) -> np.ndarray:
    """Rows of every class, int64 (n_classes,)."""
    return np.bincount(dataset.y, minlength=dataset.n_classes) if dataset.n_classes else np.zeros(0)


def _bars(values: np.ndarray) -> list[float]:
    """How many values lie in each of equal parts of their range."""
    known = values[np.isfinite(values)]
    return np.histogram(known, N_BINS)[0].tolist() if len(known) else []


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
    return written(value, ".6g").replace("-", "−")


def show_profile(table: OwnTable, found: pd.DataFrame) -> None:
    """The profile over the page."""
    over_the_page = dialog(_("What is in your table"), icon=":material/table_chart:")
    over_the_page(_profile_text)(table, found)


def _profile_text(table: OwnTable, found: pd.DataFrame) -> None:
    dataset = table.dataset
    assert dataset is not None, "only of a table that can be read"
    used = sum(not report.why_not for report in table.reports)
    gaps = sum(report.n_missing > 0 for report in table.reports)
    st.markdown(
        _(
            "**{n_samples:,} rows**, {columns} columns: one to be predicted, "
            "{used} learnt from ({features}), {used2} left out; {value} with missing values.",
            n_samples=dataset.n_samples,
            columns=len(table.columns),
            used=used,
            features=ngettext("{n} feature", "{n} features", dataset.n_features),
            used2=len(table.reports) - used,
            value=gaps or _("none"),
        )
    )
    st.dataframe(
        found,
        hide_index=True,
        height="content" if len(found) <= 14 else 530,
        column_config={
            _("Missing"): st.column_config.ProgressColumn(
                min_value=0, max_value=100, format="%.1f %%", width="small"
            ),
            _("Distribution"): st.column_config.BarChartColumn(
                y_min=0,
                help=_(
                    "Rows by value, from the least to the greatest; of words, the share of each."
                ),
            ),
        },
        alt=_("The columns of the table."),
    )
    for note in dataset.notes:
        st.caption(plain(said(note)))
    if dataset.task == "classification":
        _classes(dataset)


def _classes(dataset: Dataset) -> None:
    """How the rows share the classes, and what that means for an accuracy."""
    counts = class_counts(dataset)
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
            "Who always says {class_names} is right on {max:.1f} %: a tree has to do better.",
            class_names=plain(dataset.class_names[int(counts.argmax())], 40),
            max=shares.max(),
        )
    )
