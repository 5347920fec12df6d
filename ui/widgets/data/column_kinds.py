"""The kinds of a table's columns: what the reader guesses and why, and a menu to overrule it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from treecore.data import ColumnReport, Kind
from ui.jobs.session import remembered
from ui.language.translate import N_, _

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
