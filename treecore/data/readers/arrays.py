"""Tables of numbers that are arrays already: NumPy's archives, and what is in memory."""

from __future__ import annotations

import math
import zipfile
from collections.abc import Collection
from pathlib import Path
from typing import Any

import numpy as np

from treecore.base.limits import LIBRARY, Limits
from treecore.data.dataset import Dataset, guess_image_shape
from treecore.data.readers.table import TableError, check_height, check_width, listed, shortened
from treecore.data.readers.targets import is_quantity


def read_archive(path: Path, part: str, limits: Limits = LIBRARY) -> tuple[Any, ...]:
    """Features, targets or None, and names of the features, which may be none.

    Headers tell how large arrays are, before any of them is unpacked; only those that are asked for
    are.

    part: the part whose arrays are read, such as ``train``; empty: the only one; limits: how large
    a table may be.
    """
    try:
        with zipfile.ZipFile(path) as archive:
            found = {name.removesuffix(".npy"): name for name in archive.namelist()}
            X_key, y_key = archive_keys(path, found, part)
            wanted = [key for key in (X_key, y_key, "feature_names") if key in found]
            sizes = [_unpacked(path, archive, found[key], limits) for key in wanted]
            if sum(sizes) > limits.n_unpacked:
                raise TableError(
                    f"{path.name} unpacks to {sum(sizes) / 1e6:.0f} MB, more than "
                    f"{limits.n_unpacked / 1e6:g}: keep a random part of its rows"
                )
            arrays = {key: _read_array(archive, found[key]) for key in wanted}
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


def _read_array(archive: zipfile.ZipFile, name: str) -> np.ndarray:
    with archive.open(name) as file:
        return np.lib.format.read_array(file, allow_pickle=False)


def archive_keys(path: Path, found: Collection[str], part: str) -> tuple[str, str]:
    """What an archive calls the features and the targets of a part.

    found: names of the arrays in the archive; part: the part whose arrays are read, such as
    ``train``; empty: the only one.
    """
    undivided = "X" in found and part == "train"
    X_key, y_key = ("X", "y") if undivided else (f"X_{part}", f"y_{part}")
    if X_key not in found:
        needs = f"{X_key} and {y_key}" if part == "test" else "X and y, or X_train and y_train"
        holds = listed(list(found), 10) or "nothing"
        raise TableError(f"{path.name} holds {holds}: it needs {needs}")
    return X_key, y_key


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
