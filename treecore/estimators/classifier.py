"""The classifier: labels of any kind, and what each class weighs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np
from scipy.special import log_softmax, softmax
from sklearn.utils.multiclass import unique_labels

from treecore.base.array_types import Labels, Rows, Weights
from treecore.core.routing import apply, predict_linear
from treecore.estimators.base import ObliqueTree, where_method_streams
from treecore.estimators.parameter_docs import document_settings
from treecore.estimators.parameters import PARAMETERS, Parameters
from treecore.estimators.shared import ClassTargetsMixin
from treecore.training.registry import TREES

SETTINGS = {name: method.settings for name, method in TREES.items()}
"""The settings of every method that grows a tree."""


class TreeClassifier(ClassTargetsMixin, ObliqueTree):
    """What all classifiers of one tree do."""

    class_weight: dict[Any, Any] | str | None

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
            self.classes_ = unique_labels(classes)
            self.n_classes_ = len(self.classes_)
            if self.n_classes_ < 2:
                raise ValueError(f"classes={classes!r} holds one class, and a stream needs two")
        elif classes is not None and not np.array_equal(unique_labels(classes), self.classes_):
            raise ValueError(
                f"classes={classes!r} are not those of the first call, {self.classes_!r}"
            )
        return self._partial_fit(X, y, sample_weight, announced=True)

    def predict(self, X: Rows) -> np.ndarray:
        """The most probable class of every row, shape (n_samples,).

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        rows = self._mapped(X)
        leaf = apply(self.tree_, rows)
        if self.tree_.linear is not None:
            return self.classes_[predict_linear(self.tree_, rows, leaf).argmax(axis=1)]
        values = self.tree_.values
        if len(leaf) < len(values):  # a few rows need the favourites of their own leaves only
            return self.classes_[values[leaf].argmax(axis=1)]
        return self.classes_[values.argmax(axis=1)[leaf]]

    def predict_proba(self, X: Rows) -> np.ndarray:
        """Probabilities of the classes, in the order of ``classes_``; (n_samples, n_classes).

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        return self._from_log_odds(X, softmax)

    def predict_log_proba(self, X: Rows) -> np.ndarray:
        """Logarithms of :meth:`predict_proba`.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        return self._from_log_odds(X, log_softmax)

    def _from_log_odds(self, X: Rows, function: Callable[..., np.ndarray]) -> np.ndarray:
        """A function of the log-odds of every row, float64 (n_samples, n_classes)."""
        rows = self._mapped(X)
        leaf = apply(self.tree_, rows)
        if self.tree_.linear is None:
            return function(self.tree_.values.astype(np.float64), axis=1)[leaf]
        return function(predict_linear(self.tree_, rows, leaf), axis=1)

    def _run_config(self, seed: int, **changes):
        return self._config("log", seed, "balanced" if self._balances() else "none", **changes)

    def _leaf_counts(self, leaf, y) -> np.ndarray:
        shape = self.tree_.n_leaves, self.tree_.n_outputs
        cells = np.bincount(leaf.astype(np.int64) * shape[1] + y, minlength=shape[0] * shape[1])
        return cells.reshape(shape)

    def _nothing_to_learn(self) -> bool:
        return self.n_classes_ == 1


@document_settings(SETTINGS, PARAMETERS, optional=True)
@dataclass(eq=False, repr=False)
class ObliqueTreeClassifier(Parameters, TreeClassifier):
    """A decision tree, by default of whatever splits and method its rows speak for.

    Parameters
    ----------
    method : str
        ``"auto"``: candidates of several methods are measured on parts of the rows that they have
        not learnt from, and the best one learns from all rows (:mod:`treecore.selection`);
        ``decision_`` says what was measured and chosen. Nothing is chosen where a setting of a
        method, ``kernel`` or ``early_stopping`` is given, nor by ``partial_fit``: then ``"auto"``
        is ``"annealed"``, so ``depth=8`` is an annealed tree of depth 8. Only
        ``leaf="constant"`` leaves the choice open, among trees of constants. Otherwise a name of
        :data:`treecore.training.registry.TREES`: ``"annealed"``, ``"sgd"`` (Norouzi et al. 2015),
        ``"stable-sgd"``, ``"tao"``, or the greedy ``"axis"``, ``"random-oblique"``, ``"oc1"``,
        ``"co2"``. The parameters up to ``min_weight_fraction_leaf`` are settings of the methods;
        None is a method's default, and one that the chosen method does not have is an error.
    {settings}
    min_weight_fraction_leaf : float
        Share of the weight of all training rows that must stand behind every leaf. Splits that
        leave a side with less are taken out of the finished tree.
    class_weight : dict, "balanced" or None
        What each class weighs; classes that a dict leaves out weigh 1. ``"balanced"``: all
        classes together weigh the same.
    kernel : None, "fourier", "nystroem" or "spline"
        Splits, and linear leaves, in features of a Gaussian kernel, or in linear splines of each
        feature, see :mod:`treecore.data.feature_maps`.
    n_components : int
        How many such features.
    gamma : float or "scale"
        Width of the Gaussian kernel where features have deviation 1; ``"scale"`` is 1 / n_features.
    early_stopping : bool
        Hold out a share of the rows, end the run when their loss falls no more, and keep the
        tree with the least.
    validation_fraction : float
        That share.
    n_iter_no_change : int or None
        Passes (or levels) without a fall that end the run. None: a third of the run, 10 at least.
    callbacks : list of callables or None
        Each gets the :class:`treecore.training.events.Event` of every measured tree; True ends the
        run. Where the method is chosen, of the one tree that is kept.
    random_state : int, RandomState, Generator or None
        An int is the seed of :class:`treecore.training.RunConfig` and gives its tree.

    Attributes
    ----------
    tree_ : Tree
    classes_ : array, shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : array, shape (n_features,)
    feature_map_ : FeatureMap or None
        What maps rows to those that ``tree_`` reads.
    decision_ : Decision
        Where the method was chosen, see :class:`treecore.selection.Decision`: its ``table()``
        and, in one sentence, its ``summary()``. Files do not hold it.
    n_iter_ : int
        Passes, levels, or pieces of a stream.
    history_ : list of Event
        One for every measured tree. A table of more rows than a pass sees, as of annealed
        learning, is measured seldom, unless there are callbacks or early stopping.

    Notes
    -----
    Weight 0 is the same as no row. To axis-aligned, random oblique and OC1 trees a weight of two
    is two rows, up to rounding; the other methods draw rows, or visit them in random order, and
    a row of weight two is one row to them.

    Missing values (NaN) are sent to the side that is better in training by a split on one feature,
    and read as the mean by all others. Trees read float32.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import ObliqueTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> ObliqueTreeClassifier("sgd", depth=3, random_state=0).fit(X, y).score(X, y) > 0.95
    True
    """

    _: KW_ONLY
    class_weight: dict[Any, Any] | str | None = None
