"""How the learner of each method is built; see :class:`treecore.training.method.Method`."""

from __future__ import annotations

import dataclasses
from typing import Any

import numpy as np

from treecore import learners
from treecore.core.scaling import Scaling, have_one_unit
from treecore.core.tree import tree_depth
from treecore.learners.base import Learner
from treecore.learners.greedy.settings import (
    AxisSettings,
    CO2Settings,
    OC1Settings,
    RandomSettings,
)
from treecore.learners.nongreedy.settings import (
    AnnealedSettings,
    SGDSettings,
    TAOSettings,
)
from treecore.rows.training_rows import TrainingRows


def build_axis(settings: AxisSettings, rows: TrainingRows, start, rng) -> Learner:
    """Return a learner of greedy axis-aligned trees; ``start`` is not read."""
    if settings.leaf == "linear":
        return build_for_models(settings, rows)
    return learners.Growth(rows, settings, learners.AxisFinder(settings.max_features, rng))


def build_for_models(
    settings: AxisSettings, rows: TrainingRows, directions: np.ndarray | None = None
) -> learners.Growth:
    """Build a learner of trees with linear leaves; cuts also ask ``directions`` (n, p)."""
    settings, rows = dataclasses.replace(settings, criterion="entropy"), rows.complete
    if settings.min_samples_leaf == 1:  # a model has a weight a feature
        settings = dataclasses.replace(settings, min_samples_leaf=10 + rows.X.shape[1])
    finder = learners.ModelCutFinder(settings.leaf_price, directions)
    return learners.Growth(rows, settings, finder, linear=True)


def build_random(settings: RandomSettings, rows: TrainingRows, start, rng) -> Learner:
    """A learner of random oblique trees."""
    together = _together(settings.scaling, rows.X)
    finder = learners.RandomFinder(settings.n_directions, rng, together)
    return learners.Growth(rows, settings, finder)


def build_oc1(settings: OC1Settings, rows: TrainingRows, start, rng) -> Learner:
    """A learner of greedy trees by OC1."""
    return learners.Growth(rows, settings, learners.OC1Finder(settings, rng))


def build_co2(settings: CO2Settings, rows: TrainingRows, start, rng) -> Learner:
    """A learner of greedy trees by CO2."""
    return learners.Growth(rows, settings, learners.CO2Finder(settings, rng))


def build_sgd(settings: SGDSettings, rows: TrainingRows, start, rng, scaling=None) -> Learner:
    """Build a learner by SGD or Stable SGD on the bound, from a tree or (None) a random start."""
    rows = rows.complete
    # One example is added to every leaf of a start, whose leaves are learnt further.
    if start is None:
        start = learners.random_tree(rows, settings.depth, 1.0, rng)
    elif settings.shape == "complete" and scaling is None and tree_depth(start) <= settings.depth:
        start = learners.random_tree(rows, settings.depth, 1.0, rng, grown=start)
    return learners.SGD(rows, start, settings, rng=rng, scaling=scaling)


def build_annealed(
    settings: AnnealedSettings, rows: TrainingRows, start, rng, scaling=None
) -> Learner:
    """A learner by annealing, soft turns to hard ones."""
    goes_on, rows = scaling is not None, rows.complete
    if scaling is None:
        scaling = Scaling.fit(rows.X, _together(settings.scaling, rows.X), robust=True)
    if start is None:
        start = learners.random_tree(rows, settings.depth, settings.smoothing, rng, scaling)
    return learners.Annealed(rows, start, settings, scaling=scaling, goes_on=goes_on, rng=rng)


def _together(scaling: str, X) -> bool:
    """Whether features keep their proportions, by the word of a setting."""
    return scaling == "together" or (scaling == "auto" and have_one_unit(X))


def one_pass(n_rows: int) -> dict[str, Any]:
    """Settings of SGD for a piece of a stream: the learning rate does not fall."""
    return {"epochs": 1, "schedule": "constant"}


def one_round(n_rows: int) -> dict[str, Any]:
    """Settings of annealed learning for a piece of a stream: one pass in small batches."""
    return {"rounds": 1, "batch": min(n_rows, 32), "start": "random"}


def build_tao(settings: TAOSettings, rows: TrainingRows, start, rng) -> Learner:
    """A learner by TAO. start: tree to start from; None: a random one."""
    rows = rows.complete
    if start is None:
        start = learners.random_tree(rows, settings.depth, settings.smoothing, rng)
    scaling = Scaling.fit(rows.X, _together(settings.scaling, rows.X))
    return learners.TAO(rows, start, settings, scaling=scaling)
