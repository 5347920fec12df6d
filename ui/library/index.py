"""Runs and sweeps on disk, as the Library finds them.

A link names a folder below the folder of all runs, or of all sweeps, and it is looked for among
those that were found there: no path of a link is ever opened.
"""

import functools
import json
import os
import time
from collections.abc import Iterable
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import Any, Generic, TypeVar

import streamlit as st

from treecore import RunConfig
from treecore.base import is_held, parse_json, write_atomically
from treecore.data import Source
from treecore.runs import RunDirectory, RunError, runs_root
from treecore.sweeps import (
    DataSpec,
    SearchSpec,
    SelectedCandidate,
    SweepError,
    SweepSpec,
    methods_of,
    read_choice,
    read_rows,
)
from ui.language.translate import _, ngettext
from ui.shell.safe_text import plain

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


T = TypeVar("T")

MOST_LISTED = 300
"""Folders of a kind that are read for the page, the newest ones."""


def sweeps_root() -> Path:
    """Where sweeps go: ``./sweeps``, or what the variable TREECORE_SWEEPS names."""
    return Path(os.environ.get("TREECORE_SWEEPS", "sweeps"))


@dataclass(frozen=True)
class ListedRun:
    """A run folder, by its place among all; state: one of ``STATES``; when: seconds since 1970."""

    name: str
    folder: RunDirectory
    state: str
    figures: dict[str, Any]
    when: float
    annotation: Annotation

    @property
    def title(self) -> str:
        return self.annotation.title or self.name

    @property
    def label(self) -> str:
        """The same where runs must be told apart: people may call two of them alike."""
        return self.name if self.title == self.name else f"{self.title} ({self.name})"

    @property
    def data(self) -> str:
        return self.folder.source.name if self.folder.source else _("its own examples")

    @property
    def good(self) -> float | None:
        """Accuracy on the held-out rows, or R²; on the training rows where none are held out."""
        return next((self.figures[n] for n in _GOOD if self.figures.get(n) is not None), None)


_GOOD = ("validation_accuracy", "validation_r2", "accuracy", "r2")


@dataclass(frozen=True)
class SweepFolder:
    """A sweep's folder, by its place among all, with the sweep; total: of its runs."""

    name: str
    path: Path
    spec: SweepSpec
    total: int
    when: float

    @property
    def busy(self) -> bool:
        return bool(is_held(self.path))

    def rows(self) -> list[dict[str, Any]]:
        """Its rows, in order of their keys' appearance, those that failed among them."""
        return list(read_rows(self.path).values())

    def choice(self) -> SelectedCandidate | None:
        """How it ended; None where it has not, or where that cannot be read."""
        try:
            return read_choice(self.path)
        except SweepError:
            return None


@dataclass(frozen=True)
class Found(Generic[T]):
    """Folders of a kind, newest first; names of damaged ones; how many older are not read."""

    good: tuple[T, ...]
    damaged: tuple[str, ...]
    n_older: int


def runs_found() -> Found[ListedRun]:
    return _found(runs_root(), "run.json", _run)


REMOVED = "run.removed"
"""What ``run.json`` is called in the folder of a run that was taken out of the Library."""


def remove(name: str) -> None:
    """Take a run out of the Library; its folder stays. ValueError: it is used, or not writable."""
    path = runs_root() / name
    if is_held(path):
        raise ValueError(_("another process is using it; stop that one first"))
    _rename(path, "run.json", REMOVED)


def put_back(name: str) -> None:
    """Undo :func:`remove`. Raises ValueError where the folder cannot be written to."""
    _rename(runs_root() / name, REMOVED, "run.json")


def _rename(path: Path, old: str, new: str) -> None:
    try:
        (path / old).rename(path / new)
    except OSError as error:
        raise ValueError(_("its folder cannot be written to")) from error


def sweeps_found() -> Found[SweepFolder]:
    return _found(sweeps_root(), "spec.json", _sweep)


