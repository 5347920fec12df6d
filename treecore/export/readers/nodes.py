"""Nodes of other packages as trees, and sums of trees as documents."""

from __future__ import annotations

from collections.abc import Sequence
from decimal import Decimal
from typing import Any, NamedTuple

import numpy as np

from treecore.core.tree import Tree, make_tree, single_leaf
from treecore.data.validation import MAX_CLASSES
from treecore.ensembles.forest import Forest
from treecore.persistence import Document, TreeFormatError
from treecore.persistence.document import MAX_FEATURES, check_size

LARGEST = np.finfo(np.float32).max
"""Rows hold nothing greater, and what a missing value is read as may be this."""


class Nodes(NamedTuple):
    """A tree of another package.

    - left, right, feature: int (n_nodes,), numbers of the children, -1 of a leaf.
    - threshold: float32 (n_nodes,), rows go left that are at most this.
    - values: float64 (n_nodes, n_outputs), of the leaves; those of splits are not read.
    - missing_left: bool (n_nodes,), whether splits send a missing value to the left.
    """

    left: np.ndarray
    right: np.ndarray
    feature: np.ndarray
    threshold: np.ndarray
    values: np.ndarray
    missing_left: np.ndarray


def at_most(threshold) -> np.ndarray:
    """The greatest float32 numbers that are at most these: for ``x <= threshold``."""
    return _rounded_down(threshold, np.greater)


def less_than(threshold) -> np.ndarray:
    """The greatest float32 numbers that are less than these: for ``x < threshold``."""
    return _rounded_down(threshold, np.greater_equal)


def _rounded_down(threshold, too_great) -> np.ndarray:
    exact = np.asarray(threshold, dtype=np.float64)
    if np.isnan(exact).any():
        raise TreeFormatError("a split has the threshold NaN, which divides nothing")
    with np.errstate(over="ignore"):
        rounded = exact.astype(np.float32)
        below = np.nextafter(rounded, np.float32(-np.inf))
    found = np.minimum(np.where(too_great(rounded, exact), below, rounded), LARGEST)
    if (found < -LARGEST).any():
        raise TreeFormatError(
            f"a split has the threshold {exact.min():g}, below all numbers that treecore reads "
            "(float32, -3.4e38)"
        )
    return found.astype(np.float32)


def decimal_edges(
    exact: np.ndarray, asks_equal: Any, feature: np.ndarray, names: Sequence[str], package: str
) -> np.ndarray:
    """Float64 thresholds as float32, of ``x <= threshold`` where ``asks_equal``, else of ``<``.

    A feature whose thresholds are short decimals, but for a few, stems from a table of such: cells
    of as many digits around them, read as float32, stay on their side. TreeFormatError names two
    that float32 cannot tell apart.
    """
    asks_equal = np.broadcast_to(asks_equal, exact.shape)
    edges = np.where(asks_equal, at_most(exact), less_than(exact))
    decimals = [Decimal(f"{threshold:.12g}") for threshold in exact.tolist()]
    near = np.array([_is_near(*pair) for pair in zip(exact.tolist(), decimals, strict=True)])
    of_decimals = {j for j in feature.tolist() if near[feature == j].mean() > 0.5}
    for i, decimal in enumerate(decimals):
        if int(feature[i]) not in of_decimals or not near[i]:
            continue
        unit = Decimal(1).scaleb(min(0, int(decimal.normalize().as_tuple().exponent)))
        cells = np.array([float(decimal + step * unit) for step in range(-5, 6)])
        n_left = int((cells <= exact[i] if asks_equal[i] else cells < exact[i]).sum())
        left, right = cells[n_left - 1 : n_left + 1].astype(np.float32)
        if left == right:
            raise TreeFormatError(
                f"{package} compares float64 numbers, and treecore float32, which cannot tell "
                f"{cells[n_left - 1]!s} from {cells[n_left]!s}, between which a split on "
                f"{names[int(feature[i])]!r} is: subtract a constant from the column, or round it, "
                "before learning"
            )
        edges[i] = np.clip(edges[i], left, np.nextafter(right, np.float32(-np.inf)))
    return edges


def _is_near(threshold: float, decimal: Decimal) -> bool:
    """Whether a number is a short decimal, but for the last bits of its computation."""
    fits = abs(threshold) < 2**53  # beyond it float64 merges the whole numbers beside it
    return fits and abs(threshold - float(decimal)) <= 4 * np.spacing(abs(threshold))


def check_features(trees: Sequence[Nodes], names: Sequence[str]) -> None:
    """Refuse splits on features that there are none."""
    for nodes in trees:
        feature = nodes.feature[nodes.left >= 0]
        if len(feature) and not 0 <= feature.min() <= feature.max() < len(names):
            raise TreeFormatError(
                f"a split reads feature {feature.max()}, and there are {len(names)} features"
            )


