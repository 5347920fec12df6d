"""The server's log: a line for every event, where ``TREECORE_LOG`` asks for it.

It is ``off``, ``error``, ``warning``, ``info`` or ``debug``; unset, defects alone are written, as
Python does. A page that has failed says so in one sentence.
"""

import logging
import os
import sys
from collections.abc import Mapping
from typing import Any, TextIO

import streamlit as st

from ui.jobs.background import BackgroundJob
from ui.language.translate import _

VARIABLE = "TREECORE_LOG"
LEVELS = {
    "off": logging.CRITICAL + 1,
    "error": logging.ERROR,
    "warning": logging.WARNING,
    "info": logging.INFO,
    "debug": logging.DEBUG,
}

LINE = "%(asctime)s %(levelname)s %(name)s %(msg)s"
"""A message as it stands in the program: what would fill its places may be a visitor's words."""


class WithoutErrors(logging.Formatter):
    """Lines without what an error says, which may be a visitor's words as well."""

    def formatException(self, ei: Any) -> str:
        return ""


def set_up(environment: Mapping[str, str] = os.environ, stream: TextIO | None = None) -> None:
    """Have events written as the environment asks; ValueError where it names no level."""
    level = environment.get(VARIABLE, "").strip().lower()
    if level and level not in LEVELS:
        raise ValueError(f"{VARIABLE} is {level!r}; it may be {', '.join(LEVELS)}")
    logger = logging.getLogger("ui")
    logger.handlers.clear()
    logger.propagate = not level
    logger.setLevel(LEVELS.get(level, logging.NOTSET))
    if level:
        handler = logging.StreamHandler(stream or sys.stderr)
        handler.setFormatter(WithoutErrors(LINE))
        logger.addHandler(handler)


def report_failure(error: Exception) -> bool:
    """Say in one sentence that the page cannot go on; Streamlit has logged the error."""
    memory = isinstance(error, MemoryError)
    st.error(
        _(BackgroundJob.out_of_memory if memory else BackgroundJob.went_wrong),
        icon=":material/error:",
    )
    return True
