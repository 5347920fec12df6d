"""The two estimators that choose a method by cross-validation."""

from __future__ import annotations

import dataclasses
import numbers
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, ClassVar, Literal, Self

import numpy as np

from treecore.base.settings import find_named
from treecore.core.running_stats import RunningStats
from treecore.core.tree import Tree
from treecore.estimators.distilling import Distilling
from treecore.estimators.methods import CLASSIFIERS, REGRESSORS
from treecore.estimators.one_method import OneMethod, parameter_names
from treecore.estimators.one_tree import TreeClassifier, TreeRegressor
from treecore.estimators.parameters import (
    ClassParameters,
    NumberParameters,
    TreeParameters,
    said_loss,
)
from treecore.estimators.shared import AUTO, n_threads
from treecore.losses.metrics import evaluate
from treecore.persistence import Document
from treecore.selection import CONTESTS, Decision, Measured, TeacherQuestion, choose_tree
from treecore.training.config import RunConfig
from treecore.training.events import Event

PIECEWISE = "annealed"
"""The method that learns where rows come in pieces, and there is nothing to choose by."""


@dataclass(kw_only=True, eq=False, repr=False)
class _Parameters(TreeParameters):
    """How to choose."""

    leaf: Literal["constant"] | None = None
    time_budget: float | None = None
    n_jobs: int | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class _OfClasses(_Parameters, ClassParameters):
    """How to choose a classifier."""


@dataclass(kw_only=True, eq=False, repr=False)
class _OfNumbers(_Parameters, NumberParameters):
    """How to choose a regressor."""

    loss: Literal["squared_error", "huber"] = "squared_error"


