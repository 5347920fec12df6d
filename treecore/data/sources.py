"""Where a table comes from, in words that another process understands, and how to read it.

::

    sample:spirals       a generator, or a file of sample_data
    sklearn:digits       what comes with scikit-learn
    openml:credit-g      downloaded once by scikit-learn, and kept
    some/table.csv       also .tsv, .txt, .parquet, .npz, and .libsvm, .svm, .svmlight, .bz2 of it

Whatever the kind, the same words give the same rows: a run folder keeps the words and a
fingerprint of the rows, never the rows.
"""

from __future__ import annotations

import dataclasses
import io
import warnings
import zipfile
from collections.abc import Collection
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from treecore.data.dataset import Dataset, complete, guess_image_shape, split, subsample
from treecore.data.generators import GENERATORS, generate
from treecore.data.readers.blocks import LIBSVM
from treecore.data.readers.encoding import MAX_FRACTIONS, MAX_WHOLE, TASKS, read_csv, read_dataset
from treecore.data.readers.text import TableError, TextTable, quoted, read_text_table

SAMPLES = Path(__file__).parents[2] / "sample_data"
MAX_BYTES, MAX_ROWS = 4_000_000_000, 50_000_000
"""Greater files are for streams."""
TEXTUAL = ("text", "parquet", "openml")
"""Kinds of sources whose cells are read as those of a text file."""
SKLEARN = ("iris", "wine", "breast_cancer", "digits", "diabetes")


@dataclass(frozen=True)
class Source:
    """What names a table, and which of its rows are held out.

    Attributes
    ----------
    name : str
        See the module docstring.
    target : str or None
        Column to be predicted; None as in :func:`treecore.data.readers.encoding.read_csv`.
    task : str or None
        ``"classification"``, ``"regression"``, or None to guess.
    size : int or None
        Points of a generator (500 where None), or most rows of a table.
    noise : float or None
        Of a generator.
    held_out : float
        Share of the rows that are measured only, at least 0 and less than 1.
    seed : int
        Of all that is drawn: points, the rows of a part, the held-out ones.
    part : str
        ``"train"`` or ``"test"``, of an archive that has both.
    """

    name: str
    target: str | None = None
    task: str | None = None
    size: int | None = None
    noise: float | None = None
    held_out: float = 0.25
    seed: int = 0
    part: str = "train"

    def __post_init__(self):
        if self.task not in (None, *TASKS):
            raise TableError(f"task={self.task!r} must be one of {', '.join(TASKS)}")
        if not 0 <= self.held_out < 1:
            raise TableError(f"held_out={self.held_out} must be at least 0 and less than 1")
        if self.part not in ("train", "test"):
            raise TableError(f"part={self.part!r} must be train or test")

    def as_dict(self) -> dict:
        """All of it, for JSON."""
        return dataclasses.asdict(self)


def read_table(source: Source) -> Dataset:
    """All rows that the words mean, in order; those held out are among them.

    Raises
    ------
    TableError
        In one sentence, where there is no such table or it cannot be learnt from.
    """
    try:
        kind = _kind(source)
        name = source.name.partition(":")[2]
        if kind == "sample":
            table = _sample(name, source)
        elif kind == "sklearn":
            table = _sklearn(name)
        elif kind in TEXTUAL:
            table = _textual(kind, source)
        else:
            X, y, names = read_arrays(source)
            if y is None:
                raise TableError(f"{Path(source.name).name} has no y: it needs X and y")
            stem = Path(source.name).stem if kind == "archive" else _stem(Path(source.name))
            table = from_arrays(stem, X, y, names, task=source.task)
        if source.size is None or (kind == "sample" and name in GENERATORS):
            return table
        return subsample(table, source.size, source.seed)
    except TableError:
        raise
    except ValueError as error:
        raise TableError(str(error)) from error


def look_for(source: Source) -> None:
    """Refuse a table that is not there, before hours of work that end with it.

    No row is read: of an archive, only the list of what it holds.

    Raises
    ------
    TableError
        As :func:`read_table`.
    """
    if _kind(source) == "archive":
        path = Path(source.name)
        try:
            with zipfile.ZipFile(path) as archive:
                found = [name.removesuffix(".npy") for name in archive.namelist()]
        except (OSError, zipfile.BadZipFile) as error:
            raise TableError(f"{path.name} is no NumPy archive ({error})") from error
        for key in _keys(path, found, source.part):
            if key not in found:
                raise TableError(f"{path.name} has no {key}")


