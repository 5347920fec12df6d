"""The routes of our own served by themselves, and a view that speaks to them as a browser does."""

import contextlib
import json
import threading

import uvicorn
from starlette.applications import Starlette
from websockets.sync.client import connect

from tests.helpers.wait import SECONDS, until
from treecore.viewer.messages.wire import unpack
from ui.server.routes import routes


@contextlib.contextmanager
def routes_served():
    """Serve the routes on a free port; gives the port."""
    config = uvicorn.Config(
        Starlette(routes=routes()), "127.0.0.1", 0, log_level="error", ws="websockets-sansio"
    )
    server = uvicorn.Server(config)
    thread = threading.Thread(target=server.run, daemon=True)
    thread.start()
    until(lambda: server.started, "for the server")
    try:
        yield server.servers[0].sockets[0].getsockname()[1]
    finally:
        server.should_exit = True
        thread.join(SECONDS)


class Listener:
    """A view at the other end of a wire."""

    def __init__(self, port: int, token: str, **settings):
        address = f"ws://127.0.0.1:{port}/live/{token}"
        self._opening = connect(address, max_size=None, **settings)

    def __enter__(self):
        self.socket = self._opening.__enter__()
        return self

    def __exit__(self, *raised):
        return self._opening.__exit__(*raised)

    def say(self, said) -> None:
        self.socket.send(said if isinstance(said, str | bytes) else json.dumps(said))

    def ask(self, **have) -> None:
        """Say what each view has."""
        self.say({"have": have})

    def hear(self, seconds: float = SECONDS):
        """The next message: the meta of every view, and the arrays."""
        meta, arrays = unpack(self.socket.recv(seconds))
        return meta["views"], arrays
