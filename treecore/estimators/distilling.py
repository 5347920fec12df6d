"""Distillation: one tree learns what a teacher, any fitted model, answers."""

from __future__ import annotations

import numbers
from typing import Any, Self

import numpy as np

from treecore import estimators, selection
from treecore.base.array_types import Labels, Rows, Weights
from treecore.core.routing import apply
from treecore.estimators.base import ObliqueTree


class Distilling(ObliqueTree):
    """What an estimator of one tree can do besides: learn from a teacher."""

    def distil(
        self,
        teacher: Any,
        X: Rows,
        y: Labels | None = None,
        sample_weight: Weights = None,
        *,
        n_drawn: int | None = None,
    ) -> Self:
        """Learn a tree from what a teacher answers.

        Rows like those of ``X`` are drawn, and the tree learns what the teacher answers for them
        beside the rows of ``X`` (Breiman and Shang 1996, "Born again trees"; Domingos 1997), see
        :func:`treecore.selection.answered_rows`. Of classes it learns the probabilities: a row
        comes once for each class, with the probability as its weight.

        Parameters
        ----------
        teacher : fitted model or callable
            A model as of scikit-learn, XGBoost or LightGBM, asked by ``predict_proba`` or
            ``predict``, or a function of tables as ``X``. Answers are probabilities, (n_samples,
            n_classes), or labels, (n_samples,); of a regressor numbers, (n_samples,) or (n_samples,
            n_outputs).
        X : array or data frame, shape (n_samples, n_features)
            As for :meth:`fit`.
        y : array, shape (n_samples,), or (n_samples, n_outputs) for a regressor, or None
            The rows' own targets, of the teacher's classes. None: the teacher's answers.
        sample_weight : array, shape (n_samples,), or None
            What each row counts, and how often it is drawn. None: 1 each.
        n_drawn : int or None
            Rows to draw. None: five times as many as there are, from 2,000 to 10,000; of numbers up
            to 3,000 rows thirty times as many, and up to 40,000.

        Returns
        -------
        self
            Importances and ``history_`` are of all that is learnt from, counts of the rows of X.

        Raises
        ------
        ValueError
            In one sentence: for a teacher that is not fitted, whose classes are not those of ``y``,
            whose answers have another shape or NaN; and as :meth:`fit`.

        Examples
        --------
        >>> from sklearn.datasets import load_iris
        >>> from sklearn.ensemble import RandomForestClassifier
        >>> from treecore import AxisTreeClassifier
        >>> X, y = load_iris(return_X_y=True)
        >>> teacher = RandomForestClassifier(random_state=0).fit(X, y)
        >>> AxisTreeClassifier(max_depth=4, random_state=0).distil(teacher, X).score(X, y) > 0.95
        True
        """
        is_count = isinstance(n_drawn, numbers.Integral) and not isinstance(n_drawn, bool)
        if n_drawn is not None and not (is_count and n_drawn >= 0):
            raise ValueError(f"n_drawn={n_drawn!r} must be a number of rows from 0, or None")
        seed, numeric = self._seed(), self._numeric
        asked = selection.AnyTeacher(teacher, numeric)
        own = asked.answers(X) if y is None else None
        target: Any = y
        if own is not None and numeric:
            target = own if own.shape[1] > 1 else own[:, 0]
        elif own is not None:
            assert asked.classes is not None, "predictions have classes"
            chooser: Any = self  # a classifier
            chooser._announce(asked.classes)
            target = asked.classes[own.argmax(axis=1)]
        rows, targets, weight = self._read(
            X, target, sample_weight, announced=own is not None and not numeric
        )
        if self._shares:
            raise ValueError("distil learns one output of classes: fit a tree for each")
        if not numeric:
            asked.check_classes(self.classes_)
        config = self._run_config(seed)
        self._stream_seed, self._n_pieces, self._moments = config.seed, 0, None
        if self._n_classes() == 1:
            return self._settle_single(targets)
        given = np.asarray(sample_weight)
        kept = np.flatnonzero(given > 0) if given.ndim else np.arange(len(rows))
        parts = [(rows, targets, np.ones(len(rows)) if weight is None else weight)]
        if own is not None:
            parts = [selection.as_targets(rows, own[kept], numeric, weight)]
        n = selection.n_to_draw(rows.shape, numeric) if n_drawn is None else int(n_drawn)
        if n:
            drawn = self._drawn(asked, X, rows, kept, weight, n)
            parts.append(selection.as_targets(*drawn, numeric))
        learnt, answers, weights = (np.concatenate(part) for part in zip(*parts, strict=True))
        self._learn(config, learnt, answers, weights)
        leaf = apply(self.tree_, self._apply_map(rows))
        self._n_samples, self._counts = len(leaf), self._leaf_counts(leaf, targets)
        return self

    def _drawn(
        self,
        asked: selection.AnyTeacher,
        X: Any,
        rows: np.ndarray,
        kept: np.ndarray,
        weight: Any,
        n: int,
    ) -> selection.AnsweredRows:
        """Drawn rows as the tree reads them, and answers; kept: the rows of X that ``rows`` are."""
        tables, seed = estimators.tables, self._stream_seed
        if not self.columns_:
            between = selection.BETWEEN if self._numeric else 0.0

            def answers(drawn: np.ndarray) -> np.ndarray:
                return asked.answers(tables.named_as(X, drawn))

            return selection.answered_rows(
                answers, rows, n, seed, sample_weight=weight, between=between
            )
        # Words are no numbers yet: what is drawn are the places of rows, one for each column.
        frame = tables.as_frame(tables.readable(X))
        assert frame is not None, "it holds words"
        places = np.tile(kept[:, None], (1, frame.shape[1]))
        drawn, said = selection.answered_rows(
            lambda drawn: asked.answers(tables.columns_at(frame, drawn)),
            places,
            n,
            seed,
            sample_weight=weight,
        )
        encoded = tables.encode(
            self.columns_, tables.columns_at(frame, drawn), self._column_names()
        )
        return selection.AnsweredRows(encoded, said)
