"""Random hinge forests and ferns as scikit-learn estimators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass
from typing import Any, Self

import numpy as np

from treecore.base.array_types import Labels, Rows, Weights
from treecore.data.validation import balanced
from treecore.estimators.parameter_docs import document_settings
from treecore.estimators.persistence import HINGE_FORMAT, METHODS_OF
from treecore.estimators.shared import ClassTargetsMixin, Estimator, NumberTargetsMixin, n_threads
from treecore.learners.hinge import HingeForest
from treecore.learners.hinge.settings import VALIDATION, HingeSettings
from treecore.training.config import RunConfig
from treecore.training.hinge_trainer import HingeTrainer

PASSES = 40
FEWEST, MOST = 300, 20_000
"""Where ``batches`` is None: forty passes over the rows, within these limits."""


@dataclass(eq=False, repr=False)
class HingeEnsemble(Estimator):
    """What both estimators share."""

    kind: str = "forest"
    _: KW_ONLY
    trees: int = 100
    depth: int = 8
    features: str = "inner products"
    n_features: int = 100
    filter_size: int = 5
    stride: int = 3
    width: int = 0
    scale: str = "each"
    optimizer: str = "adam"
    eta: float = 0.005
    schedule: str = "cosine"
    batches: int | None = None
    batch: int = 32
    dropout: float = 0.0
    noise: float = 0.0
    shift: float = 0.0
    validation: float = 0.1
    warm_start: bool = False
    callbacks: Sequence[Callable[..., Any]] | None = None
    n_jobs: int | None = None
    random_state: Any = None

    _fitted = "forest_"
    _format = HINGE_FORMAT

    def fit(self, X: Rows, y: Labels, sample_weight: Weights = None) -> Self:
        """Learn a forest from rows.

        Parameters
        ----------
        X : array or data frame, shape (n_samples, n_features)
            NaN stands for a missing value.
        y : array, shape (n_samples,), or (n_samples, n_outputs) for the regressor
        sample_weight : array, shape (n_samples,), or None
            What each row counts, not negative; a weight of two is a row given twice.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            In one sentence, for rows, targets, weights or parameters that nothing can be learnt
            from or with.
        """
        going_on = bool(self.warm_start) and hasattr(self, "forest_")
        rows, targets, weight = self._read(X, y, sample_weight, first=not going_on)
        seed = self._seed()
        if going_on:  # the same mini-batches again would be a beginning, not a continuation
            seed = int(np.random.SeedSequence([seed, self.n_iter_]).generate_state(1)[0])
        self._trained = self._config(len(targets), seed)
        trainer = HingeTrainer(
            self._trained,
            rows,
            targets,
            sample_weight=self._with_class_weight(targets, weight),
            n_classes=self._n_classes(),
            start=self.forest_ if going_on else None,
        )
        earlier = self.n_iter_ if going_on else 0
        self.history_ = []
        for event in trainer.events():
            self.history_.append(event)
            if self._run_callbacks(event):
                trainer.close()
        self.forest_: HingeForest = trainer.model
        self.n_iter_: int = earlier + int(self.history_[-1].done)
        return self

    def _config(self, n_rows: int, seed: int) -> RunConfig:
        if self.kind not in METHODS_OF:
            raise ValueError(f"kind={self.kind!r} must be one of {', '.join(METHODS_OF)}")
        names = [setting.name for setting in HingeSettings.definitions()]
        settings = {name: getattr(self, name) for name in names if hasattr(self, name)}
        if settings["batches"] is None:
            del settings["batches"]
            n_batches = -(-PASSES * n_rows // HingeSettings(**settings).batch)
            settings["batches"] = min(max(n_batches, FEWEST), MOST)
        return RunConfig(
            METHODS_OF[self.kind],
            seed=seed,
            validation=VALIDATION.check(self.validation),
            loss="squared" if self._numeric else "log",
            **settings,
        )

    def _decision(self, X: Rows) -> np.ndarray:
        X = self._rows(X)
        return self.forest_.decision(X, n_threads(self.n_jobs))


@document_settings({"": HingeSettings}, {}, optional=False, skip=("batches",))
@dataclass(eq=False, repr=False)
class HingeForestClassifier(ClassTargetsMixin, HingeEnsemble):
    """A random hinge forest, or random hinge ferns, for classes (Lay et al. 2018).

    Every tree answers with the weights of one leaf times its smallest margin on the way there;
    trees, their thresholds, and the features that they read are learnt together by mini-batches.

    Parameters
    ----------
    kind : "forest" or "fern"
    {settings}
    batches : int or None
        Mini-batches of the run. None: forty passes over the rows, at least 300 and at most 20,000
        mini-batches.
    validation : float
        Share of the rows that is held out to choose the best state of the forest; 0 learns from
        all rows and keeps the last state.
    warm_start : bool
        Whether :meth:`fit` goes on from the present forest, with new trees where ``trees`` is more.
    class_weight : dict, "balanced" or None
        What each class weighs.
    callbacks : list of callables or None
        Each gets the :class:`treecore.training.events.Event` of every hundred mini-batches; True
        ends the run.
    n_jobs : int or None
        Threads that answer, -1: one for every processor; the answers are the same for any number.
    random_state : int, RandomState, Generator or None

    Attributes
    ----------
    forest_ : HingeForest
    classes_ : array, shape (n_classes,)
    n_classes_, n_features_in_, n_iter_ : int
        ``n_iter_`` counts mini-batches.
    feature_names_in_ : array of str, where X had names
    history_ : list of Event

    Examples
    --------
    >>> from sklearn.datasets import load_iris
    >>> from treecore import HingeForestClassifier
    >>> X, y = load_iris(return_X_y=True)
    >>> HingeForestClassifier(depth=3, random_state=0).fit(X, y).score(X, y) > 0.95
    True
    """

    _: KW_ONLY
    class_weight: dict[str, Any] | str | None = None

    def decision_function(self, X: Rows) -> np.ndarray:
        """Log-odds of the classes, float32 (n_samples, n_classes).

        Of two classes (n_samples,): those of the second minus those of the first.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        out = self._decision(X)[:, : self.n_classes_]
        return out[:, 1] - out[:, 0] if self.n_classes_ == 2 else out

    def predict(self, X: Rows) -> np.ndarray:
        """The most probable class of every row, shape (n_samples,).

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        out = self._decision(X)[:, : self.n_classes_]
        return self.classes_[out.argmax(axis=1)]

    def predict_proba(self, X: Rows) -> np.ndarray:
        """Probabilities of the classes, in the order of ``classes_``; (n_samples, n_classes).

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        out = self._decision(X).astype(np.float64)[:, : self.n_classes_]
        odds = np.exp(out - out.max(axis=1, keepdims=True))
        return odds / odds.sum(axis=1, keepdims=True)

    def _with_class_weight(self, y, weight):
        if self._balances():
            return balanced(y, np.ones(len(y)) if weight is None else weight)
        return super()._with_class_weight(y, weight)


@dataclass(eq=False, repr=False)
class HingeForestRegressor(NumberTargetsMixin, HingeEnsemble):
    """A random hinge forest, or random hinge ferns, for numbers, one or several a row.

    Parameters and attributes are those of :class:`HingeForestClassifier`, without what belongs to
    classes; the loss is the squared one.

    Examples
    --------
    >>> from sklearn.datasets import load_diabetes
    >>> from treecore import HingeForestRegressor
    >>> X, y = load_diabetes(return_X_y=True)
    >>> HingeForestRegressor(depth=2, random_state=0).fit(X, y).score(X, y) > 0.4
    True
    """

    def predict(self, X: Rows) -> np.ndarray:
        """The numbers of every row, float64, of the shape that y had.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        return self._shaped(self._decision(X).astype(np.float64))
