"""The Lab's link to runs that were compared, in the folder that holds theirs."""

import json
from pathlib import Path
from typing import Any

from treecore.base import write_atomically

COMPARED = "comparison.json"


def keep_link(folder: Path, link: dict[str, Any]) -> None:
    write_atomically(folder / COMPARED, json.dumps({"format": 1, "link": link}).encode())


def compared_link(run: Path) -> dict[str, Any]:
    """The Lab's link to the comparison that a run's folder belongs to; empty where it has none."""
    try:
        link = json.loads((run.parent / COMPARED).read_text(encoding="utf-8"))["link"]
        return {str(name): value for name, value in link.items()}
    except (OSError, ValueError, TypeError, KeyError, AttributeError):
        return {}
