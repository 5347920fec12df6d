"""Train one tree and watch it: pick data and a method, press play."""

import streamlit as st

from treecore import RunConfig, predict
from treecore.core.routing import predict_values
from treecore.runs.driver import RunSession
from treecore.training.registry import METHODS
from ui.drawing.charts import confusion_figure, errors_figure
from ui.drawing.theme import show
from ui.jobs.chosen_data import ChosenData
from ui.jobs.diagnosis import Diagnosis, diagnose
from ui.jobs.run_title import run_title
from ui.jobs.session import session_value
from ui.jobs.training_job import SPEEDS, TrainingJob
from ui.language.translate import _, translated
from ui.links.training import read_training, training_params
from ui.links.view import lens_now, take_lens, view_params
from ui.links.visit import read_link, report_problems, show_link
from ui.live.component import live_view
from ui.live.train_session import VIEW, SelectedRun, TrainSession
from ui.shell.class_link import class_link_control, group, hidden_note, hide
from ui.step.in_place import step_in_place
from ui.tree.opening import to_tree_page
from ui.widgets.auto_method import auto_control, paper_control
from ui.widgets.data.canvas import DRAWN
from ui.widgets.data.picker import data_control
from ui.widgets.data_defaults import keep_given, usual_settings
from ui.widgets.dialog import dialog, open_dialog, opened
from ui.widgets.export import export_control
from ui.widgets.file_download import hand_over
from ui.widgets.heading import about, unseen_heading
from ui.widgets.method_settings import method_control, plane_control, widget_key
from ui.widgets.run_folders import FOLDER, folder_note, taken_up
from ui.widgets.saved_tree import saved_tree_control

USUAL_SPEED = "Normal"

STEP = "step"
"""Name of the dialog that takes a step apart."""

AGAIN = "play_again"
"""The session's key of a run that is to be played as soon as there is one."""


def main() -> None:
    """The page from top to bottom."""
    reading = read_link("train", read_training)
    if reading is not None:
        keep_given(reading.state)
        st.session_state.lens_link = st.session_state.get("lens_link", 0) + 1
    report_problems("train", reading)
    hide("train")
    session = session_value(TrainSession)
    resumed = taken_up(reading is not None)
    if resumed is not None:
        go_on(session, *resumed)
        return
    with st.sidebar:
        with group("data"):
            st.header(_("Data"))
            # A file that cannot be read says so there and leaves what is on the screen alone.
            chosen = data_control()
            data = chosen or session.data
        with group("method", "title"):
            st.header(_("Learning"))
            if data:
                auto_control(data)
                paper_control(data)
        config = method_control(st.session_state.seed, data)
        start = None
        if data and METHODS[config.method].accepts_start:
            with group("settings", "start"):
                start = saved_tree_control(data)
        with group("map"):
            plane = plane_control(data, session.tree_of(data)) if data else None

    if data is None or plane is None:
        unseen_heading(_("Train"))
        st.info(_("Choose data on the left to begin."), icon=":material/arrow_back:")
        return
    params = training_params(data.key, data.train.name, config) | view_params(plane, lens_now())
    show_link("train", params)
    with st.sidebar:
        class_link_control("train", params)
    again = redrawn(session.selected, data)
    run = session.select_run(data, config, plane, _speed(), start)
    if st.session_state.pop(AGAIN, False) or again:
        run.runner.play()
    watch(session, run, still=chosen is None)


def go_on(session: TrainSession, data: ChosenData, resumed: RunSession) -> None:
    """The page of a run that a folder holds: its rows and settings are what they are."""
    config = resumed.folder.config
    with st.sidebar:
        folder_note(resumed)
        plane = plane_control(data, session.tree_of(data))
    show_link("train", {FOLDER: data.key[1]} | view_params(plane, lens_now()))
    run = session.select_run(data, config, plane, _speed(), None, resumed)
    watch(session, run, fixed=True)


def redrawn(before: SelectedRun | None, data: ChosenData) -> bool:
    """Whether somebody goes on drawing after a run has ended: that of the new points is watched."""
    if (
        before is None
        or not before.data.key[0] == data.key[0] == DRAWN
        or before.data.key == data.key
    ):
        return False
    return before.runner.look().state == "finished"


def _speed() -> float:
    return SPEEDS[st.session_state.get("speed", USUAL_SPEED)]


