"""Where a table comes from, in words that another process understands, and how to read it.

::

    sample:spirals       a generator, or a file of sample_data
    sklearn:digits       what comes with scikit-learn
    openml:credit-g      downloaded once by scikit-learn, and kept
    some/table.csv       also .tsv, .txt (packed: .gz, .bz2, .xz), .parquet, .jsonl, .ndjson, .npz,
                         and .libsvm, .svm, .svmlight, .bz2 of it
    some/table.xlsx      also .xlsm, .xlsb, .xls, .ods: the first sheet with a table; another one is
                         some/table.xlsx#Sheet2

Whatever the kind, the same words give the same rows: a run folder keeps the words and a
fingerprint of the rows, never the rows.
"""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from treecore.base.limits import LIBRARY, Limits
from treecore.data.arrays import from_arrays, look_for_arrays, read_archive, read_libsvm_rows
from treecore.data.dataset import Dataset, complete, split, subsample
from treecore.data.file_kinds import kind_of_file, split_sheet
from treecore.data.generators import GENERATORS, generate
from treecore.data.readers.csv import CsvTable, read_csv
from treecore.data.readers.encoding import UNUSABLE
from treecore.data.readers.parquet import read_frame, read_json_lines, read_parquet
from treecore.data.readers.settings import Kind, ReadingSettings
from treecore.data.readers.table import Table, TableError, quoted
from treecore.data.readers.targets import TASKS
from treecore.data.readers.whole_table import read_dataset
from treecore.data.readers.workbook import SheetTable

SAMPLES = Path(__file__).parents[2] / "sample_data"
SKLEARN = ("iris", "wine", "breast_cancer", "digits", "diabetes")


@dataclass(frozen=True)
class Source:
    """What names a table, and which of its rows are held out.

    - name: see the module docstring.
    - target: column to be predicted; None as in :func:`treecore.data.readers.csv.read_csv`.
    - task: ``"classification"``, ``"regression"``, or None to guess.
    - size: points of a generator (500 where None), or most rows of a table.
    - noise: of a generator.
    - held_out: share of the rows that are measured only, at least 0 and less than 1.
    - seed: of all that is drawn: points, the rows of a part, the held-out ones.
    - part: ``"train"`` or ``"test"``, of an archive that has both.
    - drop: columns of a file that are left out.
    - unusable: ``"refuse"`` a file of which a column cannot be learnt from, or ``"drop"`` such
      columns.
    - kinds, missing, header: as for :class:`treecore.data.readers.settings.ReadingSettings`.
    """

    name: str
    target: str | None = None
    task: str | None = None
    size: int | None = None
    noise: float | None = None
    held_out: float = 0.25
    seed: int = 0
    part: str = "train"
    drop: tuple[str, ...] = ()
    unusable: str = "refuse"
    kinds: Mapping[str, Kind] = field(default_factory=dict, hash=False)
    missing: tuple[str, ...] | None = None
    header: bool | None = None

    def __post_init__(self):
        if isinstance(self.drop, str):
            raise TableError(f"drop={self.drop!r} must be a list of columns")
        object.__setattr__(self, "drop", tuple(self.drop))  # a list in JSON
        reading = ReadingSettings(self.kinds, self.missing, self.header)
        for name in ("kinds", "missing", "header"):
            object.__setattr__(self, name, getattr(reading, name))
        if self.unusable not in UNUSABLE:
            raise TableError(f"unusable={self.unusable!r} must be one of {', '.join(UNUSABLE)}")
        if self.task not in (None, *TASKS):
            raise TableError(f"task={self.task!r} must be one of {', '.join(TASKS)}")
        if not 0 <= self.held_out < 1:
            raise TableError(f"held_out={self.held_out} must be at least 0 and less than 1")
        if self.part not in ("train", "test"):
            raise TableError(f"part={self.part!r} must be train or test")

    @property
    def reading(self) -> ReadingSettings:
        """How to read the file; columns that are to be dropped are left out in it."""
        return ReadingSettings(self.kinds, self.missing, self.header).leaving_out(self.drop)

    def as_dict(self) -> dict[str, Any]:
        """All of it, for JSON; what came later only where it says something."""
        words = dataclasses.asdict(self)
        return {k: v for k, v in words.items() if k not in _LATER or v != _LATER[k]}


_LATER: dict[str, Any] = {
    "drop": (),
    "unusable": "refuse",
    "kinds": {},
    "missing": None,
    "header": None,
}
"""What files of earlier versions do not say of a source."""


