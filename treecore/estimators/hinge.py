"""Random hinge forests and ferns (Lay et al. 2018): what their estimators in ``methods`` share."""

from __future__ import annotations

import dataclasses
from typing import Self

import numpy as np

from treecore import data, learners, training
from treecore.base.array_types import Labels, Rows, Weights
from treecore.core.routing import class_probabilities
from treecore.estimators.parameters import loss_of
from treecore.estimators.shared import ClassTargetsMixin, Estimator, NumberTargetsMixin, n_threads
from treecore.learners.hinge.settings import VALIDATION, HingeSettings
from treecore.training.config import RunConfig
from treecore.training.registry import METHODS

METHODS_OF = {one.algorithm: one.name for one in METHODS.values() if one.family == "hinge"}
"""Names of the registry by what a hinge estimator calls ``kind``."""

FEWEST, MOST = 300, 20_000
"""Where ``batches`` is None: forty passes over the rows, within these limits."""

PARAMETERS = {"n_estimators": "trees"}
"""What scikit-learn calls a setting otherwise."""


class HingeEnsemble(Estimator):
    """What both estimators share."""

    _fitted = "forest_"
    _format = "hinge"
    _scales = True

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
        trainer = training.HingeTrainer(
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
        self.forest_: learners.HingeForest = trainer.model
        self.n_iter_: int = earlier + int(self.history_[-1].done)
        return self

    def _config(self, n_rows: int, seed: int) -> RunConfig:
        if self.kind not in METHODS_OF:
            raise ValueError(f"kind={self.kind!r} must be one of {', '.join(METHODS_OF)}")
        ours = {theirs: parameter for parameter, theirs in PARAMETERS.items()}
        settings = {}
        for known in HingeSettings.definitions():
            name = ours.get(known.name, known.name)
            value = getattr(self, name)
            if value is not None or name != "batches":
                settings[known.name] = dataclasses.replace(known, name=name).check(value)
        if self.batches is None:
            n_batches = -(-40 * n_rows // settings["batch"])
            settings["batches"] = min(max(n_batches, FEWEST), MOST)
        return RunConfig(
            METHODS_OF[self.kind],
            seed=seed,
            validation=VALIDATION.check(self.validation),
            loss=self._loss(),
            **settings,
        )

    def _decision(self, X: Rows) -> np.ndarray:
        X = self._rows(X)
        return self.forest_.decision(X, n_threads(self.n_jobs))


class HingeClassifier(ClassTargetsMixin, HingeEnsemble):
    """What is done with classes."""

    def _loss(self) -> str:
        return "log"

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
        out = self._decision(X)[:, : self.n_classes_]
        return self.classes_[out.argmax(axis=1)]

    def predict_proba(self, X: Rows) -> np.ndarray:
        return class_probabilities(self._decision(X)[:, : self.n_classes_])

    def _with_class_weight(self, y, weight):
        if self._balances():
            return data.balanced(y, np.ones(len(y)) if weight is None else weight)
        return super()._with_class_weight(y, weight)


class HingeRegressor(NumberTargetsMixin, HingeEnsemble):
    """What is done with numbers, one or several a row."""

    def _loss(self) -> str:
        return loss_of(self.loss)

    def _numbers(self, X: Rows) -> np.ndarray:
        return self._decision(X).astype(np.float64)
