"""The folder of one reproduction: what it is, every finished point, and what was made of them.

::

    reproduction.json    figure, options, the data's fingerprints; who has measured: versions,
                         processor
    points.jsonl         a line for every finished point; a killed run goes on after the last one
    table.csv .md .json  all rows
    figure.png           ours over the published values
    index.html           the figure, the table and how they were made, in one file
"""

from __future__ import annotations

import json
import os
import platform
import time
from pathlib import Path
from typing import Any

from treecore.checkpoints import write_whole
from treecore.runs.folder import versions

FORMAT = 1


class FigureError(ValueError):
    """A figure that cannot be reproduced or read, said in one sentence."""


class FigureFolder:
    """The folder of one reproduction.

    Parameters
    ----------
    path : path
        Made where it is not there. One that holds the same reproduction is gone on with.
    figure : str
    options : dict
        All that decides the points besides the data, as JSON can say it.
    data : dict of str to str
        Fingerprints by dataset.

    Attributes
    ----------
    path : Path
    record : dict
        All of ``reproduction.json``.
    points : list of dict
        The finished ones, ``{"key": ..., "rows": [...], "seconds": ...}``.

    Raises
    ------
    FigureError
        Where the folder holds another reproduction, or cannot be read or written.
    """

    def __init__(self, path: str | Path, figure: str, options: dict, data: dict[str, str]):
        self.path = Path(path)
        asked = json.loads(json.dumps({"figure": figure, "options": options, "data": data}))
        if (self.path / "reproduction.json").exists():
            self.record = read_record(self.path)
            for name, what in (
                ("figure", "another figure"),
                ("options", "other options"),
                ("data", "other data"),
            ):
                if self.record.get(name) != asked[name]:
                    raise FigureError(
                        f"{self.path} holds a reproduction of {what}: choose another folder with "
                        "--out, or remove it"
                    )
        else:
            self.record = {"format": FORMAT, **asked, "makers": [], "finished": False}
        try:
            self.path.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise FigureError(f"{self.path} cannot be made: {error.strerror}") from error
        self.points = read_points(self.path)
        # A last line that was cut short is no point, and the next one begins on a line of its own.
        lines = "".join(json.dumps(point) + "\n" for point in self.points)
        write_whole(self.path / "points.jsonl", lines.encode())
        self._keep()

    def find(self, key: dict) -> dict | None:
        """The finished point of that key, or None."""
        return next((point for point in self.points if point["key"] == key), None)

    def append(self, key: dict, rows: list[dict], seconds: float) -> None:
        """Keep a finished point; it is on the disk when this returns."""
        maker = versions() | {"processor": processor()}
        if maker not in self.record["makers"]:  # a folder may be gone on with elsewhere
            self.record["makers"].append(maker)
            self._keep()
        point = json.loads(json.dumps({"key": key, "rows": rows, "seconds": round(seconds, 3)}))
        try:
            with open(self.path / "points.jsonl", "a", encoding="utf-8") as file:
                file.write(json.dumps(point) + "\n")
                file.flush()
                os.fsync(file.fileno())
        except OSError as error:
            raise FigureError(f"{self.path} cannot be written to: {error.strerror}") from error
        self.points.append(point)

    def finish(self, command: str, notes: list[str], total: int) -> None:
        """Note by which command the points came about, and what must be said beside them.

        The reproduction is finished where ``total`` points are there.
        """
        self.record |= {
            "command": command,
            "notes": notes,
            "seconds": round(sum(point["seconds"] for point in self.points), 1),
            "finished": len(self.points) == total,
            "done": [len(self.points), total],
            "date": time.strftime("%Y-%m-%d"),
        }
        self._keep()

    def write(self, name: str, content: bytes) -> None:
        """Write a file of the folder, whole or not at all."""
        write_whole(self.path / name, content)

    def _keep(self) -> None:
        self.write("reproduction.json", (json.dumps(self.record, indent=1) + "\n").encode())


def read_record(path: Path) -> dict[str, Any]:
    """``reproduction.json`` of a folder.

    Raises
    ------
    FigureError
        Where there is none, or it is damaged or of another version.
    """
    file = Path(path) / "reproduction.json"
    try:
        record = json.loads(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise FigureError(f"{file} cannot be read: {error.strerror}") from error
    except ValueError as error:
        raise FigureError(f"{file} is damaged: it is no JSON") from error
    if not isinstance(record, dict) or record.get("format") != FORMAT:
        raise FigureError(f"{file} was not written by this version of treecore")
    return record


def read_points(path: Path) -> list[dict]:
    """The finished points of a folder; what follows a damaged line is not taken."""
    file, found = Path(path) / "points.jsonl", []
    if not file.exists():
        return found
    for line in file.read_text(encoding="utf-8", errors="replace").splitlines():
        try:
            point = json.loads(line)
            found.append({name: point[name] for name in ("key", "rows", "seconds")})
        except (ValueError, TypeError, KeyError):
            break
    return found


def rows_of(points: list[dict]) -> list[dict]:
    """All rows of the table, in the order in which they were measured."""
    return [row for point in points for row in point["rows"]]


def processor() -> str:
    """What the points were measured on, for those that are seconds."""
    name = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    except OSError:  # no Linux
        pass
    return f"{name}, {os.cpu_count()} cores"
