"""Everything that decides a run besides its data: one frozen object, checked when it is made."""

from __future__ import annotations

import dataclasses
import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore import data
from treecore.base.settings import Setting, Settings, TreeSettings, check_seed
from treecore.learners.greedy.settings import AxisSettings
from treecore.learners.hinge.settings import HingeSettings
from treecore.learners.nongreedy.settings import SGDSettings
from treecore.losses import find_loss
from treecore.training.method import Method
from treecore.training.registry import BASES, find_method

CLASS_WEIGHTS = ("none", "balanced")
_VALIDATION = Setting("validation", "", "", default=0.0, low=0.0, high=0.9)
_COMPONENTS = Setting("components", "", "", default=100, low=1, high=10_000)

ALL_WORDS = "auto"
"""What ``categorical`` says where it means every column of categories."""

REMOVED = {
    "solver": "TAO has one solver",
    "nodes": "TAO learns oblique splits; with a small C they read few features",
    **dict.fromkeys(
        ("leaf_ridge", "leaf_l1", "leaf_margin"),
        "training chooses the strength of linear leaves by validation examples",
    ),
    "shift": "hinge forests learn from moved images",
    "lag": "each boosted tree learns from the weights that the one before it leaves",
    "cuts": "axis-aligned trees try every threshold",
    "min_samples_split": "min_samples_leaf limits both sides of a split",
    **dict.fromkeys(
        ("filters", "filter_size", "pool_size", "image_width", "image_shift"),
        "trees read the features as they are; hinge forests learn convolutions",
    ),
}
"""Settings of earlier versions, with what holds instead."""

SAID_NOTHING = (("lag", 0), ("shift", 0.0), ("min_samples_split", 2), ("nodes", "oblique"))
"""Those that were written where nobody had asked for them."""

REMOVED_FROM: Mapping[type[Settings], dict[str, str]] = {
    SGDSettings: {
        "averaging": "let the learning rate fall (schedule) instead",
        "max_features": "sparsity makes weights zero",
        "smoothing": "SGD learns the values of its leaves",
    },
    HingeSettings: {
        "decay": "dropout keeps a forest from being too confident",
        "smoothing": "dropout keeps a forest from being too confident",
        "average": "let the learning rate fall (schedule) instead",
        "pace": "the value is always 0.03",
        "width": "images are square",
    },
}
"""Settings that some methods had, and that others may still have."""


