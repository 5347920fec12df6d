"""The app: page configuration and navigation, nothing else. Run with `streamlit run app.py`."""

import streamlit as st

from ui.shell.page_style import surface
from ui.shell.router import load, navigation

st.set_page_config(
    page_title="Watch trees learn",
    page_icon="🌳",
    layout="wide",
    initial_sidebar_state="auto",
)
surface()
page = navigation()  # the menu is there while the rest is loaded
load()
page.run()
