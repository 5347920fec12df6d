"""A fitted tree on matplotlib's axes, as ``sklearn.tree.plot_tree`` draws those of scikit-learn."""

from __future__ import annotations

import dataclasses
import textwrap
from collections.abc import Sequence
from typing import Any

import numpy as np
from scipy.special import softmax

from treecore.core.tree import OBLIQUE, Tree, counted
from treecore.estimators.base import ObliqueTree
from treecore.export.score_view import one_line, sum_text
from treecore.export.written import share_text
from treecore.persistence import Document
from treecore.pruning.subtrees import sums_below
from treecore.viewer.palette import PALETTE
from treecore.viewer.pictures.tree_layout import layout

TERMS, WIDTH = 3, 28
"""Features of an oblique split that are named, those of the greatest weights; letters of a line."""

LARGEST_FONT, SMALLEST_FONT = 11.0, 1.0
"""Points."""

STRONGEST = 0.6
"""Share of a node's colour, the rest of which is white: black text has to be read on it."""


def plot(
    tree: ObliqueTree | Tree,
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
    tree : fitted estimator of one tree, or Tree
        A tree alone knows neither names nor how many rows its nodes have.
    ax : matplotlib.axes.Axes or None
        Where to draw; what is there goes. None: the present axes.
    max_depth : int or None
        Levels of questions below the root that are drawn; deeper nodes are dots. None: all.
    feature_names : sequence of str, shape (n_features,), or None
        None: those of the estimator, or x0, x1, ...
    class_names : sequence of str, shape (n_classes,), or None
        None: those of the estimator. A tree alone predicts classes where they are given, or where
        it has several outputs.
    precision : int
        Decimals of thresholds and numbers; one that would be 0 has so many significant digits.

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
        For an estimator that is not fitted, names that do not fit the tree, and a ``max_depth`` or
        ``precision`` below 0.

    Examples
    --------
    >>> import matplotlib
    >>> matplotlib.use("agg")  # no window
    >>> from sklearn.datasets import load_iris
    >>> from treecore import AxisTreeClassifier, plot
    >>> X, y = load_iris(return_X_y=True, as_frame=True)
    >>> axes = plot(AxisTreeClassifier(max_depth=1).fit(X, y))
    >>> axes.texts[0].get_text().splitlines()
    ['petal length (cm) <= 2.45', '150 rows', '0: 33%']
    """
    try:
        from matplotlib import pyplot
    except ImportError:
        raise ImportError("plot needs matplotlib: pip install 'treecore[plot]'") from None
    for name, value in (("max_depth", max_depth), ("precision", precision)):
        if value is not None and not (isinstance(value, int | np.integer) and value >= 0):
            raise ValueError(f"{name}={value!r} must be a whole number from 0")
    document = _document(tree, feature_names, class_names)
    nodes, drawn = _Nodes(document, precision), document.tree

    def children(node: tuple[int, int]) -> list[tuple[int, int]]:
        """The nodes below one: reference as in ``tree.left``, and how many splits stand above."""
        at, level = node
        if at < 0 or (max_depth is not None and level > max_depth):
            return []
        return [(int(side[at]), level + 1) for side in (drawn.left, drawn.right)]

    places = layout((drawn.root, 0), children)
    x, y = np.array([(place.x, place.y) for place in places]).T
    x, y = (x + 0.5) / (x.max() + 1), (y + 0.5 - y.min()) / (1 - y.min())
    texts, colours = [], []
    for place in places:
        at, level = place.node
        is_shown = max_depth is None or level <= max_depth
        texts.append(nodes.text(at) if is_shown else "(...)")
        colours.append(nodes.colour(at) if is_shown else "white")
    ax = pyplot.gca() if ax is None else ax
    ax.clear()
    ax.set_axis_off()
    ax.set(xlim=(0, 1), ylim=(0, 1))
    size, page = _font_size(ax, texts, x, y), PALETTE["page"]["light"]
    for i, place in enumerate(places):
        box = {"boxstyle": "round", "facecolor": colours[i], "edgecolor": page["muted"]}
        ax.text(x[i], y[i], texts[i], ha="center", va="center", fontsize=size, bbox=box)
        if place.parent >= 0:
            ax.plot(x[[place.parent, i]], y[[place.parent, i]], color=page["faint"], zorder=1)
    return ax


class _Nodes:
    """What nodes say, by their references, and their colours."""

    def __init__(self, document: Document, precision: int):
        self._document, self._precision = document, precision
        tree, counts = document.tree, document.counts
        names, mapped = document.feature_names, document.feature_map
        if mapped is not None:
            names = tuple(mapped.name_of(j, names) for j in range(tree.n_features))
        self._names = [one_line(name) for name in names]
        # Of a node, by its reference: rows, and the answer, that of its rows, or else none.
        answers = tree.values.astype(np.float64)
        if document.class_names:
            answers = softmax(answers, axis=1)
        self._answers, self._rows = {~j: answer for j, answer in enumerate(answers)}, {}
        if counts is not None:
            n = counts.sum(axis=1, keepdims=True)
            below = sums_below(
                tree, np.hstack([n, counts if document.class_names else n * answers])
            )
            self._rows = {~j: int(m) for j, m in enumerate(n[:, 0])}
            for i, (m, *sums) in enumerate(below):
                self._rows[i] = int(m)
                if m > 0:
                    self._answers[i] = np.array(sums) / m
        numbers = np.array([answer[0] for answer in self._answers.values()])
        self._low, self._span = numbers.min(), max(float(np.ptp(numbers)), 1e-300)

    def text(self, at: int) -> str:
        """The lines of a node."""
        lines = [self._question(at)] if at >= 0 else []
        if at in self._rows:
            lines.append(counted(self._rows[at], "row"))
        if at in self._answers:
            lines.append(self._answer(at))
        return "\n".join(lines)

    def _question(self, split: int) -> str:
        tree = self._document.tree
        if tree.feature[split] != OBLIQUE:
            asked = self._names[tree.feature[split]]
        else:
            asked = sum_text(tree.weights[tree.row[split]], self._names, TERMS)
        missing = " or missing" if tree.has_directions and tree.missing_left[split] else ""
        question = f"{asked} <= {self._number(tree.threshold[split])}{missing}"
        return "\n".join(textwrap.wrap(question, WIDTH, break_long_words=False))

    def _answer(self, at: int) -> str:
        answer, classes = self._answers[at], self._document.class_names
        linear = "linear, mean " if at < 0 and self._document.tree.linear is not None else ""
        if classes:
            best = int(answer.argmax())
            return f"{linear}{one_line(classes[best])}: {share_text(float(answer[best]))}"
        return linear + ", ".join(map(self._number, answer))

    def _number(self, value: float) -> str:
        text = f"{value:.{self._precision}f}"
        return text if float(text) or not value else f"{value:.{max(1, self._precision)}g}"

    def colour(self, at: int) -> tuple[float, ...] | str:
        """The class of a node, paler where it is less sure; or its number, on a scale."""
        from matplotlib.colors import LinearSegmentedColormap, to_rgb

        answer = self._answers.get(at)
        if answer is None:
            return "white"
        if self._document.class_names:
            colours = PALETTE["classes"]["light"]
            base, k = to_rgb(colours[int(answer.argmax()) % len(colours)]), len(answer)
            strength = (float(answer.max()) - 1 / k) / (1 - 1 / k) if k > 1 else 1.0
        else:
            ramp = LinearSegmentedColormap.from_list("", PALETTE["ramps"]["number"]["light"])
            base, strength = ramp((answer[0] - self._low) / self._span)[:3], 1.0
        share = STRONGEST * min(1.0, max(0.0, strength))
        return tuple(1 - share * (1 - part) for part in base)


def _document(tree: Any, features: Sequence[str] | None, classes: Sequence[str] | None) -> Document:
    """The tree with its names."""
    if hasattr(tree, "to_document"):
        document = tree.to_document()
        if isinstance(document.model, Tree):
            changes: dict[str, Any] = (
                {} if features is None else {"feature_names": (*features,), "columns": ()}
            )
            if classes is not None and document.class_names:
                changes["class_names"] = tuple(classes)
            return dataclasses.replace(document, **changes)
    if not isinstance(tree, Tree):
        raise TypeError(
            f"plot draws a fitted tree, and this is a {type(tree).__name__}; of a forest draw one "
            "of its estimators_"
        )
    p, k = tree.n_features, tree.n_outputs
    names = tuple(f"x{j}" for j in range(p)) if features is None else tuple(features)
    if classes is None and k == 1:
        return Document(tree, names, output_names=("y",))
    return Document(tree, names, tuple(map(str, range(k) if classes is None else classes)))


def _font_size(ax: Any, texts: Sequence[str], x: np.ndarray, y: np.ndarray) -> float:
    """Points that let the nodes of a level stand beside one another, and levels below others."""
    box, points = ax.get_window_extent(), 72 / ax.figure.dpi
    lines = [text.splitlines() for text in texts]
    n_across = np.array([max(map(len, of_one)) for of_one in lines])
    sizes = [points * box.height / len(np.unique(y)) / (1.3 * max(map(len, lines)) + 2)]
    for level in np.unique(y):
        here = np.flatnonzero(y == level)
        here = here[np.argsort(x[here])]
        needed = (n_across[here[1:]] + n_across[here[:-1]]) / 2
        sizes += (points * box.width * np.diff(x[here]) / (0.55 * needed + 1.5)).tolist()
    return float(np.clip(min(sizes), SMALLEST_FONT, LARGEST_FONT))
