"""Tables of typed columns: Parquet (a file, a folder of them), JSON Lines, frames in memory."""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator, Sequence
from pathlib import Path

import numpy as np
import pandas as pd
import pyarrow as pa
import pyarrow.compute as pc

from treecore.base.limits import LIBRARY, Limits
from treecore.data.readers.dates import DAY, ISO
from treecore.data.readers.settings import ReadingSettings
from treecore.data.readers.table import (
    Table,
    TableError,
    Unusable,
    batch_rows,
    check_height,
    check_names,
    check_unpacked,
    check_width,
    quoted,
    shortened,
)

PART_BYTES = 64_000_000
"""Text of a part of a batch at most, once it is written out."""


class ArrowTable(Table):
    """A table whose columns have Arrow's types.

    read: gives record batches of these columns, of at most so many rows; limits: how large a table
    may be; to_learn: whether it is learnt from, else one row of one column is enough; reading: what
    was said of it, else everything is guessed.
    """

    def __init__(
        self,
        name: str,
        schema: pa.Schema,
        n_rows: int,
        read: Callable[[list[str], int], Iterator[pa.RecordBatch]],
        limits: Limits,
        to_learn: bool,
        reading: ReadingSettings | None = None,
    ):
        self.reading = (reading or ReadingSettings()).without_header(name)
        self.name, self._schema, self.n_rows, self._read = name, schema, n_rows, read
        self.notes, self.limits = [], limits
        index = (schema.pandas_metadata or {}).get("index_columns", ())
        check_height(n_rows, limits, to_learn)
        check_names(schema.names)
        kinds = {field.name: field.type for field in schema if field.name not in index}
        check_width(len(kinds), limits)
        self.unreadable = {
            name: str(kind)[:80] for name, kind in kinds.items() if not _is_readable(kind)
        }
        self.dates = {
            name: ISO if pa.types.is_date(kind) else f"{ISO} %H:%M:%S"
            for name, kind in kinds.items()
            if _is_date(kind)
        }
        self.texts = {name for name, kind in kinds.items() if _is_text(kind)}
        names = [*kinds]
        self._name_columns(names, lambda place: self._words(names[place]))

    def _words(self, name: str) -> Iterator[str | None]:
        for batch in self.batches([name]):
            yield from batch.column(0).cast(pa.string()).to_pylist()

    def batches(
        self, columns: Sequence[str], as_text: Collection[str] = ()
    ) -> Iterator[pa.RecordBatch]:
        """As for :meth:`treecore.data.readers.table.Table.batches`; numbers keep their types."""
        for name in columns:
            if name in self.unreadable:
                holds = f"holds cells of the type {self.unreadable[name]}"
                raise Unusable(
                    name,
                    holds,
                    f"column {quoted(name)} {holds}, which is neither numbers, text nor dates: "
                    "leave it out (drop) or turn it into one of them",
                )
        is_text = [name in as_text for name in columns]
        for batch in self._read(list(columns), batch_rows(len(columns))):
            arrays = [_plain(*array) for array in zip(batch.columns, is_text, strict=True)]
            yield pa.RecordBatch.from_arrays(arrays, names=list(columns))