def read_parts(source: Source) -> tuple[Dataset, Dataset | None]:
    """Training rows and held-out ones, None where there are none.

    Of dense tables what is missing is filled, as the app does it; the same seed and share give
    the app's own rows.
    """
    table = read_table(source)
    try:
        train, held = split(table, source.held_out, source.seed)
    except ValueError as error:
        raise TableError(str(error)) from error
    return complete(train, held) if isinstance(table.X, np.ndarray) else (train, held)


def _sample(name: str, source: Source) -> Dataset:
    if name in GENERATORS:
        return generate(name, source.size or 500, source.noise, source.seed)
    path = SAMPLES / f"{name}.csv"
    if path.exists():
        return read_csv(path, source.target, source.task)
    if name in SKLEARN:  # the package without the repository around it
        return _sklearn(name)
    known = sorted({*GENERATORS, *SKLEARN})
    raise TableError(f"there is no sample {quoted(name)}, choose one of {', '.join(known)}")


def _sklearn(name: str) -> Dataset:
    from sklearn import datasets

    if name not in SKLEARN:
        raise TableError(
            f"scikit-learn brings no {quoted(name)}, choose one of {', '.join(SKLEARN)}"
        )
    found = getattr(datasets, f"load_{name}")()
    classes = tuple(map(str, getattr(found, "target_names", ())))
    return from_arrays(name, found.data, found.target, tuple(found.feature_names), classes)


def _kind(source: Source) -> str:
    """What has to be opened to read a source; what its words ask for in vain is refused."""
    kind, _, name = source.name.partition(":")
    if not name or kind not in ("sample", "sklearn", "openml"):
        kind = _kind_of_file(Path(source.name))
    generated = kind == "sample" and name in GENERATORS
    if source.noise is not None and not generated:
        raise TableError(f"{source.name} is not drawn, so that no noise can be chosen: leave it")
    if source.part == "test" and kind != "archive":
        raise TableError(f"{source.name} has no test part of its own; .npz archives may have one")
    if source.target is not None and (generated or kind in ("sklearn", "archive", "libsvm")):
        raise TableError(f"{source.name} has one target of its own: name no column")
    return kind


def _kind_of_file(path: Path) -> str:
    endings = [ending.lower() for ending in path.suffixes]
    last = endings[-1] if endings else ""
    if not path.exists():
        hint = "" if ":" in str(path) else ", or name a sample, as in sample:spirals"
        raise TableError(f"there is no file {quoted(str(path), 200)}: check the path{hint}")
    if last in (".npz", ".parquet"):
        return "archive" if last == ".npz" else "parquet"
    # LIBSVM's page packs its files, and their names end in nothing else.
    if last == ".bz2" or LIBSVM & set(endings[-2:] if last == ".gz" else endings[-1:]):
        return "libsvm"
    return "text"


def _textual(kind: str, source: Source) -> Dataset:
    if kind == "text":
        return read_csv(
            source.name, source.target, source.task, max_bytes=MAX_BYTES, max_rows=MAX_ROWS
        )
    if kind == "parquet":
        return from_frame(
            _parquet(Path(source.name)), Path(source.name).stem, source.target, source.task
        )
    frame, name, usual = _openml(source)
    return from_frame(frame, name, source.target or usual, source.task)


def read_text(source: Source) -> TextTable | None:
    """The cells of a table whose rows are to be answered, one row at least; None for no text.

    Nothing is left out: every row keeps its place.

    Raises
    ------
    TableError
        As :func:`read_table`.
    """
    kind = _kind(source)
    if kind == "text":
        return read_text_table(source.name, MAX_BYTES, MAX_ROWS, to_learn=False)
    if kind not in TEXTUAL:
        return None
    frame = _parquet(Path(source.name)) if kind == "parquet" else _openml(source)[0]
    return _as_text(frame, to_learn=False)


def read_arrays(source: Source):
    """Features, dense or CSR, targets and names of the features, as an archive or LIBSVM has them.

    None for targets that an archive has not; no names where it has none; None for all three where
    a source is of another kind.
    """
    kind = _kind(source)
    if kind == "archive":
        return _archive(Path(source.name), source.part)
    if kind == "libsvm":
        return *_libsvm(Path(source.name)), ()
    return None