def _found(root: Path, file: str, read) -> Found:
    try:
        paths = sorted(root.glob(f"**/{file}"), key=_when, reverse=True)
    except OSError:
        paths = []
    good, damaged = [], []
    for path in paths[:MOST_LISTED]:
        name = path.parent.relative_to(root).as_posix()
        try:
            good.append(read(name, path.parent))
        except (OSError, ValueError, TypeError, KeyError, AttributeError, RecursionError):
            damaged.append(name)
    good.sort(key=lambda one: -one.when)
    return Found(tuple(good), tuple(damaged), max(0, len(paths) - MOST_LISTED))


def _run(name: str, path: Path) -> ListedRun:
    folder = RunDirectory.open(path)
    metrics = folder.metrics()
    figures = {
        key: value
        for key, value in metrics.items()
        if isinstance(value, int | float) and not isinstance(value, bool)
    }
    state = metrics.get("state", "running")
    if state not in ("running", "stopped", "finished"):
        raise RunError(_("{path} is in an unknown state", path=path))
    if state == "running":
        state = {True: "running", False: "cut", None: "unknown"}[is_held(path)]
    when = max(_when(path / file) for file in ("run.json", "metrics.json", "events.jsonl"))
    return ListedRun(name, folder, state, figures, when, read_annotation(path))


def _sweep(name: str, path: Path) -> SweepFolder:
    spec, total = _record(path, (path / "spec.json").stat().st_mtime_ns)
    when = max(
        _when(path / n) for n in ("spec.json", "study.db", "results.journal", "results.parquet")
    )
    return SweepFolder(name, path, spec, total, when)


@functools.lru_cache(maxsize=64)  # a sweep of the command line may have very many candidates
def _record(path: Path, stamp: int) -> tuple[SweepSpec, int]:
    record = json.loads((path / "spec.json").read_text(encoding="utf-8"))
    configs = [RunConfig.of_saved(candidate) for candidate in record["candidates"]]
    methods = methods_of(record.get("methods", []), True)
    if not (configs or methods) or not isinstance(record["total"], int):
        raise SweepError(_("{path} holds no candidates", path=path))
    search = record["search"]
    search = SearchSpec(**search | {"seeds": tuple(search["seeds"])})
    if not methods:  # of an earlier version: candidates are known one by one, none is drawn again
        search = replace(search, count=None)
        methods = tuple({key: [value] for key, value in c.as_dict().items()} for c in configs)
    source = Source(**record["source"])
    spec = SweepSpec(
        DataSpec(source, record["test"]), search, methods, tuple(record["final_seeds"])
    )
    return spec, record["total"]


def _when(path: Path) -> float:
    try:
        return path.stat().st_mtime
    except OSError:
        return 0.0


def ago(when: float) -> str:
    """How long ago a moment was: ``just now``, ``5 min ago``, ``3 h ago``, or its date."""
    seconds = time.time() - when
    if seconds < 60:
        return _("just now")
    if seconds < 3600:
        return _("{seconds:.0f} min ago", seconds=seconds / 60)
    if seconds < 24 * 3600:
        return _("{seconds:.0f} h ago", seconds=seconds / 3600)
    return time.strftime("%d %b %Y", time.localtime(when))


def data_title(name: str) -> str:
    """A source in few letters: ``sample:spirals`` is *spirals*, a file its name."""
    kind, colon, rest = name.partition(":")
    if colon and kind in ("sample", "sklearn", "openml"):
        return rest
    return Path(name).stem or name


def show_left_out(found: Found, what: str) -> None:
    """One line for folders that are damaged, and one for those too old to be read."""
    if found.damaged:
        names = ", ".join(found.damaged[:4])
        more = len(found.damaged) - 4
        names += _(" and {more} more", more=more) if more > 0 else ""
        sentence = ngettext(
            "Not shown, because it is damaged or from another version: {names}",
            "Not shown, because they are damaged or from another version: {names}",
            len(found.damaged),
            names=names,
        )
        st.caption(f":material/folder_off: {plain(sentence, 300)}")
    if found.n_older:
        runs = _("{n} older runs are not shown.", n=found.n_older)
        sweeps = _("{n} older sweeps are not shown.", n=found.n_older)
        st.caption(runs if what == "run" else sweeps)