def tree_of(nodes: Nodes, p: int, numeric: bool = False) -> Tree:
    """The same tree on p features, parents before children; TreeFormatError for no binary tree.

    numeric: leaves say numbers, whose differences have to survive rounding.
    """
    n = len(nodes.left)
    if n == 0:
        raise TreeFormatError("a tree has no nodes; was the file cut off?")
    if nodes.left[0] < 0:
        return single_leaf(nodes.values[0], p)
    splits: list[int] = []
    leaves: list[int] = []
    reference: dict[int, int] = {}
    pending = [0]
    while pending:
        node = pending.pop()
        if not 0 <= node < n or node in reference:
            raise TreeFormatError(f"node {node} is missing from the tree, or appears twice")
        if nodes.left[node] < 0:
            reference[node] = ~len(leaves)
            leaves.append(node)
            continue
        reference[node] = len(splits)
        splits.append(node)
        pending += [int(nodes.right[node]), int(nodes.left[node])]
    try:
        tree = make_tree(
            np.empty((0, p)),
            nodes.threshold[splits],
            nodes.feature[splits],
            np.full(len(splits), -1),
            [reference[int(i)] for i in nodes.left[splits]],
            [reference[int(i)] for i in nodes.right[splits]],
            nodes.values[leaves],
            missing_left=nodes.missing_left[splits],
        )
    except ValueError as error:
        raise TreeFormatError(str(error)) from None
    said = nodes.values[leaves]
    spread, largest = np.ptp(said, axis=0), np.abs(said).max(axis=0)
    lost = np.abs(tree.values.astype(np.float64) - said)
    # Rounding may take a thousandth of what leaves differ by.
    if numeric and (lost > np.where(spread > 0, 1e-3 * spread, 1e-6 * largest)).any():
        raise TreeFormatError(
            f"the leaves' numbers, about {largest.max():.3g}, differ by so little that rounding "
            "loses it: subtract a constant from the target before learning"
        )
    return tree


def log_shares(shares: np.ndarray) -> np.ndarray:
    """Leaf values whose softmax is the shares, but for rounding; TreeFormatError for no shares."""
    if (shares < -1e-6).any() or not np.allclose(shares.sum(axis=-1), 1.0, atol=1e-4):
        raise TreeFormatError("the shares of the classes in a leaf do not sum to 1")
    # No leaf can hold the logarithm of 0.
    return np.log(np.maximum(shares, 1e-30))


def class_forest(
    trees: Sequence[Nodes], feature_names: Sequence[str], class_names: Sequence[str],
    training: dict[str, Any],
) -> Document:  # fmt: skip
    """The document of trees whose leaves' shares of the classes are averaged."""
    check_features(trees, feature_names)
    p = len(feature_names)
    made = []
    for nodes in trees:
        shares = nodes.values.copy()
        shares[nodes.left >= 0] = 1.0 / shares.shape[1]  # those of splits are not read
        made.append(tree_of(nodes._replace(values=log_shares(shares)), p))
    model = made[0] if len(made) == 1 else Forest(tuple(made), np.ones(len(made)), "shares")
    return Document(model, tuple(feature_names), tuple(class_names), training=training)


def number_forest(
    trees: Sequence[Nodes], base: np.ndarray, feature_names: Sequence[str],
    output_names: Sequence[str], training: dict[str, Any],
) -> Document:  # fmt: skip
    """The document of trees whose leaves' numbers are added to ``base`` (n_outputs,).

    A forest takes means, so each tree says its number times theirs; the base is a tree of one leaf.
    """
    check_features(trees, feature_names)
    p = len(feature_names)
    if len(trees) == 1:
        tree = tree_of(trees[0]._replace(values=trees[0].values + base), p, numeric=True)
        return Document(tree, tuple(feature_names), training=training,
                        output_names=tuple(output_names))  # fmt: skip
    n = len(trees) + bool(np.any(base))
    made = [tree_of(nodes._replace(values=n * nodes.values), p, numeric=True) for nodes in trees]
    if np.any(base):
        made.append(single_leaf(n * base, p))
    return Document(
        Forest(tuple(made), np.ones(n), "mean"),
        tuple(feature_names),
        training=training,
        output_names=tuple(output_names),
    )


def margin_document(
    trees: Sequence[Nodes], base: np.ndarray, feature_names: Sequence[str],
    classes: Sequence[str], training: dict[str, Any],
) -> Document:  # fmt: skip
    """The document of boosted trees whose sums are log-odds of classes.

    A single tree of two classes tells them; of several trees the log-odds are predicted, as
    numbers.
    """
    if len(trees) == 1:
        nodes = trees[0]
        values = nodes.values + base
        if len(classes) == 2 and values.shape[1] == 1:
            values = np.concatenate([np.zeros_like(values), values], axis=1)
        check_features(trees, feature_names)
        tree = tree_of(nodes._replace(values=values), len(feature_names))
        return Document(tree, tuple(feature_names), tuple(classes), training=training)
    scored_classes = classes[1:] if len(classes) == 2 and len(base) == 1 else classes
    names = [f"log-odds of {name}" for name in scored_classes]
    return number_forest(trees, base, feature_names, names, training)


def widened(values: np.ndarray, k: int, n_outputs: int) -> np.ndarray:
    """One number a node as the k-th of several outputs, the others 0."""
    wide = np.zeros((len(values), n_outputs))
    wide[:, k] = values
    return wide


def check_classes(k: int) -> int:
    """The number of classes, which is not absurd."""
    check_size("model", k, MAX_CLASSES, "classes")
    return k


def numbered_names(names: Sequence[str] | None, n: int) -> tuple[str, ...]:
    """The names that there are, or x1, x2 and so on."""
    check_size("model", n, MAX_FEATURES, "features")
    given = () if names is None else tuple(names)  # of a frame or an array too
    return given or tuple(f"x{j}" for j in range(1, n + 1))
