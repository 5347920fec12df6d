"""Two or three learners in the Lab, side by side, by one clock; or a forest alone."""

from functools import partial

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from treecore.viewer import Plane
from ui.drawing.theme import paint
from ui.jobs.chosen_data import ChosenData
from ui.jobs.run_title import run_title
from ui.lab.inspecting import inspected, is_asked
from ui.lab.learners import remedy, take_limit
from ui.lab.models import lab_models
from ui.language.translate import _
from ui.live.board import LeafLimit, MeansOver, board, heading
from ui.live.channel import ViewSource
from ui.live.comparison import Comparison, ComparisonScene
from ui.live.comparison_sources import BOARD, STRIP, ContestantSource, board_source, strip_source
from ui.live.forest_source import forest_source
from ui.live.views import LEGEND, board_view, picture_view, small_view
from ui.shell.safe_text import plain
from ui.step.panel import (
    first_of,
    held_still,
    learner_shown,
    leave_if_played,
    open_slow_motion,
    row_or_split,
    slow_panel,
    wants_first_steps,
)
from ui.step.slow_motion import SlowMotion

FIGURES = "figures"
"""Name of the view of the table."""

SLOW = "slow"
"""What names of views in slow motion begin with."""


def transport(comparison: Comparison, scene: ComparisonScene) -> None:
    comparison.channel.show(STRIP, strip_source(comparison))
    drawn = comparison.state(scene)
    if drawn == "running":
        leave_if_played()

    def slowed(_on: bool) -> None:
        if (number := first_of(comparison.configs)) is not None:
            open_slow_motion(number)

    board_view(comparison.channel, STRIP, "hand", drawn=drawn, on_slow=slowed)


def inspects(comparison: Comparison, data: ChosenData, plane: Plane, title: DeltaGenerator) -> bool:
    """One learner's model inspected, where that is asked for and all rest; they learn first."""
    scene = comparison.scene()
    if not is_asked() or comparison.state(scene) in ("running", "failed"):
        return False
    if not scene.ended and scene.hand <= scene.axis.low:
        comparison.finish()
        return False
    inspected(lab_models(), data, plane, title)
    return True


def slowly(comparison: Comparison) -> tuple[int, SlowMotion | str] | None:
    """The learner in slow motion, by its place, where one is asked for and all runs rest."""
    number, scene = learner_shown(comparison.configs), comparison.scene()
    if number is None or comparison.data is None:
        return None
    if comparison.state(scene) not in ("paused", "finished"):
        return None
    one, frame = comparison.contestants[number], comparison.frame_shown(number)
    if frame is None or one.stage is None:
        return None
    if wants_first_steps(one.config, frame) and not scene.ended:
        comparison.finish()
        return None
    words = heading(comparison, scene, number)
    about = (number, one.config, comparison.data, one.stage, frame)
    if len(words) > 3:
        words = (*words[:3], _("{figure}, before these steps", figure=words[3]))
    return number, held_still(*about, words)


def ask_step(comparison: Comparison, number: int, which: int) -> None:
    """A learner's step of a point, or at a split, is to be shown in slow motion."""
    one = comparison.contestants[number]
    if one.stage is not None:
        open_slow_motion(number, row_or_split(one.stage, one.config, which))


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
    n, slow = len(comparison.contestants), slowly(comparison)
    *columns, last = st.container(key="runs").columns([1.0] * n + [1.1])
    first = next((i for i, one in enumerate(comparison.contestants) if one.is_tree), -1)
    for i, (one, column) in enumerate(zip(comparison.contestants, columns, strict=True)):
        with column, st.container(key=LEGEND if i == first else None):
            if one.is_tree:
                view: str = f"{i}"
                source: ViewSource = ContestantSource(comparison, i, words)
                if slow is not None and slow[0] == i and isinstance(slow[1], SlowMotion):
                    view, source = f"{SLOW}{i}", slow[1].source
                channel.show(view, source)
                flat = data.train.n_features <= 2
                small_view(channel, view, f"view{view}", flat, partial(ask_step, comparison, i))
            else:
                known = st.session_state.setdefault("lab_pictures", [])
                source = forest_source(comparison, i, words, data, plane, paint(), known)
                channel.show(f"{i}", source)
                picture_view(channel, f"{i}", f"picture{i}")
    if slow is not None:
        with last:
            slow_panel(slow[1], comparison.configs, channel)
        return
    with last, st.container(key="charts"):
        make = partial(board, comparison, parts=["charts"], means=means, limit=limit)
        channel.show(BOARD, board_source(comparison, make))
        board_view(channel, BOARD, "board", on_limit=take_limit)


def figures(comparison: Comparison) -> None:
    table = board_source(comparison, lambda scene: board(comparison, scene, ["table"]))
    comparison.channel.show(FIGURES, table)
    board_view(comparison.channel, FIGURES, "figures")


def notes(comparison: Comparison, scene: ComparisonScene) -> None:
    for number, one in enumerate(comparison.contestants):
        history = one.runner.look().history if one.is_tree else ()
        if comparison.state(scene) != "running" and history and history[-1].progress >= 1:
            remedy(number, one.config, history, comparison.play)
        last = scene.views[number].snapshot
        if last is not None and last.event.note:  # why it has fewer trees than were asked for
            st.caption(plain(f"{one.numeral} · {run_title(one.config)}: {last.event.note}."))
