"""Two runs of a sweep in the Lab, by a link such as anybody may write."""

from __future__ import annotations

from typing import Any

import streamlit as st

from treecore import RunConfig
from treecore.data import GENERATORS, Source
from ui.language.translate import _
from ui.library.index import data_title
from ui.library.results_table import Dot, RunsTable
from ui.links.runs import run_text
from ui.shell.router import page_file
from ui.widgets.data.picker import FILES

TEST_SHARE = 25
"""Per cent of the rows that the Lab usually holds out."""


def compare_params(source: Source, first: Dot, second: Dot) -> dict[str, Any]:
    """The link of two runs of equal depth; the seed is that of the first."""
    configs = [RunConfig.of_saved(dot.settings) for dot in (first, second)]
    params: dict[str, Any] = {
        "data": data_title(source.name),
        "test": f"{TEST_SHARE}",
        "seed": f"{configs[0].seed}",
        "clock": "share",
        "run": [run_text(config, leave_out=("depth",)) for config in configs],
    }
    if source.size is not None:
        params["size"] = f"{source.size}"
    if source.noise is not None:
        params["noise"] = f"{round(100 * source.noise)}"
    if (depth := first.get("depth")) is not None:
        params["depth"] = f"{depth:g}"
    return params


def comparable(table: RunsTable, dot: Dot) -> list[Dot]:
    """Runs of its depth that the Lab can show beside one: other methods first, of each the best."""
    found: dict[str, Dot] = {}
    for other in sorted(table.dots, key=lambda other: (other.method == dot.method, -other.good)):
        if other.get("depth") == dot.get("depth") and other.candidate != dot.candidate:
            found.setdefault(other.candidate, other)
    return list(found.values())


def compare_control(source: Source, table: RunsTable, dot: Dot) -> None:
    """The choice of a second run, and the button that opens both; nothing where there is none."""
    others = {other.key: other for other in comparable(table, dot)}
    if not others or data_title(source.name) not in {*GENERATORS, *FILES}:
        return
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        key = st.selectbox(
            _("Compare at equal depth"),
            list(others),
            format_func=lambda key: others[key].settings_text(table.varying),
            key=f"library_beside_{dot.key}",
        )
        opens = st.button(
            _("Compare in the Lab"),
            icon=":material/balance:",
            key="library_compare",
            help=_(
                "Trains both again, side by side, on the same data with the seed of the first; "
                "the Lab chooses the test examples."
            ),
        )
    if opens:
        params = compare_params(source, dot, others[key])
        st.switch_page(page_file("lab"), query_params=params)