def read_parquet(
    path: Path,
    limits: Limits = LIBRARY,
    to_learn: bool = True,
    reading: ReadingSettings | None = None,
) -> ArrowTable:
    """The table in a Parquet file or in a folder of them; an index of pandas is no column of it.

    Only footers are read here. Raises TableError where it is none, or has too few rows or too many.
    """
    from pyarrow import parquet

    def open_file(dictionaries: Sequence[str] = ()) -> parquet.ParquetFile:
        # Without a buffer ahead: a file of one huge row group is read page by page then.
        return parquet.ParquetFile(
            path, pre_buffer=False, buffer_size=1 << 16, read_dictionary=list(dictionaries)
        )

    def read(columns: list[str], n_rows: int) -> Iterator[pa.RecordBatch]:
        if folder is not None:
            yield from folder.to_batches(columns=columns, batch_size=n_rows)
            return
        # Text stays in its dictionary: a single long one may stand in every row.
        texts = [name for name in columns if _is_string(schema.field(name).type)]
        n_read = 0
        for dictionaries in (texts, ()):
            try:
                with open_file(dictionaries) as file:
                    start = 0
                    for batch in file.iter_batches(n_rows, columns=columns, use_threads=False):
                        skipped = min(max(0, n_read - start), batch.num_rows)
                        yield from _in_parts(batch.slice(skipped))
                        start += batch.num_rows
                        n_read = max(n_read, start)
                return
            except (pa.ArrowException, OSError):  # as of DELTA_BYTE_ARRAY, which has none
                if not dictionaries:
                    raise

    def read_to_end(columns: list[str], n_rows: int) -> Iterator[pa.RecordBatch]:
        try:
            yield from read(columns, n_rows)
        except (pa.ArrowException, OSError) as error:
            raise TableError(
                f"{path.name} cannot be read to its end ({shortened(error)})"
            ) from error

    folder, name = None, path.resolve().name
    try:
        if path.is_dir():  # whose subfolders may tell what their rows have in common, year=2024
            from pyarrow import dataset

            folder = dataset.dataset(path, format="parquet", partitioning="hive")
            if not folder.files:
                raise TableError(f"{name} is a folder without files: choose a file")
            schema, n_rows = folder.schema, folder.count_rows()
        else:
            with open_file() as file:
                schema, n_rows = file.schema_arrow, file.metadata.num_rows
                _check_footer(path, file.metadata, limits)
    except (pa.ArrowException, OSError) as error:
        raise TableError(
            f"{name} is neither a Parquet table nor a folder of them ({shortened(error)}): save it "
            "again, or choose another file"
        ) from error
    return ArrowTable(path.stem, schema, n_rows, read_to_end, limits, to_learn, reading)


def _check_footer(path: Path, footer, limits: Limits) -> None:
    """Refuse by its footer a file that unpacks to too much, or whose parts contradict the whole.

    What a footer says of columns is not asked for: where it is damaged, Arrow ends the process.
    """
    groups = [footer.row_group(i) for i in range(footer.num_row_groups)]
    n_bytes = max(path.stat().st_size, sum(max(0, group.total_byte_size) for group in groups))
    check_unpacked(path.name, n_bytes, limits)
    if sum(group.num_rows for group in groups) != footer.num_rows:
        raise TableError(
            f"{path.name} is not a Parquet table (its parts have different numbers of rows)"
        )


