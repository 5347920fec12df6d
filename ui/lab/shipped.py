"""The comparison that the Lab opens with: learnt once, kept in a file, made anew by

    python -m ui.lab.shipped

Home tells its story with the same runs, as the browser draws it. Nothing is learnt and nothing
compiled until somebody presses Play, so they are there at once on a server that has just begun.
"""

import base64
import json
import statistics
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from treecore import RunConfig, Tree
from treecore.core import leaf_probabilities, split_weights
from treecore.training import read_event
from treecore.viewer import Frame, Stage, Status, evenly, living, usual_plane
from ui.jobs.chosen_data import ChosenData, new_trainer
from ui.jobs.recorder import Recorder, Snapshot
from ui.lab.choices import OPENING_LEAVES, USUAL, USUALLY_SHOWN
from ui.lab.draws import all_draws, learner_text
from ui.lab.fairness import within_leaves
from ui.widgets.data.gallery import USUAL_SIZE, gallery_data

FILE = Path(__file__).with_name("shipped.json")

DATA = "xor"
"""What the Lab opens with: two cuts that help only together."""

LEAVES = OPENING_LEAVES[DATA]
LEARNERS = USUAL[:USUALLY_SHOWN]

MOMENTS = 60
"""Trees of a run that are kept at most."""

OF_POINTS = ("at", "loss", "bound", "reach")
"""What a message says of the points of the map, for which it needs compiled kernels."""


class Shipped(NamedTuple):
    """Runs that were learnt before, on training rows X, y.

    runs: snapshots, oldest first; start: what a page learns the last run from, in base64.
    """

    seed: int
    X: np.ndarray
    y: np.ndarray
    configs: list[RunConfig]
    runs: list[list[Snapshot]]
    start: str


@cache
def shipped() -> Shipped:
    found = json.loads(FILE.read_text(encoding="utf-8"))
    configs = [RunConfig(**run["config"]) for run in found["runs"]]
    runs = [[_snapshot(moment) for moment in run["moments"]] for run in found["runs"]]
    X, y = np.array(found["X"]), np.array(found["y"])
    return Shipped(found["seed"], X, y, configs, runs, found["start"])


def shipped_runs(data: ChosenData, configs: Sequence[RunConfig]) -> list[list[Snapshot]]:
    """The runs of just these learners on these rows, if they are the shipped ones; else none."""
    known = shipped()
    if data.key != gallery_data(DATA, seed=known.seed).key or known.configs != list(configs):
        return []
    # Another version of NumPy may draw other points.
    return known.runs if np.array_equal(known.X, data.train.X) else []


def record() -> dict[str, Any]:
    """Learn the runs at the most typical seed: what the file holds, as :func:`shipped` reads it."""
    draws = all_draws()[DATA, USUAL_SIZE, LEAVES]
    seed = draws.typical_seed([learner_text(config) for config in LEARNERS])
    data = gallery_data(DATA, seed=seed)
    configs = [within_leaves(one.replace(seed=seed), data.train, LEAVES) for one in LEARNERS]
    runs = [{"config": one.as_dict(), "moments": _learn(one, data)} for one in configs]
    X, y = data.train.X.tolist(), data.train.y.tolist()
    return {"seed": seed, "X": X, "y": y, "runs": runs, "start": _start(configs[-1], data)}


def _start(config: RunConfig, data: ChosenData) -> str:
    """What a page needs to learn a run by itself, in base64."""
    stage = Stage(data.train, data.held, usual_plane(data.train), config)
    start = living(new_trainer(data, config), data.train, data.held, stage, alone=True)
    assert isinstance(start, bytes), "pages learn by this method"
    return base64.b64encode(start).decode()


def _learn(config: RunConfig, data: ChosenData) -> list[dict[str, Any]]:
    recorder, trainer, event = Recorder(config.method), new_trainer(data, config), None
    while not trainer.finished:
        event = trainer.step(share=recorder.share(trainer, event))
        recorder.note(trainer, event)
    snapshots = [one for one in recorder.snapshots()[0] if one.event.complete]
    moments = [_moment(snapshots[i]) for i in evenly(len(snapshots), MOMENTS)]
    stage = Stage(data.train, data.held, usual_plane(data.train), config)
    last = snapshots[-1]
    status = Status("finished", "", last.event, (Frame(0, 0.0, last.event, last.model),), (), None)
    news = stage.news(status, "run", {})
    assert news is not None, "a view that knows nothing is told all"
    found = {name: news[1].get(f"f0.{name}") for name in OF_POINTS}
    moments[-1]["points"] = {
        name: [str(array.dtype), [round(value, 5) for value in array.tolist()]]
        for name, array in found.items()
        if array is not None
    }
    return moments


def _moment(shot: Snapshot) -> dict[str, Any]:
    tree: Tree = shot.model
    arrays = {name: getattr(tree, name) for name in tree._fields if name != "linear"}
    return {
        "event": shot.event.as_dict(),
        "tree": {name: [str(array.dtype), array.tolist()] for name, array in arrays.items()},
        "counts": None if shot.counts is None else shot.counts.tolist(),
        "share": shot.share,
    }


def _snapshot(moment: dict[str, Any]) -> Snapshot:
    arrays = _arrays(moment["tree"])
    arrays["weights"] = arrays["weights"].reshape(-1, len(arrays["missing"]))
    counts, points = moment["counts"], moment.get("points")
    return Snapshot(
        read_event(moment["event"]),
        Tree(**arrays),
        None if counts is None else np.array(counts, dtype=np.int64),
        moment["share"],
        points=points and _arrays(points),
    )


def _arrays(written: dict[str, Any]) -> dict[str, Any]:
    return {name: np.array(values, dtype) for name, (dtype, values) in written.items()}


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


if __name__ == "__main__":
    FILE.write_text(json.dumps(record(), separators=(",", ":")) + "\n", encoding="utf-8")
