"""What is learnt from: training and held-out rows, what tells them from others, their trainer."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from treecore import RunConfig, Trainer, Tree
from treecore.data import Dataset
from treecore.runs import make_trainer
from ui.jobs.machine.memory import learning_bytes


@dataclass(frozen=True)
class ChosenData:
    """Training and held-out rows, a key of equal rows only, and what they are with another seed."""

    train: Dataset
    held: Dataset | None
    key: tuple
    seeded: Callable[[int], ChosenData] | None = field(default=None, compare=False, repr=False)


def bytes_needed(data: ChosenData, config: RunConfig) -> int:
    train = data.train
    n_outputs = train.n_classes if train.task == "classification" else 1
    return learning_bytes(config, train.n_samples, train.n_features, n_outputs)


def new_trainer(data: ChosenData, config: RunConfig, start: Tree | None = None) -> Trainer:
    """The trainer of a run; ``start`` is a given tree."""
    return make_trainer(config, data.train, data.held, start=start)
