"""What happens on the server, for who runs it: counted, and told to the log without contents.

An event's facts are numbers and the program's own words: no name of a file or of a column, no
value, no setting, no token, no address of a visitor. A session is told by a number that counts up
from 1 in the life of the server.
"""

import logging
import threading
from collections import Counter

LOGGER = logging.getLogger("ui.events")

EVENTS = {
    "session_opened": "A visitor has opened a tab.",
    "session_closed": "The tab is closed, or its connection has ended, and it has not come back.",
    "run_started": "A run, a forest or another piece of work has begun to learn.",
    "run_finished": "It has come to its end.",
    "run_stopped": "It was ended before, by its visitor or because the tab is gone.",
    "run_failed": "It cannot go on; where the program is to blame, defect is true.",
    "file_refused": "A visitor's file was not taken; kind says what kind of file it was to be.",
}
"""Every event there is, and what it says."""

Fact = int | float | str | bool | None

_counts: Counter[str] = Counter()
_lock = threading.Lock()


def log_event(
    event: str, *, level: int = logging.INFO, error: BaseException | None = None, **facts: Fact
) -> None:
    """One of :data:`EVENTS` has happened; error: what is to blame; **facts: without contents."""
    if event not in EVENTS:
        raise KeyError(event)
    count(event)
    if error is not None:
        facts["error"] = type(error).__name__
    told = " ".join([event, *(f"{name}={value}" for name, value in facts.items())])
    LOGGER.log(level, told, exc_info=error)


def count(what: str, n: int = 1) -> None:
    with _lock:
        _counts[what] += n


def counted(what: str) -> int:
    """How often it has happened since the server began."""
    with _lock:
        return _counts[what]
