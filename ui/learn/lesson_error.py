"""What is wrong in a lesson's file, in one sentence and in the visitor's language."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from ui.language.translate import N_, _


class LessonError(ValueError):
    """A sentence, with values in its places, and the place in the file that it is about."""

    def __init__(self, message: str, where: str = "", **values: Any):
        super().__init__(message, where)
        self.file = ""
        self._message, self._where, self._values = message, where, values

    def __str__(self) -> str:
        place = ", ".join(filter(None, (self.file, self._where)))
        problem = _(self._message, **self._values)
        return _("This lesson is left out. {place}: {problem}.", place=place, problem=problem)


def check_known(given: Iterable[Any], known: Iterable[str], where: str) -> None:
    """Raise LessonError for a name that is not among the known ones."""
    allowed = list(known)
    for name in given:
        if name not in allowed:
            there = ", ".join(filter(None, allowed))
            message = N_("there is no {name!r} here; allowed are {known}")
            raise LessonError(message, where, name=name, known=there)
