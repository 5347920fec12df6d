"""Which tables are numbers, and which hold words, categories or dates, encoded as in files."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence

import numpy as np
import pandas as pd
from scipy.sparse import issparse

from treecore.data.readers.columns import Column
from treecore.data.readers.guesses import MAX_CATEGORIES
from treecore.data.readers.parquet import read_frame
from treecore.data.readers.settings import ReadingSettings
from treecore.data.readers.table import quoted
from treecore.data.readers.whole_table import encode_features
from treecore.data.validation import coarse_columns, far_columns
from treecore.persistence.written_columns import encode_table

FROM_DTYPE = "from_dtype"
"""What ``categorical_features`` says where categories are what frames hold as such, or as words."""

_ADVICE = {
    "m": "durations: give them as numbers, such as seconds or days",
    "c": "complex numbers: give real and imaginary parts as columns of their own",
    "V": "records: give a frame (pandas.DataFrame) in place of a structured array",
}


def readable(X):
    """X without masks, and other libraries' tables as frames; ValueError for durations, say."""
    if type(X).__name__ == "LazyFrame":
        raise ValueError("X is a LazyFrame, which has no rows yet: call X.collect() first")
    if isinstance(X, np.ma.MaskedArray):
        is_number = X.dtype.kind in "biuf"
        return np.ma.filled(X.astype(np.float64 if is_number else object), np.nan)
    if isinstance(X, np.ndarray) and X.dtype.kind == "M":
        raise ValueError(
            f"X holds {X.dtype}, which are not numbers: give a frame (pandas.DataFrame), whose "
            "dates are read as days, or turn them into numbers"
        )
    if isinstance(X, np.ndarray) and X.dtype.kind in "mV":  # scikit-learn refuses complex ones
        raise ValueError(f"X holds {_ADVICE[X.dtype.kind]}")
    if hasattr(X, "to_pandas"):
        X = X.to_pandas()
    if isinstance(X, pd.DataFrame):
        if not X.columns.is_unique:
            name = quoted(str(X.columns[X.columns.duplicated()][0]))
            raise ValueError(f"two columns of X are called {name}: rename or drop one of them")
        for name, kind in X.dtypes.items():
            kind = getattr(getattr(kind, "categories", None), "dtype", kind)  # of its levels
            if isinstance(kind, pd.PeriodDtype | pd.IntervalDtype):
                raise ValueError(
                    f"column {quoted(str(name))} of X holds {kind}, which is neither a number nor "
                    "a word: give numbers, or turn it into text"
                )
            if (code := getattr(kind, "kind", "O")) in _ADVICE:
                raise ValueError(f"column {quoted(str(name))} of X holds {_ADVICE[code]}")
        if object in X.dtypes.tolist():  # scikit-learn makes no number of pd.NA there
            return X.mask(X.isna(), np.nan)
    return X


def frame_of(X, given=None) -> tuple[pd.DataFrame, list[str]] | None:
    """X as a frame where it holds words, dates or categories; None where its numbers are read.

    given: what ``categorical_features`` says; the columns that it names come with the frame.
    Raises ValueError for what is none of the columns, or holds no categories.
    """
    frame = as_frame(X)
    if frame is None and given is not None and not _is_from_dtype(given) and np.ndim(X) == 2:
        frame = pd.DataFrame(np.asarray(X), columns=numbered("x", np.shape(X)[1]))
    if frame is None:
        return None
    said = category_names(given, list(frame.columns))
    if said is None:
        kinds = zip(frame.columns, frame.dtypes, strict=True)
        said = [name for name, kind in kinds if isinstance(kind, pd.CategoricalDtype)]
    if not said and _odd_column(frame) is None:
        return None
    levels = {name: _levels(frame[name]) for name in said}
    return frame.assign(**levels) if levels else frame, said