@dataclass(frozen=True, init=False)
class RunConfig:
    """Everything that decides a run, besides its data. Equal configs give equal models.

    ``RunConfig("sgd", depth=8, nu=10, seed=0)`` takes the method's settings by name; they are
    the URL, the header of the exported JSON and the id of a test. The settings of an ensemble and
    of its trees stand side by side, ``RunConfig("samme", base="tao", n_trees=30, depth=6)``, or
    those of the trees are a second config, ``base=RunConfig("tao", depth=6)``.

    Attributes
    ----------
    method : str
        A name of :data:`treecore.training.registry.METHODS`.
    seed : int
        Seed of everything random: held-out rows, random starts, the order of the examples.
    validation : float
        Share of the rows held out to be measured only, 0 to 0.9. Ignored where the trainer is
        given validation rows. A hinge forest keeps the state that errs least on them.
    loss : str
        A name of :data:`treecore.losses.LOSSES`: ``"log"`` for classes, ``"squared"``,
        ``"huber"``, ``"absolute"`` or a quantile's, as ``"quantile:0.9"``, for numbers.
    class_weight : str
        ``"none"``, or ``"balanced"``: all classes together weigh the same, however many rows
        they have.
    categorical : "auto" or tuple of str
        Columns of categories of which a split may send any set of levels to a side; ``"auto"``: all
        that a table has. For axis-aligned trees and ensembles of them, learnt from a table whose
        columns are known: :func:`treecore.data.readers.columns.categories_of`.
    kernel : str
        ``"none"``, ``"fourier"``, ``"nystroem"`` or ``"spline"``: a single tree reads features of a
        kernel (:mod:`treecore.data.feature_maps`) in place of the rows', and its splits are
        curved.
    components : int
        How many such features, 1 to 10 000.
    gamma : float or "scale"
        How fast the kernel falls with the distance of rows whose features have deviation 1;
        ``"scale"`` is 1 / n_features.
    settings : Settings
        Settings of the method.
    base : RunConfig or None
        Where the method is an ensemble of trees, how one of them is grown. Its seed and its
        validation share are the ensemble's affair, and are 0 there.

    Raises
    ------
    ValueError
        In one sentence, for what cannot be learnt by.
    """

    method: str
    seed: int
    validation: float
    loss: str
    class_weight: str
    categorical: str | tuple[str, ...]
    kernel: str
    components: int
    gamma: float | str
    settings: Settings
    base: RunConfig | None

    def __init__(
        self,
        method: str = "sgd",
        *,
        base: str | RunConfig | None = None,
        seed: int = 0,
        validation: float = 0.0,
        loss: str | None = None,
        class_weight: str | None = None,
        categorical: str | Sequence[str] | None = None,
        kernel: str = "none",
        components: int = 100,
        gamma: float | str = "scale",
        **settings,
    ):
        entry = find_method(method)
        base_config = base if isinstance(base, RunConfig) else None
        if loss is None:
            loss = base_config.loss if base_config else "log"
        if class_weight is None:
            class_weight = base_config.class_weight if base_config else "none"
        if categorical is None:
            categorical = base_config.categorical if base_config else ()
        find_loss(loss)
        if class_weight not in CLASS_WEIGHTS:
            raise ValueError(f"class_weight={class_weight!r} must be none or balanced")
        if categorical != ALL_WORDS:
            listed = isinstance(categorical, list | tuple)
            if not listed or not all(isinstance(name, str) and name for name in categorical):
                raise ValueError(f'categorical={categorical!r} must be "auto" or names of columns')
            categorical = tuple(sorted({*categorical}))
        if not isinstance(kernel, str) or kernel not in data.KERNELS:
            raise ValueError(f"kernel={kernel!r} must be one of {', '.join(data.KERNELS)}")
        is_number = isinstance(gamma, int | float | np.number) and not isinstance(gamma, bool)
        if gamma != "scale" and not (is_number and 0 < float(gamma) < np.inf):
            raise ValueError(f'gamma={gamma!r} must be "scale" or a positive number')
        if base is not None and entry.family != "ensemble":
            raise ValueError(f"the method {method!r} has no trees of another method: leave base")
        trees, tree_method, chosen = None, None, settings
        if entry.family == "ensemble":
            shared = {"loss": loss, "class_weight": class_weight, "categorical": categorical}
            trees = _base_of(entry, base, settings, **shared)
            tree_method, names_of_base = find_method(trees.method), _setting_names(trees)
            chosen = {name: value for name, value in settings.items() if name not in names_of_base}
        names = [setting.name for setting in entry.definitions(tree_method)]
        gone = gone_settings(method, None if trees is None else trees.method)
        for name in chosen:
            if name in gone:
                raise ValueError(f"the setting {name!r} is gone: {gone[name]}")
            if name not in names:
                raise ValueError(f"there is no setting {name!r} here; known are {', '.join(names)}")
        fields = {
            "method": method,
            "seed": check_seed(seed),
            "validation": _VALIDATION.check(validation),
            "loss": loss,
            "class_weight": class_weight,
            "categorical": categorical,
            "kernel": kernel,
            "components": _COMPONENTS.check(components),
            "gamma": gamma if gamma == "scale" else float(gamma),
            "settings": entry.settings.of(**(entry.default_overrides() | chosen)),
            "base": trees,
        }
        for name, value in fields.items():
            object.__setattr__(self, name, value)
        _check(entry, self)

    @classmethod
    def of_saved(cls, content: Mapping[str, Any]) -> RunConfig:
        """Return the config in a file of this version or an earlier one: :func:`kept_settings`."""
        return cls(**kept_settings(content, *_methods_in(content)))

    def as_dict(self) -> dict[str, Any]:
        """Return all of the run in one flat dictionary, which ``RunConfig(**...)`` reads.

        ``categorical`` came later, and is in it only where it says something.
        """
        values = {name: getattr(self, name) for name in _COMMON}
        if not self.categorical:
            del values["categorical"]
        if self.base is not None:
            values |= {"base": self.base.method} | dataclasses.asdict(self.base.settings)
        return values | dataclasses.asdict(self.settings)

    def replace(self, **changes) -> RunConfig:
        """The same config with some entries of :meth:`as_dict` changed.

        Another method, of a tree or of an ensemble's trees, keeps the settings that it has too,
        and its own defaults for the others.

        Parameters
        ----------
        changes
            Entries of :meth:`as_dict` by name.

        Raises
        ------
        ValueError
            See :class:`RunConfig`.
        """
        values = self.as_dict()
        method, base = changes.get("method", self.method), changes.get("base", values.get("base"))
        if isinstance(base, RunConfig) and self.base is not None:
            replaced = {*_setting_names(self.base), "loss", "class_weight", "categorical"}
            values = {name: value for name, value in values.items() if name not in replaced}
        if (method, base) != (self.method, values.get("base")):
            entry = find_method(method)
            name_of_base = base.method if isinstance(base, RunConfig) else base
            if entry.family != "ensemble":
                values.pop("base", None)
                name_of_base = None
            tree_method = None if name_of_base is None else find_method(name_of_base)
            settings = {setting.name: setting for setting in entry.definitions(tree_method)}
            values = {
                k: v
                for k, v in values.items()
                if k in (*_COMMON, "base") or (k in settings and settings[k].allows(v))
            }
            if (name_of_base or entry.base or method) != "axis":
                values.pop("categorical", None)
        return RunConfig(**(values | changes))

    @property
    def splits_by_levels(self) -> bool:
        """Whether its trees can split columns of categories by sets of levels."""
        trees = self.base or self
        is_axis = trees.method == "axis" and trees.kernel == "none"
        return is_axis and linear_or_constant(self) == "constant"

    @property
    def n_trees(self) -> int:
        """Trees of the finished model, at most."""
        return getattr(self.settings, "n_trees", getattr(self.settings, "trees", 1))

    @property
    def depth(self) -> int:
        """The most splits between the root and a leaf of a tree."""
        settings = (self.base or self).settings
        assert isinstance(settings, TreeSettings), "only an ensemble's own settings have no depth"
        return settings.depth


