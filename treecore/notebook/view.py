"""The widget that a notebook shows, and what it is told while a tree learns.

A kernel hears nothing while a cell runs, so every message is whole, but for trees that the view has
seen. When the run ends, the recording follows, and stays with the notebook.
"""

from __future__ import annotations

import contextlib
import math
import time
from collections.abc import Iterator
from typing import Any

import anywidget
import numpy as np
import traitlets
from IPython import get_ipython
from IPython.display import display
from sklearn.base import RegressorMixin
from sklearn.utils.validation import check_is_fitted

from treecore.base.array_types import Labels, Rows, Weights
from treecore.core.tree import Tree, tree_depth
from treecore.data.dataset import Dataset, complete
from treecore.estimators.base import ObliqueTree
from treecore.export.text import tree_of_model
from treecore.losses import find_loss
from treecore.losses.metrics import evaluate
from treecore.persistence import Document
from treecore.rows.training_rows import TrainingRows
from treecore.training.config import RunConfig
from treecore.training.events import Event
from treecore.training.registry import METHODS
from treecore.training.trainer import Trainer
from treecore.viewer.messages.message import DEEPEST_SHOWN, Stage
from treecore.viewer.messages.planes import usual_plane
from treecore.viewer.messages.status import Frame, Status
from treecore.viewer.pages.bundle import bundle
from treecore.viewer.pages.recorded import RunRecorder, Seen, check_recordable, joined, recorded_run
from treecore.viewer.pictures.tree_picture import tree_svg

LEVELS, TERMS = 4, 3
"""Of the tree as text: levels that are told, and weights of a split."""

_RENDER = "export default { render: async (all) => (await loaded).render(all) };\n"


class NotebookView(anywidget.AnyWidget):
    """Map, curves and tree of one run.

    picked: what was clicked: ``{"split": i}``, ``{"leaf": j}`` or ``{"point": i}``, with the ``x``
    and the ``y`` of a point, and whether it was ``held`` out.
    """

    _esm = bundle("pages/notebook.js") + _RENDER
    message = traitlets.Bytes(b"").tag(sync=True)
    mark = traitlets.Dict().tag(sync=True)

    def __init__(self, subject: ObliqueTree | Trainer | Tree):
        if not isinstance(subject, ObliqueTree | Trainer | Tree):
            raise ValueError(
                f"a {type(subject).__name__} cannot be watched: give a tree estimator of treecore, "
                "a Trainer, or a Tree with X and y"
            )
        super().__init__()
        self.subject = subject
        self._stage: Stage | None = None
        self._train: Dataset | None = None
        self._config = RunConfig("axis")
        self._tree: Tree | None = None
        self._shown = False

    def fit(self, X: Rows, y: Labels, sample_weight: Weights = None) -> ObliqueTree:
        """Fit the estimator, and show it at work; gives the estimator."""
        if not isinstance(self.subject, ObliqueTree):
            raise ValueError("there is no estimator to fit: call run(), or watch an estimator")
        handle = self._display()
        self.subject._watched = self._events
        try:
            self.subject.fit(X, y, sample_weight=sample_weight)
        finally:
            del self.subject._watched
        if self._tree is None:
            # Nothing was learnt step by step. What is fitted stays, even if it cannot be drawn.
            with contextlib.suppress(ValueError):
                show_tree(self, X, y)
        if handle is not None:
            handle.update(self)
        return self.subject

    def run(self):
        """Drive the trainer to its end, and show it at work; gives its model."""
        if not isinstance(self.subject, Trainer):
            raise ValueError("there is no trainer to run: call fit(X, y), or watch a Trainer")
        handle = self._display()
        for _ in self._events(self.subject):
            pass
        if handle is not None:
            handle.update(self)
        return self.subject.model

    @property
    def picked(self) -> dict[str, Any] | None:
        """What was clicked last, None where nothing is marked."""
        marked = {kind: i for kind, i in self.mark.items() if isinstance(i, int) and i >= 0}
        if "point" not in marked or self._stage is None:
            return marked or None
        return marked | self._stage.point(marked["point"])

    def _display(self):
        """Put the view below the cell, unless it stands somewhere already."""
        if self._shown or get_ipython() is None:
            return None
        return display(self, display_id=True)

    def show(self, train: Dataset, held: Dataset | None, config: RunConfig) -> Stage:
        """From now on the view is about these rows. held: rows held out."""
        self._train = train
        self._stage = Stage(train, held, usual_plane(train), config)
        self._config = config
        return self._stage

    def keep(self, seen: list[Seen], history: list[Event]) -> None:
        """Show a run that is over by its trees, and have the notebook keep it."""
        assert self._stage is not None, "the rows are known by then"
        assert self._train is not None, "the rows are known by then"
        _event, self._tree, _assigned = seen[-1]
        name, config = self._train.name, self._config
        self.message = recorded_run(self._stage, name, config, seen, history, "finished").joined()

    def _events(self, trainer: Trainer) -> Iterator[Event]:
        estimator = self.subject if isinstance(self.subject, ObliqueTree) else None
        train, held = _rows_of(trainer, estimator)
        check_recordable(trainer, train)
        stage = self.show(train, held, trainer.config)
        recorder = RunRecorder(trainer.config.method)
        began, last_sent, n_sent = time.monotonic(), -math.inf, 0
        frames: list[Frame] = []
        while not trainer.finished:
            event = recorder.step(trainer)
            now = time.monotonic() - began
            if recorder.seen and now - last_sent >= 1 / 25:
                # The three newest trees, 25 times a second.
                frames = [*frames[-2:], Frame(n_sent, now, *recorder.seen[-1])]
                last_sent, n_sent = now, n_sent + 1
                history = tuple(recorder.history) or (event,)
                status = Status("running", "", event, tuple(frames), history, None)
                self.message = joined([stage.message(status, "live")])
            if event.complete:
                yield event
        if recorder.seen:
            self.keep(recorder.seen, recorder.history)

    def _repr_mimebundle_(self, **options):
        """The widget, and for readers without one its tree as a picture and as text."""
        self._shown = True
        found = super()._repr_mimebundle_(**options)
        shown, more = found if isinstance(found, tuple) else (found or {}, {})
        if self._tree is not None and self._train is not None:
            numbers = not self._train.class_names
            shown = {**shown, "image/svg+xml": tree_svg(self._tree, "The tree", numbers)}
        return {**shown, "text/plain": self._text()}, more

    def _text(self) -> str:
        if self._tree is None or self._train is None:
            return "A tree before training."
        lines = tree_of_model(_document(self._tree, self._train), 0, LEVELS, TERMS)
        return "\n".join(map(str, lines)) + "\n"


