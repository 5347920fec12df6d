"""The colours and markers of the app, from the file that the browser's modules read as well.

``page`` has what Streamlit's theme says too (``.streamlit/config.toml``), ``classes`` ten colours
that colour-blind eyes tell apart, ``methods`` the lines of runs (numbers: the registry),
``ramps`` scales of numbers; all for a light and a dark page.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

PALETTE: dict[str, Any] = json.loads((Path(__file__).parent / "js/palette.json").read_text("utf-8"))
