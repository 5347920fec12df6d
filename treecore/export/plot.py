"""A fitted tree on matplotlib's axes, drawn by ``sklearn.tree.plot_tree`` over its scores."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
from sklearn.tree import plot_tree

from treecore.core.tree import Tree
from treecore.export.sklearn import to_sklearn
from treecore.persistence import Document
from treecore.persistence.level_sets import named_set


def plot(
    tree: Any,
    ax: Any = None,
    *,
    max_depth: int | None = None,
    feature_names: Sequence[str] | None = None,
    class_names: Sequence[str] | None = None,
    precision: int = 2,
) -> Any:
    """Draw a fitted tree: its questions, rows and answers. Rows that say yes go to the left.

    Parameters
    ----------
    tree : fitted estimator of one tree, Tree or Document
        A Tree knows no names, and counts one row a leaf. Of a linear leaf the mean is shown.
    ax : matplotlib.axes.Axes or None
        Where to draw; what is there goes. None: the present axes.
    max_depth, precision : int
        As of :func:`sklearn.tree.plot_tree`: levels that are drawn, None all; decimals of numbers.
    feature_names : sequence of str, shape (n_features,), or None
        None: those of the estimator, or x0, x1, ... A split of several features names those of the
        four greatest weights; one of a set of levels all of them.
    class_names : sequence of str, shape (n_classes,), or None
        None: those of the estimator. A Tree predicts classes where they are given, or where it has
        several outputs.

    Returns
    -------
    matplotlib.axes.Axes

    Raises
    ------
    ImportError
        Without matplotlib.
    TypeError
        For a forest, and for what is no tree.
    ValueError
        For an estimator that is not fitted, and names that do not fit the tree.
    """
    document = tree.to_document() if hasattr(tree, "to_document") else tree
    if isinstance(tree, Tree):
        k, names = tree.n_outputs, tuple(f"x{j}" for j in range(tree.n_features))
        labels = tuple(map(str, range(k))) if k > 1 or class_names is not None else ()
        labels = labels if class_names is None else tuple(class_names)
        document = Document(tree, names, labels, output_names=() if labels else ("y",))
    if not isinstance(document, Document) or not isinstance(document.model, Tree):
        raise TypeError(f"plot draws one tree, as of a forest's estimators_, not {tree!r}")
    changes: dict[str, Any] = {"model": document.tree.without_linear()}
    if feature_names is not None:
        changes |= {"feature_names": tuple(feature_names), "columns": ()}
    if class_names is not None:
        changes["class_names"] = tuple(map(str, class_names))
    document = dataclasses.replace(document, **changes)
    pipeline = to_sklearn(document)
    questions, sets = _questions(document, pipeline)
    asked = ["\n".join(textwrap.wrap(name, 28)) for name in questions]
    try:  # scikit-learn imports matplotlib as it draws
        drawn = plot_tree(
            pipeline[-1],
            ax=ax,
            max_depth=max_depth,
            feature_names=asked,
            class_names=np.array(document.class_names) if document.class_names else None,
            filled=bool(document.class_names) or document.tree.n_outputs == 1,
            impurity=False,
            precision=precision,
        )
    except ImportError:
        raise ImportError("plot needs matplotlib: pip install 'treecore[plot]'") from None
    for note in drawn:  # a set of levels has no threshold
        for question in (asked[place] for place in sets):
            if note.get_text().startswith(f"{question} <= "):
                _threshold, *rows = note.get_text().removeprefix(question).split("\n")
                note.set_text("\n".join([question, *rows]))
    return drawn[0].axes


def _questions(document: Document, pipeline: Any) -> tuple[list[str], set[int]]:
    """What scores ask, whose rows that say yes go left, without thresholds; which ask for sets."""
    names = pipeline[:-1].get_feature_names_out().tolist()
    view, sets = pipeline[0].view, set()
    for feature, threshold in zip(view.trees[0].feature, view.trees[0].threshold, strict=True):
        columns, weights = document.columns, view.matrix[feature]
        asked = named_set(columns, document.feature_names, weights, threshold)
        if asked is not None and feature >= len(view.features):
            sent_left = asked._replace(is_in=not asked.is_in)
            names[feature] = sent_left.text()
            sets.add(int(feature))
    return names, sets
