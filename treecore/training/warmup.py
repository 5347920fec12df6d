"""Compiling the kernels before they are needed, with a message on the progress."""

from __future__ import annotations

import threading
from collections.abc import Callable
from typing import Any

import numpy as np

from treecore.base.filled import Filled
from treecore.compiling.kernels import KERNELS
from treecore.core.scaling import Scaling
from treecore.core.tree import OBLIQUE, Tree, single_leaf
from treecore.ensembles.forest import Forest
from treecore.learners.nongreedy.bounds import Bounded, figures_of_points
from treecore.losses import find_loss
from treecore.losses.metrics import evaluate
from treecore.training.config import RunConfig, linear_or_constant
from treecore.training.registry import TREES, find_method
from treecore.training.trainer import Trainer

_QUICK_HINGE: dict[str, Any] = {"trees": 2, "depth": 2, "n_features": 2, "batch": 4, "batches": 2}
_QUICK = {"depth": 2, "epochs": 1, "rounds": 1}

_lock = threading.Lock()
_done_for: set[Any] = set()
"""What has been run: "hinge", or a method with a loss, a start and so on."""


def warm_up(
    report: Callable[[str], None] = lambda message: None, config: RunConfig | None = None
) -> None:
    """Compile the kernels that a run needs, or load them from the cache, on a few rows.

    Those of one run where there is a ``config``: of a hinge forest, a tree, or an ensemble's
    trees. Else those of all single trees on classes, for whoever will choose among them.

    Safe to call from several threads: one works, the others wait for it.

    Parameters
    ----------
    report : callable (str)
        Receives a short message when a method begins.
    config : RunConfig or None
    """
    with _lock:
        if config is None:
            for name in TREES:
                _warm_up_tree(report, RunConfig(name))
            Forest((single_leaf([0.0], 2),), np.ones(1), "shares").scores(np.zeros((1, 2)))
        elif find_method(config.method).family == "hinge":
            _warm_up_hinge(report)
        else:
            drawn = getattr(config.settings, "split_features", "all") == "root"
            tree = config.base or config
            _warm_up_tree(report, tree.replace(max_features=1) if drawn else tree)


def _warm_up_hinge(report: Callable[[str], None]) -> None:
    """For classes and for numbers; trees and ferns share code, and so do features of all kinds."""
    if "hinge" in _done_for:
        return
    X = np.random.default_rng(0).standard_normal((40, 4))
    for loss, y in (("log", (X[:, 0] > 0).astype(int)), ("squared", X[:, 0])):
        config = RunConfig("hinge-forest", loss=loss, validation=0.1, **_QUICK_HINGE)
        trainer = Trainer(config, X, y)
        report(_progress())
        trainer.run().predict(X)
    _done_for.add("hinge")


def _progress() -> str:
    """How many kernels are compiled, for the screen."""
    ready = sum(bool(kernel.signatures) for kernel in KERNELS)
    return Filled("Preparing compiled code, only the first time; parts done: {ready}", ready=ready)


def _warm_up_tree(report: Callable[[str], None], config: RunConfig) -> None:
    loss = find_loss(config.loss)
    names = ("start", "criterion", "max_features")
    start, criterion, few = (getattr(config.settings, name, None) for name in names)
    leaf, by_ratio = linear_or_constant(config), criterion == "gain ratio"
    done = (config.method, config.loss, start, leaf, by_ratio, bool(few))
    if done in _done_for:
        return
    X = np.random.default_rng(0).standard_normal((40, 2))
    y = X[:, 0] * X[:, 1]  # no single line divides it: the second level is worked on as well
    if loss.task == "classification":
        y = (y > 0).astype(int)
    tree = _run(config, X, y, report)
    # What whoever watches the run is told of its points.
    scaling, oblique = Scaling.fit(X), (tree.feature == OBLIQUE).all()
    bounded = Bounded(scaling, scaling.transform(X), True) if oblique else None
    given = y if loss.task == "classification" else y.astype(np.float32)[:, None]
    figures_of_points(tree, X.astype(np.float32), given, loss, bounded)
    _done_for.add(done)


def _run(config: RunConfig, X, y, report: Callable[[str], None]) -> Tree:
    known = {setting.name for setting in find_method(config.method).definitions()}
    quick = {name: value for name, value in _QUICK.items() if name in known}
    trainer = Trainer(
        config.replace(validation=0.2, seed=0, kernel="none", categorical=(), **quick), X, y
    )
    while not trainer.finished:
        report(_progress())
        trainer.step()
    feature_map = getattr(trainer, "feature_map", None)
    rows = X if feature_map is None else feature_map(X)
    evaluate(trainer.model, rows, y, loss=find_loss(config.loss))
    return trainer.model
