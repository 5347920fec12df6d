"""The Lab: pick data, one to three learners and a limit, press play, and compare."""

from dataclasses import dataclass

import streamlit as st
from streamlit.delta_generator import DeltaGenerator

from treecore import RunConfig, Tree
from treecore.runs import RunSession
from treecore.training import METHODS
from treecore.viewer import Plane
from ui.inspect.link import inspected_params
from ui.jobs.chosen_data import ChosenData
from ui.jobs.run_title import run_title
from ui.jobs.session import session_value
from ui.jobs.training_job import SPEEDS
from ui.lab import one
from ui.lab import several as together
from ui.lab.choices import MOST, Limit, limited
from ui.lab.draws import follow_data
from ui.lab.fairness import within_limit
from ui.lab.inspecting import inspect_button, why_button
from ui.lab.learners import (
    changed_settings,
    depth_now,
    leaf_limit,
    learner_settings,
    learners_control,
    limit_control,
    n_learners,
    take_settings,
    unit_control,
)
from ui.lab.link import comparison_params, read_comparison
from ui.lab.models import SEVERAL, lab_models
from ui.lab.seed_study import SeedStudySession, spread_control
from ui.lab.shipped import DATA, shipped_runs
from ui.lab.verdict import means_over, verdict
from ui.language.translate import N_, _, translated
from ui.links.view import lens_now, view_params
from ui.links.visit import read_link, report_problems, show_link
from ui.live.board import LeafLimit, MeansOver
from ui.live.clocks import CLOCKS
from ui.live.comparison import SECONDS_OF_SHOW, Comparison
from ui.live.train_session import SelectedRun, TrainSession
from ui.shell.class_link import class_link_control, group, hidden, hidden_note, hide
from ui.step.link import slow_params
from ui.step.panel import why_not_slow
from ui.widgets.auto_method import auto_control, paper_control
from ui.widgets.data.gallery import DRAWN, UPLOAD
from ui.widgets.data.picker import data_control
from ui.widgets.export import comparison_export, export_control, json_buttons
from ui.widgets.file_download import hand_over
from ui.widgets.heading import about, rows_text, unseen_heading
from ui.widgets.learnt_model import tree_document, tree_name
from ui.widgets.method_settings import categories_control, errors_control, plane_control
from ui.widgets.owned import owned
from ui.widgets.run_folders import FOLDER, folder_note, taken_up
from ui.widgets.saved_tree import json_button, saved_tree_control

Start = tuple[str, Tree] | None
"""A saved tree, and the SHA-256 of its file."""

SEEN = "lab_seen"
"""The session's key of whether the page has been drawn before."""