class Choosing(Distilling):
    """Base of both: several candidates are measured on rows that they have not learnt from."""

    leaf: Literal["constant"] | None
    _methods: ClassVar[Mapping[str, type[OneMethod]]]

    def __new__(cls, *args: Any, **parameters: Any) -> Any:
        """An estimator, or that of the method that an earlier version took by its name."""
        if args or "method" in parameters:
            if len(args) > 1:
                raise TypeError(f"{cls.__name__} takes its parameters by name")
            return cls._of_method(*args, **parameters)
        return super().__new__(cls, **parameters)

    @classmethod
    def _of_method(cls, method: str, **parameters: Any) -> OneMethod:
        if method == AUTO:
            raise TypeError(f"{cls.__name__} chooses its method: leave method={AUTO!r} out")
        made = find_named(cls._methods, method, "method")
        warnings.warn(
            f"{cls.__name__}(method={method!r}) is {made.__name__}(), write that instead: the next "
            "version has no parameter method",
            FutureWarning,
            stacklevel=3,
        )
        given = {name: value for name, value in parameters.items() if value is not None}
        if "max_depth" in parameter_names(method) and "depth" in given:
            given["max_depth"] = given.pop("depth")
        if "loss" in given:
            given["loss"] = said_loss(given["loss"])
        return made(**given)

    def _hint(self, name: str, known: list[str]) -> str:
        able = [one.__name__ for by, one in self._methods.items() if name in parameter_names(by)]
        if not able:
            return super()._hint(name, known)
        return f", because it chooses the method; those that have it are {', '.join(able)}"

    @property
    def _tree_method(self) -> str:
        return PIECEWISE

    @property
    def _filed_method(self) -> str:
        return AUTO

    def _settings(self) -> dict[str, Any]:
        if self.leaf not in (None, "constant"):
            raise ValueError(
                f"leaf={self.leaf!r} must be None or 'constant'; for linear leaves take a method's "
                f"own estimator, as {self._methods[PIECEWISE].__name__}(leaf='linear')"
            )
        budget = self.time_budget
        is_number = isinstance(budget, numbers.Real) and not isinstance(budget, bool)
        if budget is not None and not (is_number and budget > 0):
            raise ValueError(f"time_budget={budget!r} must be a number of seconds above 0, or None")
        return {} if self.leaf is None else {"leaf": self.leaf}

    _chosen_settings = _settings

    def _take(self, method: str | None, settings: dict[str, Any]) -> None:
        if method == AUTO and settings.get("leaf") == "constant":
            self.leaf = "constant"

    @classmethod
    def from_document(cls, document: Document) -> Any:
        """As :meth:`from_json`; a file that names a method gives the estimator of that method."""
        made = cls._methods.get(str(document.training.get("method")))
        if made is not None and isinstance(document.model, Tree):
            return made.from_document(document)
        estimator = super().from_document(document)
        reason = "it was read from a file, and nothing was measured here"
        estimator._decide("a tree", reason, AUTO)
        return estimator

    def _learn(self, config: RunConfig, X: np.ndarray, y: np.ndarray, weight) -> None:
        """The tree of the candidate that is best for rows it has not learnt from."""
        question = TeacherQuestion(
            X,
            y,
            self._with_class_weight(y, weight),
            config.loss,
            config.class_weight,
            self._n_classes(),
            config.seed,
        )
        started = time.perf_counter()
        contest = CONTESTS["regression" if self._numeric else "classification"]
        if self.leaf == "constant":
            contest = contest.of_constants()
        tree, self.decision_, self.feature_map_ = choose_tree(
            question,
            contest=contest,
            time_budget=self.time_budget,
            n_threads=n_threads(self.n_jobs),
        )
        seconds = time.perf_counter() - started
        rows, units = question.read()
        rows = dataclasses.replace(rows, X=self._apply_map(rows.X))
        self.n_iter_ = 1
        self._settle(tree, rows, "entropy")
        tree, weight = units.transform(self.tree_), rows.weight
        figures = evaluate(tree, rows.X, rows.y, loss=rows.loss, sample_weight=weight)
        self._event = Event(
            self.decision_.chosen,
            "tree",
            done=1.0,
            total=1,
            progress=1.0,
            complete=True,
            loss=figures.loss,
            accuracy=figures.accuracy,
            r2=figures.r2,
            seconds=seconds,
            active_leaves=figures.active_leaves,
            n_leaves=self.tree_.n_leaves,
        )
        self.history_ = [self._event]
        self._run_callbacks(self._event)
        self._moments = RunningStats().update(self._apply_map(X), y, weight)

    def _settle_single(self, y: np.ndarray) -> Self:
        self._decide("a single leaf", "all rows are of one class")
        return super()._settle_single(y)

    def _partial_fit(self, X, y, sample_weight, announced: bool = False) -> Self:
        if hasattr(self, "tree_") and self.tree_.linear is not None:
            raise ValueError(
                "the tree that was chosen has linear leaves, which learn from all rows at once; "
                f"use fit, or {self._methods[PIECEWISE].__name__}"
            )
        super()._partial_fit(X, y, sample_weight, announced)
        self._decide("an annealed tree", "partial_fit has no validation rows")
        return self

    def _decide(self, title: str, reason: str, method: str = PIECEWISE) -> None:
        """Say why nothing was measured."""
        task = "regression" if self._numeric else "classification"
        one = Measured(method, title, method, chosen=True)
        self.decision_ = Decision((one,), 0, task, reason)


