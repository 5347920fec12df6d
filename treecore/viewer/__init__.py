"""What a run looks like in a browser: messages made of its frames, and the scripts that draw them.

The app serves the ES modules of ``js``, a page of its own and a notebook carry them along. Nothing
here opens a connection, and nothing draws in Python.
"""

from __future__ import annotations

from pathlib import Path

ASSETS = Path(__file__).parent / "js"
"""The folder of the scripts, their style and their palette."""