def main() -> None:
    reading = read_link("lab", read_comparison)
    if reading is not None:
        st.session_state.lens_link = st.session_state.get("lens_link", 0) + 1
    report_problems("lab", reading)
    hide("lab")
    first = SEEN not in st.session_state
    st.session_state[SEEN] = True
    st.session_state.setdefault("dataset", DATA)
    follow_data(reading.state if reading else ())
    session, comparison = session_value(TrainSession), session_value(Comparison)
    if (resumed := taken_up(reading is not None)) is not None:
        go_on(session, *resumed)
        return

    title = headline()
    with group("data"):
        strip = st.container()
    own = body = st.container(gap="xsmall")
    if st.session_state.dataset == DRAWN:  # one draws, and watches beside it what is learnt
        own, body = st.container(key="beside").columns([1, 3])
    with st.sidebar, group("data", "more"):
        st.header(_("Data"))
        chosen = data_control(strip, own.container())
        if chosen is not None:
            st.caption(rows_text(chosen))
    last = (session.data, comparison.data)
    data = chosen or next(filter(None, last if n_learners() == 1 else reversed(last)), None)
    with body:
        configs, limit, look, files, start = settings(session, data)
        if data is None or look is None:
            unseen_heading(_("Lab"))
            todo = _("Choose data above to begin.") if own is body else _("Draw points to begin.")
            st.info(todo, icon=f":material/arrow_{'upward' if own is body else 'back'}:")
            return
        title = title.empty()
        with title.container():
            repeats = data.key[0] != UPLOAD and not {"data", "method"} & set(hidden("lab"))
            names = [run_title(config) for config in configs]
            about("lab", data, names, still=chosen is None, repeats=repeats)
        runs = comparison_params(data, limit, look.clock, configs)
        link = runs | view_params(look.plane, lens_now()) | slow_params() | inspected_params()
        show_link("lab", link)
        with st.sidebar:
            class_link_control("lab", link)
        if changed := changed_settings(configs, data):
            st.markdown(changed)
        if data.key[0] == UPLOAD:
            st.caption(_("The link names your file but does not contain it."))
        if why := why_not_slow(configs):
            st.info(why, icon=":material/info:")
        sized = within_limit(configs, data, limit)
        st.session_state[SEVERAL] = len(sized) > 1 or METHODS[sized[0].method].family != "tree"
        if not st.session_state[SEVERAL]:
            comparison.pause()
            one_tree(session, data, sized[0], look, files, title, start)
        else:
            if session.selected is not None:
                session.selected.runner.pause()
            comparison.seconds_of_show = look.seconds
            earlier = shipped_runs(data, sized) if first else []
            comparison.compare(data, sized, look.plane, earlier)
            comparison.set_clock(look.clock)
            if first and not earlier and reading is None:
                comparison.finish()  # a newcomer sees what comes of it, and plays it then
            line = leaf_limit(limit, [config.method for config in configs])
            results = session_value(SeedStudySession).results_of(comparison)
            said = verdict(data, configs, limit, results), means_over(data, configs)
            with st.sidebar, group("export"):
                comparison_export(comparison, runs)
            several(comparison, data, look.plane, said, line, files, title)
    hand_over()
    hidden_note("lab")


@dataclass(frozen=True)
class ViewSettings:
    """How runs are looked at; speed: passes a second; seconds: of the whole show of several."""

    plane: Plane
    speed: float
    clock: str
    seconds: float


def settings(
    session: TrainSession, data: ChosenData | None
) -> tuple[list[RunConfig], Limit, ViewSettings | None, DeltaGenerator, Start]:
    """The learners, their limit, and everything under More; no look where there are no data.

    Last come the place for the trees as files, and the saved tree that one learner starts from.
    """
    with st.sidebar:
        if data and n_learners() == 1:
            with group("method", "chosen"):
                auto_control(data, take_settings)
                paper_control(data, depth_now(), take_settings)
    n_places = min(n_learners() + 1, MOST)
    widths = [3] * n_places + [3, 2]
    row = st.container(key="learners").columns(widths, vertical_alignment="bottom")
    *places, last, end = row
    methods = learners_control(data.train.task if data else "classification", places)
    with st.sidebar, group("settings", "start"):
        st.header(_("Learners"))
        start = None
        if data and len(methods) == 1 and METHODS[methods[0]].start:
            start = saved_tree_control(data)
    with last, group("settings", "limit"):
        limit = limit_control(any(map(limited, methods)), start is not None)
    with st.sidebar:
        configs = more(methods, limit, data, start is not None)
        with group("map"):
            plane = plane_control(data) if data else None
        speed, clock, seconds = view_settings(len(methods))
    with end:
        files = files_place()
    look = ViewSettings(plane, speed, clock, seconds) if plane else None
    return configs, limit, look, files, start


def go_on(session: TrainSession, data: ChosenData, resumed: RunSession) -> None:
    """The run that a folder holds: its rows and settings are what they are."""
    with st.sidebar:
        folder_note(resumed)
        with group("map"):
            plane = plane_control(data)
        speed, *_ = view_settings(1)
    st.session_state[SEVERAL] = False
    run = session.select_run(data, resumed.folder.config, plane, speed, None, resumed)
    show_link("lab", {FOLDER: data.key[1]} | view_params(plane, lens_now()))
    title = headline().empty()
    with title.container():
        about("lab", data, [run_title(run.config)])
    look_at(session, run, files_place(), title, fixed=True)
    hand_over()
    hidden_note("lab")


