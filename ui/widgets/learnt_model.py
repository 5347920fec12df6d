"""What a learner has learnt at one moment: a tree or a forest, and how it was trained."""

import re
from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from treecore import Event, Figures, RunConfig, Tree, apply, evaluate
from treecore.data import Dataset, read_training, read_validation
from treecore.losses import find_loss, leaf_counts
from treecore.persistence import Document
from treecore.runs import data_of, trained_document
from treecore.training import METHODS
from ui.jobs.chosen_data import ChosenData
from ui.jobs.models import Model
from ui.jobs.run_title import run_title
from ui.live.train_session import SelectedRun


@dataclass(frozen=True, eq=False)
class LearntModel:
    """What one learner has learnt; numeral: empty where alone; key: equal for equal models."""

    numeral: str
    config: RunConfig
    data: ChosenData
    key: tuple
    document: Callable[[], Document]
    row_weights: np.ndarray | None = None

    @property
    def title(self) -> str:
        name = run_title(self.config)
        return f"{self.numeral} · {name}" if self.numeral else name

    @property
    def is_tree(self) -> bool:
        return METHODS[self.config.method].family == "tree"


def tree_document(run: SelectedRun) -> Document:
    frame = run.runner.latest()
    assert frame is not None, "there is a tree to save"
    return model_document(run.data, run.config, frame.event, frame.tree, run.start)


def model_document(
    data: ChosenData,
    config: RunConfig,
    event: Event,
    model: Model,
    saved: tuple[str, Tree] | None = None,
) -> Document:
    """A tree with its figures, or a forest; and how it was trained, from which ``saved`` tree."""
    train = data.train
    if not isinstance(model, Tree):
        errors = {"error": event.error, "held_out_error": event.validation_error}
        return trained_document(model, config, train, data_of(train), errors)
    figures, held = _figures(train, data.held, config, model)
    metrics = {
        "done": event.done,
        "bound": event.bound if event.complete else None,
        "loss": figures.loss,
        "validation_loss": held and held.loss,
        "active_leaves": figures.active_leaves,
    }
    name = "r2" if train.task == "regression" else "accuracy"
    metrics[name] = getattr(figures, name)
    metrics[f"validation_{name}"] = held and getattr(held, name)
    start = None
    if saved is not None:
        digest, first = saved
        start = {"sha256": digest, "n_splits": first.n_splits, "n_leaves": first.n_leaves}
    counts = _counts(model, train)
    return trained_document(
        model, config, train, data_of(train), metrics, counts=counts, start=start
    )


def _figures(
    train: Dataset, held: Dataset | None, config: RunConfig, tree: Tree
) -> tuple[Figures, Figures | None]:
    """Figures on training and held-out rows, in the units and weights that the run has."""
    loss = find_loss(config.loss)
    rows, units = read_training(
        train.given, train.y, None, config.class_weight, loss, train.n_classes or None
    )
    tree = units.transform(tree)
    parts = [rows] + ([read_validation(held.given, held.y, rows, units)] if held else [])
    figures = [evaluate(tree, p.X, p.y, loss=loss, sample_weight=p.weight) for p in parts]
    return figures[0], figures[1] if held else None


def _counts(tree: Tree, train: Dataset) -> np.ndarray:
    if train.n_classes:
        return leaf_counts(tree, train.given, train.y)
    return np.bincount(apply(tree, train.given), minlength=tree.n_leaves)[:, None]


def tree_name(run: SelectedRun) -> str:
    """What files of a run's tree are called, without their endings."""
    return re.sub(r"\W+", "-", f"{run.data.train.name}-{run.config.method}").strip("-")
