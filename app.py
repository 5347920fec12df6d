"""The app: page configuration and navigation, nothing else. Run with `streamlit run app.py`."""

import streamlit as st

st.set_page_config(
    page_title="Watch trees learn",
    page_icon="🌳",
    layout="wide",
    initial_sidebar_state="expanded",
)
st.navigation(
    [st.Page("pages/train.py", title="Train", icon=":material/play_circle:", default=True)],
    position="top",
).run()