def headline() -> DeltaGenerator:
    return st.container(key="headline", horizontal=True, vertical_alignment="center", gap="small")


def files_place() -> DeltaGenerator:
    return group("export", "json", horizontal=True, gap="small", horizontal_alignment="right")


def look_at(
    session: TrainSession,
    run: SelectedRun,
    files: DeltaGenerator,
    title: DeltaGenerator,
    fixed: bool = False,
) -> None:
    """One tree, live or inspected; as JSON, and in all other ways under More."""
    with files:
        json_button(lambda: tree_document(run), tree_name(run), "")
    with st.sidebar, group("export"):
        export_control(run, session.channel)
    if not one.inspects(run, run.plane, title):
        one.watch(session, run, fixed)


def more(
    methods: list[str], limit: Limit, data: ChosenData | None, started: bool
) -> list[RunConfig]:
    """The learners' settings, and what all of them count."""
    with group("settings"):
        unit_control()
        errors = errors_control(data.train.task if data else "classification")
        if data is not None:
            errors |= categories_control(data, methods)
    return learner_settings(methods, limit, errors, started)


def view_settings(n: int) -> tuple[float, str, float]:
    """How fast ``n`` learners are shown, and by which clock; see :class:`ViewSettings`."""
    clock = owned("lab_clock", next(iter(CLOCKS)), CLOCKS)
    with group("speed"):
        st.header(_("View"))
        pace = st.segmented_control(
            _("Speed"),
            list(SPEEDS),
            default="Normal",
            format_func=translated,
            required=True,
            key="speed",
            width="stretch",
            help=_(
                "Sets how fast learning is shown; the trees stay the same. Lower it to follow "
                "single steps."
            ),
            persist_state="session",
        )
        if n > 1:
            st.selectbox(
                _("Align by"),
                list(CLOCKS),
                list(CLOCKS).index(clock.value),
                format_func=lambda name: _(CLOCKS[name].title),
                help="\n\n".join(
                    f"**{_(clock.title)}**: {_(clock.help)}" for clock in CLOCKS.values()
                ),
                **clock.widget(),
            )
    return SPEEDS[pace], clock.value, SECONDS_OF_SHOW[pace]


def one_tree(
    session: TrainSession,
    data: ChosenData,
    config: RunConfig,
    look: ViewSettings,
    files: DeltaGenerator,
    title: DeltaGenerator,
    start: Start,
) -> None:
    """One learner, live, or its tree inspected; ``start``: the tree that it begins with."""
    again = one.redrawn(session.selected, data)
    run = session.select_run(data, config, look.plane, look.speed, start)
    if st.session_state.pop(one.AGAIN, False) or again:
        run.runner.play()
    look_at(session, run, files, title)


NO_VERDICT = N_("One draw shows little. Run more draws below, under *Is it luck?*")
"""In place of a verdict that nothing is known for."""


def several(
    comparison: Comparison,
    data: ChosenData,
    plane: Plane,
    said: tuple[str, MeansOver],
    limit: LeafLimit | None,
    files: DeltaGenerator,
    title: DeltaGenerator,
) -> None:
    """Learners side by side; ``said``: the verdict, and the means of earlier draws."""
    scene, models = comparison.scene(), lab_models()
    with files:
        json_buttons(models)
    if together.inspects(comparison, data, plane, title):
        return
    together.transport(comparison, scene)
    with st.container(key="verdict"):
        if said[0] or data.held is not None:
            st.markdown(said[0] or _(NO_VERDICT))
    together.pictures(comparison, data, plane, said[1], limit)
    together.notes(comparison, scene)
    together.figures(comparison)
    with group("more"):
        with st.container(horizontal=True, gap="small", vertical_alignment="center"):
            for number, model in enumerate(models):
                inspect_button(number, _("Inspect {numeral}", numeral=model.numeral))
            why_button([i for i, one in enumerate(comparison.contestants) if one.is_tree])
        spread_control(comparison)


with st.container(key="lab", gap="xsmall"):
    main()
