"""Home: the idea, told by two runs, and the ways in."""

import re
from pathlib import Path

import streamlit as st

from ui.lab.shipped import LEAVES, claims, recording, shipped
from ui.language.translate import _
from ui.learn.tab import engine
from ui.library.examples import EXAMPLES
from ui.links.fields import Params, Reading
from ui.links.visit import read_link, report_problems, show_link
from ui.live.component import browser_component
from ui.shell.languages import language_params, projector_params
from ui.shell.router import APP, page_file

README = Path(__file__).parents[1] / "README.md"


def main() -> None:
    report_problems("home", read_link("home", read_home))
    if language_params() | projector_params():  # which a reload would forget
        show_link("home", {})
    elif st.query_params:  # what is wrong with it is said, and it says nothing that is right
        st.query_params.clear()
    st.title(_(APP), anchor=False)
    story()
    ways_in()
    in_python()


def read_home(params: Params) -> Reading:
    """What a link says of this page: there is nothing to say."""
    reading = Reading()
    reading.strangers(params, ())
    return reading


def story() -> None:
    """Greedy and joint learning on the same points, in three steps."""
    reached = {
        name: _(
            "{mean:.0f} % test accuracy (± {deviation:.0f}, {draws} draws)",
            mean=100 * mean,
            deviation=100 * deviation,
            draws=draws,
        )
        for name, (mean, deviation, draws) in claims().items()
    }
    leaves = LEAVES
    steps = [
        {
            "name": _("One split at a time"),
            "text": _(
                "A greedy tree picks one split after another, each the best at that moment, and "
                "never revisits it. On these four squares no first split helps: with {leaves} "
                "leaves it reaches {reached}.",
                leaves=leaves,
                reached=reached["greedy"],
            ),
        },
        {
            "name": _("All splits together"),
            "text": _(
                "SGD adjusts all splits together, at any angle, epoch by epoch, to lower a bound "
                "on the loss. With the same {leaves} leaves it reaches {reached}.",
                leaves=leaves,
                reached=reached["sgd"],
            ),
        },
        {
            "name": _("Your turn"),
            "text": _(
                "With {leaves} leaves, greedy splits reach {greedy}; splits learnt together "
                "reach {sgd}. With more leaves, or on other data, greedy trees can win. Open "
                "this run and change points, leaves or method.",
                leaves=leaves,
                greedy=reached["greedy"],
                sgd=reached["sgd"],
            ),
        },
    ]
    names = [_("Greedy, axis-aligned"), _("Learnt together, SGD")]
    mount = browser_component("home", "pages/home.js")
    mount(
        data={
            "recording": recording(),
            "steps": steps,
            "names": names,
            "start": shipped().start if engine() == "browser" else "",
            "learnt": _("Your browser learns this tree while you watch."),
        },
        key="home_picture",
        height="content",
    )


def ways_in() -> None:
    """The run that is shown, the first lesson, and what was kept."""
    with st.container(key="doors", horizontal=True, gap="medium"):
        st.page_link(
            page_file("lab"),
            label=_("**Open this run**"),
            icon=":material/play_circle:",
            query_params=EXAMPLES[0].link() | {"seed": f"{shipped().seed}"},
        )
        st.page_link(page_file("learn"), label=_("Begin with a lesson"), icon=":material/school:")
        st.page_link(
            page_file("lab"),
            label=_("Watch one tree"),
            icon=":material/account_tree:",
            query_params={"data": "spirals", "run": "sgd"},
        )
        st.page_link(page_file("library"), label=_("Saved runs"), icon=":material/inventory_2:")


def in_python() -> None:
    """The same trees without a screen, as the README shows it."""
    box = st.expander(
        _(":material/terminal: In Python"),
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
