"""What all estimators do alike: read tables, draw a seed, go to a file and back."""

from __future__ import annotations

import difflib
import inspect
import numbers
import sys
import warnings
from collections.abc import Iterable, Sequence
from pathlib import Path
from typing import Any, Self

import numpy as np
from joblib import effective_n_jobs
from scipy.sparse import issparse
from sklearn.base import BaseEstimator, ClassifierMixin, RegressorMixin
from sklearn.utils import check_random_state, column_or_1d
from sklearn.utils.multiclass import check_classification_targets
from sklearn.utils.validation import (
    _check_sample_weight,
    check_array,
    check_is_fitted,
    check_X_y,
    validate_data,
)

from treecore import data, estimators, persistence
from treecore.base.array_types import Labels, Rows, Weights
from treecore.base.settings import check_seed
from treecore.core.routing import as_rows, refuse_sparse
from treecore.core.tree import counted
from treecore.training.events import Event

AUTO = "auto"
"""No entry of the registry: a choice among trees of several, by :mod:`treecore.selection`."""

_NUMBERS = [np.float64, np.float32, np.float16, np.uint8, np.int8, np.uint16, np.int16, np.bool_]
"""Types of tables that need not become float64 first, as scikit-learn would have it."""

_ALIKE = (
    ("depth", "max_depth"),
    ("epochs", "rounds", "batches", "max_iter", "n_epochs"),
    ("eta", "lr", "learning_rate"),
    ("n_estimators", "trees", "n_trees"),
)
"""Names that stand for one thing in different methods, or in other libraries."""

_IN_A_PIPELINE = ("kernel", "n_components", "gamma")
"""Parameters that an earlier version had."""


def n_threads(n_jobs: int | None) -> int:
    """The threads that ``n_jobs`` asks for: None one, -1 one for every processor, as of joblib."""
    if n_jobs is None:
        return 1
    if not isinstance(n_jobs, numbers.Integral) or n_jobs == 0:
        raise ValueError(f"n_jobs={n_jobs!r} must be a number of threads, -1 for all, or None")
    return int(n_jobs) if n_jobs > 0 else effective_n_jobs(n_jobs)


