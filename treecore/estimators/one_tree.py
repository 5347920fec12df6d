"""What the classifiers and the regressors of one tree do, whatever grows it."""

from __future__ import annotations

import functools
import types
from collections.abc import Callable
from typing import Any, Self, TypeVar, cast

import numpy as np
from scipy.special import log_softmax, softmax
from sklearn.utils.multiclass import unique_labels

from treecore.base.array_types import Labels, Rows, Weights
from treecore.core.routing import apply, predict_linear
from treecore.estimators.base import ObliqueTree
from treecore.estimators.conformal import ConformalClassifier, ConformalRegressor
from treecore.estimators.parameters import LOSSES, loss_of
from treecore.estimators.shared import ClassTargetsMixin, NumberTargetsMixin
from treecore.training.registry import check_streams, find_tree

F = TypeVar("F", bound=Callable[..., Any])


class _WhereMethodStreams:
    """A method that is there only where rows may come in pieces."""

    def __init__(self, function: Callable[..., Any]):
        functools.update_wrapper(
            cast(Callable[..., Any], self), function
        )  # which only sets its attributes
        self._function = function

    def __get__(self, estimator, owner=None):
        if estimator is None:
            return self._function
        try:
            check_streams(find_tree(estimator._tree_method), estimator)
        except ValueError as error:
            raise AttributeError(str(error)) from None
        return types.MethodType(self._function, estimator)


def where_method_streams(method: F) -> F:
    """Decorator: the method is there only where rows may come in pieces."""
    return cast(F, _WhereMethodStreams(method))


class TreeClassifier(ClassTargetsMixin, ConformalClassifier, ObliqueTree):
    """What all classifiers of one tree do."""

    @where_method_streams
    def partial_fit(
        self, X: Rows, y: Labels, classes: Labels | None = None, sample_weight: Weights = None
    ) -> Self:
        """Go on from the present tree with one pass over one more piece of the rows.

        Memory is that of the piece. The learning rate does not fall; the coordinates of learning
        follow the means and deviations of all pieces so far. The first piece gives the starting
        tree, so it should look like the others. After ``fit``, goes on from its tree.

        Parameters
        ----------
        X, y, sample_weight
            As for :meth:`fit`.
        classes : array or None
            All classes that will ever come. Needed in the first call.

        Returns
        -------
        self

        Raises
        ------
        AttributeError
            Where the method needs all rows at once.
        ValueError
            As :meth:`fit`, and for a class that was not announced.
        """
        if self.class_weight == "balanced":
            raise ValueError(
                'class_weight="balanced" needs all rows at once; give a dict with weights'
            )
        if not hasattr(self, "tree_"):
            if classes is None:
                raise ValueError("classes must be given in the first call of partial_fit")
            self._announce(unique_labels(classes))
            if self.n_classes_ < 2:
                raise ValueError(f"classes={classes!r} holds one class, and a stream needs two")
        elif classes is not None and not np.array_equal(unique_labels(classes), self.classes_):
            raise ValueError(
                f"classes={classes!r} are not those of the first call, {self.classes_!r}"
            )
        return self._partial_fit(X, y, sample_weight, announced=True)

    def predict(self, X: Rows) -> np.ndarray:
        if self._shares:
            return super().predict(X)
        rows = self._as_read(X)
        leaf = apply(self.tree_, rows)
        if self.tree_.linear is not None:
            return self.classes_[predict_linear(self.tree_, rows, leaf).argmax(axis=1)]
        values = self.tree_.values
        if len(leaf) < len(values):  # a few rows need the favourites of their own leaves only
            return self.classes_[values[leaf].argmax(axis=1)]
        return self.classes_[values.argmax(axis=1)[leaf]]

    def predict_proba(self, X: Rows) -> Any:
        if self._shares:
            return self._of_outputs(self._answers(self._as_read(X)))
        return self._from_log_odds(X, softmax)

    def predict_log_proba(self, X: Rows) -> Any:
        return super().predict_log_proba(X) if self._shares else self._from_log_odds(X, log_softmax)

    def _from_log_odds(self, X: Rows, function: Callable[..., np.ndarray]) -> np.ndarray:
        """A function of the log-odds of every row, float64 (n_samples, n_classes)."""
        rows = self._as_read(X)
        leaf = apply(self.tree_, rows)
        if self.tree_.linear is None:
            return function(self.tree_.values.astype(np.float64), axis=1)[leaf]
        return function(predict_linear(self.tree_, rows, leaf), axis=1)

    def _run_config(self, seed: int, **changes):
        balance = "balanced" if self._balances() else "none"
        if self._shares and getattr(self, "leaf", "constant") != "constant":
            raise ValueError(
                'several outputs of classes need constant leaves: set leaf to "constant", or fit a '
                "tree for each"
            )
        return self._config("squared" if self._shares else "log", seed, balance, **changes)


class TreeRegressor(NumberTargetsMixin, ConformalRegressor, ObliqueTree):
    """What all regressors of one tree do."""

    _losses = tuple(LOSSES)

    @where_method_streams
    def partial_fit(self, X: Rows, y: Labels, sample_weight: Weights = None) -> Self:
        """Go on from the present tree with one pass over one more piece of the rows.

        Memory is that of the piece. The learning rate does not fall; the coordinates of learning
        follow the means and deviations of all pieces so far, those of the targets included. The
        first piece gives the starting tree, so it should look like the others. After ``fit``,
        goes on from its tree.

        Parameters
        ----------
        X, y, sample_weight
            As for :meth:`fit`.

        Returns
        -------
        self

        Raises
        ------
        AttributeError
            Where the method needs all rows at once.
        ValueError
            As :meth:`fit`.
        """
        return self._partial_fit(X, y, sample_weight)

    def _numbers(self, X: Rows) -> np.ndarray:
        return self._answers(self._as_read(X))

    def _run_config(self, seed: int, **changes):
        return self._config(loss_of(self.loss, self._losses), seed, **changes)
