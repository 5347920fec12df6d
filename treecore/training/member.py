"""One tree of a forest: its rows and features are drawn, and its method grows it unmeasured."""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Generator

import numpy as np

from treecore.base.settings import Settings
from treecore.base.time_budget import TimeBudget, work_time
from treecore.core.tree import Tree
from treecore.ensembles.bagging import (
    draw_columns,
    draw_rows,
    expand_to_all_features,
    generator_of,
)
from treecore.ensembles.settings import BaggingSettings, BoostingSettings
from treecore.rows.training_rows import TrainingRows
from treecore.training.config import RunConfig
from treecore.training.registry import find_method

BY_FEATURE = ("means", "monotonic", "categories")
"""What training rows say of each feature."""


def train_member(
    config: RunConfig,
    stages: list[tuple[str, Settings]],
    rows: TrainingRows,
    number: int,
    weight: np.ndarray | None,
) -> Generator[float, None, Tree]:
    """Grow tree ``number`` of a forest in portions; yields the share done, returns the tree.

    It reads raw features and answers in the units of ``rows``; weight: (n_samples,), boosted.
    """
    settings = config.settings
    assert isinstance(settings, BaggingSettings | BoostingSettings)
    rng = generator_of(config.seed, number)
    if weight is None:
        assert isinstance(settings, BaggingSettings)
        drawn = draw_rows(rows.weight, settings.sampling, settings.row_share, rng)
    elif settings.sampling == "draw":
        drawn = draw_rows(weight, "bootstrap", 1.0, rng)
    else:
        drawn = weight
    n_features = rows.X.shape[1]
    columns = draw_columns(n_features, settings.feature_share, rng)
    # Axis-aligned growth passes over the rows that are not drawn, and copies nothing.
    member_rows = _weighted(rows, drawn, entire=all(name == "axis" for name, _ in stages))
    del drawn
    if len(columns) < n_features:
        by_feature = {name: getattr(member_rows, name) for name in BY_FEATURE}
        taken = {name: of[columns] for name, of in by_feature.items() if of is not None}
        X = np.ascontiguousarray(member_rows.X[:, columns])
        member_rows = dataclasses.replace(member_rows, X=X, **taken)
    # Else all trees would prefer the same columns where splits tie, as they often do on few rows.
    feature_order = rng.spawn(1)[0].permutation(len(columns))
    member_rows = dataclasses.replace(member_rows, feature_order=feature_order)
    if getattr(settings, "split_features", "all") == "root":
        few = max(1, math.isqrt(len(columns)))
        stages = [(name, dataclasses.replace(of, max_features=few)) for name, of in stages]  # type: ignore[call-arg]
    tree: Tree | None = None
    for stage, (name, chosen) in enumerate(stages):
        learner = find_method(name).build(chosen, member_rows, tree, rng)
        pace = TimeBudget()
        while not learner.finished:
            started = work_time()
            done = learner.advance(pace.budget)
            pace.adapt(done, work_time() - started)
            yield (stage + min(1.0, learner.epoch / learner.n_epochs)) / len(stages)
        tree = learner.tree()
    assert tree is not None, "there is a stage"
    return expand_to_all_features(tree, columns, n_features)


def train_member_at_once(*task) -> Tree:
    """The tree that :func:`train_member` returns, all at once."""
    growing = train_member(*task)
    while True:
        try:
            next(growing)
        except StopIteration as done:
            return done.value


def _weighted(rows: TrainingRows, drawn: np.ndarray, entire: bool) -> TrainingRows:
    """The rows that have weight, with a mean of 1; where ``entire``, the others among them."""
    n_heavy = np.count_nonzero(drawn)
    if n_heavy < len(drawn) and not entire:
        heavy = np.flatnonzero(drawn)
        rows, drawn = rows.take(heavy), drawn[heavy]
    return dataclasses.replace(rows, weight=drawn * (n_heavy / math.fsum(drawn)))
