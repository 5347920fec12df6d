"""The table of a page's link: each parameter is declared once, and read and written by that.

A field says which parameter goes with which key of the session. What a link says wrongly is
reported in one sentence and replaced by the nearest value that makes sense, or the usual one.
"""

import difflib
import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from treecore.base import Setting
from ui.language.catalogue import LANGUAGE, languages
from ui.language.translate import N_, _
from ui.shell.languages import PROJECTOR

VERSION = "1"
"""Of the meaning of parameters; a link of another one is read as far as it goes."""

MOST_PROBLEMS = 5
"""Problems of one link that are listed; the others are counted."""

LONGEST = 80
"""Letters of a name that are shown."""

Params = Mapping[str, list[str]]
"""Parameters of a link, each perhaps several times."""

State = Mapping[Any, Any]
"""The session's state, or whatever else has values by their keys."""


@dataclass
class Reading:
    """What a link says: entries of the state, problems (a clause each), remarks (sentences)."""

    state: dict[str, Any] = field(default_factory=dict)
    problems: list[str] = field(default_factory=list)
    remarks: list[str] = field(default_factory=list)

    def problem(self, message: str, **values: Any) -> None:
        """Report a clause, in the visitor's language."""
        self.problems.append(_(message, **values))

    def last(self, params: Params, name: str, usual: str = "") -> str:
        """The last value of a parameter that takes one; that others differ is reported."""
        given = params.get(name) or [usual]
        if len(set(given)) > 1:
            self.problem("it gives {name} {n} times (using the last one)", name=name, n=len(given))
        return given[-1]

    def nearest(self, known: Setting, text: str) -> Any:
        """The value of a setting that a text names, or else the nearest one, which is reported."""
        try:
            return known.check(_value(known, text))
        except ValueError as error:
            nearest = known.nearest(text)
            now = f"{nearest:g}" if isinstance(nearest, float) else nearest
            self.problem("{error} (using {now})", error=error, now=now)
            return nearest

    def step(self, name: str, value: float, steps: Sequence[float]) -> float:
        """That of the only possible values which is nearest; another one is reported."""
        nearest = min(steps, key=lambda step: abs(step - value))
        if not math.isclose(nearest, value):
            listed = ", ".join(f"{step:g}" for step in steps)
            self.problem(
                "{name}={value:g} must be one of {steps} (using {nearest:g})",
                **{"name": name, "value": value, "steps": listed, "nearest": nearest},
            )
        return nearest

    def closest(self, what: str, requested: str, known: Iterable[str], usual: str = "") -> str:
        """The known name asked for, or the most alike, or the usual one; what: said before it."""
        known = list(known)
        if requested in known:
            return requested
        by_small = {name.lower(): name for name in known}
        alike = difflib.get_close_matches(requested[:LONGEST].lower(), by_small, 1)
        name = by_small[alike[0]] if alike else usual
        shown = requested if len(requested) <= LONGEST else requested[:LONGEST] + "…"
        self.problems.append(
            _("there is no {what}{shown!r}", what=what, shown=shown)
            + (_(" (using {name})", name=name) if name else "")
        )
        return name

    def strangers(self, params: Params, known: Iterable[str]) -> None:
        """Report parameters that this page does not know, and another version's."""
        if (version := self.last(params, "v", VERSION)) != VERSION:
            message = N_("it is from version {v!r}, and this app reads version {version}")
            self.problem(message, v=version[:LONGEST], version=VERSION)
        for name, choices in ((LANGUAGE, tuple(languages())), (PROJECTOR, ("1", "0"))):
            asked, there = self.last(params, name, choices[0])[:LONGEST], ", ".join(choices)
            if asked not in choices:
                message = N_("{name}={asked!r} must be one of {there}")
                self.problem(message, name=name, asked=asked, there=there)
        unknown = [name for name in params if name not in (*known, "v", LANGUAGE, PROJECTOR)]
        if unknown:
            quoted = ", ".join(repr(name) for name in unknown[:6])
            more = _(" and {unknown} more", unknown=len(unknown) - 6) if len(unknown) > 6 else ""
            self.problem("this page has nothing called {quoted}{more}", quoted=quoted, more=more)

    def sentence(self) -> str:
        if not self.problems:
            return ""
        problems = list(dict.fromkeys(self.problems))  # four runs may have the same wrong name
        listed = "; ".join(problems[:MOST_PROBLEMS])
        left = len(problems) - MOST_PROBLEMS
        more = _("; and {left} more", left=left) if left > 0 else ""
        return _(
            "Part of this link was not understood, so this page shows the closest match: "
            "{listed}{more}.",
            listed=listed,
            more=more,
        )


@dataclass(frozen=True)
class Field:
    """A number, or one of some words, made by :func:`number_field` and :func:`choice_field`.

    requested: the key that a link sets, if another; always: whether what is usual is written.
    """

    setting: Setting
    key: str
    requested: str = ""
    values: tuple[Any, ...] = ()
    steps: tuple[float, ...] = ()
    always: bool = False

    @property
    def name(self) -> str:
        return self.setting.name

    def read(self, params: Params, reading: Reading) -> None:
        if self.name not in params:
            return
        value = reading.nearest(self.setting, reading.last(params, self.name)[:LONGEST])
        if self.values:
            value = self.values[self.setting.choices.index(value)]
        elif self.steps:
            value = reading.step(self.name, value, self.steps)
        reading.state[self.requested or self.key] = value

    def write(self, state: State) -> dict[str, str]:
        value = state.get(self.key)
        if self.values and value in self.values:
            value = self.setting.choices[self.values.index(value)]
        if value is None or (value == self.setting.default and not self.always):
            return {}
        return {self.name: f"{value:g}" if isinstance(value, float) else str(value)}


