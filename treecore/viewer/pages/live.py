"""A run that goes on in a page by itself: data, starts and settings for the kernels it carries."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import cast

import numpy as np

from treecore.base.filled import Filled
from treecore.data.dataset import Dataset
from treecore.learners.greedy.finders.oblique import ABREAST
from treecore.learners.greedy.growth import Growth
from treecore.learners.greedy.settings import GreedySettings
from treecore.learners.nongreedy.annealed.annealed import Annealed
from treecore.learners.nongreedy.sgd.sgd import SGD
from treecore.training.config import RunConfig
from treecore.training.registry import find_method
from treecore.training.trainer import Trainer
from treecore.training.tree_trainer import TreeTrainer
from treecore.viewer.messages.message import Stage
from treecore.viewer.messages.wire import pack, spoken
from treecore.wasm.tab import image_of, tab_of

MOST_ROWS = 5000
"""Rows of a page that learns, held-out ones included."""

MOST_CLASSES = 256
"""Classes of a page that learns: the class of a leaf is a byte."""

MOST_BYTES = 400_000
"""What starts may take in a page beside the first one: then there are fewer; growth has none."""

LEARNING = ("axis", "random-oblique", "oc1", "co2", "sgd", "stable-sgd", "annealed")
"""Methods by which a page learns."""

SEEDS, DEEPEST = 5, 8
"""Seeds of a page, and the depth up to which it has trees of each."""

METHOD = Filled("This run is a recording, because pages cannot train its method.")
CLASSES = Filled(
    "This run is a recording, because pages train on at most {n} classes and not on numbers.",
    n=MOST_CLASSES,
)
MISSING = Filled(
    "This run is a recording, because pages train greedy trees only without missing values."
)
SETTINGS = Filled(
    "This run is a recording, because pages train neither on images nor with all settings."
)
TOO_LARGE = Filled(
    "This run is a recording, because pages train on at most {n} examples.", n=MOST_ROWS
)


def living(
    trainer: Trainer,
    train: Dataset,
    held: Dataset | None,
    stage: Stage,
    say: Callable[[str], str] = str,
    alone: bool = False,
) -> bytes | Filled:
    """What a page needs to learn by itself as a trainer does, or a sentence why it cannot.

    trainer: it stays as it is, also where it is under way; the page begins at the start. alone:
    without other seeds and depths. Returns bytes in the layout of
    :mod:`treecore.viewer.messages.wire`.
    """
    config = trainer.config
    if len(train.X) + (len(held.X) if held else 0) > MOST_ROWS:
        return TOO_LARGE
    first = find_method(config.method)
    if not isinstance(trainer, TreeTrainer) or first.name not in LEARNING:
        return METHOD
    if config.loss != "log" or train.n_classes > MOST_CLASSES:
        return CLASSES
    settings = config.settings
    able = getattr(settings, "leaf", "constant") == "constant" and not train.image_shape
    if isinstance(settings, GreedySettings):
        if not all(np.isfinite(rows.X).all() for rows in (trainer.rows, trainer.held_out)):
            return MISSING
        able = able and settings.significance == 0 and trainer.rows.weight.min() > 0
    if not able:
        return SETTINGS
    drawable = not alone and _drawable(trainer, train)
    if drawable:  # a point that is not there cannot be moved
        stage = Stage(train, held, stage.plane, config, MOST_ROWS)
    blobs: list[bytes] = []
    starts = []
    for one in [config] if alone else _configs(trainer, train.n_features):
        learner = cast("Growth | SGD | Annealed", trainer.beginning(one))
        measured = trainer.held_out
        held_rows = learner.prepare(measured), measured.y, measured.weight
        tab = tab_of(learner, trainer.rows, stage.sight(held_rows), MOST_ROWS * drawable)
        image = image_of(tab, blobs)
        if image is None:
            return SETTINGS
        units = learner.pass_units
        starts.append({"seed": one.seed, "depth": one.depth, "units": units, **image})
    knobs = {
        name: {"value": getattr(config.settings, name), "low": found.low, "high": found.high}
        for name in starts[0]["knobs"]
        for found in first.definitions()
        if found.name == name
    }
    ends = np.cumsum([len(blob) for blob in blobs]).tolist()
    content = np.frombuffer(b"".join(blobs), dtype=np.uint8)
    meta = {"starts": starts, "knobs": knobs, "ends": ends, "still": spoken(stage.still, say)}
    if drawable:
        meta["room"] = MOST_ROWS - (len(held.X) if held else 0)
    return pack(meta, {"content": content, **stage.points_once()})


def _drawable(trainer: TreeTrainer, train: Dataset) -> bool:
    """Whether a map can show all there is of the rows, so that points can be moved and drawn."""
    weight, (n, p) = trainer.rows.weight, train.X.shape
    whole = n > ABREAST and p == 2 and np.isfinite(train.X).all()
    return bool(whole and weight.min() == weight.max())


def _configs(trainer: TreeTrainer, n_features: int) -> Iterator[RunConfig]:
    """The run itself, and then others of other seeds and depths as far as there is room."""
    config = trainer.config
    n_seeds = 1 if config.method == "axis" else SEEDS  # which draws nothing
    size = 0 if isinstance(config.settings, GreedySettings) else 8 * (n_features + 1)
    yield config
    depth, left = config.depth, MOST_BYTES
    depths = sorted({*range(1, DEEPEST + 1), depth}, key=lambda d: (abs(d - depth), d))
    depths = [depth] if trainer.has_start else depths
    for seed in range(config.seed, min(config.seed + n_seeds, 2**32)):
        for other in depths:
            left -= size * 2**other
            if left < 0:
                break
            if (seed, other) != (config.seed, depth):
                yield config.replace(seed=seed, depth=other)
