"""What a page says where drawing it has failed; Streamlit's own words ask a search engine."""

import streamlit as st

from ui.jobs.background import BackgroundJob
from ui.language.translate import _


def report_failure(error: Exception) -> bool:
    """Say in one sentence that the page cannot go on; Streamlit has logged the error."""
    memory = isinstance(error, MemoryError)
    st.error(
        _(BackgroundJob.out_of_memory if memory else BackgroundJob.went_wrong),
        icon=":material/error:",
    )
    return True