def number_field(name: str, key: str, usual: float, low: float, high: float, **more) -> Field:
    """A parameter that is a number, a whole one where the usual one is; see :class:`Field`."""
    return Field(Setting(name, name, "", usual, low, high), key, **more)


def choice_field(name: str, key: str, words: Iterable[str] | Mapping[str, Any], **more) -> Field:
    """A parameter that is one of some words, the usual one first; see :class:`Field`."""
    values = tuple(words.values() if isinstance(words, Mapping) else words)
    known = tuple(words)
    return Field(Setting(name, name, "", known[0], choices=known), key, values=values, **more)


@dataclass(frozen=True)
class Words:
    """Some of the known words, as in ``hide=data,settings``; a link without them clears them."""

    name: str
    key: str
    known: Sequence[str] | Callable[[], Sequence[str]]

    def _known(self) -> Sequence[str]:
        return self.known() if callable(self.known) else self.known

    def read(self, params: Params, reading: Reading) -> None:
        given = [word for text in params.get(self.name, []) for word in text.split(",") if word]
        known = self._known() if given else ()
        if wrong := [word for word in given if word not in known]:
            quoted = ", ".join(repr(word) for word in wrong[:4])
            message = N_("{name}: {quoted} must be among {known}")
            message = message if known else N_("{name}: {quoted} is not here")
            reading.problem(message, name=self.name, quoted=quoted, known=", ".join(known))
        reading.state[self.key] = tuple(word for word in known if word in given)

    def write(self, state: State) -> dict[str, str]:
        given = state.get(self.key) or ()
        words = [word for word in self._known() if word in given] if given else []
        return {self.name: ",".join(words)} if words else {}


@dataclass(frozen=True)
class Places:
    """Numbers of some things, as in ``fixed=0,3``; if valued, each with where: ``moved=3~1.5``."""

    name: str
    key: str
    requested: str = ""
    valued: bool = False
    most: int = 100

    def read(self, params: Params, reading: Reading) -> None:
        if self.name not in params:
            return
        words = [word for word in reading.last(params, self.name).split(",") if word]
        found: dict[int, float] = {}
        for word in words[: self.most]:
            place, _tilde, value = word.partition("~")
            try:
                number = float(value) if self.valued else 0.0
                if not (place.isascii() and place.isdigit() and len(place) < 8):
                    raise ValueError
                if (value and not self.valued) or not math.isfinite(number):
                    raise ValueError
            except ValueError:
                form, message = (
                    "PLACE" + "~NUMBER" * self.valued,
                    N_("{name}: {word!r} must be {form}"),
                )
                reading.problem(message, name=self.name, word=word[:LONGEST], form=form)
            else:
                found[int(place)] = number
        reading.state[self.requested or self.key] = found if self.valued else list(found)

    def write(self, state: State) -> dict[str, str]:
        given = state.get(self.key) or ()
        if isinstance(given, Mapping):
            words = [f"{place}~{value:.6g}" for place, value in given.items()]
        else:
            words = [str(place) for place in given]
        return {self.name: ",".join(words)} if 0 < len(words) <= self.most else {}


@dataclass(frozen=True)
class Text:
    """Words of whoever made the link; one without them clears them."""

    name: str
    key: str
    most: int

    def read(self, params: Params, reading: Reading) -> None:
        text = " ".join(reading.last(params, self.name).split())
        if len(text) > self.most:
            message = N_("{name} has {n:,} letters (using the first {most})")
            reading.problem(message, name=self.name, n=len(text), most=self.most)
        reading.state[self.key] = text[: self.most]

    def write(self, state: State) -> dict[str, str]:
        return {self.name: state[self.key]} if state.get(self.key) else {}


@dataclass(frozen=True)
class Name:
    """The name of what comes and goes; known: None if the page knows; earlier: in old links."""

    name: str
    key: str
    known: Callable[[], Iterable[str]] | None = None
    earlier: Mapping[str, str] = field(default_factory=dict)

    def read(self, params: Params, reading: Reading) -> None:
        if self.name not in params:
            return
        requested = self.earlier.get(last := reading.last(params, self.name), last)
        if self.known is not None:
            requested = reading.closest(f"{self.name}=", requested, self.known())
        if requested:
            reading.state[self.key] = requested

    def write(self, state: State) -> dict[str, str]:
        return {self.name: str(state[self.key])} if state.get(self.key) else {}


Part = Field | Words | Places | Text | Name
"""What stands under one name in a link: it reads that into the state, and writes what is unusual.
"""


def read_parts(parts: Iterable[Part], params: Params, reading: Reading) -> None:
    for part in parts:
        part.read(params, reading)


def write_parts(parts: Iterable[Part], state: State) -> dict[str, str]:
    """Parameters of all parts that are not the usual ones, in the order of the parts."""
    return {name: text for part in parts for name, text in part.write(state).items()}


def _value(known: Setting, text: str) -> Any:
    if known.choices:
        return text
    try:
        value = float(text)
    except ValueError:
        return text  # which the check refuses, and quotes
    if not math.isfinite(value) or abs(value) > 1e30:  # it is quoted as it was written
        return text
    return int(value) if isinstance(known.default, int) and value == int(value) else value
