"""Two or three learners in the Lab, side by side, by one clock; or a forest alone."""

from __future__ import annotations

from functools import partial

import streamlit as st

from treecore.viewer.messages.planes import Plane
from ui.drawing.theme import paint
from ui.jobs.chosen_data import ChosenData
from ui.jobs.run_title import run_title
from ui.lab.limit import take_limit
from ui.lab.remedies import remedy
from ui.language.translate import _
from ui.live.board import LeafLimit, MeansOver, board, heading
from ui.live.comparison import NUMERALS, Comparison, ComparisonScene
from ui.live.comparison_sources import (
    BOARD,
    STRIP,
    ContestantSource,
    board_source,
    strip_source,
)
from ui.live.comparison_views import LEGEND, board_view, picture_view, small_view
from ui.live.forest_source import forest_source
from ui.shell.safe_text import plain
from ui.widgets.export import Exported

FIGURES = "figures"
"""Name of the view of the table."""


def transport(comparison: Comparison, scene: ComparisonScene) -> None:
    """Play, pause, step, reset, and the hand of the clock."""
    comparison.channel.show(STRIP, strip_source(comparison))
    board_view(comparison.channel, STRIP, "hand", drawn=comparison.state(scene))


def pictures(
    comparison: Comparison,
    data: ChosenData,
    plane: Plane,
    means: MeansOver,
    limit: LeafLimit | None,
) -> None:
    """The maps and trees of all learners, and beside them the charts of all."""
    channel, words = comparison.channel, partial(heading, comparison)
    st.html(f"<style>.st-key-{LEGEND} {{ --legend: visible; --flow: visible }}</style>")
    n = len(comparison.contestants)
    *columns, last = st.container(key="runs").columns([1.0] * n + [1.1])
    first = next((i for i, one in enumerate(comparison.contestants) if one.is_tree), -1)
    for i, (one, column) in enumerate(zip(comparison.contestants, columns, strict=True)):
        with column, st.container(key=LEGEND if i == first else None):
            if one.is_tree:
                channel.show(f"{i}", ContestantSource(comparison, i, words))
                small_view(channel, f"{i}", f"view{i}", data.train.n_features <= 2)
            else:
                known = st.session_state.setdefault("lab_pictures", [])
                source = forest_source(comparison, i, words, data, plane, paint(), known)
                channel.show(f"{i}", source)
                picture_view(channel, f"{i}", f"picture{i}")
    with last, st.container(key="charts"):
        make = partial(board, comparison, parts=["charts"], means=means, limit=limit)
        channel.show(BOARD, board_source(comparison, make))
        board_view(channel, BOARD, "board", on_limit=take_limit)


def figures(comparison: Comparison) -> None:
    """The table of figures."""
    table = board_source(comparison, lambda scene: board(comparison, scene, ["table"]))
    comparison.channel.show(FIGURES, table)
    board_view(comparison.channel, FIGURES, "figures")


def exported(comparison: Comparison) -> list[Exported]:
    """The trees that can be taken along."""
    return [
        (
            c.numeral,
            c.config,
            partial(comparison.frame_shown, i),
            partial(comparison.recorded, i),
        )
        for i, c in enumerate(comparison.contestants)
        if c.is_tree
    ]


def notes(comparison: Comparison, scene: ComparisonScene, data: ChosenData) -> None:
    """What holds runs back that have ended, and which do not count what they read."""
    for number, one in enumerate(comparison.contestants):
        history = one.runner.look().history if one.is_tree else ()
        if comparison.state(scene) != "running" and history and history[-1].progress >= 1:
            remedy(number, one.config, history, data, comparison.play)
        last = scene.views[number].snapshot
        if last is not None and last.event.note:  # why it has fewer trees than were asked for
            st.caption(plain(f"{one.numeral} · {run_title(one.config)}: {last.event.note}."))
    uncounted = [NUMERALS[i] for i, view in enumerate(scene.views) if not view.counted]
    if uncounted and comparison.clock.name == "values":
        st.caption(
            _(
                "{uncounted} does not count the values it reads; on this clock it "
                "stands at the share of its run that is done.",
                uncounted=_(" and ").join(uncounted),
            )
        )