def watch(
    session: TrainSession, run: SelectedRun, still: bool = False, fixed: bool = False
) -> None:
    """The run on the page, live; what depends on its state is drawn anew when that changes.

    ``still`` says that its data are only there because what was chosen last gives none, ``fixed``
    that its settings are not the page's.
    """
    drawn = lens_now()

    @st.fragment
    def stage() -> None:
        status = run.runner.look()
        state = status.state
        with st.container(
            key="headline", horizontal=True, vertical_alignment="center", gap="small"
        ):
            about("train", run.data, title_parts(run.config), still)
            with group("speed", width="content"):
                speed_control(run.runner)
            with group("export", width="content"):
                export_control(run, session.channel)
        if AGAIN in st.session_state:
            st.rerun()  # the settings, and with them the run, are those of the whole page
        if state in ("paused", "finished") and not fixed:
            remedy(run)
        lens = lens_now()
        lens_data = lens.message(st.session_state.get("lens_link", 0))
        live_view(session.channel, VIEW, "live", status.resting, lens_data, take_lens, ask_step)
        take_apart(run)
        hand_over()
        if state != "running":
            with group("more"):
                report(run)
                to_tree_page("run", disabled=run.runner.latest() is None)
        if lens != drawn:
            st.rerun()  # the page's link says it

    stage()
    hidden_note("train")


def title_parts(config: RunConfig) -> list[str]:
    """What the page's heading says of a run: its method."""
    return [run_title(config)]


def remedy(run: SelectedRun) -> None:
    """Where a run does not learn: why, and one click that mends it."""
    usual = usual_settings(str(run.data.key[0]), run.config.method)
    n_features = run.data.train.n_features
    history = run.runner.look().history
    if history and history[-1].done and (r2 := history[-1].validation_r2 or 0.0) < 0:
        worse = _("Test R² is {r2:.2f}: the mean of the target would predict better.", r2=r2)
        st.markdown(f":small[{worse}]")
    found = diagnose(history, run.config, usual, n_features)
    if found is None:
        return
    why, cure = st.columns([3, 1], vertical_alignment="center")
    why.markdown(f":small[{found.sentence}]")
    again = (run.config.method, found)
    cure.button(found.offer, key="mend", width="stretch", on_click=begin_again, args=again)


def ask_step(point: int) -> None:
    """A point's step is to be shown, if it is one of those learnt from."""
    session = session_value(TrainSession)
    row = session.stage.training_row(point) if session.stage else None
    if row is not None and session.data is not None:
        open_dialog(STEP, (session.data.key, row))


def take_apart(run: SelectedRun) -> None:
    """The one step of a point that somebody has asked for, over the page."""
    match opened(STEP):
        case (run.data.key, row):
            over_the_page = dialog(_("One step of example {row}", row=row))
            over_the_page(step_in_place)(run.runner, run.data, row)


def begin_again(method: str, found: Diagnosis) -> None:
    """Change the settings as a diagnosis has it; the next run of the page plays the new run."""
    for name, value in found.change.items():
        st.session_state[widget_key(method, name)] = value
    st.session_state[AGAIN] = True


def speed_control(runner: TrainingJob) -> None:
    """How fast learning is shown."""
    speed = st.segmented_control(
        _("Speed"),
        list(SPEEDS),
        default=USUAL_SPEED,
        format_func=translated,
        required=True,
        key="speed",
        label_visibility="collapsed",
        help=_("How fast learning is shown."),
    )
    runner.set_speed(SPEEDS[speed])


def report(run: SelectedRun) -> None:
    """What a tree at rest gets wrong, once somebody wants to know."""
    if run.data.held is None:
        return
    held, dark = run.data.held, st.context.theme.type == "dark"
    classes = held.task == "classification"
    confused = _("Which classes it confuses, on the held-out examples")
    name = confused if classes else _("How far off it is, on the held-out examples")
    box = st.expander(name, key="report", on_change="rerun")
    frame = run.runner.latest()
    if not box.open or frame is None:
        return
    if classes:
        key, alt = "confusion", _("Confusion matrix of the held-out examples.")
        guess = predict(frame.tree, held.given)
        figure = confusion_figure(held.y, guess, held.class_names, dark)
    else:
        key, alt = "errors", _("Predicted over true numbers of the held-out examples.")
        guess = predict_values(frame.tree, held.given)[:, 0]
        figure = errors_figure(held.y, guess, held.target_name, dark)
    with box:
        show(figure, key, alt)


main()
