"""The base of both estimators of one tree: check tables, train, and predict with the tree."""

from __future__ import annotations

import copy
import math
import numbers
from collections.abc import Callable, Iterator
from typing import Any, Self

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import softmax
from sklearn.utils.validation import check_is_fitted

from treecore import data, export, inspection, persistence, training, viewer
from treecore.base.array_types import Labels, Rows, Weights
from treecore.core.routing import apply, predict_values
from treecore.core.running_stats import RunningStats
from treecore.core.tree import Tree, parents, single_leaf, tree_depth
from treecore.estimators.conformal import Conformal
from treecore.pruning.light_leaves import without_light_leaves
from treecore.pruning.monotonic import restore_order
from treecore.rows.finite import filled
from treecore.rows.training_rows import TrainingRows
from treecore.training.config import RunConfig
from treecore.training.events import Event
from treecore.training.registry import find_tree

LARGEST_DRAWN = 256
"""Most leaves of a tree that a notebook shows below the estimator, and that is printed whole."""

LEVELS, TERMS = 6, 4
"""Levels of a larger tree that are printed, and features of a split that are."""


class ObliqueTree(Conformal):
    """Base of the estimators of one tree."""

    min_weight_fraction_leaf: float
    early_stopping: bool = False
    feature_map_: data.FeatureMap | None
    n_iter_: int
    n_features_in_: int
    tree_: Tree
    _counts: np.ndarray | None
    _moments: RunningStats | None
    _beginning: dict[str, Any]
    _event: Event | None
    _importances: np.ndarray | None

    _watched: Callable[[training.TreeTrainer], Iterator[Event]] | None = None
    """Drives the trainer in place of its own ``events``; set by :mod:`treecore.notebook`."""

    _fitted = "tree_"
    _format = "tree"

    @property
    def _tree_method(self) -> str:
        """The entry of the registry that learns."""
        raise NotImplementedError

    @property
    def _filed_method(self) -> str:
        return self._tree_method

    def _settings(self) -> dict[str, Any]:
        """All settings that are given; ValueError with the name of the parameter at fault."""
        raise NotImplementedError

    def _chosen_settings(self) -> dict[str, Any]:
        """The same, as files call them."""
        raise NotImplementedError

    def _take(self, method: str | None, settings: dict[str, Any]) -> None:
        """Set what a file says of the method and its settings, as far as it is valid here."""
        raise NotImplementedError

    def _config(self, loss: str, seed: int, class_weight: str = "none", **changes) -> RunConfig:
        """The run of a loss and a seed that the parameters ask for."""
        if isinstance(self.verbose, str) or self.verbose not in (0, 1):
            raise ValueError(f"verbose={self.verbose!r} must be 0, or 1 for a line a measured tree")
        self._check_flags("early_stopping")
        smallest = self.min_weight_fraction_leaf
        if not isinstance(smallest, numbers.Real) or not 0 <= smallest <= 0.5:
            raise ValueError(f"min_weight_fraction_leaf={smallest!r} must be between 0 and 0.5")
        settings = self._settings() | changes
        return RunConfig(
            self._tree_method, seed=seed, loss=loss, class_weight=class_weight, **settings
        )

    def _run_config(self, seed: int, **changes) -> RunConfig:
        """The run that the parameters ask for; ``changes`` are settings in their place."""
        raise NotImplementedError

    def _leaf_counts(self, leaf: np.ndarray, y: np.ndarray) -> np.ndarray:
        """Training rows by leaf and class; of numbers by leaf, in one column."""
        column, k = (y, self.tree_.n_outputs) if y.ndim == 1 else (0, 1)
        cell = leaf.astype(np.int64) * k + column
        return np.bincount(cell, minlength=k * self.tree_.n_leaves).reshape(-1, k)

    def _patience(self, config: RunConfig) -> int:
        """Passes without a fall of the validation loss that end a run."""
        # Where the learning rate falls, a loss that rests for long falls again in the end.
        return max(10, -(-find_tree(config.method).n_epochs(config.settings) // 3))

    def fit(self, X: Rows, y: Labels, sample_weight: Weights = None) -> Self:
        """Learn a tree from rows.

        Parameters
        ----------
        X : array or data frame, shape (n_samples, n_features)
            NaN stands for a missing value, which each axis-aligned split learns where to send;
            oblique splits read the mean of the column.
        y : array, shape (n_samples,), or (n_samples, n_outputs)
            Several outputs of classes for greedy trees only, which then lower the sum of the
            outputs' Gini impurities.
        sample_weight : array, shape (n_samples,), or None
            What each row counts, not negative. None: 1 each.

        Returns
        -------
        self

        Raises
        ------
        ValueError
            In one sentence, for rows, targets, weights or parameters that no tree can be learnt
            from or with.
        """
        seed = self._seed()
        rows, targets, weight = self._read(X, y, sample_weight)
        config = self._run_config(seed)
        self._stream_seed, self._n_pieces, self._moments = config.seed, 0, None
        self._check_beginning(first=True)
        if self._n_classes() == 1:
            return self._settle_single(targets)
        self._learn(config, rows, targets, weight)
        return self

    def _learn(self, config: RunConfig, X: np.ndarray, y: np.ndarray, weight) -> None:
        """Train, and keep the tree."""
        validation, rows, targets = None, X, y
        signs = self._signs(getattr(self, "monotonic_cst", None))
        if self.early_stopping:
            strata = y if y.dtype.kind == "i" else np.zeros(len(y), dtype=np.int64)
            train, held = data.split_rows(strata, 0.1, config.seed)
            held_weight = None if weight is None else weight[held]
            validation = X[held], y[held], held_weight
            rows, targets = X[train], y[train]
            weight = None if weight is None else weight[train]
        trainer = training.TreeTrainer(
            config,
            rows,
            targets,
            sample_weight=self._with_class_weight(targets, weight),
            validation=validation,
            n_classes=self._n_classes(),
            monotonic=signs,
            categories=self._levels(),
            one_unit=self._shares,
        )
        self._run(trainer)
        if find_tree(self._tree_method).streams:
            self._moments = RunningStats().update(self._apply_map(rows), targets, weight)

    def _check_beginning(self, first: bool) -> None:
        """Keep what decides a new tree; ValueError where it has changed and learning goes on."""
        now = {name: getattr(self, name, None) for name in ("depth", "start", "shape")}
        self._beginning = now if first else self._beginning
        for name, began in self._beginning.items():
            if now[name] != began:
                raise ValueError(
                    f"{name}={now[name]!r} is for a new tree, and partial_fit goes on from one "
                    f"that began with {name}={began!r}: use fit, or set it back"
                )

    def _partial_fit(self, X, y, sample_weight, announced: bool = False) -> Self:
        """One pass over a piece; ``announced`` says that the classes are known already."""
        if self.early_stopping:
            raise ValueError("early_stopping needs all rows at once; use fit, or set it to False")
        if getattr(self, "monotonic_cst", None) is not None:
            raise ValueError("monotonic_cst needs all rows at once; use fit, or leave it out")
        first = not hasattr(self, "tree_")
        so_far = None if first else self._moments
        if not first and so_far is None:
            raise ValueError(
                "learning cannot continue from the present tree; use fit, or a new estimator"
            )
        if first:
            self._stream_seed, self._n_pieces = self._seed(), 0
        self._check_beginning(first)
        # Another order of the rows in every piece, decided by the one seed all the same.
        seed = int(np.random.SeedSequence([self._stream_seed, self._n_pieces]).generate_state(1)[0])
        X, y, weight = self._read(X, y, sample_weight, first, announced)
        settings_of = find_tree(self._tree_method).piece
        assert settings_of is not None, "the method streams, or partial_fit is not there"
        piece = settings_of(len(y))
        start = getattr(self, "start", None)
        if start not in (None, "auto"):  # a tree grown on one piece would be too small
            piece["start"] = start
        config = self._run_config(seed, **piece)
        more: dict[str, Any] = {}
        earlier: list[Event] = []
        if so_far is not None:
            moments = copy.deepcopy(so_far).update(self._apply_map(X), y, weight)
            more = {"start": self.tree_, "feature_map": self.feature_map_, "moments": moments}
            # The memory of a stream is bounded.
            earlier = self.history_[-1000:]
        weights = self._with_class_weight(y, weight)
        self._run(
            training.TreeTrainer(
                config, X, y, sample_weight=weights, n_classes=self._n_classes(), **more
            )
        )
        if so_far is None:
            moments = RunningStats().update(self._apply_map(X), y, weight)
        self._moments = moments
        self.history_ = earlier + self.history_
        self.n_iter_ = self._n_pieces = self._n_pieces + 1
        return self

    def _run(self, trainer: training.TreeTrainer) -> None:
        """Drive the trainer; keep its tree, or the best one where stopping early."""
        self.history_ = []
        best: tuple[Tree, Event, data.FeatureMap | None] | None = None
        waited = 0
        patience = self._patience(trainer.config)
        observed = self.early_stopping or self.callbacks or self.verbose
        if not observed and self._watched is None:
            trainer.measuring = "seldom"
        for event in trainer.events() if self._watched is None else self._watched(trainer):
            self.history_.append(event)
            stop = self._run_callbacks(event)
            if self.early_stopping and event.stage == trainer.config.method:
                waited += 1
                if best is None or _held_out_loss(event) < _held_out_loss(best[1]):
                    # A copy: the learner goes on to work in the arrays of its tree.
                    best = trainer.model.copy(), event, trainer.feature_map
                    waited = 0
            if stop or waited >= patience:
                break
        trainer.close()
        last = trainer.model, self.history_[-1], trainer.feature_map
        tree, self._event, self.feature_map_ = best or last
        done = [event.done for event in self.history_ if event.stage == trainer.config.method]
        self.n_iter_ = max(1, math.ceil(max(done, default=1)))
        criterion = getattr(trainer.config.settings, "criterion", "entropy")
        self._settle(tree, trainer.mapped_rows(self.feature_map_), criterion)

    def _settle(self, tree: Tree, rows: TrainingRows, criterion: str) -> None:
        """Keep a finished tree, and what is known of it by its training rows."""
        leaf = apply(tree, rows.X)
        if self.min_weight_fraction_leaf > 0:
            weight = np.bincount(leaf, rows.weight, tree.n_leaves)
            smallest = self.min_weight_fraction_leaf * rows.weight.sum()
            tree = without_light_leaves(tree, weight, smallest, rows.loss.task)
            # Of two leaves at one bound the mean may be rounded off.
            if rows.monotonic is not None and tree.linear is None:
                tree = restore_order(tree, rows.monotonic, task=rows.loss.task)
            leaf = apply(tree, rows.X)
        self.tree_ = tree
        self._n_samples, self._counts = len(leaf), self._leaf_counts(leaf, rows.y)
        sources = None if self.feature_map_ is None else self.feature_map_.sources
        self._importances = inspection.feature_importances(tree, rows, leaf, criterion, sources)

    def _settle_single(self, y: np.ndarray) -> Self:
        """The tree of a single class, in which there is nothing to learn."""
        self.tree_ = single_leaf([0.0], len(self._feature_names()))
        self.feature_map_, self._event = None, None
        self.history_, self.n_iter_ = [], 1
        self._n_samples, self._counts = len(y), np.array([[len(y)]])
        self._importances = np.zeros(self.tree_.n_features)
        return self

    @property
    def _asked(self) -> Tree:
        return self.tree_

    @property
    def _parts(self) -> Tree:
        return self.tree_

    def _answers(self, rows: np.ndarray) -> np.ndarray:
        values = predict_values(self.tree_, rows).astype(np.float64)
        return values if self._numeric or self._shares else softmax(values, axis=1)

    def _made_of(self) -> np.ndarray:
        columns = self._sources()
        if self.feature_map_ is None:
            return columns
        if self.feature_map_.sources is None:
            raise ValueError("features of a kernel are mixtures of all columns")
        return columns[self.feature_map_.sources]

    def _apply_map(self, X):
        return X if self.feature_map_ is None else self.feature_map_(X)

    def apply(self, X: Rows) -> np.ndarray:
        """The leaf of every row, as it is numbered in ``tree_.values``; int32 (n_samples,).

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.
        """
        return apply(self.tree_, self._as_read(X))

    def decision_path(self, X: Rows) -> csr_matrix:
        """Which nodes every row passes, from the root to its leaf.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.

        Returns
        -------
        sparse table of ones, CSR, shape (n_samples, n_splits + n_leaves)
            Split i of ``tree_`` is column i; leaf j is column ``n_splits + j``.
        """
        leaf = self.apply(X)
        of_split, of_leaf = parents(self.tree_)
        paths = []
        for j, node in enumerate(of_leaf):
            path = [self.tree_.n_splits + j]
            while node >= 0:
                path.append(int(node))
                node = of_split[node]
            paths.append(np.array(path[::-1]))
        lengths = np.array([len(path) for path in paths])
        indices = np.concatenate([paths[j] for j in leaf])
        indptr = np.concatenate([[0], np.cumsum(lengths[leaf])])
        n_nodes = self.tree_.n_splits + self.tree_.n_leaves
        ones = np.ones(len(indices), dtype=np.int64)
        return csr_matrix((ones, indices, indptr), shape=(len(leaf), n_nodes))

    def n_leaf_samples(self, X: Rows) -> np.ndarray:
        """Return the number of training rows in the leaf that each row reaches.

        Rows of weight 0 are not counted. After ``partial_fit`` these are rows of the last piece.

        Parameters
        ----------
        X : array, data frame or table, shape (n_samples, n_features)
            Columns as :meth:`fit` was given them; NaN is missing.

        Returns
        -------
        int array, shape (n_samples,)

        Raises
        ------
        ValueError
            For other columns, and for a tree from a file without these counts.
        """
        rows = self._as_read(X)
        if self._counts is None:
            raise ValueError("the file of this tree does not say how many rows each leaf has")
        return self._counts.sum(axis=1)[apply(self.tree_, rows)]

    def contributions(self, x: Any, background: Rows) -> inspection.contributions.Contributions:
        """What each column of a row has moved at the splits that it passes.

        Parameters
        ----------
        x : array, shape (n_features,), a series, or a table of one row
        background : table, shape (n_rows, n_features)
            Rows whose means the row is compared with.

        Returns
        -------
        Contributions
            Of the columns of the table.

        Raises
        ------
        ValueError
            As :meth:`shapley_values`.
        """
        row, rest = self._as_read(self._one_row(x)), self._as_read(background)
        rest = filled(np.asarray(rest, dtype=np.float64), self._asked.missing)
        return inspection.contributions.contributions(
            self._asked, row[0], rest.mean(axis=0), self._made_of()
        )

    def __str__(self) -> str:
        """The fitted tree as text, which ``print`` shows; before that scikit-learn's ``repr``."""
        if not hasattr(self, "tree_"):
            return repr(self)
        document, is_small = self.to_document(), self.tree_.n_leaves <= LARGEST_DRAWN
        lines = export.tree_of_model(
            document, 0, persistence.MAX_DEPTH if is_small else LEVELS, TERMS
        )
        return "\n".join([*export.heading(document), *(str(line).rstrip() for line in lines)])

    def _html_repr(self) -> str:
        """scikit-learn's diagram, and below it the tree, once there is one that can be read."""
        html = super()._html_repr()
        tree = getattr(self, "tree_", None)
        if tree is None or tree.n_leaves > LARGEST_DRAWN:
            return html
        leaves = "1 leaf" if tree.n_leaves == 1 else f"{tree.n_leaves} leaves"
        title = f"{type(self).__name__}, {leaves}"
        picture = viewer.tree_svg(tree, title, self._numeric or self._shares)
        return f"<div>{html}<div>{picture}</div></div>"

    @property
    def feature_importances_(self) -> np.ndarray:
        """Share of every feature in the decrease of impurity; float64 (n_features,), of sum 1.

        See :mod:`treecore.inspection.importances`. Measured on the training rows, after
        ``partial_fit`` on those of the last piece. What splines make is counted for the feature
        that it is made of.
        """
        check_is_fitted(self, "tree_")
        if self._importances is None:
            raise AttributeError("importances need the training rows, which a file does not hold")
        return self._of_columns(self._importances)

    def get_depth(self) -> int:
        """Splits on the longest path from the root to a leaf."""
        check_is_fitted(self, "tree_")
        return tree_depth(self.tree_)

    def get_n_leaves(self) -> int:
        """Leaves of the tree, whether rows reach them or not."""
        check_is_fitted(self, "tree_")
        return self.tree_.n_leaves


def _held_out_loss(event: Event) -> float:
    assert event.validation_loss is not None, "early stopping holds rows out"
    return event.validation_loss
