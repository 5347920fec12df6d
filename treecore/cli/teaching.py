"""``treecore train --teacher``: a tree that learns what another model answers."""

from __future__ import annotations

import importlib
import os
import re
import sys
import time
from typing import Any

import numpy as np
from click import UsageError

from treecore.cli.choosing import counts_of, with_figures
from treecore.cli.models import read_model
from treecore.cli.options import option_of
from treecore.cli.progress import ProgressReport
from treecore.core.routing import apply
from treecore.core.tree import Tree
from treecore.data.dataset import Dataset
from treecore.data.sources import Source
from treecore.persistence import Document
from treecore.persistence.evaluation import scores
from treecore.runs.result import data_of, trained_document
from treecore.selection.any_teacher import AnyTeacher
from treecore.selection.taught_rows import BETWEEN, answered_rows, as_targets, n_to_draw
from treecore.training.config import RunConfig
from treecore.training.trainer import Trainer


def check_single(out: str | None, **others: Any) -> None:
    """Refuse what belongs to a run in a folder; UsageError in one sentence."""
    given = [option_of(name) for name, value in others.items() if value]
    if given:
        raise UsageError(f"--teacher teaches a tree and keeps no run: leave {', '.join(given)}")
    if out is None:
        raise UsageError("--teacher keeps no run folder: say --out FILE for the tree")


def read_teacher(word: str, table: Dataset) -> AnyTeacher:
    """The model of a file or a run folder, or the function or model MODULE:NAME.

    It answers to the features of a table. Raises ValueError in one sentence.
    """
    if ":" in word and not os.path.exists(word):
        asked = AnyTeacher(_imported(word), not table.n_classes, named=True)
    else:
        asked = AnyTeacher(_Asked(read_model(word), table), not table.n_classes)
    if table.n_classes:
        asked.check_classes(np.array(table.class_names))
    return asked


def _imported(word: str) -> Any:
    module, _, name = word.partition(":")
    if os.getcwd() not in sys.path:
        sys.path.insert(0, os.getcwd())
    try:
        return getattr(importlib.import_module(module), name)
    except ModuleNotFoundError as error:
        raise ValueError(
            f"--teacher {word}: there is no module {error.name}; give a file, or MODULE:FUNCTION"
        ) from None
    except AttributeError:
        raise ValueError(f"--teacher {word}: the module {module} has no {name}") from None


class _Asked:
    """A document as a function of a table's features; its outputs in the order of the classes."""

    def __init__(self, document: Document, table: Dataset):
        theirs, ours = list(document.feature_names), list(table.feature_names)
        is_numbered = all(re.fullmatch(rf"\D*{i}", name) for i, name in enumerate(theirs))
        if lacking := [name for name in theirs if name not in ours]:
            if not (is_numbered and len(theirs) == len(ours)):
                raise ValueError(f"the teacher reads {lacking[0]}, which the table lacks")
            theirs = ours
        self._document, self._columns = document, [ours.index(name) for name in theirs]
        self._order: Any = slice(None)
        known = list(document.class_names)
        if bool(known) != bool(table.n_classes) or set(known) != set(table.class_names):
            what = f"the classes {', '.join(known[:10])}" if known else "numbers"
            wanted = f"those of the table, {', '.join(table.class_names[:10])}"
            raise ValueError(
                f"the teacher answers with {what}, and must answer with "
                f"{wanted if table.n_classes else 'numbers'}"
            )
        if known:
            self._order = [known.index(name) for name in table.class_names]

    def __call__(self, X: np.ndarray) -> np.ndarray:
        return scores(self._document, X[:, self._columns])[:, self._order]


def distil(
    source: Source,
    parts: tuple[Dataset, Dataset | None],
    word: str,
    config: RunConfig,
    progress: ProgressReport,
) -> Document:
    """Teach the tree of a run's settings: by the targets of the rows, and by answers to drawn ones.

    See :meth:`treecore.AxisTreeClassifier.distil`. Raises ValueError: also for a teacher that is
    not there or answers otherwise than the table.
    """
    train, numbers = parts[0], not parts[0].n_classes
    asked, started = read_teacher(word, train), time.perf_counter()
    X, y = train.given.astype(np.float32), train.y[:, None] if numbers else train.y
    n, between = n_to_draw(X.shape, numbers), BETWEEN if numbers else 0.0
    drawn = answered_rows(asked.answers, X, n, config.seed, between=between)
    learnt, answers, weight = as_targets(*drawn, numbers)
    trainer = Trainer(
        config,
        np.concatenate([X, learnt]),
        np.concatenate([y, answers]),
        sample_weight=np.concatenate([np.ones(len(X)), weight]),
        n_classes=train.n_classes or None,
    )
    for event in trainer.events():
        progress.update("Distilling", event.progress)
    tree = trainer.model
    assert isinstance(tree, Tree), "the method is one of trees"
    document = trained_document(
        tree,
        config,
        train,
        data_of(train) | {"source": source.as_dict()},
        {},
        counts=counts_of(apply(tree, train.given), tree.n_leaves, train),
        teacher=word,
    )
    return with_figures(document, parts, time.perf_counter() - started)
