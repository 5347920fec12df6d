"""The scikit-learn estimator of boosted trees."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np

from treecore.estimators.bagged import ForestClassifier, ForestParameters
from treecore.training.ensemble_trainer import ForestTrainer


@dataclass(kw_only=True, eq=False, repr=False)
class _Parameters(ForestParameters):
    algorithm: Literal["samme", "adaboost-m1"] = "samme"
    sampling: Literal["weights", "draw"] = "weights"
    ending: Literal["stop", "restart"] = "stop"
    n_jobs: int | None = None


class BoostedTreeClassifier(_Parameters, ForestClassifier):
    """Boosted trees of any method: AdaBoost.M1 or SAMME.

    Parameters
    ----------
    estimator : str or an estimator of one method
        How a tree grows: a name of :data:`treecore.training.registry.TREES`, or an estimator with
        settings of its own, class weights among them.
    n_estimators : int
        Trees at most; see :mod:`treecore.ensembles.boosting` for what ends the boosting.
    max_features : float
        Share of the features that are drawn for a tree.
    warm_start : bool
        Whether ``fit`` adds trees to those there are.
    callbacks : list of callables or None
        Each gets the :class:`treecore.training.events.Event` of every tree; True ends the run.
    random_state : int, RandomState, Generator or None
        An int is the seed of :class:`treecore.training.config.RunConfig` and gives its forest.
    verbose : int
        1 prints a line for every tree.
    algorithm : str
        ``"samme"`` or ``"adaboost-m1"``.
    sampling : str
        ``"weights"``: trees mind the weights of the rows; ``"draw"``: they learn from rows drawn
        with such probabilities.
    ending : str
        What a tree without error does, or one no better than chance: ``"stop"``, as the
        algorithms say, or ``"restart"`` with random weights.
    n_jobs : int or None
        Threads that answer; -1: one for every processor. Never changes the answers.

    Attributes
    ----------
    forest_ : Forest
    classes_ : array, shape (n_classes,)
    n_classes_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    feature_importances_ : float64 array, shape (n_features,)
    history_ : list of Event
        One for every tree; without callbacks only the last one has figures of the ensemble.
    estimator_weights_ : float64 array, shape (n_trees,)
        What the trees' votes count.
    estimator_errors_ : float64 array, shape (n_trees,)
        Share of the weight that each tree gets wrong, by the weights at its turn.

    Raises
    ------
    ValueError
        In ``fit``, also where the first tree is no better than chance.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import AxisTreeClassifier, BoostedTreeClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> tree = AxisTreeClassifier(max_depth=1)
    >>> BoostedTreeClassifier(tree, n_estimators=20, random_state=0).fit(X, y).score(X, y) > 0.95
    True
    """

    def _ensemble(self):
        if self.algorithm not in ("samme", "adaboost-m1"):
            raise ValueError(f'algorithm={self.algorithm!r} must be "samme" or "adaboost-m1"')
        return self.algorithm, {"sampling": self.sampling, "ending": self.ending}

    def _learnt(self, trainer: ForestTrainer, targets: np.ndarray) -> None:
        assert trainer.boosting is not None, "an ensemble of this kind is boosted"
        accepted = [round_ for round_ in trainer.boosting.rounds if round_.accepted]
        if not accepted:
            raise ValueError(trainer.history[-1].note)
        self.estimator_weights_ = np.array([round_.vote for round_ in accepted])
        self.estimator_errors_ = np.array([round_.error for round_ in accepted])
