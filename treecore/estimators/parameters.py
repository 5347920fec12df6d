"""The parameters of the estimators: one for every setting of the registry, and a few of their own.

A new setting of a method is one more line here, so that editors and type checkers know the
parameter; a test says which is missing, or of another type. What a setting means, and between which
limits, is said by the settings of the methods alone, and the docstrings are made from them.
"""

from __future__ import annotations

import numbers
from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any

import numpy as np

from treecore.data.feature_maps import KERNELS
from treecore.estimators.base import ObliqueTree
from treecore.estimators.shared import AUTO
from treecore.training.config import RunConfig
from treecore.training.registry import TREES, find_tree

PARAMETERS = {"max_iter": "newton_steps"}
"""What settings are called here that would mislead: ``max_iter`` means passes in scikit-learn."""

_FIXED = "annealed"
"""The method that is meant by settings, where the method itself is left open."""

_KERNELS = {None: "none"} | {kind: kind for kind in KERNELS if kind != "none"}


@dataclass(eq=False, repr=False)
class Parameters(ObliqueTree):
    """What an estimator is set to, unchecked until it is fitted, as scikit-learn wants it."""

    method: str = AUTO
    _: KW_ONLY

    # Settings of the methods; None is the method's own default.
    depth: int | None = None
    start: str | None = None
    shape: str | None = None
    nu: float | None = None
    eta: float | None = None
    schedule: str | None = None
    inference: str | None = None
    epochs: int | None = None
    batch: int | None = None
    momentum: float | None = None
    sparsity: float | None = None
    max_features: int | None = None
    tolerance: float | None = None
    decay: float | None = None
    power: float | None = None
    sharpness: float | None = None
    scaling: str | None = None
    rounds: int | None = None
    C: float | None = None
    path: float | None = None
    nodes: str | None = None
    ridge: float | None = None
    newton_steps: int | None = None
    criterion: str | None = None
    min_samples_split: int | None = None
    min_samples_leaf: int | None = None
    min_gain: float | None = None
    min_impurity: float | None = None
    significance: float | None = None
    max_leaf_nodes: int | None = None
    n_directions: int | None = None
    order: str | None = None
    restarts: int | None = None
    jumps: int | None = None
    smoothing: float | None = None
    leaf: str | None = None
    leaf_price: float | None = None

    # The estimators' own.
    min_weight_fraction_leaf: float = 0.0
    kernel: str | None = None
    n_components: int = 100
    gamma: float | str = "scale"
    early_stopping: bool = False
    validation_fraction: float = 0.1
    n_iter_no_change: int | None = None
    callbacks: Sequence[Callable[..., Any]] | None = None
    random_state: Any = None

    @property
    def _tree_method(self) -> str:
        return _FIXED if self.method == AUTO else self.method

    def _chooses(self) -> bool:
        """Whether the tree is chosen among those of several methods.

        It is not where anything is fixed that belongs to one method: a depth that is given is that
        of an annealed tree. Constant leaves are those of any.
        """
        settings = {*self._chosen_settings()}
        if self.leaf == "constant":
            settings -= {"leaf"}
        fixed = settings or self.kernel is not None or self.early_stopping
        return self.method == AUTO and not fixed

    def _chosen_settings(self) -> dict[str, Any]:
        values = {name: getattr(self, name) for name in setting_names()}
        return {name: value for name, value in values.items() if value is not None}

    def _settings(self) -> dict[str, Any]:
        """The settings that were set, as the registry calls them.

        Raises
        ------
        ValueError
            For one that the chosen method does not have.
        """
        method = self._tree_method
        names, chosen = setting_names(method), self._chosen_settings()
        for name in chosen:
            if name not in names:
                raise ValueError(
                    f"the method {method!r} has no setting {name!r}; it has {', '.join(names)}"
                )
        settings = {parameter: setting for setting, parameter in PARAMETERS.items()}
        return {settings.get(name, name): value for name, value in chosen.items()}

    def _config(self, loss: str, seed: int, class_weight: str = "none", **changes) -> RunConfig:
        """The run that the parameters ask for."""
        if self._numeric and self.criterion is not None:
            raise ValueError(
                f"criterion={self.criterion!r} is for classes: splits of a regressor decrease the "
                "variance of the targets; leave criterion out"
            )
        if self.kernel is not None and self.kernel not in _KERNELS:
            names = ", ".join(f'"{kind}"' for kind in KERNELS if kind != "none")
            raise ValueError(f"kernel={self.kernel!r} must be None or one of {names}")
        if not isinstance(self.early_stopping, bool | np.bool_):
            raise ValueError(f"early_stopping={self.early_stopping!r} must be True or False")
        share = self.validation_fraction
        if not isinstance(share, numbers.Real) or not 0 < share < 1:
            raise ValueError(f"validation_fraction={share!r} must be between 0 and 1")
        self._check_minimum_leaf()
        patience = self.n_iter_no_change
        is_integer = isinstance(patience, numbers.Integral) and not isinstance(patience, bool)
        if patience is not None and (not is_integer or patience < 1):
            raise ValueError(
                f"n_iter_no_change={patience!r} must be a whole number from 1, or None"
            )
        return RunConfig(
            self._tree_method,
            seed=seed,
            loss=loss,
            class_weight=class_weight,
            kernel=_KERNELS[self.kernel],
            components=self.n_components,
            gamma=self.gamma,
            **(self._settings() | changes),
        )

    @property
    def _validation_share(self) -> float:
        return self.validation_fraction

    def _patience(self, config: RunConfig) -> int:
        if self.n_iter_no_change is not None:
            return int(self.n_iter_no_change)
        return super()._patience(config)

    def _take(self, method: str | None, settings: dict[str, Any]) -> None:
        if method == AUTO and settings == {"leaf": "constant"}:
            self.leaf = "constant"
        if method not in TREES:
            return
        self.method = method
        names = set(setting_names(method)).intersection(settings)
        if self._numeric:
            names.discard("criterion")  # which is of classes
        for name in names:
            setattr(self, name, settings[name])
            try:
                find_tree(method).settings.of(**self._settings())
            except ValueError:
                setattr(self, name, None)


def setting_names(*methods: str) -> tuple[str, ...]:
    """The settings of some methods, of all where none is named, as the estimators call them."""
    names = [
        PARAMETERS.get(setting.name, setting.name)
        for method in methods or TREES
        for setting in find_tree(method).settings.definitions()
    ]
    return tuple(dict.fromkeys(names))
