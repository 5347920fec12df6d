"""Train one tree and watch it: pick data and a method, press play."""

import streamlit as st

from treecore import RunConfig, predict
from treecore.core.routing import predict_values
from treecore.runs.driver import RunSession
from treecore.training.registry import METHODS
from ui.drawing.charts import confusion_figure, errors_figure
from ui.jobs.chosen_data import ChosenData
from ui.jobs.training_job import SPEEDS, Runner
from ui.live.component import live_view
from ui.live.session import Desk, desk
from ui.query.codec import put_up, read_training, take_in, tell, training_params
from ui.query.view import lens_now, take_lens, view_params
from ui.shell.class_link import class_link_control, group, hidden_params, hide, tell_hidden
from ui.shell.glossary import GLOSSARY
from ui.shell.router import come_in
from ui.widgets.dataset_picker import data_control
from ui.widgets.export import export_control
from ui.widgets.file_download import hand_over
from ui.widgets.method_settings import method_control, plane_control
from ui.widgets.run_folders import FOLDER, folder_note, taken_up
from ui.widgets.saved_tree import saved_tree_control

TICK_SECONDS = 0.1
REST_SECONDS = 1.0
USUAL_SPEED = "Normal"


def transport(runner: Runner, state: str, unit: str) -> None:
    """Buttons that say what should be: a click that arrives twice does no harm."""
    done = state in ("finished", "failed")
    st.button(
        "Play",
        on_click=runner.play,
        type="primary",
        icon=":material/play_arrow:",
        disabled=done or runner.playing,
        key="play",
        help="Learn to the end.",
    )
    st.button(
        "Pause",
        on_click=runner.pause,
        icon=":material/pause:",
        disabled=not runner.playing and state != "running",
        key="pause",
        help="Stop here; learning can go on later.",
    )
    st.button(
        "Step",
        on_click=runner.step_to,
        args=(runner.next_epoch,),
        icon=":material/skip_next:",
        disabled=state != "paused",
        key="step",
        help=f"One {unit}. {GLOSSARY[unit]}",
    )
    st.button(
        "Reset",
        on_click=runner.reset,
        icon=":material/replay:",
        key="reset",
        help="Back to the start. The same seed learns the same tree again.",
    )


def main() -> None:
    """The page from top to bottom."""
    reading = take_in("train", read_training)
    if reading is not None:
        st.session_state.lens_link = st.session_state.get("lens_link", 0) + 1
    tell("train", reading)
    hide("train")
    own = desk()
    kept = taken_up(reading is not None)
    if kept is not None:
        go_on(own, *kept)
        return
    with st.sidebar:
        with group("data"):
            st.subheader("Data")
            # A file that cannot be read says so there and leaves what is on the screen alone.
            data = data_control() or own.data
        with group("method", "title"):
            st.subheader("Learning")
        task = data.train.task if data else "classification"
        config = method_control(st.session_state.seed, task)
        start = None
        if data and METHODS[config.method].takes_start:
            with group("settings", "start"):
                start = saved_tree_control(data)
        with group("map"):
            plane = plane_control(data, own.tree_of(data)) if data else None

    if data is None:
        st.info("Choose data on the left to begin.", icon=":material/arrow_back:")
        return
    params = training_params(data.key, data.train.name, config) | view_params(plane, lens_now())
    put_up("train", params | hidden_params("train"))
    with st.sidebar:
        class_link_control("train", params)
    runner = own.take_up(data, config, plane, _speed(), start)
    watch(own, runner, config)


def go_on(own: Desk, data: ChosenData, kept: RunSession) -> None:
    """The page of a run that a folder holds: its rows and settings are what they are."""
    config = kept.folder.config
    with st.sidebar:
        folder_note(kept)
        plane = plane_control(data, own.tree_of(data))
    put_up("train", {FOLDER: data.key[1]} | view_params(plane, lens_now()))
    watch(own, own.take_up(data, config, plane, _speed(), None, kept), config)


def _speed() -> float:
    return SPEEDS[st.session_state.get("speed", USUAL_SPEED)]


def watch(own: Desk, runner: Runner, config: RunConfig) -> None:
    """The run on the page, live."""
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
            transport(runner, state, METHODS[config.method].unit)
            with group("speed", width="content"):
                speed_control(runner)
            with group("export", horizontal=True, horizontal_alignment="right"):
                export_control(own)
        lens = lens_now()
        told = lens.told(st.session_state.get("lens_link", 0))
        live_view(own.message(told), key="live", on_lens=take_lens)
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
            report(own)
    tell_hidden("train")


def speed_control(runner: Runner) -> None:
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


def report(own: Desk) -> None:
    """What a tree at rest gets wrong."""
    frame = own.runner.latest()
    if frame is None or own.data.held is None:
        return
    held, dark = own.data.held, st.context.theme.type == "dark"
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


come_in()
main()
