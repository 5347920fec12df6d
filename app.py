"""The app as an object that serves itself: `streamlit run app.py` finds it, and so does uvicorn.

What a visitor sees is in ``ui/main.py`` and ``pages``; what the server answers beside Streamlit is
in ``ui/server/routes.py``.
"""

from pathlib import Path

import streamlit as st

from ui.server.logs import report_failure, set_up
from ui.server.ready import get_ready
from ui.server.routes import routes

set_up()
get_ready()
app = st.App(
    Path(__file__).parent / "ui" / "main.py", routes=routes(), on_script_error=report_failure
)
