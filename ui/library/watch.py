"""The page looks by itself whether runs and sweeps have come or ended, whoever makes them."""

from __future__ import annotations

from treecore.viewer import News
from ui.jobs.session import session_value
from ui.library.index import folders_stamp
from ui.live.channel import Channel, WholeSource
from ui.live.component import pulse_view

FOLDERS = "folders"
"""The view of the channel that has the page drawn anew."""

SHOWN = "shown"


class FolderWatch:
    """The channel of one session by which its page hears of folders."""

    def __init__(self):
        self.channel = Channel()
        self.channel.show(FOLDERS, WholeSource(_beat))

    def close(self) -> None:
        """At the end of the session."""
        self.channel.close()


def _beat() -> News:
    return {"state": SHOWN, "stamp": folders_stamp()}, {}


def watch_folders() -> None:
    """Have the page drawn anew once there is something else in the folders."""
    pulse_view(session_value(FolderWatch).channel, FOLDERS, "library_pulse", SHOWN)
