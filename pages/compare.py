"""Compare two to four methods on the same rows and seed, in step with one clock."""

from functools import partial
from typing import Any

import streamlit as st

from treecore import RunConfig
from treecore.losses import LOSSES
from treecore.training.registry import METHODS
from treecore.viewer.messages.planes import Plane
from ui.compare.disagreement_view import why_control
from ui.compare.fairness import fairness_control, within_budget
from ui.compare.link import (
    COMPARED,
    FEWEST,
    MOST,
    USUAL,
    USUALLY_SHOWN,
    comparison_params,
    place,
    read_comparison,
    with_depth,
)
from ui.compare.luck import COMMAND, OVER_SEEDS, over_seeds
from ui.compare.opening import follow_data
from ui.compare.remedies import remedies
from ui.compare.seed_view import SeedStudySession, spread_control
from ui.compare.where_view import where_control
from ui.drawing.theme import paint
from ui.jobs.chosen_data import ChosenData
from ui.jobs.run_title import long_title, run_title, short_title
from ui.jobs.session import session_value
from ui.language.translate import _, translated
from ui.links.runs import settings_state
from ui.links.visit import read_link, report_problems, show_link
from ui.live.board import heading
from ui.live.clocks import CLOCKS
from ui.live.comparison import NUMERALS, SECONDS_OF_SHOW, Comparison, ComparisonScene
from ui.live.comparison_sources import (
    BOARD,
    STRIP,
    ContestantSource,
    board_source,
    strip_source,
)
from ui.live.comparison_views import LEGEND, board_view, picture_view, small_view
from ui.live.forest_source import forest_source
from ui.shell.class_link import class_link_control, group, hidden_note, hide
from ui.shell.method_notes import claim
from ui.widgets.data.picker import UPLOAD, data_control
from ui.widgets.data_defaults import keep_given, usual_note, with_usual
from ui.widgets.export import comparison_export
from ui.widgets.heading import about, unseen_heading
from ui.widgets.method_settings import (
    errors_control,
    fitting,
    plane_control,
    settings_controls,
    settings_shown,
)
from ui.widgets.owned import owned


def main() -> None:
    """The page from top to bottom."""
    reading = read_link("compare", read_comparison)
    if reading is not None:
        keep_given(reading.state, map(place, range(MOST)))
    report_problems("compare", reading)
    hide("compare")
    follow_data(reading.state if reading else ())
    comparison = session_value(Comparison)
    with st.sidebar:
        with group("data"):
            st.header(_("Data"))
            chosen = data_control()
            data = chosen or comparison.data
        with group("settings"):
            st.header(_("Equal for all"))
            depth, budget = fairness_control()
            depths = st.container()
            errors = errors_control(data.train.task if data else "classification")
        with group("map"):
            plane = plane_control(data) if data else None
    top = st.container()
    n, clock, speed = frame_control()
    configs = contestants(n, depth, st.session_state.seed, errors, data)
    if data is None or plane is None:
        unseen_heading(_("Compare"))
        st.info(_("Choose data on the left to begin."), icon=":material/arrow_back:")
        return
    if budget is not None:
        with depths:
            configs = within_budget(configs, data, budget)
    with top:
        about("compare", data, [run_title(one) for one in configs], chosen is None)
    comparison.compare(data, configs, plane)
    with top:
        known = session_value(SeedStudySession).results_of(comparison)
        if said := over_seeds(data, configs, known):
            st.markdown(said, help=_(OVER_SEEDS, command=COMMAND))
    comparison.set_clock(clock)
    comparison.seconds_of_show = SECONDS_OF_SHOW[speed]
    params = comparison_params(data, depth, clock, configs, budget)
    show_link("compare", params)
    with st.sidebar:
        class_link_control("compare", params)
    if data.key[0] == UPLOAD:
        st.caption(_("The link names your file but does not carry it."))

    scene = comparison.scene()
    if comparison.state(scene) != "running":
        remedies(comparison, data)
    show_runs(comparison, scene, data, plane)
    with group("export"):
        comparison_export(
            data,
            comparison.channel,
            [
                (
                    one.numeral,
                    one.config,
                    partial(comparison.frame_shown, i),
                    partial(comparison.recorded, i),
                )
                for i, one in enumerate(comparison.contestants)
                if one.is_tree
            ],
        )
    uncounted = [NUMERALS[i] for i, view in enumerate(scene.views) if not view.counted]
    if uncounted and clock == "values":
        st.caption(
            _(
                "{uncounted} does not count the values it reads; on this clock it "
                "stands at the share of its run that is done.",
                uncounted=_(" and ").join(uncounted),
            )
        )
    with group("more"):
        why_control(comparison, data, plane)
        spread_control(comparison)
        where_control()
    hidden_note("compare")


