"""What a lesson shows: runs beside each other, one chart, and the figures above each run."""

import math
from collections.abc import Sequence
from functools import partial
from typing import Any

import numpy as np
import streamlit as st

from treecore import RunConfig
from treecore.training import METHODS
from treecore.viewer import GLOSSARY, News, feature_plane
from ui.drawing.theme import colour_numbers, paint
from ui.jobs.metrics import charts_of
from ui.jobs.run_title import NUMERALS
from ui.language.translate import N_, UNBROKEN, _, ngettext
from ui.learn.figures import measured
from ui.learn.parts import MAX_NU, MIN_NU, Trial
from ui.learn.session import CLOCK, SECONDS_OF_SHOW, LessonSession
from ui.learn.tab import COLUMNS
from ui.live.board import STATES, axis_text, board, share_text, ticks
from ui.live.clocks import CLOCKS, axis_of
from ui.live.comparison import ComparisonScene
from ui.live.comparison_sources import BOARD, STRIP, ContestantSource, board_source, strip_source
from ui.live.component import browser_component
from ui.live.forest_source import forest_source
from ui.live.views import board_view, picture_view, place
from ui.shell.page_style import styles

_ONE_CHART = ".tc.tc-over .over-charts { grid-template-columns: 1fr; }"


def views(session: LessonSession) -> None:
    """The runs on the screen beside each other, and their chart; they hear by the channel."""
    comparison, trial, data = session.comparison, session.trial, session.data
    configs = session.configs(session.part)
    assert data is not None, "a lesson is open"
    name = f"lesson_{trial.view}"
    mount = browser_component(name, "app/main.js", styles("few", name))
    words = partial(_heading, session, trial)
    columns = st.container(key="runs").columns(len(configs))
    for number, column in enumerate(columns):
        with column:
            if METHODS[configs[number].method].family == "tree":
                curves = trial.view == "curves"
                if not session.tab:
                    run = ContestantSource(comparison, number, words, curves)
                    comparison.channel.show(f"{number}", run)
                sentence = place(session.runs.channel, f"{number}")
                mount(data=sentence, key=f"lesson{number}_{trial.view}", height="content")
            else:
                plane = feature_plane(data.train, 0, 1)
                known = st.session_state.setdefault("lesson_pictures", [])
                # One tree of the forest, before it plays, would tell how the other tree will do.
                source = forest_source(
                    comparison, number, words, data, plane, paint(), known, from_nothing=True
                )
                comparison.channel.show(f"{number}", source)
                picture_view(comparison.channel, f"{number}", f"lesson{number}_picture")
    if not (trial.has_slider or trial.chart):
        return
    if not session.tab:
        make = partial(board, comparison, parts=["charts"], only=trial.chart)
        make = partial(nu_chart, session) if trial.has_slider else make
        comparison.channel.show(BOARD, board_source(comparison, make=make))
    chart = browser_component("overlay_one", "charts/overlay.js", _ONE_CHART)
    chart(data=place(session.runs.channel, BOARD), key="lesson_chart", height="content")


def learn_here(session: LessonSession) -> None:
    """Have the browser learn the runs on the screen, where it does; takes no room."""
    if session.tab:
        trial, configs = session.trial, session.configs(session.part)
        names = [trial.run_name(i, config) for i, config in enumerate(configs)]
        session.tab.show(names, _more(session, trial, configs))


def hand(session: LessonSession, state: str) -> None:
    """The slider over the runs: back and forth as often as one likes."""
    if not session.tab:
        source = strip_source(session.comparison, commanded=False)
        session.comparison.channel.show(STRIP, source)
    board_view(session.runs.channel, STRIP, "lesson_hand", None if session.tab else state)


def _heading(
    session: LessonSession, trial: Trial, scene: ComparisonScene, number: int
) -> tuple[str, str]:
    one, view = session.comparison.contestants[number], scene.views[number]
    name = trial.run_name(number, one.config)
    status = one.runner.look()
    if view.measured is None or status.state == "failed":
        return name, _(status.message) or _("Preparing")
    if not one.is_tree and scene.hand <= scene.axis.low:
        return name, _("No tree yet.")
    event = view.measured.event
    accuracy = measured(event.validation_accuracy)
    if event.active_leaves is None:
        unit = METHODS[one.config.method].unit
        if unit != "tree":
            said = N_("{accuracy:.0f} % test accuracy · {unit} {n:,}")
            return name, _(said, accuracy=100 * accuracy, unit=_(unit), n=round(event.done))
        return name, ngettext(
            "{accuracy:.0f} % test accuracy · {n} tree",
            "{accuracy:.0f} % test accuracy · {n} trees",
            round(event.done),
            accuracy=100 * accuracy,
        )
    return name, _of_tree(trial, 100 * accuracy, event.active_leaves, event.n_leaves)


