"""Home: what this is, a tree that learns, and the doors to the other pages."""

import re
from pathlib import Path

import streamlit as st

from ui.home.recording import picture_view, recording
from ui.language.translate import N_, _
from ui.links.fields import Params, Reading
from ui.links.visit import read_link, report_problems
from ui.shell.router import page_file

README = Path(__file__).parents[1] / "README.md"

DOORS = (
    (
        "learn",
        N_("Learn"),
        ":material/school:",
        N_("Twelve short lessons. Guess what will happen, play and see, and say why."),
    ),
    (
        "train",
        N_("Train"),
        ":material/play_circle:",
        N_("Choose data and a method, press play, and watch one tree learn."),
    ),
    (
        "compare",
        N_("Compare"),
        ":material/balance:",
        N_("Two to four methods on the same points, side by side on one clock."),
    ),
    (
        "forests",
        N_("Forests"),
        ":material/forest:",
        N_("Many trees that vote: watch the error fall, tree by tree."),
    ),
    (
        "tree",
        N_("The tree"),
        ":material/account_tree:",
        N_("Open any tree, walk through it, and ask what would change its answer."),
    ),
    (
        "step",
        N_("One step"),
        ":material/footprint:",
        N_("Hold an algorithm still and see the numbers behind a single step."),
    ),
    (
        "experiments",
        N_("Experiments"),
        ":material/science:",
        N_("Batches: sweeps over settings, and every run and tree that was kept."),
    ),
)


def main() -> None:
    """The page from top to bottom."""
    report_problems("home", read_link("home", read_home))
    if st.query_params:  # what is wrong with it is said, and it says nothing that is right
        st.query_params.clear()
    left, right = st.columns([7, 5], gap="large", vertical_alignment="center")
    with left:
        st.title(_("Watch trees learn"), anchor=False)
        st.markdown(
            _(
                "A decision tree asks one question after another until it knows the answer. "
                "Most are grown greedily: each question is the best one at its place, and is "
                "never changed again. Here you see what is lost by that, and watch trees "
                "that turn all their questions together, at any angle, until the whole tree "
                "is good."
            )
        )
        with st.container(key="begin", width="content"):
            st.page_link(
                page_file("learn"),
                label=_("**Begin with the first lesson**"),
                icon=":material/arrow_forward:",
            )
    with right:
        recording().retry()
        picture_view(recording().channel)  # its points alone, until the run is recorded
    doors()
    in_python()


def read_home(params: Params) -> Reading:
    """What a link says of this page: there is nothing to say."""
    reading = Reading()
    reading.strangers(params, ())
    return reading


def doors() -> None:
    """The other pages, a card each."""
    row = st.container(key="doors").columns(len(DOORS))
    for column, (page, title, icon, sentence) in zip(row, DOORS, strict=True):
        with column, st.container(border=True, height="stretch"):
            st.page_link(page_file(page), label=f"**{_(title)}**", icon=icon)
            st.caption(_(sentence))


def in_python() -> None:
    """The same trees without a screen, as the README shows it."""
    with st.container(border=True):
        st.markdown(_("**:material/terminal: In batches, from Python and on the command line**"))
        st.caption(
            _(
                "The same core trains without a screen, by every method shown here: the "
                "estimators `ObliqueTreeClassifier` and `ObliqueTreeRegressor` go wherever "
                "scikit-learn's own go, and what `treecore train` and `treecore sweep` keep "
                "is on the page Experiments."
            )
        )
        box = st.expander(
            _("How to use them"),
            key="home_in_python",
            on_change="rerun",  # code in colours has the browser load 1.6 MB
        )
        if box.open:
            box.markdown(section(README.read_text(encoding="utf-8"), "In Python"))


def section(readme: str, title: str) -> str:
    """A section of the README; links to its files become words, since here they lead nowhere."""
    found = re.search(
        rf"^## {re.escape(title)}\n(.*?)(?=^## |\Z)", readme, re.DOTALL | re.MULTILINE
    )
    text = re.sub(r"^### (.*)$", r"**\1**", found[1] if found else "", flags=re.MULTILINE)
    return re.sub(r"\[([^\]]+)\]\((?!https?:)[^)]*\)", r"\1", text).strip()


main()
