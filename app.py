"""The app as an object that serves itself: `streamlit run app.py` finds it, and so does uvicorn.

What a visitor sees is in ``ui/main.py`` and ``pages``; what the server answers beside Streamlit is
in ``ui/server/routes.py``.
"""

import contextlib
import inspect
from importlib import import_module
from pathlib import Path

import streamlit as st

from ui.jobs.kernels import compile_ahead
from ui.lab.shipped import DATA, shipped
from ui.server.logs import report_failure, set_up
from ui.server.routes import routes
from ui.shell.router import load
from ui.widgets.data.picker import gallery_data, pictures


def get_ready() -> None:
    """Import all pages and make what the first page and the Lab open with: nobody waits for it."""
    compile_ahead()
    load()
    pictures()
    gallery_data(DATA, seed=shipped().seed)
    inspect.stack()  # Streamlit's first element calls it; the first call looks at all modules
    with contextlib.suppress(ImportError):  # for the icon of the page
        import_module("streamlit.emojis")


set_up()
get_ready()
app = st.App(
    Path(__file__).parent / "ui" / "main.py", routes=routes(), on_script_error=report_failure
)