def contestants(
    n: int, depth: int, seed: int, errors: dict[str, Any], data: ChosenData | None
) -> list[RunConfig]:
    """The row of contestants: a method each, and its settings behind a button.

    ``errors``, what they count, is of :func:`ui.widgets.method_settings.errors_control`; settings
    have the defaults of the ``data``.
    """
    configs = []
    for number, column in zip(range(n), st.container(key="contestants").columns(n), strict=True):
        with column, st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
            configs.append(_contestant(number, depth, seed, errors, data))
    return configs


def _contestant(
    number: int, depth: int, seed: int, errors: dict[str, Any], data: ChosenData | None
) -> RunConfig:
    origin = str(data.key[0]) if data else ""
    names = [name for name in COMPARED if errors.get("loss", "log") in METHODS[name].losses]
    chosen, tuned = group("method", f"{number}"), group("settings", f"{number}", width="content")
    rival = owned(f"{place(number)}method", USUAL[number].method, names)
    called = short_title if st.session_state.get("compare_n") == MOST else long_title
    name = chosen.selectbox(
        _("Method {numerals}", numerals=NUMERALS[number]),
        names,
        names.index(rival.value),
        format_func=lambda name: f"{NUMERALS[number]} · {called(name)}",
        label_visibility="collapsed",
        **rival.widget(),
    )
    method = METHODS[name]
    settings = tuned.popover(
        _("Settings"),
        icon=":material/tune:",
        key=f"{place(number)}popover",
        help=_(
            "Settings of method {numerals}; data, depth and seed are equal for all.",
            numerals=NUMERALS[number],
        ),
    )
    with settings:
        st.caption(f"{_(method.sentence)}\n\n{claim(name)}")
        task = LOSSES[errors.get("loss", "log")].task
        if name == USUAL[number].method:
            for key, value in settings_state(USUAL[number], place(number)).items():
                st.session_state.setdefault(key, value)
        usual = with_usual(method.definitions(), origin, name, place(number))
        known = [s for s in settings_shown(usual, task) if s.name != "depth"]
        if note := usual_note(origin, name, without=("depth",)):
            st.caption(note)
        values = settings_controls(known, name, place(number))
    return with_depth(name, depth, seed, **errors, **fitting(values, errors))


def frame_control() -> tuple[int, str, str]:
    """How many methods, what "at the same time" means, and how fast the hand goes."""
    shown, aligned = owned("compare_n", USUALLY_SHOWN), owned("compare_clock", next(iter(CLOCKS)))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        n = group("method", "n", width="content").segmented_control(
            _("Methods"),
            range(FEWEST, MOST + 1),
            default=shown.value,
            required=True,
            **shown.widget(),
        )
        clock = group("speed", "clock", width="content").segmented_control(
            _("Aligned by"),
            list(CLOCKS),
            default=aligned.value,
            format_func=lambda name: _(CLOCKS[name].title),
            required=True,
            help="\n\n".join(f"**{_(clock.title)}**: {_(clock.help)}" for clock in CLOCKS.values()),
            **aligned.widget(),
        )
        speed = group("speed", width="content").segmented_control(
            _("Speed"),
            list(SECONDS_OF_SHOW),
            default="Normal",
            format_func=translated,
            required=True,
            key="compare_speed",
            help=_(
                "How long the show takes: runs are recorded as they learn and shown from that, "
                "slower or faster than they were. Every tree shown is one that was there."
            ),
            persist_state="session",
        )
    return n, clock, speed


def show_runs(
    comparison: Comparison, scene: ComparisonScene, data: ChosenData, plane: Plane
) -> None:
    """All that moves: it is put here once, and hears by the comparison's channel what is new."""
    channel, words = comparison.channel, partial(heading, comparison)
    channel.show(STRIP, strip_source(comparison))
    board_view(channel, STRIP, "hand", drawn=comparison.state(scene))
    st.html(f"<style>.st-key-{LEGEND} {{ --legend: visible }}</style>")
    columns = st.container(key="runs").columns(len(comparison.contestants))
    first = next((i for i, one in enumerate(comparison.contestants) if one.is_tree), -1)
    for i, (one, column) in enumerate(zip(comparison.contestants, columns, strict=True)):
        with column, st.container(key=LEGEND if i == first else None):
            if one.is_tree:
                channel.show(f"{i}", ContestantSource(comparison, i, words))
                small_view(channel, f"{i}", f"view{i}", data.train.n_features <= 2)
            else:
                known = st.session_state.setdefault("compare_pictures", [])
                source = forest_source(comparison, i, words, data, plane, paint(), known)
                channel.show(f"{i}", source)
                picture_view(channel, f"{i}", f"picture{i}")
    channel.show(BOARD, board_source(comparison))
    board_view(channel, BOARD, "board")


main()
