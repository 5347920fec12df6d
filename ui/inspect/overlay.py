"""Rows laid over a tree: which of them fit it, where they fall, what it says of them."""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from treecore import Figures, Tree, apply, evaluate, predict, predict_proba
from treecore.core import predict_values
from treecore.data import Dataset, read_by
from treecore.losses import LOSSES
from treecore.persistence import Document
from ui.inspect.opened import OpenedTree, is_log_odds
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import N_, _

ROWS = {"training": N_("training examples"), "held": N_("test examples")}
"""How they are called in a sentence."""

SPLITS = {"training": N_("training split"), "held": N_("test split")}
"""And where the tree may have learnt from any of them."""

MAY_HAVE_SEEN = N_(
    "The model may have learnt from these examples, in either split. Then figures are too good."
)


@dataclass(frozen=True, eq=False)
class Overlay:
    """One of :data:`PARTS` of the rows over one tree; own: whether it learnt from these data alone.

    before, sources: what splines made rows of, and each column; else None, and the table's columns.
    """

    tree: Tree
    rows: Dataset
    part: str
    key: tuple
    before: Dataset | None = None
    sources: np.ndarray | None = None
    own: bool = True

    @property
    def rows_name(self) -> str:
        return _((ROWS if self.own else SPLITS)[self.part])

    def names(self, document: Document) -> tuple[str, ...]:
        """Names of what inspections speak of: of the columns, of which categories are one each."""
        if self.before is not None:
            return self.before.feature_names
        return tuple(one.name for one in document.columns) or document.feature_names

    @property
    def images(self) -> Dataset | None:
        return self.before if self.before is not None and self.before.image_shape else None

    @property
    def numbers(self) -> bool:
        return self.rows.task == "regression"

    @cached_property
    def leaf(self) -> np.ndarray:
        return apply(self.tree, self.rows.given)

    @cached_property
    def counts(self) -> np.ndarray:
        """Rows by leaf and class, int64 (n_leaves, n_classes), or (n_leaves, 1) of numbers."""
        if self.numbers:
            return np.bincount(self.leaf, minlength=self.tree.n_leaves)[:, None]
        k = self.tree.n_outputs
        cells = self.leaf * np.int64(k) + self.rows.y
        return np.bincount(cells, minlength=k * self.tree.n_leaves).reshape(-1, k)

    @cached_property
    def probabilities(self) -> np.ndarray:
        """Of the classes for every row, float64 (n_samples, n_classes)."""
        return predict_proba(self.tree, self.rows.given)

    @cached_property
    def guess(self) -> np.ndarray:
        if self.numbers:
            return predict_values(self.tree, self.rows.given)[:, 0]
        return predict(self.tree, self.rows.given)

    @cached_property
    def figures(self) -> Figures:
        loss = LOSSES["squared" if self.numbers else "log"]
        return evaluate(self.tree, self.rows.given, self.rows.y, loss=loss)

    @property
    def good(self) -> tuple[str, float]:
        accuracy, r2 = self.figures.accuracy, self.figures.r2
        return ("R²", float(r2 or 0.0)) if accuracy is None else (_("accuracy"), accuracy)

    @cached_property
    def purity(self) -> np.ndarray:
        """Share of the most frequent class in each leaf, NaN without rows, float64 (n_leaves,)."""
        n = self.counts.sum(axis=1)
        with np.errstate(invalid="ignore", divide="ignore"):
            return self.counts.max(axis=1) / n


def misfit(document: Document, train: Dataset) -> str:
    """Why rows cannot be laid over a tree, in one sentence; empty where they can."""
    n_outputs, n_features = document.model.n_outputs, len(document.feature_names)
    if train.n_features != n_features:
        return _(
            "The tree reads {n_features} features, but these examples have {n_features2}. Choose "
            "the tree's own data under *More*.",
            n_features=n_features,
            n_features2=train.n_features,
        )
    numbers = bool(document.output_names)
    if numbers != (train.task == "regression"):
        says, have = _("numbers"), _("classes")
        if not numbers:
            says, have = have, says
        return _(
            "The tree predicts {says}, but the targets of these examples are {have}. Choose the "
            "tree's own data under *More*.",
            says=says,
            have=have,
        )
    if not numbers and train.n_classes > n_outputs:
        return _(
            "The tree knows {n_outputs} classes, but these examples have {n_classes}. Choose the "
            "tree's own data under *More*.",
            n_outputs=n_outputs,
            n_classes=train.n_classes,
        )
    return ""


def sums_classes(document: Document, train: Dataset) -> bool:
    """Whether it is a forest that adds up log-odds of the classes of these rows."""
    k = len(document.output_names)
    if isinstance(document.model, Tree) or not is_log_odds(document):
        return False
    fits = train.n_features == len(document.feature_names) and train.task == "classification"
    return fits and train.n_classes <= (2 if k == 1 else k)


def renamed(document: Document, train: Dataset) -> str:
    """What is to be said where rows fit by their place alone; empty where names agree."""
    same = document.feature_names == train.feature_names
    named = document.class_names[: train.n_classes] == train.class_names
    if same and (named or document.output_names):
        return ""
    what = _("features") if not same else _("classes")
    return _(
        "The names of the model's {what} differ from those of the examples, so they are matched by "
        "position.",
        what=what,
    )


def as_read(opened: OpenedTree, data: ChosenData) -> ChosenData:
    """Rows as a tree reads them that they fit: what its map makes of them, or as they are."""
    if opened.over is None:
        return data
    by = opened.over.feature_map
    held = None if data.held is None else read_by(by, data.held)
    return ChosenData(read_by(by, data.train), held, (*data.key, opened.key))


def overlays(
    opened: OpenedTree, data: ChosenData, before: ChosenData | None = None
) -> dict[str, Overlay]:
    """The parts of the rows over a tree that they fit, by the words of :data:`PARTS`."""
    train, held = (before.train, before.held) if before is not None else (None, None)
    tree, by, own = opened.tree, opened.sources, opened.learnt_from(data)
    parts = {"training": (data.train, train), "held": (data.held, held)}
    return {
        part: Overlay(tree, rows, part, (*data.key, part), as_they_are, by, own)
        for part, (rows, as_they_are) in parts.items()
        if rows is not None
    }