def category_names(given, names: Sequence[str]) -> list[str] | None:
    """The columns that ``categorical_features`` names; None where it says "from_dtype".

    given: "from_dtype", None, or names, places or a mask of ``names``; else ValueError.
    """
    if given is None or _is_from_dtype(given):
        return None if given is not None else []
    said = [] if isinstance(given, str) or np.ndim(given) != 1 else list(given)
    if said and all(isinstance(one, bool | np.bool_) for one in said) and len(said) == len(names):
        return [name for name, is_said in zip(names, said, strict=True) if is_said]
    found = []
    for one in said:
        is_place = isinstance(one, int | np.integer) and not isinstance(one, bool)
        if is_place and 0 <= one < len(names):
            found.append(names[one])
        elif isinstance(one, str) and one in names:
            found.append(one)
        elif is_place or isinstance(one, str):
            raise ValueError(
                f"categorical_features names {one!r}, which is none of the {len(names)} columns "
                "of X"
            )
    if len(found) < len(said) or (not said and not isinstance(given, list | tuple | np.ndarray)):
        raise ValueError(
            f'categorical_features={given!r} must be "from_dtype", None, or names, places or a '
            f"mask of the {len(names)} columns of X"
        )
    return list(dict.fromkeys(found))


def _is_from_dtype(given) -> bool:
    return isinstance(given, str) and given == FROM_DTYPE


def _levels(column: pd.Series) -> pd.Series:
    """A column of categories with no more levels than a tree takes; others become missing."""
    name = quoted(str(column.name))
    if isinstance(column.dtype, pd.CategoricalDtype):
        column = column.astype(object)
    elif pd.api.types.is_numeric_dtype(column.dtype) and column.dtype.kind in "iuf":
        known = column.dropna()
        odd = known[(known < 0) | (known % 1 != 0)]
        if len(odd):
            raise ValueError(
                f"column {name} of X holds {odd.iloc[0]}, and codes of categories are whole "
                "numbers from 0: leave it out of categorical_features, or give words, and NaN "
                "where none is known"
            )
    counts = column.value_counts()
    if len(counts) <= MAX_CATEGORIES:
        return column
    warnings.warn(
        f"column {name} of X holds {len(counts)} levels: the {MAX_CATEGORIES} most frequent are "
        "kept, and the others count as missing",
        UserWarning,
        stacklevel=6,
    )
    return column.where(column.isin(counts.index[:MAX_CATEGORIES]))


def check_numbers(X) -> None:
    """Refuse words and dates where a model was fitted with numbers, and tell where they are."""
    frame = as_frame(X)
    odd = None if frame is None else _odd_column(frame)
    if frame is not None and odd is not None:
        kind = frame.dtypes.iloc[odd]
        raise ValueError(
            f"column {quoted(str(frame.columns[odd]))} of X holds {kind}, which are no numbers, "
            "as fit was given there: give numbers, or fit the model with such a column"
        )


def without_places(X):
    """X without names that are places of columns, x0, x1, ..., which a file does not keep."""
    names = list(getattr(X, "columns", ()))
    if not names or names != list(numbered("x", len(names))):
        return X
    frame = as_frame(X)
    return X if frame is None else frame.to_numpy(np.float64, na_value=np.nan)


def _odd_column(frame: pd.DataFrame) -> int | None:
    """The place of the first column that is no numbers."""
    if all(map(pd.api.types.is_numeric_dtype, set(frame.dtypes))):
        return None
    places = range(frame.shape[1])
    return next((j for j in places if not _is_numeric(frame.iloc[:, j])), None)


def as_frame(X) -> pd.DataFrame | None:
    """Any table that may hold words as a frame; None for others."""
    if isinstance(X, list | tuple):
        try:
            if np.asarray(X).dtype.kind in "biufc":
                return None
            X = np.array(X, dtype=object)
        except ValueError:  # rows of several lengths
            return None
    if isinstance(X, np.ndarray) and X.ndim == 2 and X.dtype.kind in "OUST":
        if X.dtype.kind == "S":
            X = np.char.decode(X, "utf-8")
        X = pd.DataFrame(X.astype(object)).infer_objects()
    if not isinstance(X, pd.DataFrame) or not len(X):
        return None
    if not all(isinstance(name, str) for name in X.columns):
        if any(isinstance(name, str) for name in X.columns):
            return None  # scikit-learn refuses such names
        X = X.set_axis(numbered("x", X.shape[1]), axis=1)
    return X