def left_out(content: Mapping[str, Any]) -> dict[str, str]:
    """Settings in a file that :meth:`RunConfig.of_saved` leaves out, with what holds instead."""
    gone = gone_settings(*_methods_in(content))
    asked = [name for name, value in content.items() if (name, value) not in SAID_NOTHING]
    return {name: gone[name] for name in asked if name in gone}


def _methods_in(content: Mapping[str, Any]) -> tuple[str, str | None]:
    base = content.get("base")
    return str(content.get("method", "sgd")), base if isinstance(base, str) else None


def gone_settings(method: str, base: str | None = None) -> dict[str, str]:
    """Return what a method, or an ensemble's trees, no longer has, with what holds instead."""
    entry, trees = find_method(method), None if base is None else find_method(base)
    gone = dict(REMOVED)
    for kind, of_kind in REMOVED_FROM.items():
        if issubclass((trees or entry).settings, kind):
            gone |= of_kind
    known = {setting.name for setting in entry.definitions(trees)}
    return {name: instead for name, instead in gone.items() if name not in known}


def kept_settings(
    settings: Mapping[str, Any], method: str, base: str | None = None
) -> dict[str, Any]:
    """Return the settings less those that are gone; one FutureWarning says what holds instead."""
    gone = gone_settings(method, base)
    settings = {k: v for k, v in settings.items() if (k, v) not in SAID_NOTHING}
    if left_out := [f"{name} ({gone[name]})" for name in settings if name in gone]:
        warnings.warn(
            f"settings of an earlier version are left out: {', '.join(left_out)}",
            FutureWarning,
            stacklevel=3,
        )
    return {name: value for name, value in settings.items() if name not in gone}


