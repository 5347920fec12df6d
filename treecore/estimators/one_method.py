"""What the estimators of one method share; ``make generate`` writes the classes (``methods``)."""

from __future__ import annotations

import dataclasses
import numbers
from typing import Any

from treecore import persistence
from treecore.estimators.distilling import Distilling
from treecore.training.config import gone_settings, kept_settings
from treecore.training.registry import find_tree

PARAMETERS = {"max_iter": "newton_steps"}
"""What settings are called here that would mislead: ``max_iter`` means passes in scikit-learn."""

SQUARED_ERROR = "squared_error"
"""The one criterion of splits of numbers, as scikit-learn calls it."""

NO_LIMIT = ("max_leaf_nodes", "max_features")
"""Settings of which 0 means all, where scikit-learn says None."""


def parameter_names(method: str) -> dict[str, str]:
    """The settings of a method by parameter; a greedy tree's depth is called ``max_depth``."""
    greedy = find_tree(method).unit == "level"
    renamed = PARAMETERS | ({"depth": "max_depth"} if greedy else {})
    names = [setting.name for setting in find_tree(method).settings.definitions()]
    return {renamed.get(name, name): name for name in names}


class OneMethod(Distilling):
    """Base of the estimators of one method, whose name stands in the class."""

    method: str

    @property
    def _tree_method(self) -> str:
        return self.method

    @property
    def _scales(self) -> bool:
        return find_tree(self.method).streams

    @property
    def _takes_several(self) -> bool:
        return find_tree(self.method).unit == "level"  # leaves of greedy trees are means

    def _hint(self, name: str, known: list[str]) -> str:
        gone = gone_settings(self.method)
        return f": {gone[name]}" if name in gone else super()._hint(name, known)

    def _take(self, method: str | None, settings: dict[str, Any]) -> None:
        if method != self.method:
            task = "Regressor" if self._numeric else "Classifier"
            raise persistence.TreeFormatError(
                f"this file's tree was learnt by {method!r}, not by {self.method!r}; read it with "
                f"ObliqueTree{task}, which reads those of every method"
            )
        settings = kept_settings(settings, method)
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
            if not (name in NO_LIMIT and value == 0)
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
            elif value is None and name in NO_LIMIT:
                value = 0
            elif value is None and parameter == "max_depth":
                value = known[name].high
            checked[name] = dataclasses.replace(known[name], name=parameter).check(value)
        return checked

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
        if self.method == "axis" and self._categorical is not None:  # levels compete together
            n_features = self.n_features_in_
        return max(1, int(given * n_features if is_share else n_features**0.5))
