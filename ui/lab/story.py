"""The story of the first page: the Lab's first comparison, as the browser draws it.

Nothing is learnt and nothing compiled when the page opens, so it plays on a server that has just
been started.
"""

from __future__ import annotations

import statistics
from functools import cache
from typing import Any

import numpy as np

from treecore.core import leaf_probabilities, split_weights
from ui.jobs.recorder import Snapshot
from ui.lab.draws import all_draws, learner_text
from ui.lab.shipped import DATA, LEARNERS, LEAVES, shipped
from ui.widgets.data.picker import USUAL_SIZE

NAMES = ("greedy", "sgd")
"""Of the two runs, in the order of the Lab's learners."""


@cache
def recording() -> dict[str, Any]:
    """What ``pages/home.js`` draws.

    - box: of the map, [left, right, bottom, top].
    - points, label: the training rows [x, y] and their classes.
    - greedy, sgd: ``frames``: ``accuracy`` (of the training rows), ``children`` of the splits
      (``~leaf`` where that is a leaf), ``split`` ([w1, w2, b], right where w1 x + w2 y > b), and of
      each leaf its class and the share of that, 0 to 255.
    """
    known = shipped()
    reach = float(1.06 * np.abs(known.X).max())
    found: dict[str, Any] = {
        "box": [-reach, reach, -reach, reach],
        "points": np.round(known.X, 3).tolist(),
        "label": known.y.tolist(),
    }
    for name, run in zip(NAMES, known.runs, strict=True):
        found[name] = {"frames": [_frame(moment) for moment in run]}
    return found


def claims() -> dict[str, tuple[float, float, int]]:
    """Both learners' mean test accuracy, its deviation, and the number of draws."""
    draws = all_draws()[DATA, USUAL_SIZE, LEAVES]
    found = [draws.runs[learner_text(config)].accuracies for config in LEARNERS]
    return {
        name: (statistics.fmean(reached), statistics.stdev(reached), len(reached))
        for name, reached in zip(NAMES, found, strict=True)
    }


def _frame(moment: Snapshot) -> dict[str, Any]:
    tree = moment.model
    odds = leaf_probabilities(tree)
    weights = split_weights(tree)
    size = np.linalg.norm(weights, axis=1, keepdims=True)
    lines = np.column_stack([weights, tree.threshold]) / np.where(size > 0, size, 1.0)
    return {
        "accuracy": moment.event.accuracy,
        "children": np.stack([tree.left, tree.right], axis=1).tolist(),
        "split": np.round(lines, 4).tolist(),
        "leaf": odds.argmax(axis=1).tolist(),
        "share": np.rint(255 * odds.max(axis=1)).astype(int).tolist(),
    }
