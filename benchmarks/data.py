"""The datasets of the papers, read from files that the user has.

A dataset is an archive ``NAME.npz`` in the folder that ``--data`` or the variable TREECORE_DATA
names, with ``X_train, y_train, X_test, y_test``, or ``X, y`` where there is no official split. It
may also be given as files in LIBSVM's format. scikit-learn brings the digits and iris.
"""

from __future__ import annotations

import os
import zipfile
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_digits, load_iris
from sklearn.model_selection import train_test_split

from treecore.data.dataset import split_rows
from treecore.data.readers.table import TableError
from treecore.data.sources import Source, read_arrays, read_libsvm
from treecore.persistence import fingerprint

TEST_SHARE = 0.2
"""Share of the rows, drawn by class, that are for the test where there is no official split."""

DIGITS_TEST_SHARE = 0.25


class Part(NamedTuple):
    """Rows and their targets: classes from 0, or numbers."""

    X: np.ndarray
    y: np.ndarray

    def sample(self, n: int | None) -> Part:
        """Draw at most ``n`` of the rows by class with seed 0; all where ``n`` is None."""
        if n is None or n >= len(self.y):
            return self
        _, drawn = split_rows(self.y, n / len(self.y), 0)
        return self.take(np.sort(drawn))

    def take(self, rows: np.ndarray | slice) -> Part:
        """Select rows."""
        return Part(self.X[rows], self.y[rows])

    def divide(self, share: float, seed: int) -> tuple[Part, Part]:
        """Draw a share of the rows by class; give the other rows first."""
        rest, drawn = split_rows(self.y, share, seed)
        return self.take(rest), self.take(drawn)


def as_float32(parts: Iterable[Part]) -> tuple[Part, ...]:
    """Rows as all libraries take them: features float32, classes int64."""
    return tuple(Part(part.X.astype(np.float32), part.y.astype(np.int64)) for part in parts)


class PaperData:
    """The papers' datasets that are at hand; each is read once.

    folder: the folder with the archives; None: the one that TREECORE_DATA names, if any; libsvm:
    datasets that are read from LIBSVM files, training files first, the test file last.
    """

    def __init__(
        self,
        folder: str | Path | None = None,
        libsvm: Mapping[str, Sequence[str | Path]] | None = None,
    ):
        folder = folder or os.environ.get("TREECORE_DATA")
        self.folder = Path(folder) if folder else None
        self._libsvm = {name: [Path(p) for p in paths] for name, paths in (libsvm or {}).items()}
        self._parts: dict[str, tuple[Part, ...] | None] = {}

    def load(self, name: str, seed: int = 0) -> tuple[Part, Part] | None:
        """Read training and test rows; None where the dataset is not at hand.

        seed: draws the test rows where there is no official test part. Raises TableError where
        there are files but no such dataset in them.
        """
        parts = self._read(name)
        return parts[0].divide(TEST_SHARE, seed) if parts and len(parts) == 1 else parts

    def entire(self, name: str) -> Part | None:
        """Read all rows as the files have them, those of an official test part last."""
        parts = self._read(name)
        return parts and Part(*(np.concatenate(columns) for columns in zip(*parts, strict=True)))

    def fingerprint(self, name: str) -> str:
        """Hash all rows of a dataset, training and test."""
        return fingerprint(*self.entire(name))

    def require(self, name: str) -> tuple[Part, Part]:
        """Training and test rows; where they are not at hand a command ends, in one sentence."""
        parts = self.load(name)
        if parts is None:
            raise SystemExit(self.why_absent(name))
        return parts

    def division(self, name: str, seed: int) -> tuple[Part, Part]:
        """Return training and test rows. The digits are few, so a seed divides them anew."""
        if name == "digits":
            return self.entire(name).divide(DIGITS_TEST_SHARE, seed)
        return self.require(name)

    def why_absent(self, name: str) -> str:
        """Explain in one sentence why a dataset is left out."""
        where = self.folder or "a folder that --data or the variable TREECORE_DATA names"
        return (
            f"{name} is left out: put {name}.npz into {where}, or give its files in LIBSVM's "
            f"format, --libsvm {name}=TRAIN,TEST"
        )

    def _read(self, name: str) -> tuple[Part, ...] | None:
        """Read training and test part, or one part where there is no official split."""
        if name not in self._parts:
            self._parts[name] = self._read_files(name)
        return self._parts[name]

    def _read_files(self, name: str) -> tuple[Part, ...] | None:
        if name in self._libsvm:
            return _read_libsvm(name, self._libsvm[name])
        if name == "digits":
            return _digits()
        if name == "iris":
            return (Part(*load_iris(return_X_y=True)),)
        if self.folder is None:
            return None
        path = self.folder / f"{name}.npz"
        return _read_archive(path) if path.exists() else None


def _read_archive(path: Path) -> tuple[Part, ...]:
    parts = [_read_part(path, "train")]
    with zipfile.ZipFile(path) as archive:
        if "X_test.npy" in archive.namelist():
            parts.append(_read_part(path, "test"))
    return tuple(parts)


def _read_part(path: Path, part: str) -> Part:
    X, y, _ = read_arrays(Source(str(path), part=part))
    if y is None:
        raise TableError(f"{path} must hold X_train, y_train, X_test and y_test, or X and y")
    return Part(X, y.astype(np.float64 if y.dtype.kind == "f" else np.int64))


def _read_libsvm(name: str, paths: Sequence[Path]) -> tuple[Part, Part]:
    """Read several files as one dataset: each may lack classes or the last columns."""
    if len(paths) < 2:
        raise TableError(f"{name} needs two files at least: training rows, and test rows last")
    for path in paths:
        if not path.exists():
            raise TableError(f"there is no file {path} for {name}: check the path")
    tables = [read_libsvm(path, "classification") for path in paths]
    classes = sorted({value for table in tables for value in table.class_names}, key=float)
    starts = [int(table.feature_names[0].removeprefix("x")) for table in tables]  # from 0 or 1
    first = min(starts)
    width = max(start + table.n_features for start, table in zip(starts, tables, strict=True))
    parts = []
    for start, table in zip(starts, tables, strict=True):
        X = np.zeros((len(table.X), width - first), dtype=np.float32)
        X[:, start - first :][:, : table.n_features] = table.X
        codes = np.array([classes.index(value) for value in table.class_names])
        parts.append(Part(X, codes[table.y]))
    *training, test = parts
    return Part(*(np.concatenate(columns) for columns in zip(*training, strict=True))), test


def _digits() -> tuple[Part, Part]:
    """Three quarters and a quarter, by scikit-learn's own division, as others have measured it."""
    X, y = load_digits(return_X_y=True)
    X, X_test, y, y_test = train_test_split(X, y, test_size=0.25, random_state=0)
    return Part(X, y), Part(X_test, y_test)
