"""What people call a run, tag it with and note of it: a small file in the run's folder.

The folder keeps its name, so that links and commands with it go on to hold.
"""

import json
from collections.abc import Iterable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from treecore.base import parse_json, write_atomically

FILE = "annotation.json"
LONGEST_TITLE, LONGEST_TAG, LONGEST_NOTE, MOST_TAGS = 80, 30, 2000, 12


@dataclass(frozen=True)
class Annotation:
    title: str = ""
    tags: tuple[str, ...] = ()
    note: str = ""


def read_annotation(folder: Path) -> Annotation:
    """Of a run's folder; an empty one where there is none, or none that can be read."""
    try:
        with open(folder / FILE, "rb") as file:
            record = parse_json(file.read(1 << 16))
        return annotation(record["title"], record["tags"], record["note"])
    except (OSError, ValueError, TypeError, KeyError):
        return Annotation()


def write_annotation(folder: Path, given: Annotation) -> None:
    """Keep it in a run's folder; CheckpointError where that cannot be written to."""
    write_atomically(folder / FILE, (json.dumps(asdict(given)) + "\n").encode())


def annotation(title: Any, tags: Iterable[Any], note: Any) -> Annotation:
    """One from what somebody has typed: in one line, no tag twice, nothing too long."""
    words = (" ".join(str(tag).split())[:LONGEST_TAG] for tag in tags)
    kept = [tag for tag in dict.fromkeys(words) if tag][:MOST_TAGS]
    name = " ".join(str(title).split())[:LONGEST_TITLE]
    return Annotation(name, tuple(kept), str(note).strip()[:LONGEST_NOTE])
