"""Who may see the pages: everybody, unless the server's secrets name who can vouch for visitors."""

import streamlit as st

from ui.language.translate import _
from ui.shell.router import APP


def sign_in() -> None:
    """Ask for a name, by ``st.login``, where ``[auth]`` stands in ``secrets.toml``."""
    if not (st.secrets.load_if_toml_exists() and "auth" in st.secrets):
        return
    if st.user.get("is_logged_in", False):
        return
    st.title(_(APP), anchor=False)
    st.button(_("Sign in"), on_click=st.login, type="primary", icon=":material/login:")
    st.stop()
