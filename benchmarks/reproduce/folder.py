"""The folder of one reproduction.

::

    reproduction.json    figure and fingerprints of the data: what decides the points
    points.jsonl         a line for every measured point; an interrupted run goes on after the last
    figure.png, page.md  made of the points: ours over the published values; table.md: all columns,
                         and how they were measured

Points are JSON rather than joblib.Memory's files: nothing is unpickled, a point stays when a
comment of its function changes, and a page can be made of a folder without the data.
"""

from __future__ import annotations

import functools
import json
import os
import platform
import subprocess
import time
from pathlib import Path
from typing import Any

from benchmarks.marks import COLUMN, ROOT
from treecore.base.atomic_write import replace_file
from treecore.runs.run_directory import versions


class ReproductionError(ValueError):
    """A reproduction that cannot be made or read; the message says why in one sentence."""


class ReproductionFolder:
    """The measured points of one reproduction.

    record: all that decides the points, ``figure``, ``quick`` and ``data``, a fingerprint for each
    dataset; None: the folder is only read. points: the measured ones: key, rows, seconds, date,
    commit, and what they were made with. Raises ReproductionError where the folder holds none, or
    another reproduction, or is damaged.
    """

    def __init__(self, path: str | Path, record: dict[str, Any] | None = None):
        self.path = Path(path)
        found = self._read_record() or record
        if found is None:
            raise ReproductionError(f"{self.path} holds no reproduction")
        self.record, self.points = found, self._read_points()
        if record:
            self._continue(record)

    def _continue(self, record: dict[str, Any]) -> None:
        """Have the folder take further points, of further datasets if there are any."""
        known = self.record["data"]
        other = [name for name in ("figure", "quick") if record[name] != self.record[name]]
        other += ["data"] * any(known.get(k, v) != v for k, v in record["data"].items())
        if other:
            raise ReproductionError(
                f"{self.path} holds a reproduction with another {other[0]}: choose another "
                "folder with --out, or remove it"
            )
        self.record["data"] = known | record["data"]
        self.path.mkdir(parents=True, exist_ok=True)
        self.write("reproduction.json", json.dumps(self.record, indent=1) + "\n")
        # A last line that was cut short is no point; the next one gets a line of its own.
        self.write("points.jsonl", "".join(_line(point) for point in self.points))

    def _read_record(self) -> dict[str, Any] | None:
        file = self.path / "reproduction.json"
        if not file.exists():
            return None
        try:
            record = json.loads(file.read_text(encoding="utf-8"))
            return {name: record[name] for name in ("figure", "quick", "data")}
        except (ValueError, TypeError, KeyError) as error:
            raise ReproductionError(f"{file} is damaged: remove the folder") from error

    def _read_points(self) -> list[dict]:
        points, file = [], self.path / "points.jsonl"
        text = file.read_text(encoding="utf-8", errors="replace") if file.exists() else ""
        for line in text.splitlines():
            try:
                points.append(json.loads(line))
            except ValueError:
                break
        return points

    @property
    def rows(self) -> list[dict]:
        """The rows of all measured points, each with its day."""
        return [row | {COLUMN: point["date"]} for point in self.points for row in point["rows"]]

    def append(self, key: dict, rows: list[dict], seconds: float) -> None:
        """Append a measured point; it is on the disk when this returns."""
        point = {
            "key": key,
            "rows": rows,
            "seconds": round(seconds, 3),
            "date": time.strftime("%Y-%m-%d"),
            "commit": commit(),
            "made_with": versions() | {"processor": processor()},
        }
        with open(self.path / "points.jsonl", "a", encoding="utf-8") as file:
            file.write(_line(point))
            file.flush()
            os.fsync(file.fileno())
        self.points.append(point)

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file of the folder, whole or not at all."""
        content = content.encode() if isinstance(content, str) else content
        replace_file(self.path / name, content)


def _line(point: dict) -> str:
    return json.dumps(point, ensure_ascii=False) + "\n"


@functools.cache  # what runs is what was imported
def commit() -> str:
    """The commit that is checked out, with a + where treecore has changes beside it."""
    try:
        words = ["git", "-C", str(ROOT), "describe", "--always", "--abbrev=8", "--exclude=*"]
        found = subprocess.run(words, capture_output=True, text=True, check=True).stdout.strip()
        words = ["git", "-C", str(ROOT), "diff", "--quiet", "HEAD", "--", "treecore"]
        return found + "+" * subprocess.run(words, check=False).returncode
    except (OSError, subprocess.CalledProcessError):  # no git, or no repository
        return "unknown"


def processor() -> str:
    """Name the processor and count its cores: only seconds of the same one can be compared."""
    name = platform.processor() or platform.machine()
    try:
        for line in Path("/proc/cpuinfo").read_text(encoding="utf-8").splitlines():
            if line.startswith("model name"):
                name = line.partition(":")[2].strip()
                break
    except OSError:  # no Linux
        pass
    return f"{name}, {os.cpu_count()} cores"
