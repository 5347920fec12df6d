"""Models that LightGBM saves as text (``booster.save_model("model.txt")``)."""

from __future__ import annotations

import numpy as np

from treecore.export.readers.nodes import (
    AS_ZERO,
    TO_LEFT,
    TO_RIGHT,
    Nodes,
    at_most,
    check_classes,
    check_decimals,
    margin_document,
    number_forest,
    numbered_names,
    widened,
)
from treecore.persistence import Document, TreeFormatError

_CATEGORICAL, _DEFAULT_LEFT = 1, 2
_ZERO, _NAN = 1, 2
"""What a missing value is, by two bits of a decision; 0: there is none, and NaN is read as 0."""

_ZEROS = np.float32(1e-35)
"""Numbers of no greater size are read as 0."""

_IDENTITY = ("regression", "regression_l1", "huber", "fair", "quantile", "mape", "lambdarank",
             "rank_xendcg", "custom")  # fmt: skip


def from_lightgbm(text: str, complete_rows: bool = False) -> Document:
    """A model from the text of its file.

    LightGBM compares float64 numbers, ``x <= threshold``; here thresholds are moved down to
    float32, so every row of float32 numbers reaches the leaf that it reaches there. A model that
    would send decimal cells elsewhere is refused. What is within 1e-35 of 0 is 0 to LightGBM, and
    thresholds so near to 0 are moved. Sums are equal to 1e-6; what a link makes of them is told
    only of a single tree of two classes. A model that has seen no missing value reads one as 0,
    there and here.

    complete_rows: whether rows to be predicted have no missing values. Raises TreeFormatError.
    """
    try:
        return _read(text, complete_rows)
    except TreeFormatError:
        raise
    except (ArithmeticError, LookupError, ValueError) as error:
        raise TreeFormatError(
            f"this is no model that LightGBM has saved as text, or not a whole one ({error!r}): "
            'save it anew by save_model("model.txt")'
        ) from None


def _read(text: str, complete_rows: bool) -> Document:
    body, ending, _ = text.partition("\nend of trees")
    if not ending:
        raise TreeFormatError("the file ends before its trees do; it seems to be cut off")
    head, *parts = body.split("\nTree=")
    facts = _facts(head)
    k = check_classes(int(facts["num_tree_per_iteration"]))
    objective = facts.get("objective", "custom").split()
    p = int(facts["max_feature_idx"]) + 1
    names = numbered_names(facts["feature_names"].split(), p)
    trees = [_nodes(_facts(part), number % k, k, names) for number, part in enumerate(parts)]
    if not trees:
        raise TreeFormatError("the model has no trees")
    if "average_output" in head.split("\n"):
        rounds = len(trees) / k
        trees = [tree.saying(tree.values / rounds) for tree in trees]
    training = {"method": f"LightGBM {objective[0]}"}
    base = np.zeros(k)
    if objective[0] == "binary" and "sigmoid:1" in objective:
        return margin_document(trees, base, names, ("0", "1"), complete_rows, training)
    if objective[0] == "multiclass":
        classes = tuple(map(str, range(k)))
        return margin_document(trees, base, names, classes, complete_rows, training)
    plain = objective[0] in _IDENTITY and "sqrt" not in objective
    output = "y" if plain else f"raw score ({' '.join(objective)})"
    outputs = (output,) if k == 1 else tuple(f"{output} {i}" for i in range(1, k + 1))
    return number_forest(trees, base, names, outputs, complete_rows, training)


def _facts(block: str) -> dict[str, str]:
    """The lines ``key=value`` of a block."""
    return dict(line.split("=", 1) for line in block.split("\n") if "=" in line)


def _nodes(facts: dict[str, str], k: int, n_outputs: int, names: tuple[str, ...]) -> Nodes:
    if facts.get("is_linear", "0") != "0":
        raise TreeFormatError("a leaf has a linear model, and leaves of treecore have numbers")
    n_leaves = int(facts["num_leaves"])
    n = n_leaves - 1
    values = widened(_floats(facts["leaf_value"], n_leaves), k, n_outputs)
    values = np.concatenate([np.zeros((n, n_outputs)), values])
    none = np.full(n_leaves, -1)
    if n == 0:
        return Nodes(none, none, none, np.zeros(1, dtype=np.float32), values, none)
    kinds = _floats(facts["decision_type"], n).astype(np.int64)
    if (kinds & _CATEGORICAL).any():
        raise TreeFormatError(
            "a split asks for categories, and treecore compares numbers: encode them one by one"
        )
    missing_type = (kinds >> 2) & 3
    if (missing_type == _ZERO).any():
        raise TreeFormatError("the model reads zeros as missing values, which treecore does not")
    side = np.where(kinds & _DEFAULT_LEFT, TO_LEFT, TO_RIGHT)

    def children(side: str) -> np.ndarray:
        """A leaf is ``~leaf`` there, and stands behind the splits here."""
        references = _floats(facts[side], n).astype(np.int64)
        return np.concatenate([np.where(references >= 0, references, n + ~references), none])

    exact = _without_zeros(_floats(facts["threshold"], n))
    threshold = at_most(exact)  # which refuses NaN
    feature = _floats(facts["split_feature"], n).astype(np.int64)
    if not 0 <= feature.min() <= feature.max() < len(names):
        raise TreeFormatError(
            f"a split reads feature {feature.max()}, and there are {len(names)} features"
        )
    check_decimals(exact, feature, names, "LightGBM")
    return Nodes(
        children("left_child"),
        children("right_child"),
        np.concatenate([feature, none]),
        np.concatenate([threshold, np.zeros(n_leaves, dtype=np.float32)]),
        values,
        np.concatenate([np.where(missing_type == _NAN, side, AS_ZERO), none]),
    )


def _without_zeros(threshold: np.ndarray) -> np.ndarray:
    """Thresholds that divide rows as they are, where LightGBM reads what is within 1e-35 as 0."""
    moved = np.where(threshold < 0, np.nextafter(-_ZEROS, np.float32(-1)), _ZEROS)
    return np.where(np.abs(threshold) <= _ZEROS, moved, threshold)


def _floats(text: str, n: int) -> np.ndarray:
    numbers = np.array(text.split(), dtype=np.float64)
    if len(numbers) != n:
        raise TreeFormatError(f"a list of the model has {len(numbers)} numbers in place of {n}")
    return numbers
