"""The script that Streamlit runs for every visitor: page configuration and navigation."""

import streamlit as st

from ui.inspect.link import INSPECTED
from ui.jobs.session import session_name, session_number
from ui.language.translate import _
from ui.links.visit import requested_query
from ui.live.component import history_keeper
from ui.shell.languages import choose_language, choose_projector, language_control
from ui.shell.page_style import surface
from ui.shell.router import APP, load, navigation, sign_in, tab_title


def main() -> None:
    choose_language()
    st.set_page_config(
        page_title=_(APP),
        page_icon="🌳",
        layout="wide",
        # What these have at first is in sight; their sidebar is called More (page_style.py).
        initial_sidebar_state="collapsed" if path() in ("lab", "inspect") else "auto",
    )
    session_number()  # the log says that somebody has come
    surface()
    choose_projector()
    sign_in()
    page = navigation()  # the menu is there while the rest is loaded
    inspected = st.session_state.get(INSPECTED, 0) if page.url_path == "lab" else 0
    history_keeper(session_name(), page.url_path, requested_query(), inspected)
    st.set_page_config(page_title=tab_title(page.title))
    load()
    page.run()
    language_control()


def path() -> str:
    return (st.context.url or "").split("?")[0].rstrip("/").rpartition("/")[2]


if __name__ == "__main__":
    main()
