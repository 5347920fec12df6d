"""Numbers that are printed in the papers, or read off their figures: a JSON file for each source.

The app lays them under its own curves, and the benchmarks print and draw them beside what they
measure. Nothing of the package `treecore` depends on them, so they are not part of it.
"""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import Any


@functools.cache
def published_values(name: str) -> dict[str, Any]:
    """Read one of the files beside this one; its key ``source`` says where the numbers are from.

    name: the file's name without its ending.
    """
    path = Path(__file__).with_name(f"{name}.json")
    return json.loads(path.read_text(encoding="utf-8"))
