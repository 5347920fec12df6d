"""Where things lie, from the root of the repository."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[2]
MAIN = str(ROOT / "ui" / "main.py")
SAMPLES = ROOT / "sample_data"
