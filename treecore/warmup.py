"""Compiling the kernels before they are needed, with a word on how far it is.

On a machine where the package has run before, everything comes from the cache in a moment.
"""

from __future__ import annotations

import threading
from collections.abc import Callable

import numpy as np

from treecore.kernels import KERNELS
from treecore.losses import LOG
from treecore.methods import METHODS
from treecore.metrics import evaluate
from treecore.nongreedy.bounds import margin_edges, row_bounds
from treecore.scaling import Scaling
from treecore.training import RunConfig, Trainer

_QUICK = {"depth": 2, "epochs": 1, "rounds": 1}

_lock = threading.Lock()
_done = False


def warm_up(tell: Callable[[str], None] = lambda message: None) -> None:
    """Compile every kernel, or load it from the cache, by running every method on a few rows.

    Safe to call from several threads: one works, the others wait for it.

    Parameters
    ----------
    tell : callable (str)
        Receives a short message when a method begins.
    """
    global _done
    with _lock:
        if _done:
            return
        rng = np.random.default_rng(0)
        X = rng.standard_normal((40, 2))
        # No single line divides these, so that the second level is worked on as well: its rows lie
        # otherwise in memory than the root's, which is a compilation of its own.
        y = (X[:, 0] * X[:, 1] > 0).astype(int)
        for method in METHODS.values():
            known = {setting.name for setting in method.settings.known()}
            quick = {name: value for name, value in _QUICK.items() if name in known}
            trainer = Trainer(RunConfig(method.name, validation=0.2, **quick), X, y)
            while not trainer.finished:
                ready = sum(bool(kernel.signatures) for kernel in KERNELS)
                tell(f"Preparing compiled code, {ready} of {len(KERNELS)} parts")
                trainer.step()
            evaluate(trainer.tree, X, y)
            if method.name == "sgd":
                scaling = Scaling.fit(X)
                row_bounds(trainer.tree, scaling, scaling.transform(X), y, LOG, exact=True)
                margin_edges(trainer.tree, LOG)
        _done = True