class Estimator(BaseEstimator):
    """Base of all; a subclass says where its model is, and of which format its files are."""

    history_: list[Event]
    columns_: tuple[data.Column, ...]

    _fitted: str
    _format: str
    _numeric: bool

    def __new__(cls, *args: Any, **parameters: Any) -> Any:
        """Answer a parameter that is not there by the one that was probably meant."""
        estimator = super().__new__(cls)
        known = list(inspect.signature(cls.__init__).parameters)[1:]
        if len(args) > 1:
            raise TypeError(f"{cls.__name__} takes all parameters but {known[0]} by name")
        estimator._check_known(parameters, known, TypeError)
        return estimator

    def set_params(self, **params: Any) -> Self:
        """Set parameters, also those of what it holds, as ``estimator__depth=4``, and return it."""
        for name in params:
            held, nested, _ = name.partition("__")
            self._check_known([held], self._get_param_names(), ValueError)
            value = params.get(held, getattr(self, held))
            if nested and not hasattr(value, "set_params"):
                raise ValueError(
                    f"{name} is for an estimator, and {held}={value!r} is none: give one as {held}"
                )
        return super().set_params(**params)

    def _check_known(self, names: Iterable[str], known: list[str], error: type[Exception]) -> None:
        for name in names:
            if name not in known:
                hint = self._hint(name, known)
                raise error(f"{type(self).__name__} has no parameter {name!r}{hint}")

    @property
    def _shares(self) -> bool:
        """Whether it has learnt the shares of several outputs' classes, as numbers."""
        return False

    @property
    def _scales(self) -> bool:
        """Whether it learns by steps on columns that are divided by their deviations."""
        return False

    @property
    def _takes_several(self) -> bool:
        """Whether it learns several outputs of classes."""
        return False

    def _hint(self, name: str, known: list[str]) -> str:
        """How the sentence goes on that refuses a parameter."""
        if name in _IN_A_PIPELINE:
            maps = "a Nystroem, an RBFSampler or a SplineTransformer of scikit-learn"
            return f": put {maps} before it in a Pipeline"
        if name == "monotonic_cst":
            trees = "axis-aligned and annealed trees"
            return f", which {trees} have: see treecore.pruning.restore_order"
        near: list[str] = difflib.get_close_matches(name, known, 1)
        for alike in _ALIKE:
            near = [other for other in alike if name in alike and other in known] or near
        return f"; perhaps {near[0]} is meant" if near else f"; it has {', '.join(known)}"

    def _seed(self) -> int:
        """The seed of a run: ``random_state`` where that is a number, else drawn from it."""
        if isinstance(self.random_state, numbers.Integral):
            return check_seed(self.random_state, "random_state")
        if isinstance(self.random_state, np.random.Generator):
            return int(self.random_state.integers(2**31 - 1))
        return int(check_random_state(self.random_state).randint(2**31 - 1))

    def _read(self, X, y, sample_weight, first: bool = True, announced: bool = False):
        """Checked rows, targets as the trainer reads them, and weights, of which none is zero.

        ``first``: they say what later ones look like; ``announced``: but the classes are known.
        """
        refuse_sparse(X)
        self._check_flags("warm_start", "bootstrap", "oob_score")
        if not isinstance(self.callbacks, Sequence | None) or not all(
            map(callable, self.callbacks or ())
        ):
            raise ValueError(f"callbacks={self.callbacks!r} must be a list of callables, or None")
        tables = estimators.tables
        y = (tables.number_targets if self._numeric else tables.class_targets)(y)
        X = estimators.tables.readable(X)
        given = X
        X, y = self._read_words(X, y, first) or self._read_numbers(X, y, first)
        y, X = self._targets(y, first and not announced), as_rows(X, missing=True)
        if first:  # whole numbers beyond 2^53 have become float64
            is_array = isinstance(given, np.ndarray) and given.dtype.kind in "iuf"
            estimators.tables.warn_coarse(given if is_array else X, self._feature_names())
            if self._scales:
                estimators.tables.warn_far(X, self._feature_names())
        weight = sample_weight
        if weight is not None:
            weight = estimators.tables.unmasked(weight, "sample_weight")
            weight = _check_sample_weight(weight, y, dtype=np.float64, ensure_non_negative=True)
            if not weight.any():  # scikit-learn 1.9 has said so by now
                raise ValueError("sample weights must have at least one non-zero number among them")
            is_smoothed = hasattr(self, "smoothing") or hasattr(self, "bootstrap")
            if is_smoothed and weight.max() < 2 and weight.sum() < min(2, len(weight) / 10):
                warnings.warn(
                    f"sample_weight adds up to {weight.sum():.3g}, and leaves are smoothed as if "
                    "from so few rows: multiply the weights so that their mean is 1",
                    UserWarning,
                    stacklevel=3,
                )
            weighted = np.flatnonzero(weight)
            X, y, weight = X[weighted], y[weighted], weight[weighted]
        self.__dict__.pop("calibration_", None)  # it is of what was learnt before
        return X, y, weight

    def _read_words(self, X, y, first: bool):
        """Checked rows and targets where X holds words or dates; None where it holds numbers."""
        columns = () if first else self.columns_
        if first:
            found = estimators.tables.frame_of(X, self._categorical)
            self.columns_ = ()
            if found is None:
                return None
            validate_data(self, X, skip_check_array=True)  # which keeps the names of columns
            rows, self.columns_ = estimators.tables.learn_columns(*found)
        elif columns:
            rows = estimators.tables.encode(columns, X, self._column_names())
        else:
            return None
        checks = {"ensure_all_finite": "allow-nan", "multi_output": True}
        return check_X_y(rows, y, dtype=_NUMBERS, y_numeric=self._numeric, **checks)

    def _read_numbers(self, X, y, first: bool):
        if not first:
            estimators.tables.check_numbers(X)
        return validate_data(
            self,
            X,
            y,
            reset=first,
            ensure_all_finite="allow-nan",
            dtype=_NUMBERS,
            multi_output=True,
            y_numeric=self._numeric,
        )

    def _column_names(self) -> tuple[str, ...]:
        numbered = estimators.tables.numbered("x", self.n_features_in_)
        return tuple(map(str, getattr(self, "feature_names_in_", numbered)))

    def _feature_names(self) -> tuple[str, ...]:
        """What trees read: the columns of X, or the features that these are encoded as."""
        if self.columns_:
            return tuple(estimators.tables.feature_names(self.columns_))
        return self._column_names()

    def _sources(self) -> np.ndarray:
        """The column of X that each feature is made of, int (n_features,)."""
        if not self.columns_:
            return np.arange(self.n_features_in_)
        names = self._column_names()
        return np.array([names.index(one.name) for one in self.columns_ for _ in one.feature_names])

    @property
    def _categorical(self) -> Any:
        return getattr(self, "categorical_features", None)

    def _levels(self) -> np.ndarray | None:
        """Of which column of categories each feature is a level: ``TrainingRows.categories``."""
        said = estimators.tables.category_names(self._categorical, self._column_names())
        return data.level_columns(self.columns_, said)

    def _signs(self, given: Any) -> np.ndarray | None:
        """What ``monotonic_cst`` says of every feature, int8 (n_features,); None: nothing."""
        if given is None:
            return None
        names = self._column_names()
        of_columns = estimators.tables.column_signs(given, names)
        if self._shares and of_columns.any():
            raise ValueError("monotonic_cst is for one output: fit a tree for each")
        constrained = [names[j] for j in np.flatnonzero(of_columns)]
        words = [one.name for one in self.columns_ if isinstance(one, data.CategoryColumn)]
        odd = next((name for name in constrained if name in words), None)
        if odd is not None:
            raise ValueError(
                f"monotonic_cst names column {data.quoted(odd)}, which holds categories and so has "
                "no order: give 0, or turn it into numbers"
            )
        return of_columns[self._sources()] if of_columns.any() else None

    def _of_columns(self, importances: np.ndarray) -> np.ndarray:
        """Importances of features, added up for the columns of X that they come from."""
        return np.bincount(self._sources(), importances, self.n_features_in_)

    def _check_flags(self, *names: str) -> None:
        for name in names:
            value = getattr(self, name, False)
            if not isinstance(value, bool | np.bool_):
                raise ValueError(f"{name}={value!r} must be True or False")

    def _rows(self, X):
        if not hasattr(self, self._fitted):  # asked first: scikit-learn's check takes long for yes
            check_is_fitted(self, self._fitted)
        if self._as_expected(X):
            return X
        refuse_sparse(X)
        X = estimators.tables.readable(X)
        if self.columns_:
            X = estimators.tables.encode(self.columns_, X, self._column_names())
            return check_array(X, dtype=_NUMBERS, ensure_all_finite="allow-nan")
        estimators.tables.check_numbers(X)
        if not hasattr(self, "feature_names_in_"):
            X = estimators.tables.without_places(X)
        return validate_data(self, X, reset=False, ensure_all_finite="allow-nan", dtype=_NUMBERS)

    def _as_expected(self, X) -> bool:
        """Whether X is what scikit-learn's checks would hand back as it is.

        They take a millisecond, ten times as long as one row needs in all.
        """
        if type(X) is not np.ndarray or X.dtype not in _NUMBERS:
            return False
        if X.ndim != 2 or X.shape[1] != self.n_features_in_ or len(X) == 0:
            return False
        # A warning tells whoever leaves names out.
        return not self.columns_ and not hasattr(self, "feature_names_in_")

    def _run_callbacks(self, event: Event) -> bool:
        """Call all callbacks with an event; whether one of them wants the run to end."""
        if self.verbose and event.complete:
            figures = {"loss": event.loss, "accuracy": event.accuracy, "R²": event.r2}
            said = [f"{name} {value:.4g}" for name, value in figures.items() if value is not None]
            done = f"{event.unit} {event.done:.0f} of {event.total}"
            sys.stdout.write(f"{event.stage}, {done}: {', '.join(said)}\n")
        answers = [callback(event) for callback in self.callbacks or ()]
        return any(answer is True for answer in answers)

    def to_document(self) -> persistence.Document:
        """What has been learnt, with its names: for :mod:`treecore.export` and persistence."""
        check_is_fitted(self, self._fitted)
        return estimators.persistence.FORMATS[self._format].to_document(self)

    def to_json(self, indent: int | None = None) -> str:
        """What was learnt, in its format of :mod:`treecore.persistence`.

        Anyone can predict with it; the training rows and the history are not in it.

        Parameters
        ----------
        indent : int or None
            Spaces by which members stand to the right of their object; None: no lines.
        """
        return persistence.to_json(self.to_document(), indent)

    @classmethod
    def from_json(cls, text: str | bytes) -> Self:
        """An estimator that predicts as the one that was written.

        Labels come back as numbers where they were; of other than numbers and truth values,
        their names.

        Parameters
        ----------
        text : str or bytes

        Raises
        ------
        TreeFormatError
            For a text in another format, for one in which anything is wrong, and for a model of
            another kind or task.
        """
        return cls.from_document(persistence.from_json(text))

    @classmethod
    def from_document(cls, document: persistence.Document) -> Self:
        """As :meth:`from_json`, from a document that has been read already."""
        estimator = cls()
        estimators.persistence.FORMATS[cls._format].restore(estimator, document)
        return estimator

    def save(self, path: str | Path) -> None:
        """Write :meth:`to_json` to a file, all of it or nothing."""
        persistence.save(self.to_document(), path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """As :meth:`from_json`, from a file."""
        return cls.from_document(persistence.load(path))

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.input_tags.allow_nan = True
        tags.input_tags.string = True
        return tags


class ClassTargetsMixin(ClassifierMixin, Estimator):
    """Targets that are classes, of labels of any kind.

    Several outputs are learnt as numbers: a column for each class of each output, 1 in rows of that
    class and 0 in others. The variance of such columns is the sum of the outputs' Gini impurities,
    and their means are shares.
    """

    classes_: Any  # an array, or a list with one for each of several outputs
    n_classes_: Any  # an int, or a list
    n_outputs_: int

    _numeric = False

    @property
    def _shares(self) -> bool:
        return getattr(self, "n_outputs_", 1) > 1

    def _targets(self, y, first: bool) -> np.ndarray:
        """Class indices; of several outputs 0 or 1, float64 (n_samples, sum of n_classes_).

        Labels that were not there at first are an error.
        """
        several = np.ndim(y) == 2 and np.shape(y)[1] > 1 and not issparse(y)
        n_outputs = np.shape(y)[1] if several else 1
        if not first and n_outputs != self.n_outputs_:
            now = counted(n_outputs, "output")
            raise ValueError(f"y has {now}, and had {self.n_outputs_} before")
        if several and not self._takes_several:
            raise ValueError(
                f"y has {n_outputs} outputs, and {type(self).__name__} learns one of classes here: "
                "fit one for each, or take AxisTreeClassifier or a forest of it"
            )
        self.n_outputs_ = n_outputs
        if not several:
            labels, index = self._indexed(y, None if first else self.classes_)
            if first:
                self._announce(labels)
            return index
        columns = [estimators.tables.class_targets(column) for column in np.asarray(y).T]
        known = [None] * n_outputs if first else self.classes_
        found = [self._indexed(*pair) for pair in zip(columns, known, strict=True)]
        if first:
            self.classes_ = [labels for labels, _ in found]
            self.n_classes_ = [len(labels) for labels, _ in found]
        return np.hstack([np.eye(len(labels))[index] for labels, index in found])

    def _announce(self, labels: np.ndarray) -> None:
        """There are these classes, of one output."""
        self.classes_, self.n_classes_, self.n_outputs_ = labels, len(labels), 1

    def _indexed(self, y, known) -> tuple[np.ndarray, np.ndarray]:
        """Labels, which are ``known`` or those of y, and their places; int64 (n_samples,)."""
        y = column_or_1d(y, warn=True)
        kinds = sorted({type(label).__name__ for label in y.tolist()}) if y.dtype == object else ()
        if len(kinds) > 1:
            said = ", ".join(kinds)
            raise ValueError(f"y holds labels of several kinds ({said}): make them all strings")
        check_classification_targets(y)
        labels, index = np.unique(y, return_inverse=True)
        known = labels if known is None else known
        place = {label: i for i, label in enumerate(known.tolist())}
        unknown = [label for label in labels.tolist() if label not in place]
        if unknown:
            raise ValueError(
                f"y holds {unknown[0]!r}, which is none of the classes announced or learnt so far"
            )
        places = np.array([place[label] for label in labels.tolist()], dtype=np.int64)
        return known, places[index]

    def _of_outputs(self, means: np.ndarray) -> list[np.ndarray]:
        """Probabilities of several outputs' classes, of what was learnt for all of them."""
        parts = np.split(np.maximum(means, 0.0), np.cumsum(self.n_classes_)[:-1], axis=1)
        return [part / part.sum(axis=1, keepdims=True) for part in parts]

    def _favourites(self, shares: list[np.ndarray]) -> np.ndarray:
        """The labels of greatest probability, (n_samples, n_outputs)."""
        found = [c[p.argmax(axis=1)] for c, p in zip(self.classes_, shares, strict=True)]
        is_mixed = len({column.dtype.kind for column in found}) > 1
        return np.column_stack([one.astype(object) if is_mixed else one for one in found])

    def predict(self, X: Rows) -> np.ndarray:
        """The most probable class of every row, (n_samples,) or (n_samples, n_outputs).

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        return self._favourites(self.predict_proba(X))  # of several outputs

    def predict_proba(self, X: Rows) -> Any:
        """Probabilities of the classes, in the order of ``classes_``; (n_samples, n_classes).

        Of a forest the mean of the trees' probabilities, or where they are boosted the shares of
        their votes. Of several outputs a list with such an array for each.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        raise NotImplementedError

    def predict_log_proba(self, X: Rows) -> Any:
        """Logarithms of :meth:`predict_proba`; minus infinity where a class has no share.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        shares = self.predict_proba(X)
        with np.errstate(divide="ignore"):
            return [np.log(one) for one in shares] if self._shares else np.log(shares)

    def score(self, X: Rows, y: Labels, sample_weight: Weights = None) -> float:
        """Share of the rows that are classified rightly, of several outputs in all of them.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
        y : array, shape (n_samples,) or (n_samples, n_outputs)
        sample_weight : array, shape (n_samples,), or None
        """
        if not self._shares:
            return super().score(X, y, sample_weight)
        said, y = self.predict(X), np.asarray(y)
        if y.shape != said.shape:
            raise ValueError(f"y has shape {y.shape}, and {said.shape} is predicted")
        weights: Any = sample_weight
        return float(np.average((said == y).all(axis=1), weights=weights))

    def _by_class(self):
        """What each class weighs: a dict, "balanced" or None."""
        return self.class_weight

    def _balances(self) -> bool:
        """Whether all classes are to weigh the same."""
        by_class = self._by_class()
        if by_class is not None and self._shares:
            raise ValueError(
                f"class_weight is for one output, and y has {self.n_outputs_}: give sample_weight"
            )
        if isinstance(by_class, str) and by_class == "balanced":
            return True
        if not isinstance(by_class, dict | None):
            raise ValueError(f'class_weight={by_class!r} must be a dict, "balanced" or None')
        return False

    def _with_class_weight(self, y: np.ndarray, weight):
        """Weights of rows, times what a dict says of their classes; others weigh 1."""
        by_class = self._by_class()
        if not isinstance(by_class, dict):
            return weight
        names = self.classes_.tolist()
        unknown = [name for name in by_class if name not in names]
        if unknown:
            raise ValueError(f"class_weight names {unknown[0]!r}, which is none of the classes")
        weights = by_class.values()
        wrong = [
            w for w in weights if not isinstance(w, numbers.Real) or not 0 <= float(w) < np.inf
        ]
        if wrong:
            raise ValueError(f"class_weight holds {wrong[0]!r}, and must hold numbers from 0")
        factor = np.array([by_class.get(name, 1.0) for name in names], dtype=np.float64)
        return factor[y] if weight is None else factor[y] * weight

    def _n_classes(self) -> int | None:
        return None if self._shares else self.n_classes_

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = tags.classifier_tags.multi_label = self._takes_several
        return tags


class NumberTargetsMixin(RegressorMixin):
    """Targets that are numbers, one or several a row."""

    n_outputs_: int

    _numeric = True

    def _targets(self, y, first: bool) -> np.ndarray:
        """Numbers, float64 (n_samples, n_outputs)."""
        y = np.asarray(y, dtype=np.float64)
        if first:
            self._several = y.ndim == 2 and y.shape[1] > 1
            self.n_outputs_ = y.shape[1] if self._several else 1
        y = y.reshape(len(y), -1)
        if y.shape[1] != self.n_outputs_:
            raise ValueError(f"y has {y.shape[1]} outputs, and had {self.n_outputs_} before")
        return y

    def predict(self, X: Rows) -> np.ndarray:
        """The numbers of every row, float64, of the shape that y had.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        return self._shaped(self._numbers(X))

    def _numbers(self, X: Rows) -> np.ndarray:
        """What is predicted, float64 (n_samples, n_outputs)."""
        raise NotImplementedError

    def _shaped(self, values: np.ndarray) -> np.ndarray:
        """Predictions in the shape that y had."""
        return values if self._several else values[:, 0]

    def _with_class_weight(self, y, weight):
        return weight

    def _n_classes(self) -> None:
        return None

    def __sklearn_tags__(self):
        tags = super().__sklearn_tags__()
        tags.target_tags.multi_output = True
        return tags
