"""scikit-learn estimators of forests; an estimator of one tree, or a method, grows the trees."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, ClassVar, Self

import numpy as np
from scipy.sparse import csr_matrix, hstack
from sklearn.base import clone
from sklearn.utils.validation import check_is_fitted

from treecore import estimators
from treecore.base.array_types import Labels, Rows, Weights
from treecore.base.settings import find_named
from treecore.base.state_file import CheckpointError, State
from treecore.core.tree import Tree, single_leaf
from treecore.ensembles.forest import Forest
from treecore.ensembles.settings import BaggingSettings
from treecore.estimators.conformal import Conformal, ConformalClassifier, ConformalRegressor
from treecore.estimators.methods import CLASSIFIERS, REGRESSORS
from treecore.estimators.one_method import OneMethod
from treecore.estimators.parameters import ClassParameters, RunParameters
from treecore.estimators.shared import ClassTargetsMixin, NumberTargetsMixin, n_threads
from treecore.inspection.importances import forest_importances
from treecore.training.config import RunConfig
from treecore.training.ensemble_trainer import ForestTrainer

FEWEST_OF_A_THREAD = 1000
"""Rows that a thread must have to answer, or handing over takes longer than they do."""

_RENAMED = {"n_estimators": "n_trees", "max_features": "feature_share", "max_samples": "row_share"}
"""Parameters that the registry calls otherwise, and ensembles of scikit-learn so."""


@dataclass(kw_only=True, eq=False, repr=False)
class ForestParameters(RunParameters):
    """Of every estimator of a forest."""

    estimator: str | OneMethod = field(default="annealed", kw_only=False)
    n_estimators: int = 30
    max_features: float = 1.0
    warm_start: bool = False


@dataclass(kw_only=True, eq=False, repr=False)
class _BaggingParameters(ForestParameters):
    bootstrap: bool = True
    max_samples: float = 1.0
    oob_score: bool = False
    ccp_alpha: float = 0.0
    n_jobs: int | None = None


@dataclass(kw_only=True, eq=False, repr=False)
class _OfClasses(_BaggingParameters, ClassParameters):
    pass


class _ForestEstimator(Conformal):
    """Base of the forest estimators: train by :class:`.ForestTrainer`, predict with the forest."""

    _fitted = "forest_"
    _format = "forest"
    _methods: ClassVar[Mapping[str, type[OneMethod]]]

    def fit(self, X: Rows, y: Labels, sample_weight: Weights = None) -> Self:
        """Grow a forest from rows.

        With ``warm_start``, a second call with a greater ``n_estimators`` adds trees to those
        there are, and gives what growing all of them at once would have; the rows must be the
        same.

        Parameters
        ----------
        X : array or data frame, shape (n_samples, n_features)
            NaN stands for a missing value.
        y : array, shape (n_samples,), or (n_samples, n_outputs)
            Several outputs of classes for bagged greedy trees only.
        sample_weight : array, shape (n_samples,), or None
            What each row counts, not negative. None: 1 each.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            In one sentence, for rows, targets, weights or parameters that no forest can be grown
            from or with.
        """
        state = getattr(self, "_state", None) if self.warm_start else None
        seed: int = self._seed() if state is None else self._seed_used
        if state is not None and self.n_estimators < len(self.history_):
            raise ValueError(
                f"n_estimators={self.n_estimators!r} is less than the {len(self.history_)} trees "
                "already grown; ask for more, or set warm_start to False"
            )
        rows, targets, weight = self._read(X, y, sample_weight)
        tree = self._tree()
        tree.n_features_in_, tree.columns_ = self.n_features_in_, self.columns_
        tree.n_outputs_ = self.n_outputs_
        config = self._config(tree, seed)
        self._seed_used: int = seed
        self._n_samples = len(targets)
        given = np.asarray(sample_weight)
        self._kept = given > 0 if given.ndim else np.ones(len(targets), dtype=bool)
        if self._n_classes() == 1:
            self._state: State | None = None
            self.history_ = []
            values = single_leaf([0.0], len(self._feature_names()))
            self.forest_ = Forest((values,), np.ones(1), "shares")
            self._importances: np.ndarray | None = np.zeros(values.n_features)
            return self
        arguments = {
            "sample_weight": self._with_class_weight(targets, weight),
            "n_classes": self._n_classes(),
            "monotonic": self._signs(getattr(tree, "monotonic_cst", None)),
            "categories": self._levels(),
            "ccp_alpha": getattr(self, "ccp_alpha", 0.0),
            "one_unit": self._shares,
        }
        if state is None:
            trainer = ForestTrainer(config, rows, targets, **arguments)
        else:
            try:
                trainer = ForestTrainer.from_state(state, config, rows, targets, **arguments)
            except CheckpointError as error:
                raise ValueError(
                    f"warm_start adds trees to those that fit has grown, but {error}: set that "
                    "back, or set warm_start to False"
                ) from error
        if not self.callbacks:  # sums over the trees so far would take a number a row and class
            trainer.measuring = "last"
        for event in trainer.events(getattr(self, "n_jobs", None)):
            if self._run_callbacks(event):
                break
        trainer.close()
        self.history_ = trainer.history
        self._state = trainer.state() if self.warm_start else None
        self._learnt(trainer, targets)
        self.forest_ = trainer.model
        assert config.base is not None, "a forest is one of trees"
        criterion = getattr(config.base.settings, "criterion", "entropy")
        self._importances = forest_importances(self.forest_, trainer.rows, criterion)
        return self

    @property
    def estimators_(self) -> list[OneMethod]:
        """The trees as estimators of their own, which answer with the forest's classes."""
        check_is_fitted(self, "forest_")
        document, found = self.to_document(), []
        for tree in self.forest_.trees:
            one = self._tree()
            training = document.training | {"method": one.method}
            of_tree = dataclasses.replace(document, model=tree, training=training)
            estimators.persistence.FORMATS["tree"].restore(one, of_tree)
            found.append(one)
        return found

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of every feature in the decrease of impurity; float64 (n_features,), of sum 1.

        The mean over the trees, see :func:`treecore.inspection.importances.forest_importances`.
        """
        check_is_fitted(self, "forest_")
        if self._importances is None:
            raise AttributeError("importances need the training rows, which a file does not hold")
        return self._of_columns(self._importances)

    @property
    def _asked(self) -> Forest:
        return self.forest_

    @property
    def _parts(self) -> Tree:  # the limits of a forest are the same for all rows
        return single_leaf([0.0], self.forest_.n_features)

    def _answers(self, rows: np.ndarray) -> np.ndarray:
        return self.forest_.scores(rows)

    @property
    def _categorical(self) -> Any:
        return getattr(self.estimator, "categorical_features", super()._categorical)

    def _tree(self) -> OneMethod:
        tree = self.estimator
        if isinstance(tree, str):
            return find_named(self._methods, tree, "method")()
        if not isinstance(tree, OneMethod) or tree._numeric is not self._numeric:
            task = "Regressor" if self._numeric else "Classifier"
            raise ValueError(
                f"estimator={tree!r} must be the name of a method or an estimator of one method "
                f"for the same targets, as AxisTree{task}"
            )
        nothing = {"early_stopping": False, "callbacks": None, "verbose": 0}
        for name, value in (nothing | {"min_weight_fraction_leaf": 0.0}).items():
            if getattr(tree, name) != value:
                raise ValueError(f"{name}={getattr(tree, name)!r} is for single trees")
        return clone(tree)

    def _config(self, tree: OneMethod, seed: int) -> RunConfig:
        definitions = {setting.name: setting for setting in BaggingSettings.definitions()}
        for name, theirs in _RENAMED.items():  # so that the sentence has the name used here
            if hasattr(self, name):
                dataclasses.replace(definitions[theirs], name=name).check(getattr(self, name))
        method, settings = self._ensemble()
        return RunConfig(
            method,
            base=tree._run_config(0),
            seed=seed,
            n_trees=self.n_estimators,
            feature_share=self.max_features,
            **settings,
        )

    def _by_threads(self, answer: Callable[[Any], np.ndarray], X) -> np.ndarray:
        """What the forest answers to rows, of which every thread of ``n_jobs`` takes some."""
        n_parts = min(n_threads(getattr(self, "n_jobs", None)), X.shape[0] // FEWEST_OF_A_THREAD)
        if n_parts < 2:
            return answer(X)
        ends = np.linspace(0, X.shape[0], n_parts + 1).astype(int).tolist()
        with ThreadPoolExecutor(n_parts) as threads:
            parts = [X[first:stop] for first, stop in pairwise(ends)]
            return np.concatenate(list(threads.map(answer, parts)))

    def staged_predict(self, X: Rows) -> Iterator[np.ndarray]:
        """Yield the :meth:`predict` of the first tree, of the first two, and so on.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        X = self._rows(X)
        yield from map(self._predicted, self.forest_.staged_scores(X))

    def _predicted(self, scores: np.ndarray) -> np.ndarray:
        """What scores of the forest, (n_samples, n_outputs), say."""
        raise NotImplementedError

    def apply(self, X: Rows) -> np.ndarray:
        """The leaf of every row in every tree; int32 (n_samples, n_trees).

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        X = self._rows(X)
        return self._by_threads(self.forest_.apply, X)

    def decision_path(self, X: Rows) -> tuple[csr_matrix, np.ndarray]:
        """Which nodes of every tree every row passes, as of scikit-learn's forests.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.

        Returns
        -------
        indicator : sparse table of ones, CSR, shape (n_samples, n_nodes)
        n_nodes_ptr : int array, shape (n_trees + 1,)
            Columns ``n_nodes_ptr[i]`` to ``n_nodes_ptr[i + 1]`` are the nodes of tree i.
        """
        paths = [tree.decision_path(X) for tree in self.estimators_]
        return hstack(paths, format="csr"), np.cumsum([0] + [path.shape[1] for path in paths])


class ForestClassifier(ClassTargetsMixin, ConformalClassifier, _ForestEstimator):
    """Labels of any kind."""

    _methods = CLASSIFIERS

    def predict(self, X: Rows) -> np.ndarray:
        if self._shares:
            return super().predict(X)
        X = self._rows(X)
        return self.classes_[self._by_threads(self.forest_.predict, X)]

    def predict_proba(self, X: Rows) -> Any:
        X = self._rows(X)
        scores = self._by_threads(self.forest_.scores, X)
        return self._of_outputs(scores) if self._shares else scores

    def _predicted(self, scores: np.ndarray) -> np.ndarray:
        if self._shares:
            return self._favourites(self._of_outputs(scores))
        return self.classes_[scores.argmax(axis=1)]

    def _by_class(self):
        return getattr(self.estimator, "class_weight", None)


class _Bagged(_ForestEstimator):
    def _ensemble(self):
        sampling = "bootstrap" if self.bootstrap else "subsample"
        if not self.bootstrap and self.max_samples == 1.0:
            sampling = "all"
        if self.oob_score and sampling == "all":
            raise ValueError("oob_score needs rows that are not drawn: set bootstrap to True")
        return "bagging", {"sampling": sampling, "row_share": self.max_samples}

    def _learnt(self, trainer: ForestTrainer, targets: np.ndarray) -> None:
        answers = "oob_prediction_" if self._numeric else "oob_decision_function_"
        for name in ("oob_score_", answers):
            self.__dict__.pop(name, None)
        if self.oob_score:
            self.oob_score_ = trainer.oob_score()
            scores = np.full((len(self._kept), trainer.rows.n_outputs), np.nan)
            scores[self._kept] = trainer.oob_scores  # rows without weight have none
            said: Any = self._shaped(scores) if self._numeric else scores
            if self._shares:
                chooser: Any = self
                said, true = (chooser._of_outputs(each) for each in (scores, targets))
                known = np.isfinite(scores[self._kept, 0])
                pairs = zip(said, true, strict=True)
                right = [s[self._kept].argmax(axis=1) == t.argmax(axis=1) for s, t in pairs]
                hits = np.all(right, axis=0)[known]
                self.oob_score_ = float(np.average(hits, weights=trainer.rows.weight[known]))
            setattr(self, answers, said)


class ObliqueForestClassifier(_OfClasses, ForestClassifier, _Bagged):
    """Bagged trees of any method, whose class probabilities are averaged.

    Parameters
    ----------
    estimator : str or an estimator of one method
        How a tree grows: a name of :data:`treecore.training.registry.TREES`, or an estimator with
        settings of its own, class weights among them. ``AxisTreeClassifier(max_features="sqrt")``
        makes this a random forest.
    n_estimators : int
        Trees.
    class_weight : dict, "balanced" or None
        What each class weighs in every tree; classes that a dict leaves out weigh 1.
        ``"balanced"``: all classes together weigh the same. It may be set here or in ``estimator``.
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
    bootstrap : bool
        Whether rows are drawn with replacement.
    max_samples : float
        How many rows are drawn for a tree, as a share of all.
    oob_score : bool
        Whether rows are to be classified by the trees that have not seen them.
    ccp_alpha : float
        The price of a leaf, in units of mean impurity: every tree is pruned on the rows that it
        grew from (minimal cost-complexity pruning, :func:`treecore.prune_cost_complexity`); 0
        prunes none. With Gini impurity and cuts on one feature it is that of scikit-learn.
    n_jobs : int or None
        Trees that grow at a time, by joblib's present backend, and threads that answer; -1: one for
        every processor. Never changes the forest or its answers.

    Attributes
    ----------
    forest_ : Forest
    estimators_ : list of estimators of one method
        Its trees.
    feature_importances_ : float64 array, shape (n_features,)
    classes_ : array, shape (n_classes,), or list with one for each of several outputs
    n_classes_ : int or list of int
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    oob_score_ : float
        Share of the weight that is classified rightly, of several outputs in all of them, by trees
        that have not seen it; with ``oob_score``, as is the next.
    oob_decision_function_ : float64 array, shape (n_samples, n_classes)
        Mean probabilities by the trees that have not seen a row; NaN where all have, and where a
        row has no weight. Of several outputs a list.
    history_ : list of Event
        One for every tree; without callbacks only the last one has figures of the forest.

    Notes
    -----
    With ``bootstrap``, a row is drawn with a probability in proportion to its weight.

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import ObliqueForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> forest = ObliqueForestClassifier("oc1", n_estimators=5, oob_score=True, random_state=0)
    >>> forest.fit(X, y).score(X, y) > 0.95, forest.oob_score_ > 0.9
    (True, True)
    """

    @property
    def _takes_several(self) -> bool:
        return self._tree()._takes_several

    def _tree(self) -> OneMethod:
        tree: Any = super()._tree()
        if self.class_weight is not None:
            if tree.class_weight is not None:
                raise ValueError("class_weight is set twice: in the forest and in its estimator")
            tree.class_weight = self.class_weight
        return tree

    def _by_class(self):
        return super()._by_class() if self.class_weight is None else self.class_weight


class ObliqueForestRegressor(_BaggingParameters, NumberTargetsMixin, ConformalRegressor, _Bagged):
    """Bagged trees of any method, whose numbers are averaged.

    Parameters
    ----------
    estimator : str or an estimator of one method
        How a tree grows: a name of :data:`treecore.training.registry.TREES`, or an estimator with
        settings of its own. ``AxisTreeRegressor(max_features=0.3)`` makes this a random forest.
    n_estimators : int
        Trees.
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
    bootstrap : bool
        Whether rows are drawn with replacement.
    max_samples : float
        How many rows are drawn for a tree, as a share of all.
    oob_score : bool
        Whether the numbers of rows are to be predicted by the trees that have not seen them.
    ccp_alpha : float
        The price of a leaf, in units of mean variance: every tree is pruned on the rows that it
        grew from (minimal cost-complexity pruning, :func:`treecore.prune_cost_complexity`); 0
        prunes none.
    n_jobs : int or None
        Trees that grow at a time, by joblib's present backend, and threads that answer; -1: one for
        every processor. Never changes the forest or its answers.

    Attributes
    ----------
    forest_ : Forest
    estimators_ : list of estimators of one method
        Its trees.
    feature_importances_ : float64 array, shape (n_features,)
    n_outputs_ : int
    n_features_in_ : int
    feature_names_in_ : array of str, where X had names
    oob_score_ : float
        Share of the variance that is explained by trees that have not seen a row; with
        ``oob_score``, as is the next.
    oob_prediction_ : float64 array, of the shape that y had
        Means by the trees that have not seen a row; NaN where all have, and where a row has no
        weight.
    history_ : list of Event
        One for every tree; without callbacks only the last one has figures of the forest.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treecore import ObliqueForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> ObliqueForestRegressor("axis", n_estimators=10, random_state=0).fit(X, y).score(X, y) > 0.6
    True
    """

    _methods = REGRESSORS

    def _numbers(self, X: Rows) -> np.ndarray:
        X = self._rows(X)
        return self._by_threads(self.forest_.scores, X)

    def _predicted(self, scores: np.ndarray) -> np.ndarray:
        return self._shaped(scores)