def show_tree(view: NotebookView, X: Rows, y: Labels) -> None:
    """Show a finished tree with rows; ValueError where they do not fit together."""
    subject = view.subject
    if isinstance(subject, Trainer):
        raise ValueError("a Trainer has rows of its own: watch it without X and y")
    if X is None or y is None:
        raise ValueError("a finished tree is shown with rows: give both X and y")
    estimator = subject if isinstance(subject, ObliqueTree) else None
    if estimator is not None:
        check_is_fitted(estimator)
        if (found := estimator.feature_map_) is not None:
            raise ValueError(f"this tree reads {found.title}, which have no map")
    tree = subject.tree_ if isinstance(subject, ObliqueTree) else subject
    train = _table(tree, X, y, estimator)
    depth = tree_depth(tree)
    loss = "log" if train.class_names else "squared"
    config = RunConfig("axis", depth=max(1, min(depth, DEEPEST_SHOWN)), loss=loss)
    figures = evaluate(tree, train.given, train.y, loss=find_loss(loss))
    event = Event(
        config.method,
        METHODS[config.method].unit,
        done=float(depth),
        total=depth,
        progress=1.0,
        complete=True,
        loss=figures.loss,
        accuracy=figures.accuracy,
        r2=figures.r2,
        active_leaves=figures.active_leaves,
        n_leaves=tree.n_leaves,
    )
    view.show(train, None, config)
    view.keep([(event, tree, None)], [event])


def _document(tree: Tree, train: Dataset) -> Document:
    names, classes = train.feature_names, train.class_names
    if classes:
        # A tree of one class has one output, and a table may know fewer classes than a tree.
        more = (f"no class {i}" for i in range(len(classes), tree.n_outputs))
        classes = (*classes, *more)[: tree.n_outputs]
        return Document(tree, names, class_names=classes)
    outputs = tuple(f"{train.target_name} {i + 1}" for i in range(tree.n_outputs))
    return Document(tree, names, output_names=outputs)


def _table(tree: Tree, X: Rows, y: Labels, estimator: ObliqueTree | None) -> Dataset:
    """Rows for a finished tree, checked."""
    n_features = tree.n_features
    names = tuple(map(str, getattr(X, "columns", ()))) or _numbered(n_features)
    X, y = np.ascontiguousarray(X, dtype=np.float64), np.asarray(y)
    if X.ndim != 2 or X.shape[1] != n_features:
        raise ValueError(f"X has shape {X.shape}, and the tree reads {n_features} features")
    if y.shape != (len(X),):
        raise ValueError(f"y has shape {y.shape}, and there are {len(X)} rows")
    if isinstance(estimator, RegressorMixin) or (estimator is None and tree.n_outputs == 1):
        table = Dataset("rows", X, y.astype(np.float64), names, ())
        return complete(table, None)[0]
    classes = np.arange(tree.n_outputs) if estimator is None else estimator.classes_
    known = {label: i for i, label in enumerate(classes.tolist())}
    strange = [label for label in np.unique(y).tolist() if label not in known]
    if strange:
        raise ValueError(f"y has the class {strange[0]!r}, which the tree does not know")
    codes = np.array([known[label] for label in y.tolist()], dtype=np.int64)
    table = Dataset("rows", X, codes, names, tuple(map(str, known)))
    return complete(table, None)[0]


def _rows_of(trainer: Trainer, estimator: ObliqueTree | None) -> tuple[Dataset, Dataset | None]:
    """What a trainer learns from and what it holds out, as tables with names."""
    rows, held = trainer.rows, trainer.held_out
    X = rows.X
    names = () if estimator is None else estimator._feature_names()
    if not hasattr(estimator, "feature_names_in_") or len(names) != X.shape[1]:
        names = _numbered(X.shape[1])
    classes: tuple[str, ...] = ()
    if rows.loss.task == "classification":
        known = getattr(estimator, "classes_", np.arange(rows.n_outputs))
        classes = tuple(map(str, known.tolist()))

    def table(part: TrainingRows) -> Dataset:
        y = trainer.targets(part)
        y = y if classes else np.asarray(y, dtype=np.float64).reshape(len(y), -1)[:, 0]
        X = np.asarray(part.X, dtype=np.float64)
        return Dataset("rows", X, y, names, classes)

    return complete(table(rows), table(held) if len(held.y) else None)


def _numbered(n: int) -> tuple[str, ...]:
    return tuple(f"x{i + 1}" for i in range(n))
