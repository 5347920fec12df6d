"""The papers' datasets, read from files that the user has, and their published numbers.

An archive is ``NAME.npz`` in the folder that ``--data`` or the variable TREECORE_DATA names, with
``X_train, y_train, X_test, y_test``, or ``X, y`` where there is no official split. In place of it
may stand files in LIBSVM's format; the last one has the test rows, all others together the
training rows.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from treecore.datasets import split_rows
from treecore.persistence import fingerprint
from treecore.sources import read_libsvm
from treecore.text_tables import TableError

TEST_SHARE = 0.2
"""Of the rows, drawn by class with seed 0, where there is no official split."""


class Part(NamedTuple):
    """Rows and their targets: classes from 0, or numbers."""

    X: np.ndarray
    y: np.ndarray

    def sample(self, n: int | None) -> Part:
        """At most ``n`` of the rows, drawn by class with seed 0; all where ``n`` is None."""
        if n is None or n >= len(self.y):
            return self
        _, kept = split_rows(self.y, n / len(self.y), 0)
        return self.take(np.sort(kept))

    def take(self, rows: np.ndarray) -> Part:
        """Those rows."""
        return Part(self.X[rows], self.y[rows])


def data_folder() -> Path | None:
    """The folder that TREECORE_DATA names."""
    named = os.environ.get("TREECORE_DATA")
    return Path(named) if named else None


class Papers:
    """What is at hand of the papers' datasets; each is read once.

    Parameters
    ----------
    folder : path or None
        With the archives; None: the one that TREECORE_DATA names, if any.
    libsvm : mapping of name to paths, or None
        Datasets that are read from LIBSVM files, training files first, the test file last.
    """

    def __init__(
        self,
        folder: str | Path | None = None,
        libsvm: Mapping[str, Sequence[str | Path]] | None = None,
    ):
        self.folder = data_folder() if folder is None else Path(folder)
        self.libsvm = {name: [Path(p) for p in paths] for name, paths in (libsvm or {}).items()}
        self._read: dict[str, tuple[Part, ...] | None] = {}
        self._divided: dict[str, tuple[Part, Part]] = {}

    def load(self, name: str) -> tuple[Part, Part] | None:
        """Training and test rows, or None where the dataset is not at hand.

        Raises
        ------
        TableError
            In one sentence, where there are files but no such dataset in them.
        """
        found = self._parts(name)
        if found is None or len(found) == 2:
            return found
        if name not in self._divided:
            (whole,) = found
            self._divided[name] = tuple(map(whole.take, split_rows(whole.y, TEST_SHARE, 0)))
        return self._divided[name]

    def whole(self, name: str) -> Part | None:
        """All rows as the files have them, those of an official test part last; or None."""
        found = self._parts(name)
        return found and Part(*(np.concatenate(columns) for columns in zip(*found, strict=True)))

    def fingerprint(self, name: str) -> str:
        """A name for all its rows, training and test, that changes with any number."""
        return fingerprint(*self.whole(name))

    def absent(self, name: str) -> str:
        """One sentence on why a dataset is left out."""
        where = "the variable TREECORE_DATA or --data names a folder with"
        if self.folder is not None:
            where = f"{self.folder} holds"
        return (
            f"{name} is left out: it is read where {where} {name}.npz, or from its files in "
            f"LIBSVM's format, --libsvm {name}=TRAIN,TEST"
        )

    def _parts(self, name: str) -> tuple[Part, ...] | None:
        """Training and test part, or the whole where there is no official split."""
        if name not in self._read:
            if name in self.libsvm:
                self._read[name] = _libsvm(name, self.libsvm[name])
            elif name in BUILT_IN:
                self._read[name] = BUILT_IN[name]()
            elif name == "human_activity" and self._unpacked().is_dir():
                self._read[name] = _human_activity(self._unpacked())
            else:
                self._read[name] = self._archive(name)
        return self._read[name]

    def _unpacked(self) -> Path:
        return (self.folder or Path()) / "UCI HAR Dataset"

    def _archive(self, name: str) -> tuple[Part, ...] | None:
        path = None if self.folder is None else self.folder / f"{name}.npz"
        if path is None or not path.exists():
            return None
        try:
            with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
                found = {key: archive[key] for key in archive.files}
        except Exception as error:  # zip, header or memory: as many ways as bytes
            raise TableError(f"{path} is no NumPy archive ({error})") from error
        if {"X", "y"} <= set(found):
            return (Part(_rows(found["X"]), _targets(found["y"])),)
        if not {"X_train", "y_train", "X_test", "y_test"} <= set(found):
            raise TableError(f"{path} must hold X_train, y_train, X_test and y_test, or X and y")
        return tuple(
            Part(_rows(found[f"X_{part}"]), _targets(found[f"y_{part}"]))
            for part in ("train", "test")
        )


def _rows(X: np.ndarray) -> np.ndarray:
    return X.reshape(len(X), -1)


def _targets(y: np.ndarray) -> np.ndarray:
    return y.astype(np.float64 if y.dtype.kind == "f" else np.int64)


def _libsvm(name: str, paths: Sequence[Path]) -> tuple[Part, Part]:
    """Several files as one dataset: files that lack a class or the last columns are common."""
    if len(paths) < 2:
        raise TableError(f"{name} needs two files at least: training rows, and test rows last")
    for path in paths:
        if not path.exists():
            raise TableError(f"there is no file {path} for {name}: check the path")
    tables = [read_libsvm(path, "classification") for path in paths]
    known = sorted({value for table in tables for value in table.class_names}, key=_order)
    width = max(table.n_features for table in tables)
    parts = []
    for table in tables:
        dense = table.X if isinstance(table.X, np.ndarray) else table.X.toarray()
        X = np.zeros((len(dense), width), dtype=np.float32)
        X[:, : dense.shape[1]] = dense
        place = np.array([known.index(value) for value in table.class_names])
        parts.append(Part(X, place[table.y]))
    *training, test = parts
    return Part(*(np.concatenate(columns) for columns in zip(*training, strict=True))), test


def _human_activity(root: Path) -> tuple[Part, Part]:
    """UCI's "Human Activity Recognition Using Smartphones", as its archive unpacks."""
    try:
        arrays = [
            np.loadtxt(root / part / f"{letter}_{part}.txt", dtype=np.float32)
            for part in ("train", "test")
            for letter in "Xy"
        ]
    except (OSError, ValueError) as error:
        raise TableError(f"{root} is not as UCI's archive unpacks: {error}") from error
    X, y, X_test, y_test = arrays
    return Part(X, y.astype(np.int64) - 1), Part(X_test, y_test.astype(np.int64) - 1)


def _order(label: str) -> tuple:
    try:
        return (0, float(label), label)
    except ValueError:
        return (1, 0.0, label)


def _digits() -> tuple[Part, Part]:
    """Three quarters and a quarter, by scikit-learn's own division, as others have measured it."""
    from sklearn.datasets import load_digits
    from sklearn.model_selection import train_test_split

    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.25, random_state=0)
    return Part(X, y), Part(X_test, y_test)


def _iris() -> tuple[Part]:
    from sklearn.datasets import load_iris

    return (Part(*load_iris(return_X_y=True)),)


BUILT_IN = {"digits": _digits, "iris": _iris}
"""What scikit-learn brings."""


def published(name: str) -> dict[str, Any]:
    """Published numbers: a file of ``treecore/published`` without its ending, source included."""
    text = (Path(__file__).parents[1] / "published" / f"{name}.json").read_text(encoding="utf-8")
    return json.loads(text)
