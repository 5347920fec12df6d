"""What shares the server with other sessions: each has its turns at the processors, and memory."""

from collections.abc import Iterator
from contextlib import contextmanager

from streamlit.runtime.scriptrunner import get_script_run_ctx

from ui.jobs.machine.memory import Account
from ui.jobs.machine.scheduler import Client, ProcessorTurn
from ui.jobs.session import session_value


class Visitor(Client):
    """A session's share of the processors and of the memory."""

    def __init__(self) -> None:
        super().__init__()
        self.memory = Account()

    def close(self) -> None:
        self.memory.close()


def session_client() -> Visitor:
    """What shares the processors with other sessions; without a page one of its own."""
    return session_value(Visitor) if get_script_run_ctx(suppress_warning=True) else Visitor()


@contextmanager
def session_turn() -> Iterator[ProcessorTurn]:
    """Wait for a turn and hold it, to learn while a page is drawn; to be taken again in between."""
    turn = session_client().turn()
    turn.take(0.0)
    try:
        yield turn
    finally:
        turn.leave()
