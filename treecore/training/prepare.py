"""The preparation of a run: rows are held out, and the methods put in order."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from treecore.base.settings import Settings
from treecore.core.routing import as_rows
from treecore.core.tree import Tree
from treecore.data.dataset import split_rows
from treecore.data.validation import TargetScaling, read_validation
from treecore.learners.greedy.finders.model_cuts import MAX_FEATURES_OF_CUTS, cuttable_features
from treecore.learners.greedy.monotonic import check_monotonic
from treecore.learners.greedy.settings import AxisSettings
from treecore.learners.nongreedy.ridge_leaves import MAX_FEATURES
from treecore.losses import find_loss
from treecore.rows.training_rows import TrainingRows
from treecore.training.config import ALL_WORDS, RunConfig
from treecore.training.registry import find_method


def divide(
    config: RunConfig,
    X,
    y,
    weight,
    validation: tuple[Any, ...] | None,
    n_classes: int | None,
    weighted: bool = False,
    fewest: int = 0,
) -> tuple[Any, Any, Any, tuple[Any, ...] | None, int | None]:
    """Hold out a share of unchecked rows where no validation rows are given, and there are enough.

    weighted: validation rows keep their weights. Returns X to n_classes, of the other rows.
    """
    is_pair = isinstance(validation, tuple | list) and len(validation) in (2, 3)
    if not (validation is None or is_pair):
        raise ValueError(
            "validation: give rows and targets, as (X, y) or (X, y, weight); "
            "a share of the rows is RunConfig(validation=...)"
        )
    if not (n_classes is None or isinstance(n_classes, int | np.integer)):
        raise ValueError(f"n_classes: give a whole number, not {n_classes!r}")
    if validation is None and config.validation > 0:
        X, y = as_rows(X, missing=True), np.asarray(y)
        if y.shape[:1] != (len(X),):
            raise ValueError(f"{len(X)} rows need as many targets, y has shape {y.shape}")
        if len(y) >= fewest:
            strata = y if config.loss == "log" and y.ndim == 1 else np.zeros(len(y), np.int64)
            train, held = split_rows(strata, config.validation, config.seed)
            weight = None if weight is None else np.asarray(weight)
            held_weight = () if weight is None or not weighted else (weight[held],)
            validation = X[held], y[held], *held_weight
            X, y, weight = X[train], y[train], None if weight is None else weight[train]
    if validation is not None and find_loss(config.loss).task == "classification":
        # A class that only the held-out rows show is a class none the less.
        labels = np.asarray(validation[1])
        largest = int(labels.max()) if labels.size and labels.dtype.kind in "iu" else 0
        n_classes = max(n_classes or 2, 1 + largest)
    return X, y, weight, validation, n_classes


def read_held_out(
    validation: tuple[Any, ...] | None, rows: TrainingRows, units: TargetScaling
) -> TrainingRows:
    """Check the validation rows against those to learn from; without any, a table of no rows."""
    if validation is None:
        return rows.take(np.arange(0))  # no slice, which would hold all weights
    X, y, *weight = validation
    return read_validation(X, y, rows, units, *weight)


def stages_of(
    config: RunConfig, start: Tree | None, rows: TrainingRows, shape: tuple[int, int]
) -> list[tuple[str, Settings]]:
    """The methods to run in turn: the one asked for, and before it, unless given, its start."""
    stages = [(config.method, config.settings)]
    while start is None:
        name, settings = stages[0]
        method = find_method(name)
        earlier = None if method.start is None else method.start(settings, shape)
        if earlier is None:
            break
        stages.insert(0, earlier)
    for _, settings in stages:
        if getattr(settings, "leaf", "constant") == "linear":
            _check_linear(rows, settings)
    return stages


def _check_linear(rows: TrainingRows, settings: Settings) -> None:
    """Raise ValueError where trees with linear leaves cannot read such rows."""
    n_features, most, where = rows.X.shape[1], MAX_FEATURES, ""
    if isinstance(settings, AxisSettings) and MAX_FEATURES_OF_CUTS < n_features <= most:
        n_features, most = len(cuttable_features(rows.complete.X)), MAX_FEATURES_OF_CUTS
        where = " with axis-aligned splits"
    if n_features > most:
        raise ValueError(
            f"leaf='linear' takes {most} features at most{where}, and the rows have "
            f"{n_features}; choose features first, or take leaf='constant'"
        )


def constrain(
    rows: TrainingRows,
    monotonic: np.ndarray | None,
    categories: np.ndarray | None,
    stages: list[tuple[str, Settings]],
    config: RunConfig,
) -> TrainingRows:
    """The rows with what is said of their features; ValueError where no tree can keep to it."""
    if categories is None and config.categorical not in ((), ALL_WORDS):
        raise ValueError(
            f"categorical names {config.categorical[0]!r}, and rows without names of columns do "
            "not say which that is: take treecore.runs.make_trainer, or an estimator's "
            "categorical_features"
        )
    if categories is not None and all(name == "axis" for name, _ in stages):
        rows = dataclasses.replace(rows, categories=categories)
    if monotonic is None:
        return rows
    if any(name not in ("axis", "annealed") for name, _ in stages):
        raise ValueError(
            "monotonic_cst is for axis-aligned and annealed trees, and the starts of these: set "
            'start to "axis", or leave it out'
        )
    rows = dataclasses.replace(rows, monotonic=monotonic)
    check_monotonic(rows)
    return rows
