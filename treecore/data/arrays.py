"""Tables that are arrays of numbers: NumPy's archives, LIBSVM's files, and what is in memory."""

from __future__ import annotations

import bz2
import codecs
import gzip
import io
import math
import zipfile
import zlib
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

from treecore.base.limits import LIBRARY, Limits
from treecore.data.dataset import Dataset, guess_image_shape
from treecore.data.readers.table import (
    TableError,
    check_height,
    check_unpacked,
    check_width,
    listed,
    shortened,
)
from treecore.data.readers.targets import is_quantity
from treecore.data.readers.text import WINDOW_BYTES

LIBSVM = {".libsvm", ".svm", ".svmlight", ".t", ".tr", ".val"}
"""Endings of the names of LIBSVM's files."""


def read_archive(path: Path, part: str, limits: Limits = LIBRARY) -> tuple[Any, ...]:
    """Features, targets or None, and names of the features, which may be none.

    Headers tell how large arrays are, before any that is asked for is unpacked.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            found = {name.removesuffix(".npy"): name for name in archive.namelist()}
            X_key, y_key = _archive_keys(path, found, part)
            wanted = [key for key in (X_key, y_key, "feature_names") if key in found]
            sizes = [_unpacked(path, archive, found[key], limits) for key in wanted]
            check_unpacked(path.name, sum(sizes), limits)
            arrays = {}
            for key in wanted:
                with archive.open(found[key]) as file:
                    arrays[key] = np.lib.format.read_array(file, allow_pickle=False)
    except TableError:
        raise
    except Exception as error:  # zip, header or memory: as many ways as bytes
        raise TableError(f"{path.name} is not a NumPy archive ({shortened(error)})") from error
    X, y, names = arrays[X_key], arrays.get(y_key), arrays.get("feature_names")
    if X.dtype.kind not in "buif" or X.ndim < 2:
        raise TableError(f"X in {path.name} must be numbers in rows and columns")
    if names is not None and names.ndim != 1:
        raise TableError(f"feature_names in {path.name} must be a list of names")
    n_features = math.prod(X.shape[1:])
    check_width(n_features, limits)
    if len(X):
        check_height(len(X), limits, to_learn=False)
    X = X.reshape(len(X), n_features)
    return X, y, () if names is None else tuple(map(str, names))


def _unpacked(path: Path, archive: zipfile.ZipFile, name: str, limits: Limits) -> int:
    """How many bytes an array takes, as its header says; no more than the archive has of it."""
    size = archive.getinfo(name).file_size
    with archive.open(name) as file:
        version = np.lib.format.read_magic(file)
        read = {(1, 0): np.lib.format.read_array_header_1_0}.get(
            version, np.lib.format.read_array_header_2_0
        )
        shape, _, kind = read(file)
    if kind.hasobject:
        raise TableError(f"{name} in {path.name} holds Python objects, which are not read")
    n_bytes = math.prod(shape) * kind.itemsize
    if n_bytes > size:
        raise TableError(f"{path.name} is not a NumPy archive ({name} is cut off)")
    if kind.kind in "US" and kind.itemsize > 4 * limits.n_text:
        raise TableError(
            f"{name} in {path.name} holds texts of more than {limits.n_text} characters"
        )
    return max(n_bytes, math.prod(shape) * 8)


def look_for_arrays(path: Path, part: str) -> None:
    """Refuse an archive that lacks the arrays of a part; only the list of what it holds is read."""
    try:
        with zipfile.ZipFile(path) as archive:
            found = [name.removesuffix(".npy") for name in archive.namelist()]
    except (OSError, zipfile.BadZipFile) as error:
        raise TableError(f"{path.name} is not a NumPy archive ({shortened(error)})") from error
    if (y_key := _archive_keys(path, found, part)[1]) not in found:
        raise TableError(f"{path.name} has no {y_key}")


def _archive_keys(path: Path, found: Collection[str], part: str) -> tuple[str, str]:
    """What an archive of these arrays calls the features and the targets of a part."""
    undivided = "X" in found and part == "train"
    X_key, y_key = ("X", "y") if undivided else (f"X_{part}", f"y_{part}")
    if X_key not in found:
        needs = f"{X_key} and {y_key}" if part == "test" else "X and y, or X_train and y_train"
        holds = listed(list(found), 10) or "nothing"
        raise TableError(f"{path.name} holds {holds}: it needs {needs}")
    return X_key, y_key


def read_libsvm_rows(
    path: Path, limits: Limits = LIBRARY
) -> tuple[np.ndarray, np.ndarray, tuple[str, ...]]:
    """Features and targets, float64, and the features' names, of a file, plain or packed.

    A line is ``label index:value ...``. A feature is named by its number in the file: a file that
    counts from 0 has x0, one that counts from 1 begins with x1, and neither moves beside the other.
    What a line leaves out is 0.

    Raises TableError where the file cannot be read, or its table would be larger than the limits.
    """
    from sklearn.datasets import load_svmlight_file

    content = io.BytesIO(_unpacked_libsvm(path, limits))
    try:
        found, y = load_svmlight_file(content, n_features=2**31 - 1, zero_based=True)
    except Exception as error:  # ValueError mostly; decoders have their own
        raise TableError(
            f"{path.name} is not in LIBSVM's format ({shortened(error)}): write a line as "
            "1 3:0.5 7:2"
        ) from error
    if not len(y):
        raise TableError(f"{path.name} has no rows")
    check_height(len(y), limits, to_learn=False)
    first = min(1, int(found.indices.min(initial=1)))
    last = int(found.indices.max(initial=first))
    if last > limits.n_numbered_columns:
        raise TableError(
            f"{path.name} has a feature {last}, more than {limits.n_numbered_columns}: number the "
            "features from 1"
        )
    n_features = last + 1 - first
    if len(y) * n_features > limits.n_values:
        raise TableError(
            f"{path.name} has {n_features} features for {len(y)} rows, zeros included, more "
            f"than {limits.n_values / 1e6:.0f} million values: keep a part of its rows or columns"
        )
    X = np.zeros((len(y), n_features))
    X[np.repeat(np.arange(len(y)), np.diff(found.indptr)), found.indices - first] = found.data
    return X, y, tuple(f"x{number}" for number in range(first, last + 1))


def _unpacked_libsvm(path: Path, limits: Limits) -> bytes:
    """The text of a file, which is refused on the way where it is too long."""
    openers: dict[str, Any] = {".bz2": bz2.open, ".gz": gzip.open}
    opener = openers.get(path.suffix.lower(), open)
    verb, most = ("has", limits.n_bytes) if opener is open else ("unpacks to", limits.n_unpacked)
    content = bytearray()
    try:
        with opener(path, "rb") as file:
            while window := file.read(WINDOW_BYTES):
                content += window
                if len(content) > most:
                    raise TableError(
                        f"{path.name} {verb} more than {most / 1e6:g} MB: keep a random part of "
                        "its rows"
                    )
    except TableError:
        raise
    except (OSError, EOFError, ValueError, zlib.error) as error:
        raise TableError(f"{path.name} cannot be read ({shortened(error)})") from error
    return bytes(content.removeprefix(codecs.BOM_UTF8))


def from_arrays(
    name: str, X, y, feature_names=(), class_names=(), task: str | None = None
) -> Dataset:
    """A table of numbers and its targets: whole numbers or text are classes.

    name: what messages call the table; X: (n_samples, n_features); y: (n_samples,); feature_names,
    class_names: none given: numbered names; what the targets say; task: ``classification`` or
    ``regression``; None: by what the targets are.
    """
    y = np.asarray(y)
    if y.ndim != 1 or len(y) != X.shape[0]:
        raise TableError(
            f"{name} needs one target for each of its {X.shape[0]} rows, y has shape {y.shape}"
        )
    if len(y) < 2:
        raise TableError(f"{name} has {len(y)} rows: at least two are needed")
    if y.dtype.kind == "O":
        raise TableError(f"the targets of {name} must be numbers or text")
    X = np.ascontiguousarray(X, dtype=np.float64)
    image_shape = guess_image_shape(X)
    names = tuple(feature_names) or tuple(f"x{j}" for j in range(1, X.shape[1] + 1))
    if y.dtype.kind in "iuf" and not np.isfinite(y).all():
        raise TableError(f"a target of {name} is missing or infinite: leave out such rows")
    numbers = y.dtype.kind in "iuf" and not class_names and is_quantity(np.unique(y))
    if task == "regression" and y.dtype.kind not in "iuf":
        raise TableError(f"the targets of {name} are not numbers: predict classes")
    if task == "regression" or (task is None and numbers):
        return Dataset(name, X, y.astype(np.float64), names, (), image_shape)
    if class_names and y.dtype.kind in "iu" and len(class_names) == y.max() + 1:
        codes = y.astype(np.int64)
    else:
        values, codes = np.unique(y, return_inverse=True)
        integral = values.dtype.kind == "f" and np.array_equal(values, np.rint(values))
        class_names = tuple(str(int(v)) if integral else str(v) for v in values)
    if len(class_names) < 2:
        raise TableError(f"all rows of {name} have the class {class_names[0]}: add rows of another")
    return Dataset(name, X, codes.astype(np.int64), names, class_names, image_shape)