def boolean_columns(X) -> list[str]:
    """The columns of a frame that hold booleans."""
    frame = as_frame(readable(X))
    kinds = () if frame is None else frame.dtypes.items()
    return [name for name, kind in kinds if pd.api.types.is_bool_dtype(kind)]


def named_as(X, rows: np.ndarray) -> np.ndarray | pd.DataFrame:
    """Rows as a frame with the columns of X where X is a frame; else as they are."""
    return pd.DataFrame(rows, columns=X.columns) if isinstance(X, pd.DataFrame) else rows


def columns_at(frame: pd.DataFrame, places: np.ndarray) -> pd.DataFrame:
    """A frame of each column's values at places of its own, int (n_rows, n_columns)."""
    columns = [frame.iloc[at, j].reset_index(drop=True) for j, at in enumerate(places.T)]
    return pd.concat(columns, axis=1)


def numbered(letter: str, n: int) -> tuple[str, ...]:
    """Names for what has none."""
    return tuple(f"{letter}{i}" for i in range(n))


def _is_numeric(column: pd.Series) -> bool:
    if pd.api.types.is_numeric_dtype(column.dtype):
        return True
    try:  # words may be numbers, as 1 and "2.5" are; categories of dates are none
        column.astype(object).to_numpy(np.float64, na_value=np.nan)
    except (TypeError, ValueError, OverflowError):
        return False
    return True


def learn_columns(
    frame: pd.DataFrame, categories: Sequence[str] = ()
) -> tuple[np.ndarray, tuple[Column, ...]]:
    """The features of a frame's rows, float64, and how its columns became them.

    categories: the columns that are categories whatever they hold.
    """
    reading = ReadingSettings(kinds=dict.fromkeys(categories, "words"))
    found = encode_features(read_frame(frame, "X", to_learn=False, reading=reading))
    _tell(found.notes)
    return found.X, found.columns


def encode(columns: Sequence[Column], X, given: Sequence[str]) -> np.ndarray:
    """The features of later rows, made as in training; rows of encoded features are taken too.

    Columns are found by name, or by place where X has none; ValueError where one cannot be read.
    """
    if hasattr(X, "__len__") and len(X) == 0:
        raise ValueError("X has no rows: give at least one")
    features = feature_names(columns)
    are_numbers = isinstance(X, np.ndarray) and X.dtype.kind in "biuf" and X.ndim == 2
    if are_numbers and X.shape[1] == len(features) != len(given):
        return X
    frame = as_frame(X)
    if frame is None:
        if not isinstance(X, np.ndarray) or X.ndim != 2:
            raise ValueError(
                f"X must be a table of the columns {', '.join(map(quoted, given[:5]))}"
                f"{', ...' if len(given) > 5 else ''}, and is a {type(X).__name__}"
            )
        frame = pd.DataFrame(X, columns=numbered("x", X.shape[1]))
    names = list(frame.columns)
    if set(features) <= set(names) and not set(given) <= set(names):
        return frame[features].to_numpy(np.float64)
    if names == list(numbered("x", len(names))) and len(names) == len(given):
        frame = frame.set_axis(given, axis=1)
    rows, notes = encode_table(columns, read_frame(frame, "X", to_learn=False))
    _tell(notes)
    return rows


def feature_names(columns: Sequence[Column]) -> list[str]:
    """The features that columns become, in their order."""
    return [name for column in columns for name in column.feature_names]


def column_signs(given, names: Sequence[str]) -> np.ndarray:
    """``monotonic_cst`` by column, int8 (n_columns,); ValueError for other names or values."""
    if isinstance(given, Mapping):
        unknown = next((name for name in given if name not in names), None)
        if unknown is not None:
            raise ValueError(f"monotonic_cst names {unknown!r}, which is none of the columns of X")
        given = [given.get(name, 0) for name in names]
    if np.ndim(given) != 1 or len(given) != len(names):
        raise ValueError(
            f"monotonic_cst={given!r} must be a dict by column, or hold -1, 0 or 1 for each of the "
            f"{len(names)} columns of X"
        )
    for name, sign in zip(names, given, strict=True):
        if sign not in (-1, 0, 1):
            raise ValueError(
                f"monotonic_cst holds {sign!r} for column {quoted(name)}, and must hold -1, 0 or 1"
            )
    return np.array(given, dtype=np.int8)


