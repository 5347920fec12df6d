"""What the first visitor of a server would wait for is done while the server starts."""

import contextlib
import inspect
from importlib import import_module

from ui.drawing.theme import DARK, LIGHT
from ui.jobs.kernels import compile_ahead
from ui.lab.shipped import DATA, shipped
from ui.shell.router import load
from ui.widgets.data.gallery import gallery_data
from ui.widgets.data.tiles import tiles


def get_ready() -> None:
    """Import all pages and make what the first page and the Lab open with."""
    compile_ahead()
    load()
    for colours in (LIGHT, DARK):
        tiles(colours)
    gallery_data(DATA, seed=shipped().seed)
    inspect.stack()  # Streamlit's first element calls it; the first call looks at all modules
    with contextlib.suppress(ImportError):  # for the icon of the page
        import_module("streamlit.emojis")
