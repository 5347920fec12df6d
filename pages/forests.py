"""Forests: one to four ensembles race on the same rows; look inside any of them."""

import streamlit as st

from ui.address import put_up, take_in, tell
from ui.controls import plane_control
from ui.data import UPLOAD, ChosenData, data_control
from ui.entrance import come_in
from ui.forest_address import CHOICES, forests_params, read_forests
from ui.forest_controls import Choice, nothing_to_tell, progress, racers_control, transport
from ui.forest_curves import DASHES, Racer, error_figure, loss_figure
from ui.forest_inside import inside
from ui.forest_plans import NUMERALS
from ui.forest_race import race, state_of
from ui.forest_table import table_text
from ui.glossary import FOREST_GLOSSARY
from ui.step_paint import paint, show
from ui.text import plain

# A table that is wider than a telephone is moved within its own place.
STYLE = """<style>
.st-key-forest_table { overflow-x: auto }
.st-key-forest_table :is(th, td) { white-space: nowrap }
</style>"""

TICK_SECONDS = 0.8
REST_SECONDS = 3.0


def main() -> None:
    """The page from top to bottom."""
    tell("forests", take_in("forests", read_forests))
    st.html(STYLE)
    own = race()
    with st.sidebar:
        st.subheader("Data")
        data = data_control() or own.data
        st.subheader("Who races")
        choices = racers_control(data, st.session_state.seed)
        plane = plane_control(data) if data else None
    if data is None:
        st.info("Choose data on the left to begin.", icon=":material/arrow_back:")
        return
    if same := nothing_to_tell(data):
        st.info(plain(same), icon=":material/info:")
        return
    own.take_up(data, [choice.plan for choice in choices])
    drawn = state_of(own.looks())
    active = drawn in ("running", "waiting")

    # One fragment holds all that moves; see pages/compare.py.
    told = False

    @st.fragment(run_every=TICK_SECONDS if active else REST_SECONDS)
    def stage() -> None:
        nonlocal told
        looks = own.looks()
        state = state_of(looks)
        transport(own, state)
        racers = [
            Racer(number, choice.plan, look)
            for number, (choice, look) in enumerate(zip(choices, looks, strict=True))
            if choice.plan is not None
        ]
        status(choices, racers)
        if any(racer.look.marks for racer in racers):
            charts(racers, data)
            with st.container(key="forest_table"):
                st.markdown(table_text(racers, data.train.task == "regression"))
        if racers:
            inside(own, racers, data, plane)
        put_up("forests", params(data, choices))
        if told and state != drawn:  # see pages/train.py
            st.rerun()
        told = True

    stage()
    if data.key[0] == UPLOAD:
        st.caption("The link names your file but does not carry it.")


def status(choices: list[Choice], racers: list[Racer]) -> None:
    """How far every racer is, and what is wrong with it."""
    for number, choice in enumerate(choices):
        if choice.problem:
            told = f"{NUMERALS[number]} · {choice.kind.title}: {choice.problem}."
            st.warning(plain(told), icon=":material/block:")
    for racer, column in zip(racers, st.columns(max(1, len(racers))), strict=False):
        with column:
            progress(racer.label, racer.plan, racer.look)
    for racer in racers:
        look = racer.look
        if look.state == "failed":
            st.error(plain(f"{racer.label}: {look.message}.", 600), icon=":material/error:")
        elif look.state == "finished" and look.message:
            st.info(plain(f"{racer.label}: {look.message}.", 600), icon=":material/info:")


def charts(racers: list[Racer], data: ChosenData) -> None:
    """The errors of all, and the losses of hinge forests."""
    hinge = [racer for racer in racers if racer.plan.hinge]
    places = st.columns([3, 2], gap="medium") if hinge else [st.container()]
    with places[0]:
        st.session_state.setdefault("forest_by", "trees")
        by = st.segmented_control(
            "Error by",
            CHOICES["by"][1],
            format_func=str.capitalize,
            required=True,
            key="forest_by",
            help=f"{FOREST_GLOSSARY['error']}\n\n**Trees**: {FOREST_GLOSSARY['trees']}\n\n"
            f"**Seconds**: {FOREST_GLOSSARY['seconds']}",
            persist_state="session",
        )
        numbers = data.train.task == "regression"
        figure = error_figure(racers, by, numbers, paint())
        show(figure, "forest_errors", "Errors of the forests while they learn")
        told = [f"{DASHES[rows]} {rows}" for rows in DASHES]
        st.caption(f"Lines: {', '.join(told)}.")
    if hinge:
        with places[1]:
            st.markdown("**Loss of hinge forests**", help=FOREST_GLOSSARY["loss"])
            figure = loss_figure(hinge, paint())
            show(figure, "forest_losses", "Losses of the hinge forests by mini-batches")


def params(data: ChosenData, choices: list[Choice]) -> dict:
    """The link of what is on the page now."""
    state = st.session_state
    looked = {
        name: state[key]
        for name, (key, words) in CHOICES.items()
        if state.get(key, words[0]) != words[0]
    }
    for name in ("look", "member"):
        if state.get(f"forest_{name}", 1) != 1:
            looked[name] = state[f"forest_{name}"]
    if state.get("forest_at") is not None:
        looked["at"] = state["forest_at"]
    return forests_params(data, [(choice.kind, choice.values) for choice in choices], looked)


come_in()
main()
