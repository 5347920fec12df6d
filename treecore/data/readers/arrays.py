"""Tables of numbers that are arrays already: NumPy's archives, and what is in memory."""

from __future__ import annotations

from collections.abc import Collection
from pathlib import Path

import numpy as np

from treecore.data.dataset import Dataset, guess_image_shape
from treecore.data.readers.table import TableError
from treecore.data.readers.targets import is_quantity


def read_archive(path: Path, part: str) -> tuple:
    """Features, targets or None, and names of the features, which may be none."""
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            found = {key: archive[key] for key in archive.files}
    except Exception as error:  # zip, header or memory: as many ways as bytes
        raise TableError(f"{path.name} is no NumPy archive ({error})") from error
    X_key, y_key = archive_keys(path, found, part)
    for key in {X_key, y_key, "feature_names"} & set(found):
        if not isinstance(found[key], np.ndarray):  # NumPy hands out what is no array as bytes
            raise TableError(f"{path.name} is no NumPy archive ({key} is no array)")
    X, names = found[X_key], found.get("feature_names")
    if X.dtype.kind not in "buif" or X.ndim < 2:
        raise TableError(f"X in {path.name} must be numbers in rows and columns")
    return X.reshape(len(X), -1), found.get(y_key), () if names is None else tuple(map(str, names))


def archive_keys(path: Path, found: Collection[str], part: str) -> tuple[str, str]:
    """What an archive calls the features and the targets of a part."""
    whole = "X" in found and part == "train"
    X_key, y_key = ("X", "y") if whole else (f"X_{part}", f"y_{part}")
    if X_key not in found:
        needs = f"{X_key} and {y_key}" if part == "test" else "X and y, or X_train and y_train"
        raise TableError(f"{path.name} holds {', '.join(found) or 'nothing'}: it needs {needs}")
    return X_key, y_key


def from_arrays(
    name: str, X, y, feature_names=(), class_names=(), task: str | None = None
) -> Dataset:
    """A table of numbers, dense or CSR, and its targets: whole numbers or text are classes."""
    from scipy import sparse

    y = np.asarray(y)
    if y.ndim != 1 or len(y) != X.shape[0]:
        raise TableError(
            f"{name} needs one target for each of its {X.shape[0]} rows, y has shape {y.shape}"
        )
    if len(y) < 2:
        raise TableError(f"{name} has {len(y)} rows: at least two are needed")
    if y.dtype.kind == "O":
        raise TableError(f"the targets of {name} must be numbers or text")
    if sparse.issparse(X):
        X = X.tocsr().astype(np.float64)
        image_shape = None
    else:
        X = np.ascontiguousarray(X, dtype=np.float64)
        image_shape = guess_image_shape(X)
    names = tuple(feature_names) or tuple(f"x{j}" for j in range(1, X.shape[1] + 1))
    if y.dtype.kind in "iuf" and not np.isfinite(y).all():
        raise TableError(f"a target of {name} is missing or infinite: leave out such rows")
    numbers = y.dtype.kind in "iuf" and not class_names and is_quantity(np.unique(y))
    if task == "regression" and y.dtype.kind not in "iuf":
        raise TableError(f"the targets of {name} are no numbers: predict classes")
    if task == "regression" or (task is None and numbers):
        return Dataset(name, X, y.astype(np.float64), names, (), image_shape)
    if class_names and y.dtype.kind in "iu" and len(class_names) == y.max() + 1:
        codes = y.astype(np.int64)
    else:
        values, codes = np.unique(y, return_inverse=True)
        whole = values.dtype.kind == "f" and np.array_equal(values, np.rint(values))
        class_names = tuple(str(int(v)) if whole else str(v) for v in values)
    if len(class_names) < 2:
        raise TableError(f"all rows of {name} are of the class {class_names[0]}: add another")
    return Dataset(name, X, codes.astype(np.int64), names, class_names, image_shape)
