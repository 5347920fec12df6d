"""Say how sure a model is: intervals and sets of classes by split-conformal prediction.

``calibrate`` takes rows that the tree has not learnt from, and keeps the error (score) of each.
Take m such scores. If a new row is exchangeable with these rows, its score is at most the one of
rank ``ceil((m + 1) * coverage)``, with a probability of ``coverage`` or more. The probability is at
most ``1 / (m + 1)`` above ``coverage`` where no two scores are equal.

Each group of leaves has its own scores (:func:`groups_of_leaves`). Groups depend on the number of
calibration rows in each node and never on their targets, so this holds in each group as well.

Sources: Vovk, Gammerman and Shafer, Algorithmic Learning in a Random World, 2005 (also for groups,
there "Mondrian"); Lei et al., Distribution-Free Predictive Inference for Regression, 2018 (absolute
residuals); Sadinle, Lei and Wasserman, Least Ambiguous Set-Valued Classifiers, 2019.
"""

from __future__ import annotations

import math
import numbers
from dataclasses import dataclass, field
from typing import Self

import numpy as np
from sklearn.exceptions import NotFittedError
from sklearn.utils.validation import check_is_fitted

from treecore.base.array_types import Labels, Rows
from treecore.core.routing import apply
from treecore.core.tree import Tree, parents
from treecore.estimators.explaining import Explaining

MIN_GROUP_ROWS = 100
"""The fewest calibration rows of a group where there are several. Small groups cover too much. With
20, 50 and 100 annealed trees covered 91.6, 91.3 and 90.6 % of the targets of 13 tables in place of
90 %, and intervals were 10, 3 and 1 % wider than with one group."""

_ROUNDING = 1e-9
"""As a float, 0.07 * 100 is a little above 7. Its ceiling must be 7."""


def rank_of(coverage: float, n_rows: np.ndarray) -> np.ndarray:
    """The rank, from 1, of the score that covers a new row; above ``n_rows`` if none does."""
    return np.ceil((n_rows + 1) * coverage - _ROUNDING).astype(np.int64)


def needed_rows(coverage: float) -> int:
    """Return the smallest number of calibration rows for a coverage."""
    return max(1, math.ceil(coverage / (1 - coverage) - _ROUNDING))


def groups_of_leaves(tree: Tree, n_rows: np.ndarray, min_rows: int) -> np.ndarray:
    """Merge leaves into groups of at least ``min_rows`` calibration rows; int (n_leaves,), from 0.

    A leaf with enough rows is a group. Rows of others move up the tree and form a group where
    together they are enough; those left at the root join the smallest group. Groups do not lend
    rows to one above them: the rows of a group must be exchangeable with the new rows that get its
    answer.
    """
    of_split, of_leaf = parents(tree)
    root = tree.n_splits  # a place above split 0, whose parent -1 is the last index
    waiting = np.zeros(root + 1, dtype=np.int64)
    alone = n_rows >= min_rows
    np.add.at(waiting, of_leaf[~alone], n_rows[~alone])
    home = np.full(root + 1, root)
    for split in range(tree.n_splits - 1, -1, -1):
        if waiting[split] >= min_rows:
            home[split] = split
        else:
            waiting[of_split[split]] += waiting[split]
    for split in range(tree.n_splits):
        if home[split] != split:
            home[split] = home[of_split[split]]
    place = np.where(alone, root + 1 + np.arange(tree.n_leaves), home[of_leaf])
    places, group = np.unique(place, return_inverse=True)
    size = np.bincount(group, n_rows)
    if len(places) > 1 and waiting[root] < min_rows and root in places:
        left = group[place == root][0]
        size[left] = n_rows.sum() + 1
        group[group == left] = size.argmin()
        group = np.unique(group, return_inverse=True)[1]
    return group


