"""Settings of methods: frozen dataclasses whose fields know their range and explain themselves.

One declaration feeds the controls of the page, the options of the command line, the checks and
the documentation::

    @dataclass(frozen=True)
    class AxisSettings(Settings):
        depth: int = setting(8, "Depth", "Most splits between root and leaf.", low=1, high=20)
"""

from __future__ import annotations

import dataclasses
import math
import numbers
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, TypeVar

T = TypeVar("T")

DEPTH_HELP = (
    "The largest number of splits between the root and a leaf: a tree of depth d has up to 2^d "
    "leaves. Raise it while test accuracy rises; lower it for a tree that people can read."
)
SMOOTHING_HELP = (
    "Imaginary examples added to every leaf, shared equally by the classes, or with the mean "
    "number. Raise it when small leaves are too confident."
)


@dataclass(frozen=True)
class Setting:
    """Definition of one setting: its name, its default and the values that it may have.

    - name, label, help: name in code, name on screen, explanation for a newcomer.
    - low, high: of a number, both allowed; slider: where a control ends, if before ``high``.
    - log: whether a control moves in ratios. choices: all values of a choice; empty for numbers.
    """

    name: str
    label: str
    help: str
    default: Any
    low: float | None = None
    high: float | None = None
    log: bool = False
    slider: int | None = None
    choices: tuple[str, ...] = ()

    @property
    def limits(self) -> tuple[float, float]:
        """``low`` and ``high`` of a number."""
        assert self.low is not None
        assert self.high is not None
        return self.low, self.high

    def check(self, value: Any) -> Any:
        """``value`` as this setting's type; ValueError for another type or out of range."""
        if self.choices:
            if not isinstance(value, str) or value not in self.choices:
                raise ValueError(f"{self.name}={value!r} must be one of {', '.join(self.choices)}")
            return value
        is_integer = isinstance(self.default, int)
        low, high = self.limits
        expected = f"between {written(low)} and {written(high)}"
        try:
            if isinstance(value, bool | str):
                raise TypeError
            number = float(value)
            if is_integer and number != int(number):
                raise ValueError
        except (TypeError, ValueError, OverflowError):
            kind = "a whole number" if is_integer else "a number"
            raise ValueError(f"{self.name}={value!r} must be {kind} {expected}") from None
        if not math.isfinite(number) or not low <= number <= high:
            raise ValueError(f"{self.name}={value!r} must be {expected}")
        return int(number) if is_integer else number

    def allows(self, value: Any) -> bool:
        """Whether :meth:`check` accepts it."""
        try:
            self.check(value)
        except ValueError:
            return False
        return True

    def nearest(self, value: Any) -> Any:
        """The valid value nearest to ``value``; the default where nothing is near."""
        if self.choices:
            return value if isinstance(value, str) and value in self.choices else self.default
        try:
            number = float(value)
        except (TypeError, ValueError, OverflowError):
            return self.default
        if math.isnan(number):
            return self.default
        low, high = self.limits
        number = min(max(number, low), high)
        return round(number) if isinstance(self.default, int) else number


def written(limit: float) -> str:
    """A limit as people write it: a whole number of no more than twelve digits by all of them."""
    is_int = isinstance(limit, int) or limit == int(limit)
    return str(int(limit)) if is_int and abs(limit) < 1e12 else f"{limit:g}"


def setting(default, label: str, help: str, **more) -> Any:
    """A dataclass field with a :class:`Setting` attached, whose other fields are ``more``."""
    metadata = {"label": label, "help": help, **more}
    return dataclasses.field(default=default, metadata=metadata)


@dataclass(frozen=True)
class Settings:
    """Base of all methods' settings: checks every field when it is made."""

    def __post_init__(self):
        for definition in self.definitions():
            object.__setattr__(
                self, definition.name, definition.check(getattr(self, definition.name))
            )

    @classmethod
    def definitions(cls) -> tuple[Setting, ...]:
        """The definition of every setting, in order of declaration."""
        return tuple(
            Setting(name=field.name, default=field.default, **field.metadata)
            for field in dataclasses.fields(cls)
        )

    @classmethod
    def of(cls, **values) -> Settings:
        """Settings by name, the others at their defaults; ValueError for what is not allowed."""
        names = [definition.name for definition in cls.definitions()]
        for name in values:
            if name not in names:
                raise ValueError(f"there is no setting {name!r} here; known are {', '.join(names)}")
        return cls(**values)


class TreeSettings(Settings):
    """Settings of what grows trees: each has a depth, with a range and a help text of its own."""

    depth: int


def check_seed(seed: Any, name: str = "seed") -> int:
    """``seed`` as an int; ValueError, which names it, unless it is from 0 to 2^32 - 1."""
    is_integer = isinstance(seed, numbers.Integral) and not isinstance(seed, bool)
    if not is_integer or not 0 <= seed < 2**32:
        raise ValueError(f"{name}={seed!r} must be a whole number from 0 to 2^32 - 1")
    return int(seed)


def find_named(table: Mapping[str, T], name: Any, what: str) -> T:
    """The entry of a table by its key; ValueError, with the keys there are, where there is none."""
    if not isinstance(name, str) or name not in table:
        raise ValueError(f"there is no {what} {name!r}; known are {', '.join(table)}")
    return table[name]
