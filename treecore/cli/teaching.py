"""``treecore train --teacher``: a tree that learns what another model answers."""

from __future__ import annotations

import importlib
import re
import sys
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from treecore.cli.arguments import read_model
from treecore.cli.choosing import counts_of, with_figures
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


def read_teacher(word: str, table: Dataset) -> AnyTeacher:
    """The model of a file or a run folder, or the function or model MODULE:NAME."""
    if ":" in word and not Path(word).exists():
        module, _, name = word.partition(":")
        sys.path.insert(0, str(Path.cwd()))
        try:
            teacher = getattr(importlib.import_module(module), name)
        except (ImportError, SyntaxError, AttributeError) as error:
            raise ValueError(
                f"--teacher {word}: {error}; give a model's file, or MODULE:FUNCTION"
            ) from None
        finally:
            sys.path.pop(0)
        asked = AnyTeacher(teacher, not table.n_classes, named=True)
    else:
        asked = AnyTeacher(_document_answers(read_model(word), table), not table.n_classes)
    if table.n_classes:
        asked.check_classes(np.array(table.class_names))
    return asked


def _document_answers(document: Document, table: Dataset) -> Callable[[np.ndarray], np.ndarray]:
    """A model as a function of a table's features; its outputs are in the order of the classes."""
    theirs, ours = list(document.feature_names), list(table.feature_names)
    is_numbered = all(re.fullmatch(rf"\D*{i}", name) for i, name in enumerate(theirs))
    if is_numbered and len(theirs) == len(ours):
        theirs = ours
    if lacking := [name for name in theirs if name not in ours]:
        raise ValueError(f"the teacher reads {lacking[0]}, which the table lacks")
    known, wanted = list(document.class_names), list(table.class_names)
    if set(known) != set(wanted):
        both = (f"the classes {', '.join(c[:10])}" if c else "numbers" for c in (known, wanted))
        raise ValueError("the teacher predicts {}, and the table has {}".format(*both))
    columns = [ours.index(name) for name in theirs]
    order: Any = [known.index(name) for name in wanted] if known else slice(None)
    return lambda X: scores(document, X[:, columns])[:, order]


def distil(
    source: Source,
    parts: tuple[Dataset, Dataset | None],
    word: str,
    config: RunConfig,
    progress: ProgressReport,
) -> Document:
    """The tree of a run's settings, taught as by :meth:`treecore.AxisTreeClassifier.distil`."""
    train, numbers = parts[0], not parts[0].n_classes
    asked, started = read_teacher(word, train), time.perf_counter()
    X, y = train.given.astype(np.float32), train.y[:, None] if numbers else train.y
    n, between = n_to_draw(X.shape, numbers), BETWEEN if numbers else 0.0

    def answers(rows: np.ndarray) -> np.ndarray:
        try:
            return asked.answers(rows)
        except (ArithmeticError, AttributeError, LookupError, TypeError) as error:
            raise ValueError(f"--teacher {word}: {type(error).__name__}: {error}") from error

    drawn = answered_rows(answers, X, n, config.seed, between=between)
    learnt, told, weight = as_targets(*drawn, numbers)
    trainer = Trainer(
        config,
        np.concatenate([X, learnt]),
        np.concatenate([y, told]),
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