def read_table(source: Source, limits: Limits = LIBRARY) -> Dataset:
    """All rows that the words mean, in order; those held out are among them.

    limits: how large a file may be. Raises TableError where there is no such table or it cannot be
    learnt from.
    """
    try:
        kind = _kind(source)
        name = source.name.partition(":")[2]
        if kind == "sample":
            table = _sample(name, source)
        elif kind == "sklearn":
            table = _sklearn(name)
        elif (columns := open_table(source, limits=limits)) is not None:
            target = source.target or columns.usual_target
            table = read_dataset(columns, target, source.task, source.unusable)
        else:
            X, y, names = read_arrays(source, limits)
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
    """Refuse a table that is not there, or an archive that lacks a part, before hours of work.

    No row is read. Raises TableError: as :func:`read_table`.
    """
    if _kind(source) == "archive":
        look_for_arrays(Path(source.name), source.part)


def read_parts(source: Source) -> tuple[Dataset, Dataset | None]:
    """Training rows and held-out ones, None where there are none.

    What is missing is filled, as the app does it; the same seed and share give
    the app's own rows.
    """
    table = read_table(source)
    try:
        train, held = split(table, source.held_out, source.seed)
    except ValueError as error:
        raise TableError(str(error)) from error
    return complete(train, held)


def _sample(name: str, source: Source) -> Dataset:
    if name in GENERATORS:
        return generate(name, source.size or 500, source.noise, source.seed)
    path = SAMPLES / f"{name}.csv"
    if path.exists():
        reading, unusable = source.reading, source.unusable
        return read_csv(path, source.target, source.task, unusable=unusable, reading=reading)
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


def names_numbers(source: Source) -> bool:
    """Whether a source numbers its columns, and leaves out those that are 0."""
    return _kind(source) == "libsvm"


def _kind(source: Source) -> str:
    """What has to be opened to read a source; what its words ask for in vain is refused."""
    kind, _, name = source.name.partition(":")
    if not name or kind not in ("sample", "sklearn", "openml"):
        kind = kind_of_file(split_sheet(source.name)[0])
    generated = kind == "sample" and name in GENERATORS
    if source.noise is not None and not generated:
        raise TableError(f"{source.name} is not generated, so it has no noise: leave out the noise")
    if source.part == "test" and kind != "archive":
        raise TableError(f"{source.name} has no test part of its own; .npz archives may have one")
    if source.target is not None and (generated or kind in ("sklearn", "archive", "libsvm")):
        raise TableError(f"{source.name} has one target of its own: name no column")
    said = source.reading.as_dict() if generated or kind in ("sklearn", "archive", "libsvm") else {}
    if "kinds" in said:
        raise TableError(
            f"{source.name} has no columns of names: none can be left out or be given a kind"
        )
    if said:
        raise TableError(f"{source.name} has no cells of text: leave out {' and '.join(said)}")
    return kind


def with_header(source: Source, header: bool | None) -> Source:
    """The source with this said of its first row, if it is text and nothing was said of it."""
    is_text = _kind(source) in ("text", "workbook")
    if header is None or source.header is not None or not is_text:
        return source
    return dataclasses.replace(source, header=header)


def open_table(source: Source, to_learn: bool = True, limits: Limits = LIBRARY) -> Table | None:
    """The columns of a table, of which no row is in memory yet; None for arrays and samples.

    With ``to_learn=False`` one row, of one column, is enough, and nothing is left out: every row
    keeps its place. Raises TableError: as :func:`read_table`.
    """
    kind, (path, sheet) = _kind(source), split_sheet(source.name)
    if kind == "text":
        return CsvTable(source.name, limits, source.reading, to_learn=to_learn)
    if kind == "workbook":
        return SheetTable(path, sheet, limits, source.reading, to_learn=to_learn)
    if kind == "parquet":
        return read_parquet(path, limits, to_learn, source.reading)
    if kind == "json":
        return read_json_lines(path, limits, to_learn, source.reading)
    if kind == "openml":
        frame, name, usual = _openml(source)
        table = read_frame(frame, name, limits, to_learn, source.reading)
        table.usual_target = usual
        return table
    return None


def read_arrays(source: Source, limits: Limits = LIBRARY):
    """Features, targets and names of the features, as an archive or LIBSVM has them.

    None for targets that an archive has not; no names where it has none; None for all three where
    a source is of another kind.
    """
    kind = _kind(source)
    if kind == "archive":
        return read_archive(Path(source.name), source.part, limits)
    if kind == "libsvm":
        return read_libsvm_rows(Path(source.name), limits)
    return None


def _openml(source: Source) -> tuple[Any, ...]:
    """A frame, its name, and the column that is usually predicted."""
    from sklearn.datasets import fetch_openml

    name, _, version = source.name.partition(":")[2].partition("/")
    if version and not version.isdecimal():
        raise TableError(
            f"{quoted(version)} is not a version of an OpenML table: write openml:NAME, or "
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


def read_libsvm(path: Path, task: str | None = None) -> Dataset:
    """A file of LIBSVM's format, ``label index:value ...``, as a table.

    task: ``classification`` or ``regression``; None: by what the targets are.
    """
    X, y, names = read_libsvm_rows(path)
    return from_arrays(_stem(path), X, y, names, task=task)


def _stem(path: Path) -> str:
    return path.name.split(".")[0]