@dataclass(eq=False)
class Calibration:
    """What calibration rows say about a tree: the leaf, int32 (n_rows,), that each reaches.

    scores: float64 (n_rows, n_outputs), distance of target and prediction, or for classes 1 minus
    the probability of the true class, in one column.
    """

    leaf: np.ndarray
    scores: np.ndarray
    _known: dict[float, np.ndarray] = field(default_factory=dict, repr=False)

    def limits(self, tree: Tree, coverage: float) -> np.ndarray:
        """The score that covers new rows of each leaf, (n_leaves, n_outputs), rising with coverage.

        Raises ValueError for a coverage that needs more rows, or is not between 0 and 1.
        """
        is_number = isinstance(coverage, numbers.Real) and not isinstance(coverage, bool)
        if not is_number or not 0 < coverage < 1:
            raise ValueError(f"coverage={coverage!r} must be a number above 0 and below 1")
        coverage = float(coverage)
        n_rows, needed = len(self.leaf), needed_rows(coverage)
        if n_rows < needed:
            most = math.floor(1000 * n_rows / (n_rows + 1)) / 1000
            raise ValueError(
                f"coverage={coverage:g} needs at least {needed:,} calibration rows, and there are "
                f"{n_rows:,}; calibrate with more rows, or ask for a coverage of at most {most:g}"
            )
        if coverage not in self._known:
            self._known[coverage] = self._limits(tree, coverage, needed)
        return self._known[coverage]

    def _limits(self, tree: Tree, coverage: float, needed: int) -> np.ndarray:
        """Take the largest score of smaller and larger groups, until groups are large enough.

        The larger alone may have a smaller score: a higher coverage would then answer less.
        """
        n_rows = np.bincount(self.leaf, minlength=tree.n_leaves)
        min_rows = MIN_GROUP_ROWS
        found = self._of_groups(groups_of_leaves(tree, n_rows, min_rows), coverage)
        while min_rows < needed:
            min_rows *= 2
            group = groups_of_leaves(tree, n_rows, min_rows)
            found = np.maximum(found, self._of_groups(group, coverage))
        return found

    def _of_groups(self, group_of_leaf: np.ndarray, coverage: float) -> np.ndarray:
        """Return the score of the rank for a coverage in the group of each leaf."""
        group = group_of_leaf[self.leaf]
        size = np.bincount(group)
        place = np.cumsum(size) - size + np.minimum(rank_of(coverage, size), size) - 1
        ordered = [column[np.lexsort((column, group))] for column in self.scores.T]
        return np.column_stack(ordered)[place][group_of_leaf]


class Conformal(Explaining):
    """An estimator that can be calibrated; a subclass defines answers and scores."""

    calibration_: Calibration

    def calibrate(self, X: Rows, y: Labels) -> Self:
        """Learn how far the model errs, from rows that :meth:`fit` has not been given.

        This does not change the model. It makes ``calibration_``, which a later :meth:`fit`
        removes; pickle keeps it, a file of :meth:`save` does not. Rows have no weights here: the
        promise needs rows that come from the same source as those that will be predicted, in random
        order.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them. A coverage of 0.9 needs 9 rows and one of 0.99
            needs 99; from 200 rows on, parts of a tree have their own answers.
        y : array, shape (n_samples,) or (n_samples, n_outputs)
            Targets, in the units of those that :meth:`fit` was given.

        Returns
        -------
        self

        Raises
        ------
        NotFittedError
            Before :meth:`fit`.
        ValueError
            For rows or targets that do not fit those of :meth:`fit`, such as a class that the model
            has not learnt.
        """
        check_is_fitted(self, self._fitted)
        rows, targets, _ = self._read(X, y, None, first=False)
        rows = self._apply_map(rows)
        self.calibration_ = Calibration(apply(self._parts, rows), self._scores(rows, targets))
        return self

    @property
    def _parts(self) -> Tree:
        """The tree whose leaves may have limits of their own."""
        raise NotImplementedError

    def _answers(self, rows: np.ndarray) -> np.ndarray:
        """Return numbers or probabilities of rows as the model reads them, float64."""
        raise NotImplementedError

    def _scores(self, rows: np.ndarray, targets: np.ndarray) -> np.ndarray:
        """Return how far the model errs at such rows, float64 (n_rows, n_outputs)."""
        raise NotImplementedError

    def _limits(self, coverage: float, asked: str) -> np.ndarray:
        """Return the scores that cover new rows of each leaf, float64 (n_leaves, n_outputs)."""
        check_is_fitted(self, self._fitted)
        if not hasattr(self, "calibration_"):
            raise NotFittedError(
                f"{asked} needs rows that were not in training: keep some for it, and write "
                f"model.fit(X, y).calibrate(X_kept, y_kept), then model.{asked}(X_new)"
            )
        return self.calibration_.limits(self._parts, coverage)


