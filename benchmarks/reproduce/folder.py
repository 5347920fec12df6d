"""The folder of one reproduction.

::

    reproduction.json    figure, options and fingerprints of the data: what decides the points
    points.jsonl         a line for every measured point; an interrupted run goes on after the last
    table.csv            the table with all digits
    figure.png           ours over the published values
    page.md              picture, table and how they were made

Points are JSON rather than joblib.Memory's files: nothing is unpickled, a point stays when a
comment of its function changes, and a page can be made of a folder without the data.
"""

from __future__ import annotations

import json
import os
import platform
import time
from pathlib import Path
from typing import Any

from benchmarks.marks import COLUMN
from treecore.base.atomic_write import replace_file
from treecore.runs.run_directory import versions


class ReproductionError(ValueError):
    """A reproduction that cannot be made or read; the message says why in one sentence."""


class ReproductionFolder:
    """The measured points of one reproduction.

    record: all that decides the points, ``figure``, ``quick``, ``depths`` and ``data``, the
    datasets that it is limited to, ``only``, if it is, the ``command`` and the number of points,
    ``n_points``. points: the measured ones: key, rows, seconds, date, and what they were made with.
    Raises ReproductionError where the folder holds another reproduction, or is damaged.
    """

    def __init__(self, path: str | Path, record: dict[str, Any] | None = None):
        self.path, self.points = Path(path), []
        written = self._read_record()
        if record is None and written is None:
            raise ReproductionError(f"{self.path} holds no reproduction")
        for name in ("figure", "quick", "depths", "data"):
            if record and written and record[name] != written[name]:
                raise ReproductionError(
                    f"{self.path} holds a reproduction with another {name}: choose another folder "
                    "with --out, or remove it"
                )
        self.record = record or written
        if (self.path / "points.jsonl").exists():
            self.points = self._read_points()
        if record:
            self.path.mkdir(parents=True, exist_ok=True)
            self.write("reproduction.json", json.dumps(self.record, indent=1) + "\n")
            # A last line that was cut short is no point; the next one gets a line of its own.
            self.write("points.jsonl", "".join(json.dumps(p) + "\n" for p in self.points))

    def _read_record(self) -> dict[str, Any] | None:
        file = self.path / "reproduction.json"
        if not file.exists():
            return None
        try:
            record = json.loads(file.read_text(encoding="utf-8"))
            names = ("figure", "quick", "depths", "data", "command", "n_points")
            return {"only": record.get("only", [])} | {name: record[name] for name in names}
        except (ValueError, TypeError, KeyError) as error:
            raise ReproductionError(f"{file} is damaged: remove the folder") from error

    def _read_points(self) -> list[dict]:
        points = []
        text = (self.path / "points.jsonl").read_text(encoding="utf-8", errors="replace")
        for line in text.splitlines():
            try:
                points.append(json.loads(line))
            except ValueError:
                break
        return points

    @property
    def section(self) -> str:
        """What its section of a page is called: the figure, and the datasets it is limited to."""
        only = self.record.get("only", [])
        return " on ".join([self.record["figure"], *[", ".join(only)] * bool(only)])

    @property
    def finished(self) -> bool:
        """Whether all points have been measured."""
        return len(self.points) == self.record["n_points"]

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
            "made_with": versions() | {"processor": processor()},
        }
        with open(self.path / "points.jsonl", "a", encoding="utf-8") as file:
            file.write(json.dumps(point) + "\n")
            file.flush()
            os.fsync(file.fileno())
        self.points.append(point)

    def write(self, name: str, content: str | bytes) -> None:
        """Write a file of the folder, whole or not at all."""
        content = content.encode() if isinstance(content, str) else content
        replace_file(self.path / name, content)


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
