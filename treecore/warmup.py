"""Compiling the kernels before they are needed, with a word on how far it is.

On a machine where the package has run before, everything comes from the cache in a moment.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from treecore.ensembles import Forest
from treecore.hinge import HingeSettings, HingeTrainer
from treecore.kernels import KERNELS
from treecore.losses import LOG, LOSSES
from treecore.methods import METHODS
from treecore.metrics import evaluate
from treecore.nongreedy.bounds import margin_edges, row_bounds
from treecore.scaling import Scaling
from treecore.training import RunConfig, Trainer
from treecore.tree import OBLIQUE, Tree

_QUICK_HINGE = {"trees": 2, "depth": 2, "n_features": 2, "batch": 4, "batches": 2}
_QUICK = {"depth": 2, "epochs": 1, "rounds": 1}

_lock = threading.Lock()
_done = False
_done_for: set[tuple] = set()
_hinge_done = False


def warm_up(
    tell: Callable[[str], None] = lambda message: None, config: RunConfig | None = None
) -> None:
    """Compile every kernel, or load it from the cache, by running every method on a few rows.

    They are compiled for classes; where ``config`` is about numbers, only what its run needs is,
    and for those: few runs are, and each loss is a compilation of its own.

    Safe to call from several threads: one works, the others wait for it.

    Parameters
    ----------
    tell : callable (str)
        Receives a short message when a method begins.
    config : RunConfig or None
    """
    global _done
    numbers = config is not None and LOSSES[config.loss].task == "regression"
    with _lock:
        if numbers:
            _warm_up_numbers(tell, config)
            return
        if _done:
            return
        X = np.random.default_rng(0).standard_normal((40, 2))
        # No single line divides these, so that the second level is worked on as well: its rows lie
        # otherwise in memory than the root's, which is a compilation of its own.
        y = (X[:, 0] * X[:, 1] > 0).astype(int)
        for method in METHODS.values():
            tree = _run(RunConfig(method.name), X, y, tell)
            Forest((tree,), np.ones(1), "shares").scores(X)
            if method.name == "sgd":
                scaling = Scaling.fit(X)
                row_bounds(tree, scaling, scaling.transform(X), y, LOG, exact=True)
                margin_edges(tree, LOG)
        _done = True


def warm_up_hinge(tell: Callable[[str], None] = lambda message: None) -> None:
    """Compile the kernels of hinge forests, for classes and for numbers; safe as :func:`warm_up`.

    The same compiled code serves trees and ferns, and features of every kind.

    Parameters
    ----------
    tell : callable (str)
        Receives a short message before either.
    """
    global _hinge_done
    with _lock:
        if _hinge_done:
            return
        X = np.random.default_rng(0).standard_normal((40, 4))
        for loss, y in (("log", (X[:, 0] > 0).astype(int)), ("squared", X[:, 0])):
            tell(_told())
            HingeTrainer(HingeSettings(loss=loss, **_QUICK_HINGE), X, y).run().predict(X)
        _hinge_done = True


def _told() -> str:
    ready = sum(bool(kernel.signatures) for kernel in KERNELS)
    return f"Preparing compiled code, {ready} of {len(KERNELS)} parts"


def _warm_up_numbers(tell: Callable[[str], None], config: RunConfig) -> None:
    done = (config.method, config.loss, getattr(config.settings, "start", None))
    if done in _done_for:
        return
    X = np.random.default_rng(0).standard_normal((40, 2))
    y = X[:, 0] * X[:, 1]
    tree, loss = _run(config, X, y, tell), LOSSES[config.loss]
    if (tree.feature == OBLIQUE).all():
        scaling = Scaling.fit(X)
        y = y.astype(np.float32)[:, None]
        row_bounds(tree, scaling, scaling.transform(X), y, loss, exact=True)
    _done_for.add(done)


def _run(config: RunConfig, X, y, tell: Callable[[str], None]) -> Tree:
    known = {setting.name for setting in METHODS[config.method].settings.known()}
    quick = {name: value for name, value in _QUICK.items() if name in known}
    trainer = Trainer(config.replace(validation=0.2, seed=0, kernel="none", **quick), X, y)
    while not trainer.finished:
        tell(_told())
        trainer.step()
    evaluate(trainer.tree, X, y, loss=LOSSES[config.loss])
    return trainer.tree
