"""Pages for a class: a link may hide groups of controls, and what they hold stays as it says.

A hidden group is still drawn, into a container that the page's style does not show: its values,
its links and its defaults are those of the whole page.
"""

from collections.abc import Mapping
from typing import Any
from urllib.parse import urlencode

import streamlit as st

from ui.language.translate import N_, _, within

LONGEST_TITLE = 120
"""Letters of a page's title for a class."""

GROUPS = {
    "data": N_("Data"),
    "method": N_("Methods"),
    "settings": N_("Settings"),
    "map": N_("What the map shows"),
    "speed": N_("Speed and clock"),
    "export": N_("Export menu"),
    "folders": N_("Folder choice"),
    "start": N_("Sweep form"),
    "plot": N_("Plot kind"),
    "commands": N_("Next steps"),
    "more": N_("Below the view"),
}
"""Groups of controls by their names in a link, and how they are called."""

OF_PAGE = {
    "lab": ("data", "method", "settings", "map", "speed", "export", "more"),
    "inspect": ("data", "settings", "map", "export", "more"),
    "library": ("folders", "start", "plot", "commands", "export", "more"),
}
"""Which of them each page has."""

IN_SIDEBAR = {
    "lab": {"data", "settings", "map", "speed"},
    "inspect": {"data", "settings"},
    "library": set(),
}
"""Without these there is nothing in the sidebar."""


def group(name: str, place: str = "", **layout):
    """A container of controls that a link may hide; ``place`` tells two of one group apart."""
    return st.container(key=f"group_{name}{place and '_'}{place}", **layout)


def hidden(page: str) -> tuple[str, ...]:
    return tuple(n for n in st.session_state.get("hide", ()) if n in OF_PAGE[page])


def hide(page: str) -> None:
    """Lay the style under the page that hides what its link hides; before what it hides."""
    names = hidden(page)
    if not names:
        return
    rules = [f'[class*="st-key-group_{name}"]' for name in (*names, "class")]
    if IN_SIDEBAR[page] and IN_SIDEBAR[page] <= set(names):
        rules += ["[data-testid=stSidebar]", "[data-testid=stExpandSidebarButton]"]
    st.html(f"<style>{', '.join(rules)} {{ display: none !important }}</style>")


def hidden_note(page: str) -> None:
    names = hidden(page)
    if not names:
        return
    groups = ", ".join(within(_(GROUPS[name])) for name in names)
    st.caption(
        _(
            "This link hides: {groups}. Remove `hide=` from the address to see everything.",
            groups=groups,
        )
    )


def title_key(page: str) -> str:
    """The key of the session's state that has a page's title for a class."""
    return f"class_title_{page}"


def class_title(page: str) -> str:
    return st.session_state.get(title_key(page), "")


def class_link_control(page: str, params: Mapping[str, Any]) -> None:
    """Makes a link to the page as it is, without the groups that are chosen here."""
    with group("class"):
        box = st.expander(
            _("Classroom link"),
            key=f"class_link_{page}",
            on_change="rerun",  # a box of code has the browser load 1.6 MB
        )
    if not box.open:
        return
    with box:
        names = st.pills(
            _("Hide"),
            OF_PAGE[page],
            default=[name for name in OF_PAGE[page] if name not in ("speed", "more")],
            selection_mode="multi",
            format_func=lambda name: _(GROUPS[name]),
            key=f"class_hide_{page}",
            help=_(
                "Hides these controls from everyone who opens the link. Hide the ones that your "
                "lesson does not need."
            ),
            persist_state="session",
        )
        title = st.text_input(
            _("Title"),
            max_chars=LONGEST_TITLE,
            key=f"class_title_asked_{page}",
            placeholder=_("What should the class find out?"),
            help=_("Appears above the page. Write the question that your class should answer."),
            persist_state="session",
        )
        names = [name for name in OF_PAGE[page] if name in names]  # in one order
        requested = {"v": "1", **params}
        requested |= {"hide": ",".join(names)} if names else {}
        requested |= {"title": title} if title else {}
        base = (st.context.url or "").split("?")[0]
        st.code(
            f"{base}?{urlencode(requested, doseq=True, safe=',~')}", language=None, wrap_lines=True
        )
