"""Any fitted model or function as a teacher: what asks it, and what its answers must be."""

from __future__ import annotations

from typing import Any

import numpy as np


class AnyTeacher:
    """A fitted model with ``predict_proba`` or ``predict``, or a function of rows.

    classes: labels that it names, or None.
    """

    def __init__(self, teacher: Any, numbers: bool):
        # Imported here because that takes long, and only a teacher needs it.
        from sklearn.base import BaseEstimator, is_classifier, is_regressor
        from sklearn.utils.validation import check_is_fitted

        if isinstance(teacher, BaseEstimator):
            check_is_fitted(teacher)
            if (is_classifier if numbers else is_regressor)(teacher):
                answers = ["numbers", "classes"][:: -1 if numbers else 1]
                raise ValueError(
                    "the teacher answers with {}, and the tree with {}".format(*answers)
                )
        methods = ["predict"] if numbers else ["predict_proba", "predict"]
        # XGBoost's Booster predicts tables by inplace_predict alone.
        names = ["inplace_predict", *methods]
        present = [getattr(teacher, name) for name in names if hasattr(teacher, name)]
        self._ask: Any = present[0] if present else teacher
        if isinstance(teacher, type) or not callable(self._ask):
            what = f"a fitted model with {' or '.join(methods)}, or a function of rows"
            raise ValueError(f"the teacher is {teacher!r}, and must be {what}")
        self._numbers = numbers
        labels = None if numbers else getattr(teacher, "classes_", None)
        self.classes = None if labels is None else np.asarray(labels)

    def check_classes(self, classes: np.ndarray) -> None:
        """Take these classes; ValueError where the teacher names others."""
        if self.classes is not None and not np.array_equal(self.classes, classes):
            both = (", ".join(map(str, one.tolist()[:10])) for one in (self.classes, classes))
            raise ValueError(
                "the teacher knows the classes {}, and the targets have {}: they must be the "
                "same, in their order".format(*both)
            )
        self.classes = classes

    def answers(self, X: Any) -> np.ndarray:
        """Numbers, or probabilities of ``classes``, (n_rows, n_outputs); else ValueError."""
        said = np.asarray(self._ask(X))
        n, is_labels = len(X), said.ndim == 1 and not self._numbers
        if said.ndim not in (1, 2) or len(said) != n:
            raise ValueError(f"the teacher answers {n} rows with an array of shape {said.shape}")
        if is_labels:
            shown = said
            self.classes = np.unique(said) if self.classes is None else self.classes
            said = (said[:, None] == self.classes).astype(np.float64)
            wanted = f"none of the classes {', '.join(map(str, self.classes.tolist()[:10]))}"
            bad = ~said.any(axis=1)
        else:
            try:
                said = shown = said.astype(np.float64).reshape(n, -1)
            except (TypeError, ValueError):
                raise ValueError("the teacher's answers must be numbers") from None
            bad, wanted = ~np.isfinite(said).all(axis=1), "no finite number"
        if not is_labels and not self._numbers:
            k = said.shape[1]
            self.classes = np.arange(k) if self.classes is None else self.classes
            if k != len(self.classes):
                raise ValueError(f"the teacher answers with {k} of {len(self.classes)} classes")
            bad |= (abs(said.sum(axis=1) - 1) > 1e-3) | (said < 0).any(axis=1)
            wanted = "no probabilities, which are at least 0 and sum to 1"
        if bad.any():
            row = int(bad.argmax())
            raise ValueError(f"the teacher answers {shown[row].tolist()} for row {row}: {wanted}")
        return said