def linear_or_constant(config: RunConfig) -> str:
    """What the leaves of a run are, ``"linear"`` or ``"constant"``."""
    return getattr((config.base or config).settings, "leaf", "constant")


def _check(entry: Method, config: RunConfig) -> None:
    """Raise ValueError, in one sentence, where a method cannot learn by such a config."""
    if entry.family != "tree" and config.kernel != "none":
        raise ValueError(
            f"kernel={config.kernel!r} is for single trees; map the rows first, with "
            "treecore.data.feature_maps.fit_map, and learn from those"
        )
    if config.categorical and not config.splits_by_levels:
        raise ValueError(
            "categorical is for axis-aligned trees with constant leaves and ensembles of them, and "
            "other trees read the levels of a column one by one: leave it"
        )
    if not entry.learns_by(config.loss):
        if entry.is_boosting:
            raise ValueError(
                f"{find_method(entry.algorithm).title} is for classes, and the loss "
                f"{config.loss!r} is about numbers; use bagging"
            )
        raise ValueError(
            f"the method {entry.name!r} cannot learn by the loss {config.loss!r}; it takes "
            + ", ".join(entry.losses)
        )
    linear = linear_or_constant(config) == "linear"
    if linear and config.base is not None:
        raise ValueError(
            "leaf='linear' is for single trees: the trees of an ensemble have constant leaves"
        )
    if linear and config.loss not in ("squared", "log"):
        raise ValueError(
            "leaf='linear' predicts numbers by least squares: take loss='squared', or "
            "leaf='constant'"
        )
    if linear and isinstance(config.settings, AxisSettings):
        _check_linear_cuts(config.settings)
    roots = getattr(config.settings, "split_features", "all") == "root"
    if roots and config.base is not None and config.base.method != "axis":
        raise ValueError(
            f"split_features='root' is for axis-aligned trees (method 'axis'), not for "
            f"{config.base.method!r}; draw features for every tree with feature_share"
        )


def _check_linear_cuts(settings: AxisSettings) -> None:
    """Raise ValueError, in one sentence, for what linear leaves leave no choice of."""
    if settings.max_features:
        raise ValueError(
            f"max_features={settings.max_features} is for trees that differ, with constant leaves: "
            "with leaf='linear' all features compete, so set it to 0"
        )
    if settings.significance:
        raise ValueError(
            f"significance={settings.significance:g} tests constants: with leaf='linear' set it to "
            "0, and set leaf_price to what a split must save"
        )


def _setting_names(base: RunConfig) -> set[str]:
    """Names of the settings of an ensemble's trees."""
    return {setting.name for setting in find_method(base.method).definitions()}


def _base_of(entry: Method, base: Any, settings: dict[str, Any], **shared) -> RunConfig:
    """The config of an ensemble's trees, with those of the settings that are theirs."""
    usual = base is None or base == entry.base
    base = entry.base if base is None else base
    if isinstance(base, RunConfig):
        if base.kernel != "none":
            raise ValueError(
                f"kernel={base.kernel!r} is for single trees; map the rows first, with "
                "treecore.data.feature_maps.fit_map, and grow the forest from those"
            )
        if find_method(base.method).family != "tree":
            raise ValueError(f"base={base.method!r} must be a method that grows one tree")
        method, defaults = base.method, dataclasses.asdict(base.settings)
    elif base in BASES:
        method, defaults = base, dict(entry.defaults) if usual else {}
    else:
        raise ValueError(f"base={base!r} must be one of {', '.join(BASES)}, or its RunConfig")
    names = {setting.name for setting in find_method(method).definitions()}
    given = defaults | settings
    return RunConfig(method, **{name: given[name] for name in given if name in names}, **shared)


_COMMON = tuple(
    field.name for field in dataclasses.fields(RunConfig) if field.name not in ("settings", "base")
)
"""What a config says besides settings."""
