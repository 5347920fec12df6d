"""Which language a visitor reads, and how large: by link, browser, and the foot of the page."""

import streamlit as st

from ui.language.catalogue import ENGLISH, LANGUAGE, languages
from ui.language.translate import KEY, _

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


REQUESTED = "language_asked"
"""The session's key of a language that a link or the visitor has chosen: links name it on."""


def choose_language() -> None:
    """Settle the language of this run of the script, before anything is said."""
    requested = st.query_params.get(LANGUAGE, "")
    # An address names the language that it was shown in, until the next run of the page.
    if requested in languages() and requested != st.session_state.get("language_link"):
        st.session_state[KEY] = st.session_state[REQUESTED] = requested
    st.session_state.language_link = requested
    if KEY not in st.session_state:
        st.session_state[KEY] = of_browser(st.context.locale)


def of_browser(locale: str | None) -> str:
    """The language of a browser that asks for a locale such as ``de-AT``, where it is there."""
    code = (locale or "").replace("_", "-").partition("-")[0].lower()
    return code if code in languages() else ENGLISH


def language_params() -> dict[str, str]:
    """What links say of the language: nothing, where nobody has chosen one."""
    requested = st.session_state.get(REQUESTED, "")
    return {LANGUAGE: requested} if requested else {}


def language_control() -> None:
    """The row of languages at the foot of every page, and the switch for a projector."""
    names = languages()
    key = f"{KEY}_choice_{st.session_state[KEY]}"  # a new one for each: its value is that language

    def chosen() -> None:
        st.session_state[KEY] = st.session_state[REQUESTED] = st.session_state[key]
        # The address still names the language before, which no link has asked for since.
        st.session_state.language_link = st.query_params.get(LANGUAGE, "")
        # A browser goes on showing a choice in the words in which it was made, until it is told.
        for name, value in st.session_state.to_dict().items():
            if isinstance(value, str | int | float) and not isinstance(value, bool):
                st.session_state[name] = value

    with st.container(
        key="languages", horizontal=True, horizontal_alignment="right", vertical_alignment="center"
    ):
        projector_control()
        if len(names) < 2:
            return
        st.segmented_control(
            _("Language"),
            list(names),
            default=st.session_state[KEY],
            required=True,
            format_func=names.__getitem__,
            key=key,
            on_change=chosen,
            label_visibility="collapsed",
            help=_("Sets the language of all pages. Links to a page keep it."),
        )
