"""Runs in folders as a page in one file, which needs neither a server nor a network."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from pathlib import Path

from treecore.base.state_file import write_atomically
from treecore.runs.driver import RunSession, make_trainer
from treecore.viewer.pages.page import page_html
from treecore.viewer.pages.recorded import RecordedRun, record


def save_page(path: str | Path, sessions: Sequence[RunSession], live: bool = False) -> int:
    """Write one run, or two side by side, as a page; each is learnt once more, to the same bits.

    sessions: as :func:`treecore.runs.look_into` gives them; their folders are left as they are.
    live: the page is to learn by itself; a warning says why where it cannot.
    Returns the size of the file in bytes. Raises ValueError, in one sentence, for runs that have no
    single tree, or whose tree cannot be drawn.
    """
    runs = [_recorded(session, live) for session in sessions]
    content = page_html(" and ".join(run.title for run in runs), runs).encode()
    write_atomically(path, content)
    return len(content)


def _recorded(session: RunSession, live: bool) -> RecordedRun:
    until = math.inf
    if session.last is not None and not session.trainer.finished:
        until = session.last.done
    again = make_trainer(session.folder.config, session.train, session.held)
    run = record(again, session.train, session.held, until=until, live=live)
    if isinstance(run.live, str):
        warnings.warn(f"{run.title}: {run.live}", stacklevel=3)
    return run
