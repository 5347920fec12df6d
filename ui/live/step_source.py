"""A step in slow motion, as a live view shows it: a tree before the step, and as it turns.

A step has a few marks: the example and the leaf that it is pushed away from, or the split at work.
"""

import secrets
from collections.abc import Sequence
from typing import Any

import numpy as np

from treecore import RunConfig, Tree
from treecore.training import METHODS
from treecore.viewer import Frame, Have, News, Stage, Status
from ui.live.channel import ViewSource

CLICKED = {"sgd": "point", "stable-sgd": "point", "tao": "split", "oc1": "split"}
"""The methods that can be watched in slow motion, and what of the view a step of each is at."""


def clicked(config: RunConfig) -> str | None:
    """What a step of a learner is at; None where it has no slow motion."""
    plain = METHODS[config.method].family == "tree" and config.kernel == "none"
    constant = getattr(config.settings, "leaf", "constant") == "constant"
    return CLICKED.get(config.method) if plain and constant else None


class StepSource(ViewSource):
    """What has been shown of some steps from the tree of a frame; heading: what stands above it."""

    def __init__(self, stage: Stage, frame: Frame, heading: Sequence[str] = ()):
        self.stage, self._heading = stage, list(heading)
        self._name = secrets.token_hex(4)
        self._event = frame.event
        self._frames = [Frame(0, 0.0, frame.event, frame.tree, frame.assigned, frame.points)]
        self._step: dict[str, Any] = {"n": 0, "marks": [], "turned": []}
        self._sides: np.ndarray | None = None

    def turn(self, tree: Tree) -> None:
        """From now on this tree is shown; the browser turns the splits to it."""
        n = len(self._frames)
        self._frames.append(Frame(n, float(n), self._event, tree, self._frames[0].assigned))

    def mark(
        self,
        *marks: dict[str, Any],
        turned: tuple[int, ...] = (),
        sides: dict[int, bool] | None = None,
    ) -> None:
        """What the step is about; turned: splits; sides: whether rows want to go right."""
        self._sides = None
        if sides is not None:
            number = self.stage.rows_shown
            self._sides = np.array([1 + sides[i] if i in sides else 0 for i in number], np.uint8)
        step = {"marks": list(marks), "turned": list(turned)}
        if sides is not None or any(self._step[name] != step[name] for name in step):
            self._step = step | {"n": self._step["n"] + 1}

    def news(self, have: Have) -> News | None:
        status = Status("paused", "", self._event, tuple(self._frames), (), None)
        news = self.stage.news(status, self._name, have)
        told = have.get("run") == self._name and have.get("step") == self._step["n"]
        if news is None and told:
            return None
        meta, arrays = news or ({"run": self._name, "state": "paused"}, {})
        sides = {} if self._sides is None else {"sides": self._sides}
        if self._heading:
            meta["heading"] = self._heading
        return meta | {"step": self._step}, arrays | sides
