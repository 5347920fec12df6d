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


def folder_channel() -> Channel:
    """The channel of one session by which its page hears of folders."""
    channel = Channel()
    channel.show(FOLDERS, WholeSource(_beat))
    return channel


def _beat() -> News:
    return {"state": SHOWN, "stamp": folders_stamp()}, {}


def watch_folders() -> None:
    """Have the page drawn anew once there is something else in the folders."""
    pulse_view(session_value(folder_channel), FOLDERS, "library_pulse", SHOWN)
