"""Train one tree and watch it: pick data and a method, press play."""

from functools import partial

import streamlit as st

from treecore import predict
from treecore.core.routing import predict_values
from treecore.runs.driver import RunSession
from treecore.training.registry import METHODS
from ui.drawing.charts import confusion_figure, errors_figure
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import session_value
from ui.jobs.training_job import SPEEDS, TrainingJob
from ui.links.training import read_training, training_params
from ui.links.view import lens_now, take_lens, view_params
from ui.links.visit import read_link, report_problems, show_link
from ui.live.component import live_view
from ui.live.session import SelectedRun, TrainSession
from ui.shell.class_link import class_link_control, group, hidden_note, hide
from ui.shell.glossary import GLOSSARY
from ui.widgets.dataset_picker import data_control
from ui.widgets.export import export_control
from ui.widgets.file_download import hand_over
from ui.widgets.method_settings import method_control, plane_control
from ui.widgets.run_folders import FOLDER, folder_note, taken_up
from ui.widgets.saved_tree import saved_tree_control
from ui.widgets.transport import Act, transport_buttons

TICK_SECONDS = 0.1
REST_SECONDS = 1.0
USUAL_SPEED = "Normal"


def transport(runner: TrainingJob, state: str, unit: str) -> None:
    """Buttons that say what should be."""
    transport_buttons(
        "",
        play=Act(
            runner.play,
            "Learn to the end.",
            disabled=state in ("finished", "failed") or runner.playing,
        ),
        pause=Act(
            runner.pause,
            "Stop here; learning can go on later.",
            disabled=not runner.playing and state != "running",
        ),
        step=Act(
            partial(runner.step_to, runner.next_epoch),
            f"One {unit}. {GLOSSARY[unit]}",
            disabled=state != "paused",
        ),
        reset=Act(runner.reset, "Back to the start. The same seed learns the same tree again."),
    )


def main() -> None:
    """The page from top to bottom."""
    reading = read_link("train", read_training)
    if reading is not None:
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
            st.subheader("Data")
            # A file that cannot be read says so there and leaves what is on the screen alone.
            data = data_control() or session.data
        with group("method", "title"):
            st.subheader("Learning")
        task = data.train.task if data else "classification"
        config = method_control(st.session_state.seed, task)
        start = None
        if data and METHODS[config.method].takes_start:
            with group("settings", "start"):
                start = saved_tree_control(data)
        with group("map"):
            plane = plane_control(data, session.tree_of(data)) if data else None

    if data is None or plane is None:
        st.info("Choose data on the left to begin.", icon=":material/arrow_back:")
        return
    params = training_params(data.key, data.train.name, config) | view_params(plane, lens_now())
    show_link("train", params)
    with st.sidebar:
        class_link_control("train", params)
    watch(session, session.select_run(data, config, plane, _speed(), start))


def go_on(session: TrainSession, data: ChosenData, resumed: RunSession) -> None:
    """The page of a run that a folder holds: its rows and settings are what they are."""
    config = resumed.folder.config
    with st.sidebar:
        folder_note(resumed)
        plane = plane_control(data, session.tree_of(data))
    show_link("train", {FOLDER: data.key[1]} | view_params(plane, lens_now()))
    watch(session, session.select_run(data, config, plane, _speed(), None, resumed))


def _speed() -> float:
    return SPEEDS[st.session_state.get("speed", USUAL_SPEED)]


def watch(session: TrainSession, run: SelectedRun) -> None:
    """The run on the page, live."""
    runner = run.runner
    drawn = runner.look().state, lens_now()
    active = drawn[0] in ("running", "waiting")

    # One fragment holds the buttons and the view, and it never stops ticking: whatever Streamlit
    # loses or reorders on the way to the browser is there again with the next tick.
    shown = None

    @st.fragment(run_every=TICK_SECONDS if active else REST_SECONDS)
    def stage() -> None:
        nonlocal shown
        state = runner.look().state
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            transport(runner, state, METHODS[run.config.method].unit)
            with group("speed", width="content"):
                speed_control(runner)
            with group("export", horizontal=True, horizontal_alignment="right"):
                export_control(run)
        lens = lens_now()
        view_link = lens.told(st.session_state.get("lens_link", 0))
        live_view(session.message(view_link), key="live", on_lens=take_lens)
        hand_over()
        # The rest of the page follows a state that has been on the screen. A click is seen sooner
        # for it; and a run that another one cuts short is never seen, nor are the values that a
        # link gave to its widgets. Only a page at rest, whose ticks are slow, follows at once.
        now = state, lens
        seen = shown == now or (shown and not active)
        shown = now
        if seen and now != drawn:
            st.rerun()  # another tick, what is below, and the link

    stage()
    if not active:
        with group("more"):
            report(run)
    hidden_note("train")


def speed_control(runner: TrainingJob) -> None:
    """How fast learning is shown."""
    speed = st.segmented_control(
        "Speed",
        list(SPEEDS),
        default=USUAL_SPEED,
        required=True,
        key="speed",
        label_visibility="collapsed",
        help="How fast learning is shown.",
    )
    runner.set_speed(SPEEDS[speed])


def report(run: SelectedRun) -> None:
    """What a tree at rest gets wrong."""
    frame = run.runner.latest()
    if frame is None or run.data.held is None:
        return
    held, dark = run.data.held, st.context.theme.type == "dark"
    if held.task == "classification":
        name, key = "Which classes it confuses, on the held-out examples", "confusion"
        guess = predict(frame.tree, held.X)
        figure = confusion_figure(held.y, guess, held.class_names, dark)
    else:
        name, key = "How far off it is, on the held-out examples", "errors"
        guess = predict_values(frame.tree, held.X)[:, 0]
        figure = errors_figure(held.y, guess, held.target_name, dark)
    with st.expander(name):
        st.plotly_chart(figure, key=key, width="stretch", config={"displayModeBar": False})


main()