def _tell(notes: Sequence[str]) -> None:
    for note in notes:
        warnings.warn(note, UserWarning, stacklevel=6)


def warn_coarse(X, names: Sequence[str]) -> None:
    """Warn of columns whose values float32, which trees read, cannot tell apart."""
    for j, span in coarse_columns(X)[:5]:
        warnings.warn(
            f"the values of column {quoted(str(names[j]))} of X lie within {span:.3g}, too close "
            "together for float32, which trees read: subtract the mean of the column, or give it "
            "in another unit",
            UserWarning,
            stacklevel=5,
        )


def warn_far(X: np.ndarray, names: Sequence[str]) -> None:
    """Warn of columns whose values, but for a few, are equal once a method has scaled them."""
    for j in far_columns(X)[:5]:
        warnings.warn(
            f"a few values of column {quoted(str(names[j]))} of X are so far away that, once "
            "scaled, all others are nearly equal: correct them, leave their rows out, or take "
            "logarithms",
            UserWarning,
            stacklevel=5,
        )


def number_targets(y) -> np.ndarray:
    """Targets of a regressor as an array, refused in one sentence where they are no numbers."""
    y = unmasked(y, "y")
    if y is None or issparse(y):
        return y
    found = np.asarray(y)
    if found.dtype.kind in "biufc":  # scikit-learn refuses complex ones
        return y
    try:
        if found.dtype.kind in "mMV":
            raise TypeError
        return np.asarray(found, dtype=np.float64)
    except (TypeError, ValueError):
        flat = found.reshape(-1).tolist() if found.dtype.kind in "OUST" else []
        odd = next((repr(value)[:40] for value in flat if not _is_number(value)), found.dtype)
        raise ValueError(
            f"y holds {odd}, and a regressor learns from numbers: turn it into numbers (dates into "
            "days), or use a classifier"
        ) from None


def _is_number(value) -> bool:
    try:
        float(value)
    except (TypeError, ValueError):
        return False
    return True


def unmasked(values, what: str):
    """Values without a mask; ValueError where something is masked."""
    if np.ma.is_masked(values):
        raise ValueError(f"{what} holds masked values: leave out their rows")
    return values.filled() if isinstance(values, np.ma.MaskedArray) else values


def _labels_of_list(y):
    """An array of labels in a list, without what NumPy makes of large or of different ones."""
    try:
        found = np.asarray(y)
        if found.dtype.kind == "f" and all(isinstance(label, int | np.integer) for label in y):
            return np.array(y, dtype=np.uint64)
    except (ValueError, OverflowError):  # which scikit-learn refuses
        return y
    is_text = found.dtype.kind == "U" and found.ndim == 1
    if is_text and not all(isinstance(label, str) for label in y):
        return np.array(y, dtype=object)
    return found


def class_targets(y):
    """Labels of a classifier; refused in one sentence where one is masked or missing."""
    y = unmasked(y, "y")
    if hasattr(y, "to_pandas"):
        y = y.to_pandas()
    if isinstance(y, list | tuple):
        y = _labels_of_list(y)
    if isinstance(y, pd.DataFrame) and y.shape[1] == 1:
        return np.asarray(class_targets(y.iloc[:, 0]))[:, None]
    if y is not None and np.asarray(pd.isna(y)).any():
        raise ValueError("y holds missing values: leave out their rows")
    kind = getattr(y, "dtype", None)
    if isinstance(kind, pd.api.extensions.ExtensionDtype) and kind.kind in "biu":
        # scikit-learn would make them float64, which merges whole numbers beyond 2^53.
        y = y.to_numpy(bool if kind.kind == "b" else f"{kind.kind}8")
    if getattr(kind, "kind", "") == "O" and np.ndim(y) == 1:  # whole numbers as objects, say
        inferred = pd.Series(np.asarray(y)).infer_objects()
        y = inferred.to_numpy() if inferred.dtype.kind in "biuM" else y
    return y
