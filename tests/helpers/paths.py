"""Where things lie, from the root of the repository."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
APP = str(ROOT / "app.py")
SAMPLES = ROOT / "sample_data"
