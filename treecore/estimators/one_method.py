"""What the estimators of one method share: their parameters are that method's settings, checked.

The classes themselves are in :mod:`treecore.estimators.methods`, which ``make generate`` writes
from the registry.
"""

from __future__ import annotations

import dataclasses
import difflib
import functools
import inspect
import numbers
import sys
from typing import Any

from treecore.base.settings import Setting
from treecore.estimators.base import ObliqueTree
from treecore.estimators.parameters import PARAMETERS
from treecore.persistence import TreeFormatError
from treecore.training.config import RunConfig
from treecore.training.events import Event
from treecore.training.registry import find_tree

LOSSES = {"squared_error": "squared", "huber": "huber"}
"""The losses of numbers: what scikit-learn calls them, and what the registry does."""

SQUARED_ERROR = "squared_error"
"""The one criterion of splits of numbers, as scikit-learn calls it."""

_NO_LIMIT = ("max_leaf_nodes", "max_features")
"""Settings of which 0 means all, where scikit-learn says None."""

_ALIKE = (("depth", "max_depth"), ("epochs", "rounds", "max_iter", "n_epochs"), ("eta", "lr"))
"""Names that stand for one thing in different methods, or in other libraries."""


def parameter_names(method: str) -> dict[str, str]:
    """The settings of a method, by the names of its estimators' parameters.

    A greedy tree may stop before its greatest depth, which scikit-learn calls ``max_depth``.
    """
    greedy = find_tree(method).unit == "level"
    renamed = PARAMETERS | ({"depth": "max_depth"} if greedy else {})
    names = [setting.name for setting in find_tree(method).settings.definitions()]
    return {renamed.get(name, name): name for name in names}


def parameter_default(setting: Setting) -> Any:
    """The default of a setting as a parameter."""
    return None if setting.name in _NO_LIMIT and setting.default == 0 else setting.default


class OneMethod(ObliqueTree):
    """Base of the estimators of one method, whose name stands in the class."""

    method: str

    def __init_subclass__(cls, **kwargs: Any) -> None:
        """Let a parameter that is not there be answered by the one that was probably meant."""
        super().__init_subclass__(**kwargs)
        plain = cls.__dict__.get("__init__")
        if plain is None:
            return
        known = list(inspect.signature(plain).parameters)[1:]

        @functools.wraps(plain)
        def init(self, *args: Any, **parameters: Any) -> None:
            for name in parameters:
                if name not in known:
                    raise TypeError(_unknown(cls.__name__, name, known))
            plain(self, *args, **parameters)

        cls.__init__ = init  # type: ignore[method-assign]

    @property
    def _tree_method(self) -> str:
        return self.method

    def _take(self, method: str | None, settings: dict[str, Any]) -> None:
        if method != self.method:
            task = "Regressor" if self._numeric else "Classifier"
            raise TreeFormatError(
                f"this file's tree was learnt by {method!r}, not by {self.method!r}; read it with "
                f"ObliqueTree{task}, which reads those of every method"
            )
        for parameter, name in parameter_names(method).items():
            filed = PARAMETERS.get(name, name)
            if filed in settings:
                before = getattr(self, parameter)
                setattr(self, parameter, settings[filed])
                try:
                    self._settings()
                except ValueError:
                    setattr(self, parameter, before)

    def _chosen_settings(self) -> dict[str, Any]:
        """All settings, as estimators that choose the method call them, and files."""
        return {
            PARAMETERS.get(name, name): value
            for name, value in self._settings().items()
            if not (name in _NO_LIMIT and value == 0)
        }

    def _settings(self) -> dict[str, Any]:
        """All settings, as the registry calls them; ValueError names the parameter at fault."""
        known = {known.name: known for known in find_tree(self.method).settings.definitions()}
        checked = {}
        for parameter, name in parameter_names(self.method).items():
            value = getattr(self, parameter)
            if self._numeric and name == "criterion":
                if value != SQUARED_ERROR:
                    raise ValueError(f"criterion={value!r} must be {SQUARED_ERROR!r} for numbers")
                continue
            if name == "max_features":
                value = self._n_drawn(value)
            elif value is None and name in _NO_LIMIT:
                value = 0
            checked[name] = dataclasses.replace(known[name], name=parameter).check(value)
        return checked

    def _config(self, loss: str, seed: int, class_weight: str = "none", **changes) -> RunConfig:
        if self._numeric:
            if loss not in LOSSES:
                raise ValueError(f"loss={loss!r} must be one of {', '.join(LOSSES)}")
            loss = LOSSES[loss]
        if isinstance(self.verbose, str) or self.verbose not in (0, 1):
            raise ValueError(f"verbose={self.verbose!r} must be 0, or 1 for a line a measured tree")
        self._check_flags("early_stopping")
        self._check_minimum_leaf()
        settings = self._settings() | changes
        return RunConfig(self.method, seed=seed, loss=loss, class_weight=class_weight, **settings)

    def _n_drawn(self, given: Any) -> Any:
        """Features drawn for each split: a number, "sqrt" or a share of those that rows have."""
        if given is None:
            return 0
        if isinstance(given, numbers.Integral):
            return given
        is_share = isinstance(given, numbers.Real) and 0 < float(given) <= 1
        if not is_share and given != "sqrt":
            raise ValueError(
                f'max_features={given!r} must be a number of features, "sqrt", a share of them as '
                "a float up to 1.0, or None for all"
            )
        if not hasattr(self, "n_features_in_"):
            return 1  # a valid number, until there are rows
        n_features = len(self._feature_names())
        return max(1, int(given * n_features if is_share else n_features**0.5))

    def _run_callbacks(self, event: Event) -> bool:
        if self.verbose and event.complete:
            figures = {"loss": event.loss, "accuracy": event.accuracy, "R²": event.r2}
            said = [f"{name} {value:.4g}" for name, value in figures.items() if value is not None]
            done = f"{event.unit} {event.done:.0f} of {event.total}"
            sys.stdout.write(f"{event.stage}, {done}: {', '.join(said)}\n")
        return super()._run_callbacks(event)


def _unknown(estimator: str, name: str, known: list[str]) -> str:
    """What is said of a parameter that an estimator does not have."""
    near: list[str] = difflib.get_close_matches(name, known, 1)
    for alike in _ALIKE:
        near = [other for other in alike if name in alike and other in known] or near
    said = f"; perhaps {near[0]} is meant" if near else f"; it has {', '.join(known)}"
    return f"{estimator} has no parameter {name!r}{said}"
