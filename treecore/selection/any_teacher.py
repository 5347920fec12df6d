"""Any fitted model or function as a teacher: what asks it, and what its answers must be."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np


class AnyTeacher:
    """A fitted model with ``predict_proba`` or ``predict``, or a function of rows.

    - classes: labels (n_classes,) that it names; None: it names none, or answers with numbers.

    numbers: whether it is asked for numbers; named: whether classes are told by their names, as
    files have them. Raises ValueError for what cannot be asked, and
    scikit-learn's NotFittedError, a ValueError, for a model that is not fitted.
    """

    def __init__(self, teacher: Any, numbers: bool, named: bool = False):
        # Imported here because that takes long, and no other command of the command line needs it.
        from sklearn.base import BaseEstimator, is_classifier, is_regressor
        from sklearn.utils.validation import check_is_fitted

        if isinstance(teacher, type):
            raise ValueError(f"the teacher is the class {teacher.__name__}: give a fitted model")
        if isinstance(teacher, BaseEstimator):
            check_is_fitted(teacher)
            if (is_classifier if numbers else is_regressor)(teacher):
                answers = ("classes", "numbers") if numbers else ("numbers", "classes")
                raise ValueError(
                    "the teacher answers with {}, and the tree with {}".format(*answers)
                )
        methods = ["predict"] if numbers else ["predict_proba", "predict"]
        present = [getattr(teacher, name) for name in methods if hasattr(teacher, name)]
        if not present and not callable(teacher):
            raise ValueError(
                f"the teacher is a {type(teacher).__name__}, and must be a fitted model with "
                f"{' or '.join(methods)}, or a function of rows"
            )
        self._ask: Callable[[Any], Any] = present[0] if present else teacher
        self._numbers, self._named = numbers, named
        self.classes: np.ndarray | None = None
        if not numbers and hasattr(teacher, "classes_"):
            if isinstance(teacher.classes_, list):
                raise ValueError("the teacher answers for several targets, and the tree for one")
            self.classes = self._labels(np.asarray(teacher.classes_))

    def _labels(self, labels: np.ndarray) -> np.ndarray:
        return np.array([str(label) for label in labels.tolist()]) if self._named else labels

    def check_classes(self, classes: np.ndarray) -> None:
        """Take these classes; ValueError where the teacher names others."""
        if self.classes is not None and not np.array_equal(self.classes, classes):
            theirs, ours = (
                ", ".join(map(str, one.tolist()[:10])) for one in (self.classes, classes)
            )
            raise ValueError(
                f"the teacher knows the classes {theirs}, and the targets have {ours}: they must "
                "be the same, in their order"
            )
        self.classes = classes

    def answers(self, X: Any) -> np.ndarray:
        """Numbers, or probabilities of ``classes``; float64 (n_rows, n_outputs).

        Where there are no ``classes`` yet they are made of these answers: their labels, or 0, 1 and
        so on for the columns of probabilities. Raises ValueError for answers of another shape, NaN,
        labels that are none of the classes and probabilities that do not sum to 1.
        """
        said = np.asarray(self._ask(X))
        n, shape = len(X), said.shape
        if not self._numbers and said.ndim == 2 and self.classes is None:
            self.classes = np.arange(shape[1])
        k = None if self._numbers or said.ndim == 1 else len(self.classes)  # type: ignore[arg-type]
        if said.ndim not in (1, 2) or shape[0] != n or (k is not None and shape[1] != k):
            wanted = f"({n},)" + f" or ({n}, {'n_outputs' if self._numbers else k or 'n_classes'})"
            raise ValueError(
                f"the teacher's answers have the shape {shape}, and must have {wanted}"
            )
        if said.ndim == 1 and not self._numbers:
            return self._of_labels(said)
        try:
            said = said.astype(np.float64).reshape(n, -1)
        except (TypeError, ValueError):
            raise ValueError("the teacher's answers must be numbers") from None
        bad = np.flatnonzero(~np.isfinite(said).all(axis=1))
        if len(bad):
            raise ValueError(f"the teacher answers {said[bad[0]].tolist()} for row {bad[0]}")
        if not self._numbers:
            odd = np.flatnonzero((abs(said.sum(axis=1) - 1) > 1e-3) | (said < 0).any(axis=1))
            if len(odd):
                raise ValueError(
                    f"the teacher answers {said[odd[0]].tolist()} for row {odd[0]}, which are no "
                    "probabilities: these are at least 0 and sum to 1"
                )
        return said

    def _of_labels(self, said: np.ndarray) -> np.ndarray:
        if said.dtype.kind == "f" and not np.isfinite(said).all():
            raise ValueError("the teacher answers NaN or infinity, and must answer with classes")
        said = self._labels(said)
        if self.classes is None:
            self.classes = np.unique(said)
        of_answers = said[:, None] == self.classes
        unknown = np.flatnonzero(~of_answers.any(axis=1))
        if len(unknown):
            raise ValueError(
                f"the teacher answers {said[unknown[0]]} for row {unknown[0]}, which is none of "
                f"the classes {', '.join(map(str, self.classes.tolist()[:10]))}"
            )
        return of_answers.astype(np.float64)