class ConformalRegressor(Conformal):
    """Intervals of numbers."""

    def predict_interval(self, X: Rows, coverage: float = 0.9) -> np.ndarray:
        """Return an interval for the target of each row.

        At least a share of ``coverage`` of new rows have their target inside, over all rows and
        over the rows of each group of leaves, averaged over the draws of the calibration rows. The
        intervals lie symmetrically around :meth:`predict`. Each leaf of a tree with at least 100
        calibration rows has its own width; other leaves share one, see
        :mod:`treecore.estimators.conformal`; a forest has one width for all rows. A larger coverage
        gives intervals that contain the smaller ones.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        coverage : float
            Share of the targets inside, above 0 and below 1; of several outputs the share for each
            output, not for all of them at once.

        Returns
        -------
        float64 array, shape (n_samples, 2) or (n_samples, n_outputs, 2)
            The lower and the upper end, in the units of y.

        Raises
        ------
        NotFittedError
            Before :meth:`fit` and before :meth:`calibrate`.
        ValueError
            For another coverage, for one that needs more calibration rows than there are, and for
            other columns.

        References
        ----------
        Lei, G'Sell, Rinaldo, Tibshirani and Wasserman, Distribution-Free Predictive Inference for
        Regression, 2018; by groups as in Vovk, Gammerman and Shafer, 2005.

        Examples
        --------
        >>> from sklearn.datasets import load_diabetes
        >>> from treecore import AxisTreeRegressor
        >>> X, y = load_diabetes(return_X_y=True)
        >>> tree = AxisTreeRegressor(max_depth=3).fit(X[:200], y[:200])
        >>> tree.calibrate(X[200:300], y[200:300]).predict_interval(X[300:], coverage=0.8).shape
        (142, 2)
        """
        limits = self._limits(coverage, "predict_interval")
        rows = self._as_read(X)
        middle = self._answers(rows)
        width = limits[apply(self._parts, rows)]
        ends = np.stack([middle - width, middle + width], axis=-1)
        return ends if ends.shape[1] > 1 else ends[:, 0]

    def _scores(self, rows, targets):
        return np.abs(targets - self._answers(rows))


class ConformalClassifier(Conformal):
    """Sets of classes."""

    def predict_set(self, X: Rows, coverage: float = 0.9) -> np.ndarray:
        """Return a set of classes for each row.

        At least a share of ``coverage`` of new rows have their class inside, over all rows and over
        the rows of each group of leaves, averaged over the draws of the calibration rows. The
        share is larger where the most probable class alone is right more often: no set is empty,
        and each holds the class of :meth:`predict`. The same groups as for intervals, see
        :mod:`treecore.estimators.conformal`. A larger coverage gives sets that contain the smaller
        ones.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        coverage : float
            Share of the classes inside, above 0 and below 1.

        Returns
        -------
        bool array, shape (n_samples, n_classes)
            Whether each class, in the order of ``classes_``, is in the set of the row.

        Raises
        ------
        NotFittedError
            Before :meth:`fit` and before :meth:`calibrate`.
        ValueError
            For another coverage, for one that needs more calibration rows than there are, and for
            other columns.

        References
        ----------
        Sadinle, Lei and Wasserman, Least Ambiguous Set-Valued Classifiers with Bounded Error
        Levels, 2019; by groups as in Vovk, Gammerman and Shafer, 2005.

        Examples
        --------
        >>> from sklearn.datasets import load_wine
        >>> from treecore import AxisTreeClassifier
        >>> X, y = load_wine(return_X_y=True)
        >>> tree = AxisTreeClassifier(max_depth=3).fit(X[::2], y[::2]).calibrate(X[1::2], y[1::2])
        >>> tree.predict_set(X[:1], coverage=0.95)
        array([[ True, False, False]])
        """
        limits = self._limits(coverage, "predict_set")
        rows = self._as_read(X)
        probability = self._answers(rows)
        chosen = 1 - probability <= limits[apply(self._parts, rows)]
        return chosen | (probability == probability.max(axis=1, keepdims=True))

    def _scores(self, rows, targets):
        if self._shares:
            raise ValueError("calibrate is for one output of classes: fit a model for each")
        return 1 - self._answers(rows)[np.arange(len(targets)), targets][:, None]
