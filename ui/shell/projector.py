"""For a projector: the whole page larger, by a switch at its foot or by a link."""

import streamlit as st

from ui.language.translate import _

PROJECTOR = "projector"
"""The session's key of whether the page is larger, and its name in a link."""

ZOOM = 1.4

_STYLE = f"""<style>
html {{ zoom: {ZOOM} }}
.stApp, [data-testid=stSidebar] {{ height: calc(100vh / {ZOOM}) }}
</style>"""


def choose_projector() -> None:
    """Read it off a link that is new, and draw the page so. Called by ``ui/main.py``."""
    given = st.query_params.get(PROJECTOR, "")
    if given and given != st.session_state.get("projector_link"):
        st.session_state[PROJECTOR] = given == "1"
    st.session_state.projector_link = given
    if st.session_state.get(PROJECTOR):
        st.html(_STYLE)


def projector_params() -> dict[str, str]:
    """What links say of it: nothing where the page is as usual."""
    return {PROJECTOR: "1"} if st.session_state.get(PROJECTOR) else {}


def projector_control() -> None:
    st.toggle(
        _("Projector"),
        key=PROJECTOR,
        help=_(
            "Makes everything 1.4 times as large. Use it in front of an audience; links to a "
            "page keep it."
        ),
        persist_state="session",
    )