def _of_tree(trial: Trial, accuracy: Any, active: Any, n_leaves: Any) -> str:
    """What is said of a tree; of texts in the places of numbers, a template."""
    counts = {"accuracy": accuracy, "active": active}
    if trial.view == "only":
        said = N_("{accuracy:.0f} % test accuracy · {active} of {n_leaves} active")
        return _(said, n_leaves=n_leaves, **counts)
    if n_leaves == 1:
        return _("{accuracy:.0f} % test accuracy · a single leaf", **counts)
    said = N_("{accuracy:.0f} % test accuracy · {active} of {n_leaves} leaves active")
    return _(said, n_leaves=n_leaves, **counts)


class _Slot(str):
    """A place that the browser fills, as a value of a message."""

    def __format__(self, spec: str) -> str:
        return "{" + self + "}"


def _more(session: LessonSession, trial: Trial, configs: Sequence[RunConfig]) -> dict[str, Any]:
    """What the browser tells of runs that it learns itself: templates, and the chart."""
    accuracy, active, n_leaves = map(_Slot, ("accuracy", "active", "n_leaves"))
    words = {
        "heading": _of_tree(trial, accuracy, active, n_leaves).replace("} %", f"}}{UNBROKEN}%"),
        "single": _of_tree(trial, accuracy, active, 1).replace("} %", f"}}{UNBROKEN}%"),
        "hand": share_text(_Slot("value"), len(configs)).replace("} %", f"}}{UNBROKEN}%"),
        "start": _("Start"),
    }
    words |= {state: _(text) for state, text in STATES.items()}
    more = {"words": words, "curves": trial.view == "curves", "seconds": SECONDS_OF_SHOW}
    if trial.has_slider:
        nus = [config.as_dict()["nu"] for config in configs]
        meta = _nu_meta(len(configs), 2 ** configs[0].depth)
        chart = {"meta": meta, "column": COLUMNS["Active leaves"], "lines": [_tried(session)]}
        more["chart"] = chart | {"places": [_place(nu) for nu in nus]}
    elif trial.chart:
        methods = [config.method for config in configs]
        charts = charts_of("log", methods, by_clock=True)
        (own,) = [one for one in charts if one.title == _(trial.chart)]
        colours = zip(NUMERALS, colour_numbers(methods), strict=False)
        meta = {
            "v": 1,
            "parts": ["charts"],
            "runs": [{"numeral": numeral, "colour": colour} for numeral, colour in colours],
            "axis": axis_text(CLOCKS[CLOCK]),
            "ticks": ticks(CLOCK, axis_of(CLOCKS[CLOCK], ())),
            "charts": [
                {"title": own.title, "unit": own.unit, "help": own.help, "whole": own.entire}
            ],
        }
        more["chart"] = {"meta": meta, "column": COLUMNS[trial.chart], "lines": []}
    return more


def nu_chart(session: LessonSession, scene: ComparisonScene) -> News:
    """Active leaves against ν for all that were tried, as figure 3 of Norouzi et al. (2015)."""
    comparison = session.comparison
    lines: list[list[list[float]]] = []
    for one, view in zip(comparison.contestants, scene.views, strict=True):
        active = measured(view.measured.event.active_leaves) if view.measured else math.nan
        lines.append([[_place(one.config.as_dict()["nu"]), active]])
    n_leaves = max(
        (measured(v.measured.event.n_leaves) for v in scene.views if v.measured), default=1
    )
    meta = _nu_meta(len(lines), n_leaves) | {"state": comparison.state(scene)}
    # The line ends in nothing: its last value stands beside its own run already.
    lines.append([*_tried(session), [1.0, math.nan]])
    return meta, {f"run{i}": np.array(line, dtype=np.float32) for i, line in enumerate(lines)}


def _tried(session: LessonSession) -> list[list[float]]:
    return [[_place(nu), active] for nu, active in sorted(session.tried.items())]


def _nu_meta(n_runs: int, n_leaves: int) -> dict[str, Any]:
    return {
        "v": 1,
        "parts": ["charts"],
        "runs": [
            *({"numeral": numeral, "colour": 0} for numeral in NUMERALS[:n_runs]),
            {"numeral": "", "colour": 1},
        ],
        "axis": _("from left to right: ν, ten times larger at each step"),
        "ticks": [{"at": _place(10.0**e), "text": f"{10**e}"} for e in range(4)],
        "charts": [
            {
                "title": _("Active leaves"),
                "unit": _("count, by ν"),
                "help": _(GLOSSARY["active"]),
                "low": 0.0,
                "high": float(n_leaves),
                "whole": True,
                "some": True,
                "none": "",
            }
        ],
    }


def _place(nu: float) -> float:
    """Where a ν stands on the axis, 0 to 1."""
    return math.log(nu / MIN_NU) / math.log(MAX_NU / MIN_NU)
