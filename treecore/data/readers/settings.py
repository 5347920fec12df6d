"""What a person says of a table where the readers' guess is not wanted."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Literal, cast, get_args

from treecore.data.readers.table import MISSING, TableError, listed, quoted

Kind = Literal["number", "words", "date", "leave out"]

KINDS: tuple[Kind, ...] = get_args(Kind)


@dataclass(frozen=True)
class ReadingSettings:
    """How to read a table; the reader guesses whatever is not said.

    Raises TableError for what is none of these.

    - kinds: one of :data:`KINDS` by the name of a column.
    - missing: words that mean a missing value, compared without case and outer blanks.
    - header: whether the first row of a text file holds names.
    """

    kinds: Mapping[str, Kind] = field(default_factory=dict, hash=False)
    missing: tuple[str, ...] | None = None
    header: bool | None = None

    def __post_init__(self):
        if not isinstance(self.kinds, Mapping):
            raise TableError(f"kinds={self.kinds!r} must map names of columns to kinds")
        for name, kind in self.kinds.items():
            if kind not in KINDS:
                raise TableError(
                    f"column {quoted(str(name))}: {quoted(str(kind))} is not a kind of column: "
                    f"choose one of {', '.join(KINDS)}"
                )
        object.__setattr__(self, "kinds", dict(self.kinds))
        if self.missing is not None:
            if isinstance(self.missing, str) or not all(isinstance(w, str) for w in self.missing):
                raise TableError(f"missing={self.missing!r} must be a list of words")
            words = dict.fromkeys(word.strip().lower() for word in self.missing)
            object.__setattr__(self, "missing", tuple(words))
        if self.header not in (None, True, False):
            raise TableError(f"header={self.header!r} must be true, false, or left out")

    @property
    def missing_words(self) -> frozenset[str]:
        """All words that mean a missing value, in lower case; ``""`` is always among them."""
        return MISSING if self.missing is None else frozenset({"", *self.missing})

    @property
    def left_out(self) -> list[str]:
        """The columns that are to be left out."""
        return [name for name, kind in self.kinds.items() if kind == "leave out"]

    def leaving_out(self, names: Iterable[str]) -> ReadingSettings:
        """The same settings with these columns left out."""
        dropped = dict.fromkeys(names, cast(Kind, "leave out"))
        return replace(self, kinds={**self.kinds, **dropped}) if dropped else self

    def without_header(self, name: str) -> ReadingSettings:
        """These settings for a file that holds its names apart from its rows.

        Raises TableError where they speak of a first row.
        """
        if self.header is not None:
            raise TableError(f"{name} cannot have a header row: leave out the setting header")
        return self

    def check(self, columns: Sequence[str], target: str | None) -> None:
        """Refuse a column that a table does not have, and a target that is to be left out."""
        for name, kind in self.kinds.items():
            if name not in columns:
                known = listed(columns, 20)
                if kind == "leave out":
                    raise TableError(
                        f"there is no column {quoted(name)} to leave out: choose one of {known}"
                    )
                raise TableError(
                    f"there is no column {quoted(name)} to set a kind for: choose one of {known}"
                )
            if name == target and kind == "leave out":
                raise TableError(f"the column {quoted(name)} is the target: it cannot be left out")

    def as_dict(self) -> dict[str, Any]:
        """Only what was said, for JSON."""
        said = {"kinds": dict(self.kinds), "missing": self.missing, "header": self.header}
        return {name: value for name, value in said.items() if value not in (None, {})}
