"""What would have to change for a point of the map to be answered otherwise: told in its card.

The view asks for one point and what is wanted of it, and hears of the newest tree. While a run
plays it hears so often as of weights, and of large trees only when the run rests.
"""

from __future__ import annotations

import math
from functools import cached_property
from typing import Any

import numpy as np

from treecore.core.routing import apply, leaf_labels
from treecore.core.tree import Tree
from treecore.data.dataset import Dataset
from treecore.inspection.counterfactual import Counterfactual, counterfactual, units_and_range
from treecore.viewer.messages.message import DETAIL_SECONDS, Stage
from treecore.viewer.messages.planes import Plane
from treecore.viewer.messages.status import Frame, Status
from treecore.viewer.messages.tree_arrays import ink_of
from treecore.viewer.messages.wire import Have, News
from ui.drawing.change_text import changes_text
from ui.drawing.theme import number
from ui.language.translate import _

OTHERWISE = -1
"""What is wanted where no class is: another one than the tree says now, or a greater number."""

LESS = -2
"""A smaller number is wanted."""

STEP = 0.5
"""Standard deviations of the target by which a number is to be greater or smaller at least."""

MOST_NAMED = 3
"""Features in the sentence; the others are counted."""

WHILE_RUNNING = 8_000
"""Weights of a tree up to which it is searched while it learns: some milliseconds at most."""


class NearestChange:
    """Finds the nearest point that a tree answers as is wanted.

    - stage: it knows the points of the map.
    - train: changes are measured in its deviations and stay within its range.
    - plane: of the map.
    """

    def __init__(self, stage: Stage, train: Dataset, plane: Plane):
        self._stage, self._train, self._plane = stage, train, plane

    @cached_property
    def _limits(self) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
        return units_and_range(self._train.X)

    def news(self, status: Status, have: Have) -> News | None:
        """The answer to ``have["change"]`` where the view has not got it yet.

        That is the number of a point, what is wanted of it (a class, :data:`OTHERWISE` or
        :data:`LESS`), and number and time of the frame that the last answer was about.
        """
        question = have.get("change")
        if not (isinstance(question, list) and len(question) == 4 and status.frames):
            return None
        if not all(isinstance(value, int | float) and math.isfinite(value) for value in question):
            return None
        frame, running = status.frames[-1], status.state == "running"
        point, wanted, last_frame, at = question
        late = not 0 <= frame.time - at < DETAIL_SECONDS
        x = self._row(point)
        if last_frame == frame.number or (running and not late) or x is None:
            return None
        if running and frame.tree.n_splits * frame.tree.n_features > WHILE_RUNNING:
            return None
        meta, arrays = self._answer(frame, x, int(wanted))
        about = {"n": frame.number, "t": frame.time, "point": point, "wanted": wanted}
        return {"change": about | meta}, {f"change.{name}": one for name, one in arrays.items()}

    def _row(self, point: float) -> np.ndarray | None:
        """The features of a point of the map, float64 (n_features,)."""
        if point != int(point) or not 0 <= point < self._stage.n_points:
            return None
        return np.array([*self._stage.point(int(point))["x"].values()], dtype=np.float64)

    def _answer(self, frame: Frame, x: np.ndarray, wanted: int) -> tuple[dict, dict]:
        tree, train = frame.tree, self._train
        leaves, what = self._wanted(tree, x, wanted)
        if tree.linear is not None:
            return {"sentence": _("Leaves of this tree are linear: each has many answers.")}, {}
        if not leaves.any():
            return {"sentence": _("No leaf of the tree says {what}.", what=what)}, {}
        scale, low, high = self._limits
        bounds = np.minimum(low, x), np.maximum(high, x)
        try:
            found = counterfactual(tree, x, leaves, scale=scale, bounds=bounds)
        except ValueError as error:
            return {"sentence": _("There is no such point: {error}.", error=error)}, {}
        if not len(found.changed):
            return {"sentence": _("Nothing has to change: the tree says so already.")}, {}
        meta: dict[str, Any] = {"sentence": self._sentence(tree, x, found)}
        meta["to"] = self._place(tree, found)
        # On the plane the arrow is all of the change, or its shadow.
        shown = self._plane.axes.T @ (self._plane.dual @ (found.x - x))
        meta["flat"] = bool(np.allclose(shown, found.x - x, atol=1e-9 * float(scale.max())))
        if not train.image_shape:
            return meta, {}
        ink = ink_of(train.X)
        pixels = np.clip(ink * np.stack([x, found.x]), 0, 255).astype(np.uint8)
        return meta, {"before": pixels[0], "after": pixels[1]}

    def _wanted(self, tree: Tree, x: np.ndarray, wanted: int) -> tuple[np.ndarray, str]:
        """The leaves that would do, bool (n_leaves,), and what they say in words."""
        here = int(apply(tree, x[None])[0])
        if self._train.task == "classification":
            labels, names = leaf_labels(tree), self._train.class_names
            if 0 <= wanted < len(names):
                return labels == wanted, names[wanted]
            return labels != labels[here], _("anything else")
        values, step = tree.values[:, 0].astype(np.float64), STEP * float(self._train.y.std())
        if wanted == LESS:
            most = values[here] - step
            return values <= most, _("{most} or less", most=number(most))
        smallest = values[here] + step
        return values >= smallest, _("{least} or more", least=number(smallest))

    def _sentence(self, tree: Tree, x: np.ndarray, found: Counterfactual) -> str:
        train = self._train
        if train.task == "classification":
            after = train.class_names[int(leaf_labels(tree)[found.leaf])]
        else:
            after = number(tree.values[found.leaf, 0])
        return _(
            "For the tree to say {after}, it would take {listed}: a distance of {distance} "
            "deviations, into leaf {leaf}.",
            after=after,
            listed=changes_text(train.feature_names, train.units, x, found, MOST_NAMED),
            distance=number(found.distance),
            leaf=found.leaf,
        )

    def _place(self, tree: Tree, found: Counterfactual) -> list[float]:
        """Where the nearest point lies on the map."""
        x, y = self._plane.points(found.x[None])[0].tolist()
        if self._train.task == "regression" and self._train.n_features == 1:
            y = float(tree.values[found.leaf, 0])  # the height of the step that it is on
        return [x, y]
