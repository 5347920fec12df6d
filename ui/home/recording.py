"""The picture on the first page: one real run, recorded once per server and shown in a loop.

The points are there at once. The run is learnt in the background, once the kernels are compiled,
and kept for all visitors; until then the page has its points, and a word on what is under way.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np
import streamlit as st

from treecore import RunConfig
from treecore.core.routing import leaf_probabilities
from treecore.viewer.messages.planes import feature_plane
from treecore.viewer.messages.wire import Have, News, pack, unpack
from treecore.viewer.pages.thinning import evenly
from ui.jobs.chosen_data import ChosenData, trainer_builder
from ui.jobs.machine.scheduler import Client
from ui.jobs.recorder import Recorder, Snapshot
from ui.jobs.training_job import TrainingJob
from ui.live.channel import Channel
from ui.live.component import browser_component, place
from ui.widgets.data.picker import gallery_data

DATA = ("spirals", 0.15, 500, 25, 0)
"""Generator, noise, size, test share in per cent and seed: those of the page that trains."""

CONFIG = RunConfig("sgd", depth=6, nu=20.0, epochs=100, seed=0)

FRAMES = 160
"""Trees in the loop, every one of which existed; the first ones, where most happens, are dense."""


VIEW = "home"
"""Name of the picture in the recording's channel, which all visitors share."""

MOST_VISITORS = 1000
"""Who hear by it at a time."""


@dataclass(frozen=True)
class Picture:
    """What the page shows now.

    - payload: for ``treecore/viewer/js/pages/home.js``.
    - ready: whether the run is in it; otherwise only its points are.
    - message: what is under way, or went wrong.
    """

    payload: bytes
    ready: bool
    message: str
    failed: bool = False


class Recording:
    """One run, recorded in the background from its first to its last tree."""

    def __init__(self):
        self.channel = Channel(most=MOST_VISITORS)
        self.channel.show(VIEW, self)
        name, noise, size, share, seed = DATA
        self._data: ChosenData = gallery_data(name, size, noise, seed, share)
        self._recorder = Recorder(CONFIG.method)
        self._runner = TrainingJob(
            trainer_builder(self._data, CONFIG),
            math.inf,
            playing=True,
            recorder=self._recorder,
            turn=Client().turn(),
            announce=self.channel.announce,
        )
        self._points = self._message([])
        self._payload: bytes | None = None

    def retry(self) -> None:
        """Learn it again where it failed: the next visitor need not find what the last one did."""
        if self._runner.failure is not None:
            self._runner.reset()
            self._runner.play()

    def picture(self) -> Picture:
        """What there is; asking is what keeps the run going."""
        if self._payload is not None:
            return Picture(self._payload, True, "")
        status = self._runner.look()
        snapshots, finished = self._recorder.snapshots()
        if finished:
            self._payload = self._message(chosen_snapshots(snapshots))
            self._runner.close()
            return Picture(self._payload, True, "")
        return Picture(self._points, False, status.message, status.state == "failed")

    def news(self, have: Have) -> News | None:
        """See :class:`ui.live.channel.ViewSource`; a visitor hears the whole recording once."""
        picture = self.picture()
        mark = [picture.ready, picture.message]
        if mark == have.get("mark"):
            return None
        meta, arrays = unpack(picture.payload)
        reported = {"mark": mark, "message": picture.message, "failed": picture.failed}
        return meta | reported, arrays

    def look(self) -> None:
        """See :class:`ui.live.channel.ViewSource`."""
        self.picture()

    def do(self, what: str, value: object) -> None:
        """A recording takes no commands."""

    def close(self) -> None:
        """End the run."""
        self.channel.close()
        self._runner.close()

    def _message(self, snapshots: list[Snapshot]) -> bytes:
        train = self._data.train
        plane = feature_plane(train, 0, 1)
        points = plane.points(train.X)
        reach = float(1.06 * np.abs(points).max())
        meta = {
            "v": 1,
            "box": [-reach, reach, -reach, reach],
            "n_classes": train.n_classes,
            "frames": [
                {
                    "epoch": snapshot.event.done,
                    "accuracy": snapshot.event.accuracy,
                    "active": snapshot.event.active_leaves,
                    "leaves": snapshot.event.n_leaves,
                }
                for snapshot in snapshots
            ],
        }
        arrays = {"points": points, "label": train.y.astype(np.uint8)}
        for i, snapshot in enumerate(snapshots):
            tree, odds = snapshot.model, leaf_probabilities(snapshot.model)
            arrays[f"f{i}.split"] = plane.splits(tree)[0]
            arrays[f"f{i}.leaf"] = odds.argmax(axis=1).astype(np.uint8)
            arrays[f"f{i}.share"] = np.rint(255 * odds.max(axis=1)).astype(np.uint8)
        if snapshots:  # learning turns splits and never moves them: one shape for all frames
            tree = snapshots[-1].model
            arrays["children"] = np.stack([tree.left, tree.right], axis=1).astype(np.int16)
        return pack(meta, arrays)


def chosen_snapshots(snapshots: tuple[Snapshot, ...]) -> list[Snapshot]:
    """At most ``FRAMES`` of the snapshots: the first, the last, and as many in between."""
    return [snapshots[i] for i in evenly(len(snapshots), FRAMES)]


@st.cache_resource(show_spinner=False, on_release=Recording.close)
def recording() -> Recording:
    """The recording of this server."""
    return Recording()


def picture_view(channel: Channel) -> None:
    """The loop, or its points alone until there is one."""
    mount = browser_component("home", "pages/home.js")
    mount(data=place(channel, VIEW), key="home_picture", height="content")
