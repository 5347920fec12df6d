"""The kinds of a table's columns: what the reader guesses and why, and a menu to overrule it."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import pandas as pd
import streamlit as st

from treecore.data.readers.ranges import ColumnReport
from treecore.data.readers.settings import Kind
from ui.jobs.session import remembered
from ui.language.translate import N_, _, said
from ui.shell.safe_text import in_cell

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

HEIGHT = 320
"""Pixels of a long list."""


def kinds_of(file_id: str) -> dict[str, Kind]:
    """The kinds that were chosen for columns of the file, by name; one's own to change."""
    return remembered("own_kinds", file_id, dict)


def guessed_kind(report: ColumnReport) -> Kind:
    """What a column is read as where nobody says otherwise."""
    return "leave out" if report.why_not else _GUESSES[report.kind]


def kinds_control(reports: Sequence[ColumnReport], file_id: str) -> None:
    """A list of the columns with the kind of each, which can be changed there.

    Parameters
    ----------
    reports : sequence of ColumnReport
        What was guessed.
    file_id : str
        Whose :func:`kinds_of` are changed.
    """
    kinds = kinds_of(file_id)
    names = [report.name for report in reports]
    guesses = [guessed_kind(report) for report in reports]
    frame = pd.DataFrame(
        {
            "column": [in_cell(name) for name in names],
            "kind": [kinds.get(name, guess) for name, guess in zip(names, guesses, strict=True)],
            "reason": [said(report.why_not or report.reason) for report in reports],
        }
    )
    key = f"kinds_{file_id}_{zlib.crc32(repr(names).encode())}"
    st.data_editor(
        frame,
        hide_index=True,
        height="content" if len(frame) <= 8 else HEIGHT,
        disabled=["column", "reason"],
        column_config={
            "column": st.column_config.TextColumn(_("Column"), width=90, pinned=True),
            "kind": st.column_config.SelectboxColumn(
                _("Kind"),
                options=list(KIND_TITLES),
                format_func=lambda kind: _(KIND_TITLES[str(kind)]),
                required=True,
                width=90,
            ),
            "reason": st.column_config.TextColumn(_("Reason")),
        },
        key=key,
        on_change=_overrule,
        args=(key, names, guesses, kinds),
        alt=_("The columns with their kinds; a double click or Enter on a kind opens its menu."),
    )


def _overrule(key: str, names: list[str], guesses: list[Kind], kinds: dict[str, Kind]) -> None:
    """Before the page is drawn: keep what has been chosen, but for what is guessed anyway."""
    for row, cells in st.session_state[key]["edited_rows"].items():
        kinds.pop(names[row], None)
        if (kind := cells.get("kind", guesses[row])) != guesses[row]:
            kinds[names[row]] = kind
