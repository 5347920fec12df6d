"""The app as an object that serves itself: `streamlit run app.py` finds it, and so does uvicorn.

What a visitor sees is in ``ui/main.py`` and ``pages``; what the server answers beside Streamlit is
in ``ui/server/routes.py``.
"""

from pathlib import Path

import streamlit as st

from ui.server.failure import report_failure
from ui.server.logs import set_up
from ui.server.routes import routes
from ui.shell.router import load
from ui.widgets.data.picker import pictures

set_up()
load()  # so that the first visitor waits for neither
pictures()
app = st.App(
    Path(__file__).parent / "ui" / "main.py", routes=routes(), on_script_error=report_failure
)
