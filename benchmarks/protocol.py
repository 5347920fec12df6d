"""The papers' protocol: settings are chosen on held-out training rows, test rows are seen once.

1. A part of the training rows, drawn by class with seed 0, is held out.
2. Every candidate is trained on the rest with seed 0; the best accuracy on the held-out rows wins.
3. The winner is trained on all training rows, once a seed; only these trees see the test rows.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

import numpy as np

from treecore.config import RunConfig
from treecore.datasets import split_rows
from benchmarks.data import Part
from treecore.training import Trainer
from treecore.tree import Tree

HELD_OUT = 0.2


class Outcome(NamedTuple):
    """One trained tree: accuracies in percent, seconds of training, size."""

    accuracy: float
    training_accuracy: float
    seconds: float
    active_leaves: int
    n_splits: int
    n_weights: int


def train(config: RunConfig, part: Part, held: Part) -> tuple[Outcome, Tree]:
    """Train one tree on ``part`` and measure it on ``held``."""
    trainer = Trainer(config, *part, validation=held)
    *_, event = trainer.events()
    tree = trainer.tree
    n_weights = np.count_nonzero(tree.weights) + np.count_nonzero(tree.feature >= 0)
    return Outcome(
        100 * event.validation_accuracy,
        100 * event.accuracy,
        event.seconds,
        event.active_leaves,
        tree.n_splits,
        int(n_weights),
    ), tree


def hold_out(part: Part) -> tuple[Part, Part]:
    """The rows that candidates learn from, and those that choose among them."""
    kept, held = split_rows(part.y, HELD_OUT, 0)
    return part.take(kept), part.take(held)


def search(candidates: Iterable[dict], part: Part) -> Iterator[tuple[Outcome, dict]]:
    """Train every candidate (the arguments of a RunConfig) and measure it on held-out rows."""
    inner, outer = hold_out(part)
    for candidate in candidates:
        yield train(RunConfig(**candidate, seed=0), inner, outer)[0], candidate


def choose(candidates: Iterable[dict], part: Part) -> dict:
    """The candidate of greatest held-out accuracy; the first one of equals."""
    return max(search(candidates, part), key=lambda found: found[0].accuracy)[1]


def greedy_trees(part: Part, depth: int) -> list[Tree]:
    """Axis-aligned trees of depth 0, 1, ... to ``depth``, or to where they stop growing.

    Greedy trees grow level by level, so that all of them are on the way to the last.
    """
    trainer = Trainer(RunConfig("axis", depth=depth, seed=0), *part)
    return [trainer.tree for _ in trainer.events()]