class ObliqueTreeClassifier(_OfClasses, Choosing, TreeClassifier):
    """A decision tree of whatever splits and method its rows speak for.

    Candidates of several methods are measured by cross-validation, and the best one learns from
    all rows (:mod:`treecore.selection`). The method that you want to be sure of has a class of its
    own: :class:`SGDTreeClassifier`, :class:`AnnealedTreeClassifier`, :class:`TAOTreeClassifier` ...

    Parameters
    ----------
    leaf : None or "constant"
        ``"constant"`` leaves out the candidates whose leaves are linear models, so that the tree
        can be read from its root to a class.
    time_budget : float or None
        Seconds in which to choose: candidates that would come too late are left out, and rows too
        where there are very many. What is measured in time, and so the tree, may then differ from
        run to run.
    categorical_features : str, or array of str, int or bool, or None
        Columns of categories, names, places or a mask, of which each level becomes a feature;
        ``"from_dtype"`` or None: those that a frame holds as categories or as words.
    min_weight_fraction_leaf : float
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    class_weight : dict, "balanced" or None
        What each class weighs; classes that a dict leaves out weigh 1. ``"balanced"``: all
        classes together weigh the same.
    callbacks : list of callables or None
        Each gets the :class:`treecore.training.events.Event` of the tree that is kept.
    random_state : int, RandomState, Generator or None
        An int is the seed of :class:`treecore.training.RunConfig`.
    verbose : int
        1 prints a line for the tree that is kept.
    n_jobs : int or None
        Candidates that are measured side by side, by threads; -1: one for every processor. Without
        a ``time_budget`` it changes nothing but the time.

    Attributes
    ----------
    tree_ : Tree
    decision_ : Decision
        What was measured and chosen: its ``table()`` and, in one sentence, its ``summary()``.
    classes_ : array, shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : array, shape (n_features,)
    feature_map_ : FeatureMap or None
        What maps rows to those that ``tree_`` reads.
    calibration_ : Calibration, after :meth:`calibrate`
        The leaf and the error of each row that was kept back. Files do not hold it.
    n_iter_ : int
        1, or pieces of a stream.
    history_ : list of Event
        One for the tree that is kept.

    Notes
    -----
    Weight 0 is the same as no row. Missing values (NaN) are sent to the side that is better in
    training by a split on one feature, and read as the mean by all others. Trees read float32.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import ObliqueTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> ObliqueTreeClassifier(random_state=0).fit(X, y).score(X, y) > 0.95
    True
    """

    _methods = CLASSIFIERS


class ObliqueTreeRegressor(_OfNumbers, Choosing, TreeRegressor):
    """A regression tree of whatever splits and method its rows speak for.

    Candidates of several methods are measured by cross-validation, and the best one learns from
    all rows (:mod:`treecore.selection`). The method that you want to be sure of has a class of its
    own: :class:`SGDTreeRegressor`, :class:`AnnealedTreeRegressor`, :class:`TAOTreeRegressor` ...

    Parameters
    ----------
    leaf : None or "constant"
        ``"constant"`` leaves out the candidates whose leaves are linear models, so that the tree
        can be read from its root to a number.
    time_budget : float or None
        Seconds in which to choose: candidates that would come too late are left out, and rows too
        where there are very many. What is measured in time, and so the tree, may then differ from
        run to run.
    categorical_features : str, or array of str, int or bool, or None
        Columns of categories, names, places or a mask, of which each level becomes a feature;
        ``"from_dtype"`` or None: those that a frame holds as categories or as words.
    min_weight_fraction_leaf : float
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree. From 0 to 0.5.
    loss : "squared_error" or "huber"
        What is made small; ``"huber"`` lets far-off targets count less. For the absolute error take
        the estimator of a method.
    callbacks : list of callables or None
        Each gets the :class:`treecore.training.events.Event` of the tree that is kept.
    random_state : int, RandomState, Generator or None
        An int is the seed of :class:`treecore.training.RunConfig`.
    verbose : int
        1 prints a line for the tree that is kept.
    n_jobs : int or None
        Candidates that are measured side by side, by threads; -1: one for every processor. Without
        a ``time_budget`` it changes nothing but the time.

    Attributes
    ----------
    tree_ : Tree
    decision_ : Decision
        What was measured and chosen: its ``table()`` and, in one sentence, its ``summary()``.
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : array, shape (n_features,)
    feature_map_ : FeatureMap or None
        What maps rows to those that ``tree_`` reads.
    calibration_ : Calibration, after :meth:`calibrate`
        The leaf and the error of each row that was kept back. Files do not hold it.
    n_iter_ : int
        1, or pieces of a stream.
    history_ : list of Event
        One for the tree that is kept.

    Notes
    -----
    Weight 0 is the same as no row. Missing values (NaN) are sent to the side that is better in
    training by a split on one feature, and read as the mean by all others. Trees read float32.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treecore import ObliqueTreeRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ObliqueTreeRegressor(random_state=0).fit(X, y).score(X, y) > 0.4
    True
    """

    _methods = REGRESSORS
    _losses = ("squared_error", "huber")  # several candidates predict means whatever the loss
