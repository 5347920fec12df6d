"""The server's log: a line of JSON for every event, where ``TREECORE_LOG`` asks for it.

It is ``off``, ``error``, ``warning``, ``info`` or ``debug``; unset, defects alone are written, as
Python does. What an error says may hold a visitor's words, so it is written at ``debug`` alone. A
page that has failed says so in one sentence.
"""

import json
import logging
import os
import sys
import traceback
from collections.abc import Mapping
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, TextIO

import streamlit as st

import ui
from ui.jobs.background import BackgroundJob
from ui.language.translate import _

VARIABLE = "TREECORE_LOG"
LEVELS = {
    "error": logging.ERROR,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
}
ROOT = Path(ui.__file__).parents[1]


class JSONLines(logging.Formatter):
    """One record as one line of JSON; words: of errors as well, which may hold visitors' own."""

    def __init__(self, words: bool = False):
        super().__init__()
        self._words = words

    def format(self, record: logging.LogRecord) -> str:
        """The line: time, level and event, then the event's facts."""
        moment = datetime.fromtimestamp(record.created, UTC)
        line: dict[str, Any] = {
            "time": moment.isoformat(timespec="milliseconds").replace("+00:00", "Z"),
            "level": record.levelname.lower(),
            "event": getattr(record, "event", record.name),
        }
        line |= getattr(record, "facts", {})
        # Of a record without an event, the text as it stands in the program says what it is about.
        if not hasattr(record, "event"):
            line["about"] = record.getMessage() if self._words else str(record.msg)
        error = record.exc_info[1] if record.exc_info else None
        if error is not None:
            line |= {"error": type(error).__name__, "at": _places(error)}
            if self._words:
                line["words"] = str(error)
        return json.dumps(line, ensure_ascii=False, default=str)


def _places(error: BaseException) -> list[str]:
    """The lines that an error went through, the outermost first, without the machine's folders."""
    return [
        f"{_short(frame.filename)}:{frame.lineno} {frame.name}"
        for frame in traceback.extract_tb(error.__traceback__)
    ]


def _short(name: str) -> str:
    path = Path(name)
    return str(path.relative_to(ROOT)) if path.is_relative_to(ROOT) else path.name


def set_up(environment: Mapping[str, str] = os.environ, stream: TextIO | None = None) -> None:
    """Have events written as the environment asks; ValueError where it names no level."""
    level = environment.get(VARIABLE, "").strip().lower()
    logger = logging.getLogger("ui")
    for handler in list(logger.handlers):
        logger.removeHandler(handler)
    logger.propagate = not level
    logger.setLevel(logging.NOTSET)
    if not level:
        return
    if level == "off":
        logger.addHandler(logging.NullHandler())
        return
    if level not in LEVELS:
        known = ", ".join(["off", *LEVELS])
        raise ValueError(f"{VARIABLE} is {level!r}; it may be {known}")
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(JSONLines(words=level == "debug"))
    logger.addHandler(handler)
    logger.setLevel(LEVELS[level])


def report_failure(error: Exception) -> bool:
    """Say in one sentence that the page cannot go on; Streamlit has logged the error."""
    memory = isinstance(error, MemoryError)
    st.error(
        _(BackgroundJob.out_of_memory if memory else BackgroundJob.went_wrong),
        icon=":material/error:",
    )
    return True