def _openml(source: Source) -> tuple:
    """A frame, its name, and the column that is usually predicted."""
    from sklearn.datasets import fetch_openml

    name, _, version = source.name.partition(":")[2].partition("/")
    if version and not version.isdecimal():
        raise TableError(
            f"{quoted(version)} is no version of an OpenML table: write openml:NAME, or "
            "openml:NAME/VERSION with a whole number"
        )
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # several versions of a set are no cause for alarm
            found = fetch_openml(
                name, version=int(version or 0) or "active", as_frame=True, parser="auto"
            )
    except Exception as error:  # no network, no such set, a damaged download
        raise TableError(
            f"OpenML gave no {quoted(name)} ({error}): check the name and the connection"
        ) from error
    return found.frame, name, (found.target_names or [None])[0]


def _archive(path: Path, part: str) -> tuple:
    try:
        with open(path, "rb") as file, np.load(file, allow_pickle=False) as archive:
            found = {key: archive[key] for key in archive.files}
    except Exception as error:  # zip, header or memory: as many ways as bytes
        raise TableError(f"{path.name} is no NumPy archive ({error})") from error
    X_key, y_key = _keys(path, found, part)
    for key in {X_key, y_key, "feature_names"} & set(found):
        if not isinstance(found[key], np.ndarray):  # NumPy hands out what is no array as bytes
            raise TableError(f"{path.name} is no NumPy archive ({key} is no array)")
    X, names = found[X_key], found.get("feature_names")
    if X.dtype.kind not in "buif" or X.ndim < 2:
        raise TableError(f"X in {path.name} must be numbers in rows and columns")
    return X.reshape(len(X), -1), found.get(y_key), () if names is None else tuple(map(str, names))


def _keys(path: Path, found: Collection[str], part: str) -> tuple[str, str]:
    """What an archive calls the features and the targets of a part."""
    whole = "X" in found and part == "train"
    X_key, y_key = ("X", "y") if whole else (f"X_{part}", f"y_{part}")
    if X_key not in found:
        needs = f"{X_key} and {y_key}" if part == "test" else "X and y, or X_train and y_train"
        raise TableError(f"{path.name} holds {', '.join(found) or 'nothing'}: it needs {needs}")
    return X_key, y_key


def _parquet(path: Path):
    try:
        import pyarrow.parquet as parquet
    except ImportError as error:
        raise TableError("reading Parquet needs pyarrow: pip install 'treecore[batch]'") from error
    try:
        return parquet.read_table(path).to_pandas()
    except Exception as error:  # Arrow has its own errors, for every kind of damage
        raise TableError(f"{path.name} is no Parquet table ({error})") from error


def from_frame(frame, name: str, target: str | None, task: str | None) -> Dataset:
    """A pandas table, read just as the same table in a CSV file is."""
    return dataclasses.replace(read_dataset(_as_text(frame), target, task), name=name)


def _as_text(frame, to_learn: bool = True) -> TextTable:
    for name, column in frame.items():
        known = column.dropna()
        if len(known) and isinstance(known.iloc[0], np.ndarray | list | dict | bytes):
            raise TableError(
                f"column {quoted(str(name))} holds {type(known.iloc[0]).__name__}s, which are "
                "neither numbers nor text: leave it out or turn it into one of them"
            )
    text = io.BytesIO()
    frame.to_csv(text, index=False)
    # Known here, and only guessed of a file: names may be numbers, and cells hold semicolons.
    return read_text_table(text, MAX_BYTES, MAX_ROWS, separator=",", header=True, to_learn=to_learn)


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
    numbers = y.dtype.kind in "iuf" and not class_names and _is_quantity(y)
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


def _is_quantity(y: np.ndarray) -> bool:
    """Whether targets without names look like numbers to be predicted, as in text tables."""
    distinct = np.unique(y)
    whole = np.array_equal(distinct, np.rint(distinct))
    return distinct.size > (MAX_WHOLE if whole else MAX_FRACTIONS)


def read_libsvm(path: Path, task: str | None = None) -> Dataset:
    """A file of LIBSVM's format, ``label index:value ...``, as a sparse table.

    Where at least half of the entries are given, it is made dense.
    """
    return from_arrays(_stem(path), *_libsvm(path), task=task)


def _libsvm(path: Path) -> tuple:
    from sklearn.datasets import load_svmlight_file

    try:
        X, y = load_svmlight_file(str(path))
    except Exception as error:  # ValueError mostly; decoders have their own
        raise TableError(f"{path.name} is not in LIBSVM's format ({error})") from error
    if X.shape[1] < 1:
        raise TableError(f"{path.name} has no feature in any row")
    return X.toarray() if X.nnz * 2 >= X.shape[0] * X.shape[1] else X, y


def _stem(path: Path) -> str:
    return path.name.split(".")[0]
