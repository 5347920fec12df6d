"""Forests: one to four ensembles race on the same rows; look inside any of them."""

import streamlit as st

from treecore import Forest
from treecore.viewer.messages.planes import Plane
from ui.drawing.theme import paint, show
from ui.forests.controls import RacerChoice, progress, racers_control, transport
from ui.forests.curves import DASHES, Racer, error_figure, loss_figure
from ui.forests.inspector import View, forest_map, forest_margins, forest_member
from ui.forests.link import BY, forests_params, read_forests
from ui.forests.presets import NUMERALS
from ui.forests.session import PULSE, ForestRace, state_of
from ui.forests.table import download_control, table_text
from ui.jobs.chosen_data import ChosenData, nothing_to_tell
from ui.jobs.session import session_value
from ui.language.translate import _, said
from ui.links.visit import read_link, report_problems, show_link
from ui.live.component import pulse_view
from ui.shell.class_link import class_link_control, group, hidden_note, hide
from ui.shell.glossary import FOREST_GLOSSARY
from ui.shell.page_style import pictures_beside
from ui.shell.safe_text import plain
from ui.tree.opening import to_tree_page
from ui.widgets.data.picker import UPLOAD, data_control
from ui.widgets.file_download import hand_over
from ui.widgets.heading import about, unseen_heading
from ui.widgets.method_settings import plane_control

# A table that is wider than a telephone is moved within its race place. A forest's figure is as
# large as that of a run in the Lab, and has its place before it is known.
STYLE = """<style>
.score p { margin: 0; min-height: 2.2rem; font-size: .9rem }
.score b { font-size: 1.5rem; font-variant-numeric: tabular-nums }
.st-key-forest_table { overflow-x: auto }
.st-key-forest_table :is(th, td) { white-space: nowrap }
</style>"""


def main() -> None:
    """The page from top to bottom."""
    report_problems("forests", read_link("forests", read_forests))
    hide("forests")
    st.html(STYLE)
    race = session_value(ForestRace)
    with st.sidebar:
        with group("data"):
            st.header(_("Data"))
            chosen = data_control()
            data = chosen or race.data
        with group("method"):
            st.header(_("Who races"))
            choices = racers_control(data, st.session_state.seed)
        with group("map"):
            plane = plane_control(data) if data else None
    if data is None or plane is None:
        unseen_heading(_("Forests"))
        st.info(_("Choose data on the left to begin."), icon=":material/arrow_back:")
        return
    about("forests", data, [_(choice.kind.title) for choice in choices], still=chosen is None)
    if same := nothing_to_tell(data):
        st.info(plain(same), icon=":material/info:")
        return
    race.enter(data, [choice.plan for choice in choices])
    linked = None  # what the page's link was when the page was drawn

    # One fragment holds all that moves. It runs again when the channel has news.
    @st.fragment
    def stage() -> None:
        looks = race.looks()
        state = state_of(looks)
        transport(race, state)
        rivals = tuple(choice.kind.method or choice.kind.name for choice in choices)
        racers = [
            Racer(number, choice.plan, look, rivals)
            for number, (choice, look) in enumerate(zip(choices, looks, strict=True))
            if choice.plan is not None and look is not None
        ]
        status(choices, racers, data)
        if racers:
            body(race, racers, data, plane)
        link = params(data, choices)
        show_link("forests", link)
        pulse_view(race.channel, PULSE, "pulse", state)
        if linked not in (None, link):
            st.rerun()  # what stands beside says the link as well

    stage()
    linked = params(data, choices)
    with st.sidebar:
        class_link_control("forests", linked)
    if data.key[0] == UPLOAD:
        st.caption(_("The link names your file but does not carry it."))
    hidden_note("forests")


def status(choices: list[RacerChoice], racers: list[Racer], data: ChosenData) -> None:
    """How far every racer is, and what is wrong with it."""
    for number, choice in enumerate(choices):
        if choice.problem:
            sentence = f"{NUMERALS[number]} · {_(choice.kind.title)}: {said(choice.problem)}."
            st.warning(plain(sentence), icon=":material/block:")
    for racer, column in zip(racers, st.columns(max(1, len(racers))), strict=False):
        with column:
            progress(racer.label, racer.plan, racer.look, data)
    for racer in racers:
        look = racer.look
        if look.state == "failed":
            st.error(plain(f"{racer.label}: {look.message}.", 600), icon=":material/error:")
        elif look.state == "finished" and look.message:
            st.info(plain(f"{racer.label}: {look.message}.", 600), icon=":material/info:")


def body(race: ForestRace, racers: list[Racer], data: ChosenData, plane: Plane) -> None:
    """Errors beside the map, margins beside a member, losses, and the table at the end."""
    started = any(racer.look.marks for racer in racers)
    numbers = data.train.task == "regression"
    left, right = pictures_beside("forests", gap="medium")
    with left:
        errors(racers, numbers, started)
    with right:
        view = forest_map(race, racers, data, plane)
    with group("more"):
        if view is not None:
            left, right = st.columns(2, gap="medium")
            with left:
                forest_margins(view)
            with right:
                forest_member(view)
                member_on_tree_page(view, racers)
        if started:
            more(racers, data)
    if started and view is not None:
        with group("export"):
            download_control(view.racer, data)
            hand_over()


def member_on_tree_page(view: View, racers: list[Racer]) -> None:
    """The button that opens the chosen tree there; those of hinge forests answer by margins."""
    if isinstance(view.scene.forest, Forest):
        earlier = [racer for racer in racers if racer.number < view.racer.number]
        place = sum(isinstance(racer.look.forest, Forest) for racer in earlier)
        to_tree_page("forest", forest=place, member=view.member + 1)


def more(racers: list[Racer], data: ChosenData) -> None:
    """The losses of hinge forests, and the table."""
    hinge = [racer for racer in racers if racer.plan.hinge]
    if hinge:
        st.markdown(_("**Loss of hinge forests**"), help=_(FOREST_GLOSSARY["loss"]))
        figure = loss_figure(hinge, paint())
        show(figure, "forest_losses", _("Losses of the hinge forests by mini-batches"))
    with st.container(key="forest_table"):
        st.markdown(table_text(racers, data))


def errors(racers: list[Racer], numbers: bool, started: bool) -> None:
    """The errors of all racers while they learn."""
    st.session_state.setdefault("forest_by", "trees")
    by = st.segmented_control(
        _("Error by"),
        BY.values,
        format_func=lambda by: _(by.capitalize()),
        required=True,
        key="forest_by",
        help=f"{_(FOREST_GLOSSARY['error'])}\n\n**{_('Trees')}**: {_(FOREST_GLOSSARY['trees'])}\n\n"
        f"**{_('Seconds')}**: {_(FOREST_GLOSSARY['seconds'])}",
        persist_state="session",
    )
    if not started:
        st.caption(_("Every forest will draw its errors here, tree by tree."))
        return
    assert by is not None, "the choice is required, and has a value from the start"
    figure = error_figure(racers, by, numbers, paint())
    show(figure, "forest_errors", _("Errors of the forests while they learn"))
    legend = [f"{_(how)} {_(rows)}" for rows, how in DASHES.items()]
    st.caption(_("Lines: {legend}.", legend=", ".join(legend)))


def params(data: ChosenData, choices: list[RacerChoice]) -> dict:
    """The link of what is on the page now."""
    racers = [(choice.kind, choice.values) for choice in choices]
    return forests_params(data, racers, st.session_state)


main()
