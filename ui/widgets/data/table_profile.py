"""What is in a table of one's own: its columns and their kinds, which can be overruled."""

import zlib
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from treecore.data import Kind
from ui.jobs.own_table import OwnTable
from ui.jobs.session import remembered
from ui.language.translate import N_, _, ngettext, said
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


def profile(guess: OwnTable, table: OwnTable) -> pd.DataFrame:
    """A row a column but the target: its kind as guessed, why, and the share that is missing."""
    table = guess if table.dataset is None else table
    n_rows = 1 if table.dataset is None else len(table.dataset.y)
    found = {report.name: report for report in table.reports}
    rows = []
    for report in guess.reports or table.reports:
        now = found.get(report.name, report)
        now = report if now.why_not else now
        rows.append(
            {
                "column": in_cell(report.name),
                "kind": "leave out" if report.why_not else _GUESSES[report.kind],
                "reason": said(report.why_not or report.reason),
                "missing": 100 * now.n_missing / n_rows,
            }
        )
    return pd.DataFrame(rows)


def profile_text(table: OwnTable) -> None:
    """How much of the table is learnt from, and what was told of it."""
    dataset = table.dataset
    assert dataset is not None, "only of a table that can be read"
    st.markdown(
        _(
            "**{n_samples:,} rows**. Target: {target}. Features come from {used} of {n} columns "
            "({features}).",
            n_samples=dataset.n_samples,
            target=f"**{plain(dataset.target_name, 40)}**",
            used=len(dataset.columns or dataset.feature_names),
            n=len(table.columns) - 1,
            features=ngettext("{n} feature", "{n} features", dataset.n_features),
        )
    )
    reasons = [f"{report.name}: {said(report.reason)}." for report in dataset.reports[:1]]
    for note in (*reasons, *map(said, dataset.notes)):
        st.caption(plain(note, 1000))


def kinds_of(file_id: str) -> dict[str, Kind]:
    """The kinds that were chosen for columns of the file, by name; one's own to change."""
    return remembered("own_kinds", file_id, dict)


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
