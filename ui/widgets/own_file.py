"""A file of one's own: its target, which of its columns are learnt from, and what is in them."""

from __future__ import annotations

import dataclasses
import math
from typing import Literal

import numpy as np
import pandas as pd
import streamlit as st

from treecore.base.limits import UPLOADS
from treecore.data.dataset import Dataset
from treecore.data.readers.encoding import ColumnReport
from ui.jobs.reading import OwnTable, Request, read_own
from ui.jobs.session import tell_refused
from ui.shell.safe_text import in_cell, plain

UPLOAD = "upload"

TASKS = {"classification": "Classes", "regression": "Numbers"}
"""What a column can be read as, and how that is called."""


@st.cache_resource(scope="session", show_spinner="Reading the file", max_entries=3)
def uploaded(file_id: str, request: Request, _file) -> OwnTable:
    """A file of the user's own, read once in a session and gone with it.

    It is known by its number: hashing its bytes at every click would be slow.
    """
    found = read_own(_file.getvalue(), request)
    if found.dataset is not None:
        found = dataclasses.replace(
            found, dataset=dataclasses.replace(found.dataset, name=_file.name)
        )
    return found


def own_file() -> tuple[Dataset, tuple] | None:
    """Upload a file and choose its target and columns; None until there is a good one."""
    file = st.file_uploader(
        "A CSV or Parquet file",
        type=["csv", "tsv", "txt", "data", "parquet"],
        key="csv",
        max_upload_size=UPLOADS.n_bytes // 1_000_000,
        help="One row an example, with a header; one of the columns is what to predict. "
        "The file stays on this machine.",
    )
    if file is None:
        st.caption("Numbers, words or dates in the columns, one of them what to predict.")
        return None
    first = uploaded(file.file_id, Request(), file)
    if not first.columns:
        _refused(file, first)
        return None
    target = st.selectbox(
        "Column to predict",
        [None, *first.columns],
        format_func=lambda name: "The usual one" if name is None else name,
        key=f"target_{file.file_id}",
        help="A class or a number. By default a column named class, target or label, else the "
        "last. It is one column here; several numbers at once can be learnt from Python.",
    )
    # What it would be taken for is on offer first; either may still be chosen.
    guess = uploaded(file.file_id, Request(target), file)
    if guess.dataset is None:
        _refused(file, guess)
        return None
    chosen = st.segmented_control(
        "Predict",
        list(TASKS),
        default=guess.dataset.task,
        format_func=TASKS.__getitem__,
        required=True,
        key=f"task_{file.file_id}_{target}",
        width="stretch",
        help="Classes are told apart, and only whether they are equal counts. Of numbers it "
        "counts how far apart they are. Many different numbers are taken for numbers.",
    )
    task = None if chosen == guess.dataset.task else chosen
    usual = uploaded(file.file_id, Request(target, task), file)
    if usual.dataset is None:
        _refused(file, usual)
        return None
    with st.expander("Columns"):
        drop = _columns_control(usual.reports, f"columns_{file.file_id}_{target}_{task}")
        _profile(usual)
    found = uploaded(file.file_id, Request(target, task, drop), file)
    if found.dataset is None:
        _refused(file, found)
        return None
    dataset = found.dataset
    features = "1 feature" if dataset.n_features == 1 else f"{dataset.n_features} features"
    summary = f"{dataset.n_classes} classes"
    if dataset.task == "regression":
        low, high = dataset.y.min(), dataset.y.max()
        summary = f"{plain(dataset.target_name, 40)} from {low:.4g} to {high:.4g}"
    st.caption(f"{dataset.n_samples} rows, {features}, {summary}")
    if drop is None:  # by name, so that whoever reads the file again leaves out the very same
        drop = tuple(report.name for report in usual.reports if _is_left_out(report))
    return dataset, (UPLOAD, file.file_id, target, task, drop)


def _refused(file, table: OwnTable) -> None:
    tell_refused(file.file_id, "table", file.size)
    st.error(plain(f"{file.name}: {table.problem}."), icon=":material/error:")


def _is_left_out(report: ColumnReport) -> bool:
    """Whether a column was left out that has something in it."""
    return bool(report.why_not) and report.why_not != "has no value"


def _columns_control(reports: tuple[ColumnReport, ...], key: str) -> tuple[str, ...] | None:
    """Which columns are learnt from; None for those that are usual, else those that are not."""
    why = {report.name: report.why_not for report in reports}
    usual = [name for name in why if not why[name]]
    chosen = st.multiselect(
        "Columns to learn from",
        list(why),
        default=usual,
        format_func=lambda name: f"{name} ({why[name]})" if why[name] else name,
        key=key,
        help="Columns that cannot be learnt from, such as names, or are of no use, such as the "
        "number of the row, are left out at first; the reason stands beside their names.",
    )
    if set(chosen) == set(usual):
        return None
    return tuple(name for name in why if name not in chosen and why[name] != "has no value")


def _profile(table: OwnTable) -> None:
    """What is in the columns, and how the rows share the classes."""
    dataset = table.dataset
    assert dataset is not None, "only of a table that can be read"
    rows = [(in_cell(r.name), r.kind, r.n_missing, _span(r)) for r in table.reports]
    names = ["Column", "Kind", "Missing", "Values"]
    height: Literal["content", "auto"] = "content" if len(rows) <= 12 else "auto"
    st.dataframe(pd.DataFrame(rows, columns=names), hide_index=True, height=height)
    if dataset.task == "regression":
        return
    counts = np.bincount(dataset.y, minlength=dataset.n_classes)
    shares = [f"{count / len(dataset.y):.1%}" for count in counts]
    classes = pd.DataFrame(
        {"Class": [*map(in_cell, dataset.class_names)], "Rows": counts, "Share": shares}
    )
    st.dataframe(classes, hide_index=True)


def _span(report: ColumnReport) -> str:
    """Least and greatest value of a column, or how many words it has."""
    if report.kind == "words":
        return "1 word" if report.n_kinds == 1 else f"{report.n_kinds} different words"
    if math.isnan(report.low):
        return ""
    if report.kind == "dates":
        low, high = (np.datetime64(math.floor(day), "D") for day in (report.low, report.high))
        return f"{low} to {high}"
    return f"{report.low:.4g} to {report.high:.4g}"
