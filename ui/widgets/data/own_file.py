"""A file of one's own: its target, which of its columns are learnt from, and what is in them."""

from __future__ import annotations

import dataclasses
from typing import Any

import streamlit as st

from treecore.base.limits import UPLOADS
from treecore.data.dataset import Dataset
from treecore.data.readers.ranges import ColumnReport
from ui.jobs.own_table import OwnTable, Request
from ui.jobs.reading import read_own
from ui.jobs.session import remembered, tell_refused
from ui.language.translate import N_, _, ngettext, said
from ui.shell.safe_text import plain
from ui.widgets.data.table_profile import PROFILE, profile, show_profile
from ui.widgets.dialog import open_dialog, opened
from ui.widgets.upload import upload_control

UPLOAD = "upload"

FILE = "csv"
"""The key of the control that takes the file."""

TASKS = {"classification": N_("Classes"), "regression": N_("Numbers")}
"""What a column can be read as, and how that is called."""


MOST_READ = 3
"""Ways of reading a file that are remembered: as it comes, and as it was asked for last."""


def uploaded(file: Any, request: Request) -> OwnTable:
    """A file of the user's own, read once as it is asked for, and gone with its session."""
    tables: dict[Request, OwnTable] = remembered("own_tables", file.file_id, dict)
    if request not in tables:
        while len(tables) >= MOST_READ:
            del tables[next(iter(tables))]
        with st.spinner(_("Reading the file")):
            found = read_own(file.getvalue(), request)
        if found.dataset is not None:
            named = dataclasses.replace(found.dataset, name=file.name)
            found = dataclasses.replace(found, dataset=named)
        tables[request] = found
    tables[request] = tables.pop(request)  # those asked for last are kept
    return tables[request]


def own_file() -> tuple[Dataset, tuple] | None:
    """Upload a file and choose its target and columns; None until there is a good one."""
    file = upload_control(
        _("A CSV or Parquet file"),
        FILE,
        type=["csv", "tsv", "txt", "data", "parquet"],
        max_upload_size=UPLOADS.n_bytes // 1_000_000,
        help=_(
            "One row an example, with a header; one of the columns is what to predict. "
            "The file stays on this machine."
        ),
    )
    if file is None:
        st.caption(_("Numbers, words or dates in the columns, one of them what to predict."))
        return None
    first = uploaded(file, Request())
    if not first.columns:
        _refused(file, first)
        return None
    usual_target = _("The usual one")
    if first.dataset is not None:
        usual_target = _("The usual one: {name}", name=first.dataset.target_name)
    named = st.selectbox(
        _("Column to predict"),
        ["", *first.columns],  # not None, which a selectbox that is drawn again shows as nothing
        format_func=lambda name: name or usual_target,
        key=f"target_{file.file_id}",
        help=_(
            "A class or a number. By default a column named class, target or label, else the "
            "last. It is one column here; several numbers at once can be learnt from Python."
        ),
        persist_state="session",
    )
    target = named or None
    # What it would be taken for is on offer first; either may still be chosen.
    guess = uploaded(file, Request(target))
    guessed = None if guess.dataset is None else guess.dataset.task
    chosen = st.segmented_control(
        _("Predict"),
        list(TASKS),
        default=guessed,
        format_func=lambda name: _(TASKS[name]),
        required=guessed is not None,
        key=f"task_{file.file_id}_{target}",
        width="stretch",
        help=_(
            "Classes are told apart, and only whether they are equal counts. Of numbers it "
            "counts how far apart they are. Many different numbers are taken for numbers."
        ),
        persist_state="session",
    )
    task = None if chosen == guessed else chosen
    usual = uploaded(file, Request(target, task))
    if usual.dataset is None:
        _refused(file, usual)
        return None
    with st.expander(_("Columns")):
        drop = _columns_control(usual.reports, f"columns_{file.file_id}_{target}_{task}")
    key = file.file_id, target, task
    st.button(
        _("What is in it"),
        icon=":material/table_chart:",
        key="table_profile",
        width="stretch",
        help=_("Columns with their kinds, missing values and ranges, the target and its classes."),
        on_click=open_dialog,
        args=(PROFILE, key),
    )
    if opened(PROFILE) == key:
        show_profile(usual, remembered("own_profile", key, lambda: profile(usual)))
    found = uploaded(file, Request(target, task, drop))
    if found.dataset is None:
        _refused(file, found)
        return None
    dataset = found.dataset
    features = ngettext("{n} feature", "{n} features", dataset.n_features)
    summary = _("{n_classes} classes", n_classes=dataset.n_classes)
    if dataset.task == "regression":
        low, high = dataset.y.min(), dataset.y.max()
        summary = _(
            "{target_name} from {low:.4g} to {high:.4g}",
            target_name=plain(dataset.target_name, 40),
            low=low,
            high=high,
        )
    st.caption(
        _(
            "{n_samples} rows, {features}, {summary}",
            n_samples=dataset.n_samples,
            features=features,
            summary=summary,
        )
    )
    if drop is None:  # by name, so that whoever reads the file again leaves out the very same
        drop = tuple(report.name for report in usual.reports if _is_left_out(report))
    return dataset, (UPLOAD, file.file_id, target, task, drop)


def _refused(file, table: OwnTable) -> None:
    tell_refused(file.file_id, "table", file.size)
    st.error(plain(f"{file.name}: {said(table.problem)}."), icon=":material/error:")


def _is_left_out(report: ColumnReport) -> bool:
    """Whether a column was left out that has something in it."""
    return bool(report.why_not) and report.why_not != "has no value"


def _columns_control(reports: tuple[ColumnReport, ...], key: str) -> tuple[str, ...] | None:
    """Which columns are learnt from; None for those that are usual, else those that are not."""
    why = {report.name: report.why_not for report in reports}
    usual = [name for name in why if not why[name]]
    chosen = st.multiselect(
        _("Columns to learn from"),
        list(why),
        default=usual,
        format_func=lambda name: f"{name} ({said(why[name])})" if why[name] else name,
        key=key,
        placeholder=_("Choose columns"),
        help=_(
            "Columns that cannot be learnt from, such as names, or are of no use, such as the "
            "number of the row, are left out at first; the reason stands beside their names."
        ),
        persist_state="session",
    )
    if set(chosen) == set(usual):
        return None
    return tuple(name for name in why if name not in chosen and why[name] != "has no value")
