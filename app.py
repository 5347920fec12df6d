"""The app: page configuration and navigation, nothing else. Run with `streamlit run app.py`."""

import streamlit as st

from ui.entrance import navigation

st.set_page_config(
    page_title="Watch trees learn",
    page_icon="🌳",
    layout="wide",
    initial_sidebar_state="auto",
)
# A screenful is for the map and the tree; Streamlit's own margins leave less of it.
st.html("<style>[data-testid=stMainBlockContainer] { padding: 4rem 2.5rem 2rem }</style>")
navigation().run()
