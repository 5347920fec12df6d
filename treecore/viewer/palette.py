"""The colours and markers of the app, from the file that the browser's modules read as well.

``page`` has what figures and our own styles take from Streamlit's theme (``.streamlit/config.toml``
says the same); ``classes`` ten colours that normal, red-blind, green-blind and blue-blind eyes tell
apart, with one marker each in ``markers``; ``methods`` the lines of their runs
(``ui/drawing/method_colours.py`` says whose); ``ramps``
scales of numbers, from the least to the most. All but markers stand there for a light and for a
dark page.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PALETTE: dict[str, Any] = json.loads((Path(__file__).parent / "js/palette.json").read_text("utf-8"))