def _in_parts(batch: pa.RecordBatch) -> Iterator[pa.RecordBatch]:
    """A batch in parts so small that its text, written out, fits memory."""
    longest = 0
    for column in batch.columns:
        kind = column.type
        if pa.types.is_dictionary(kind) and not pa.types.is_boolean(kind.value_type):
            lengths = pc.binary_length(column.dictionary.cast(pa.large_string()))
            longest += pc.max(lengths).as_py() or 0
    n_rows = max(1, PART_BYTES // max(1, longest))
    for start in range(0, batch.num_rows, n_rows):
        yield batch.slice(start, n_rows)


def read_frame(
    frame,
    name: str,
    limits: Limits = LIBRARY,
    to_learn: bool = True,
    reading: ReadingSettings | None = None,
) -> ArrowTable:
    """Return a frame as a table; an index of pandas is no column of it.

    frame: pandas.DataFrame, Polars frame, Arrow table, or an array (n_rows, n_columns), whose
    columns are called x0, x1, ...; name: what messages call it.
    """
    if isinstance(frame, np.ndarray):
        frame = pd.DataFrame(frame, columns=[f"x{j}" for j in range(frame.shape[1])])
    if not isinstance(frame, pd.DataFrame):
        try:
            return _in_memory(pa.table(frame), name, limits, to_learn, reading)
        except (pa.ArrowException, TypeError, ValueError) as error:
            raise TableError(
                f"{name} is not a table that Arrow can read ({shortened(error)}): save it again"
            ) from error
    arrays = []
    for _, column in frame.items():
        try:
            arrays.append(pa.array(column, from_pandas=True))
        except (pa.ArrowException, TypeError, OverflowError):  # numbers and text, say
            written = column.astype(object).map(str).where(column.notna(), None)
            arrays.append(pa.array(written, pa.string()))
    table = pa.table(arrays, names=list(map(str, frame.columns)))
    return _in_memory(table, name, limits, to_learn, reading)


def read_json_lines(
    path: Path,
    limits: Limits = LIBRARY,
    to_learn: bool = True,
    reading: ReadingSettings | None = None,
) -> ArrowTable:
    """The table in a file of JSON Lines, an object of names and values a line; packed or not."""
    if path.stat().st_size > limits.n_bytes:
        raise TableError(
            f"the file has more than {limits.n_bytes / 1e6:g} MB: keep a random part of its rows"
        )
    from pyarrow import json

    try:
        with pa.input_stream(str(path)) as file:  # unpacks by the ending
            table = json.read_json(file)
    except (pa.ArrowException, OSError) as error:
        raise TableError(
            f"{path.name} is not a table of JSON Lines ({shortened(error)}): put each row's "
            "object on a line of its own"
        ) from error
    return _in_memory(table, path.name.split(".")[0], limits, to_learn, reading)


def _in_memory(
    table: pa.Table, name: str, limits: Limits, to_learn: bool, reading: ReadingSettings | None
) -> ArrowTable:
    def read(names: list[str], n_rows: int) -> Iterator[pa.RecordBatch]:
        return iter(table.select(names).to_batches(n_rows))

    return ArrowTable(name, table.schema, table.num_rows, read, limits, to_learn, reading)


def _value_type(kind: pa.DataType) -> pa.DataType:
    return kind.value_type if pa.types.is_dictionary(kind) else kind


def _is_string(kind: pa.DataType) -> bool:
    return pa.types.is_string(kind) or pa.types.is_large_string(kind)


def _is_text(kind: pa.DataType) -> bool:
    types, kind = pa.types, _value_type(kind)
    kinds = (types.is_string, types.is_large_string, types.is_string_view, types.is_boolean)
    return any(is_kind(kind) for is_kind in (*kinds, types.is_null, types.is_time))


def _is_date(kind: pa.DataType) -> bool:
    return pa.types.is_date(kind) or pa.types.is_timestamp(kind)


def _is_readable(kind: pa.DataType) -> bool:
    types, value = pa.types, _value_type(kind)
    numeric = types.is_integer(value) or types.is_floating(value) or types.is_decimal(value)
    return numeric or _is_text(kind) or _is_date(kind)


def _plain(column: pa.Array, as_text: bool) -> pa.Array:
    """Text as strings, as a CSV file would have it, and numbers as such.

    ``as_text`` has dates and decimal numbers written as well, which are no plain numbers.
    """
    if pa.types.is_dictionary(column.type):
        column = column.dictionary_decode()
    if pa.types.is_time(column.type) or (as_text and _is_date(column.type)):
        return pc.replace_substring_regex(column.cast(pa.string()), r"\.0+(Z?)$", r"\1")
    if as_text and pa.types.is_decimal(column.type):
        return column.cast(pa.string())
    if pa.types.is_boolean(column.type):
        return pc.if_else(column, "True", "False")
    if _is_text(column.type):
        return column.cast(pa.string())
    if _is_date(column.type):  # in milliseconds, in which no date is beyond int64
        milliseconds = column.cast(pa.timestamp("ms"), safe=False).cast(pa.int64())
        return pc.divide(milliseconds.cast(pa.float64(), safe=False), 1000.0 * DAY)
    if pa.types.is_decimal(column.type):
        for kind in (pa.int64(), pa.uint64()):  # whole numbers keep their digits
            with contextlib.suppress(pa.ArrowException):
                return column.cast(kind)
        return column.cast(pa.float64())
    return column
