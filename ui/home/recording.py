"""The two runs on the first page: made once by ``python -m ui.home.recording``, shipped as a file.

Nothing is learnt and nothing compiled when the page opens, so it plays on a server that has just
been started.
"""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

FILE = Path(__file__).with_name("recording.json")

DATA, SIZE, NOISE, TEST_SHARE = "xor", 500, 0.2, 0.25
LEAVES = 4
RUNS: dict[str, dict[str, Any]] = {
    "greedy": {"method": "axis", "criterion": "gini", "max_leaf_nodes": LEAVES, "depth": 12},
    "sgd": {"method": "sgd", "depth": 2},
}
"""Settings of the two, which have the same number of leaves: those that the Lab opens with."""

DRAWS = 20
"""Seeds over which accuracies are taken: 0, 1, ..."""

FRAMES = 60
"""Trees of a run that are kept at most, every one of which existed."""


@cache
def recording() -> dict[str, Any]:
    """What the file holds; see :func:`record`."""
    return json.loads(FILE.read_text(encoding="utf-8"))


def record() -> dict[str, Any]:
    """Learn the runs of all draws; keep those of the draw that is nearest to the means.

    - seed: of that draw; box: of the map, [left, right, bottom, top].
    - points, label: the training rows [x, y] and their classes.
    - greedy, sgd: ``mean`` and ``deviation`` of the test accuracy over the draws, and ``frames``:
      ``done`` (levels or passes), ``accuracy`` (of the training rows), ``children`` of the splits
      (``~leaf`` where that is a leaf), ``split`` ([w1, w2, b], right where w1 x + w2 y > b), and of
      each leaf its class and the share of that, 0 to 255.
    """
    # Imported here: the page reads the file, and needs none of the core.
    from treecore import RunConfig

    configs = [
        {name: RunConfig(seed=seed, **run) for name, run in RUNS.items()} for seed in range(DRAWS)
    ]
    draws = [
        {name: _learn(config, seed) for name, config in pair.items()}
        for seed, pair in enumerate(configs)
    ]
    reached = np.array([[draw[name]["test"] for name in RUNS] for draw in draws])
    off = np.abs(reached - reached.mean(axis=0)) / reached.std(axis=0)
    seed = int(off.sum(axis=1).argmin())
    shown = draws[seed]
    points = shown["sgd"]["points"]
    reach = float(1.06 * np.abs(points).max())
    found: dict[str, Any] = {
        "seed": seed,
        "box": [round(side, 3) for side in (-reach, reach, -reach, reach)],
        "points": np.round(points, 3).tolist(),
        "label": shown["sgd"]["label"].tolist(),
    }
    for i, name in enumerate(RUNS):
        mean, deviation = float(reached[:, i].mean()), float(reached[:, i].std(ddof=1))
        found[name] = {
            "mean": round(mean, 4),
            "deviation": round(deviation, 4),
            "frames": shown[name]["frames"],
        }
    return found


def _learn(config, seed: int) -> dict[str, Any]:
    from treecore import Trainer, evaluate
    from treecore.data.dataset import split
    from treecore.data.generators import generate
    from treecore.viewer.pages.thinning import evenly

    train, test = split(generate(DATA, SIZE, NOISE, seed), TEST_SHARE, seed)
    assert test is not None, "a share is held out"
    trainer = Trainer(config, train.X, train.y, n_classes=train.n_classes)
    seen = [(trainer.model.copy(), event) for event in trainer.events()]
    kept = [seen[i] for i in evenly(len(seen), FRAMES)]
    return {
        "test": evaluate(trainer.model, test.X, test.y).accuracy,
        "points": train.X.astype(np.float64),
        "label": train.y,
        "frames": [_frame(tree, event) for tree, event in kept],
    }


def _frame(tree, event) -> dict[str, Any]:
    from treecore.core.routing import leaf_probabilities
    from treecore.core.tree import OBLIQUE

    odds = leaf_probabilities(tree)
    weights = np.eye(2)[tree.feature % 2]  # of an oblique split, whose feature is -1, written below
    oblique = np.flatnonzero(tree.feature == OBLIQUE)
    weights[oblique] = tree.weights[tree.row[oblique]]
    size = np.linalg.norm(weights, axis=1, keepdims=True)
    lines = np.column_stack([weights, tree.threshold]) / np.where(size > 0, size, 1.0)
    return {
        "done": round(event.done),
        "accuracy": round(event.accuracy, 4),
        "children": np.stack([tree.left, tree.right], axis=1).tolist(),
        "split": np.round(lines, 4).tolist(),
        "leaf": odds.argmax(axis=1).tolist(),
        "share": np.rint(255 * odds.max(axis=1)).astype(int).tolist(),
    }


if __name__ == "__main__":
    FILE.write_text(json.dumps(record(), separators=(",", ":")) + "\n", encoding="utf-8")
