"""Boosted trees of XGBoost (JSON or UBJSON) and LightGBM (text), which treelite reads.

What treelite does not say (names, the best round, linear leaves) is looked up in the file here.
"""

from __future__ import annotations

import re
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from io import BytesIO
from pathlib import Path
from typing import Any

import numpy as np

from treecore.export.readers.nodes import (
    Nodes,
    check_classes,
    decimal_edges,
    less_than,
    margin_document,
    number_forest,
    numbered_names,
    widened,
)
from treecore.persistence import Document, TreeFormatError

_ASKS_CATEGORIES, _ZERO_IS_MISSING = 1, 4
"""Bits of a decision of LightGBM."""

_ZEROS = np.float32(1e-35)
"""Numbers of no greater size are read as 0 by LightGBM."""

_CATEGORIES = (
    "a split tests categories, but treecore compares numbers: encode each category as "
    "its own feature"
)

Arrays = dict[str, np.ndarray]


def from_xgboost(content: bytes, facts: dict[str, Any], kind: str = "json") -> Document:
    """A model that XGBoost has saved as ``"json"`` or ``"ubjson"``, up to its best round.

    ``x < threshold`` becomes ``x <=`` the float32 number below, so every row reaches its leaf. Sums
    are equal to 1e-6; what a link makes of them is told only of a single tree of two classes.
    """
    try:
        learner = facts["learner"]
        booster = learner["gradient_booster"]
        if booster["name"] not in ("gbtree", "dart"):
            raise TreeFormatError(
                f"the model's booster is {booster['name']}, but treecore reads only trees"
            )
        objective = learner["objective"]["name"]
        names = learner.get("feature_names")
        model = booster.get("gbtree", booster)["model"]
        at_once = int(model["gbtree_model_param"].get("num_parallel_tree", 1))
        best = learner.get("attributes", {}).get("best_iteration")
        n_rounds = None if best is None else at_once * (int(best) + 1)
        if (n_rounds or 1) < 1:
            raise ValueError(f"best_iteration {best}")
    except TreeFormatError:
        raise
    except (AttributeError, LookupError, TypeError, ValueError) as error:
        raise _damaged("XGBoost", error) from None
    read = _read("XGBoost", kind, content)
    return _document(read, "XGBoost", [objective], names, n_rounds)


def from_lightgbm(text: str) -> Document:
    """A model from the text of its file, which LightGBM cuts at the best round as it writes it.

    Thresholds are moved down to float32, so every row of float32 numbers reaches its leaf; in a
    table of decimals they go where float32 keeps these on their side, or TreeFormatError tells
    where it cannot. What is within 1e-35 of 0 is 0 to LightGBM, and thresholds so near to 0 are
    moved. Sums are equal to 1e-6.
    """
    head, start, trees = text.partition("\nTree=")
    trees, ending, _ = trees.partition("end of trees")
    if not ending:
        raise TreeFormatError("the file ends before its trees do; it seems to be cut off")
    facts = dict(line.split("=", 1) for line in head.split("\n") if "=" in line)
    kinds = " ".join(re.findall(r"^decision_type=(.*)$", trees, re.MULTILINE))
    try:
        sizes = sum(map(int, facts.get("tree_sizes", "").split()))
        decisions = {*map(int, kinds.split())}
    except ValueError as error:
        raise _damaged("LightGBM", error) from None
    if sizes not in (0, len(f"{start[1:]}{trees}".encode())):
        raise TreeFormatError(
            "the trees do not have the length that the file gives; it seems to be changed"
        )
    if re.search(r"^is_linear=(?!0$)", trees, re.MULTILINE):
        raise TreeFormatError(
            "a leaf has a linear model, but treecore reads leaves with numbers only"
        )
    if any(decision & _ASKS_CATEGORIES for decision in decisions):
        raise TreeFormatError(_CATEGORIES)
    if any(decision & _ZERO_IS_MISSING for decision in decisions):
        raise TreeFormatError("the model reads zeros as missing values, but treecore cannot")
    objective = facts.get("objective", "custom").split() or ["custom"]
    names = facts.get("feature_names", "").split()
    read = _read("LightGBM", "lightgbm", text.encode())
    return _document(read, "LightGBM", objective, names, None)


def _damaged(package: str, why: object) -> TreeFormatError:
    file = {"XGBoost": "model.json", "LightGBM": "model.txt"}[package]
    return TreeFormatError(
        f"this is not a complete model of {package} ({why}): save it again with "
        f'save_model("{file}")'
    )


def _read(package: str, kind: str, content: bytes) -> Arrays:
    """What treelite reads of a file, see ``trees_by_treelite.py``."""
    if find_spec("treelite") is None:
        raise ValueError(f"models of {package} need treelite: pip install 'treecore[models]'")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model")
        path.write_bytes(content)
        script = str(Path(__file__).with_name("trees_by_treelite.py"))
        # Megabytes: 2000, and a hundred times the file's size.
        most = 2000 + len(content) // 10_000
        command = [sys.executable, "-P", script, str(path), kind, str(most)]
        ran = subprocess.run(command, capture_output=True)
    if ran.returncode:
        last = ran.stderr.decode(errors="replace").rpartition("\n")[2]
        why = re.sub(r"^\[[\d:]+\] \S+ ", "", last).strip() if ran.returncode == 1 else ""
        if "categorical" in why:  # with a table of their codes, as XGBoost 3.1 and later write it
            raise TreeFormatError(_CATEGORIES)
        raise _damaged(package, why or "treelite crashes on it")
    return dict(np.load(BytesIO(ran.stdout), allow_pickle=False))


def _document(
    read: Arrays, package: str, objective: list[str], given_names: Any, n_rounds: int | None
) -> Document:  # fmt: skip
    """n_rounds: how many trees of each output count; None: all."""
    k = check_classes(max(int(read["num_target"][0]), int(read["num_class"].max())))
    names = numbered_names(given_names, int(read["num_feature"][0]))
    if len(names) != int(read["num_feature"][0]):
        raise _damaged(package, f"{len(names)} names of {read['num_feature'][0]} features")
    output = read["target_id"] if int(read["num_target"][0]) > 1 else read["class_id"]
    n_trees = int(read["n_trees"])
    if n_rounds is not None:
        n_trees = min(n_trees, n_rounds * (1 if (output < 0).any() else k))
    if not n_trees:
        raise TreeFormatError("the model has no trees")
    left, exact, feature = (
        [read[f"{name} {number}"] for number in range(n_trees)]
        for name in ("cleft", "threshold", "split_index")
    )
    all_nodes = [np.concatenate(parts) for parts in (left, exact, feature)]
    edges = _edges(all_nodes[0], all_nodes[1], all_nodes[2], names, package)
    ends = np.cumsum([len(of_tree) for of_tree in left])[:-1]
    trees = [
        _nodes(read, number, edge, int(output[number]), k)
        for number, edge in enumerate(np.split(edges, ends))
    ]
    if read["average_tree_output"][0]:
        trees = [tree._replace(values=tree.values * (k / n_trees)) for tree in trees]
    base = np.broadcast_to(read["base_scores"], k).astype(np.float64)
    training = {"method": f"{package} {objective[0]}"}
    link = str(read["postprocessor"])
    is_binary = objective[0].startswith("binary") and link == "sigmoid"
    if link == "softmax" or (is_binary and read["sigmoid_alpha"][0] == 1):
        classes = tuple(map(str, range(max(2, k))))
        return margin_document(trees, base, names, classes, training)
    said = "y" if link == "identity" else f"raw score ({' '.join(objective)})"
    outputs = (said,) if k == 1 else tuple(f"{said} {i}" for i in range(1, k + 1))
    return number_forest(trees, base, names, outputs, training)


def _edges(
    left: np.ndarray, threshold: np.ndarray, feature: np.ndarray, names: Any, package: str
) -> np.ndarray:
    """Thresholds of nodes for ``x <= threshold`` in float32, of leaves 0."""
    split = left >= 0
    exact = np.where(split, threshold, 0)
    if threshold.dtype == np.float32:  # of XGBoost
        return less_than(exact)
    near = np.abs(exact) <= _ZEROS
    below = np.nextafter(-_ZEROS, np.float32(-1))
    edges = np.where(exact < 0, below, _ZEROS)
    edges[~split] = 0
    edges[~near] = decimal_edges(exact[~near], True, feature[~near], names, package)
    return edges


def _nodes(read: Arrays, number: int, edge: np.ndarray, output: int, k: int) -> Nodes:
    """One tree; ``output`` is what its leaves add to, all of them where it is -1."""
    left, right, feature, missing_left, kind, value, vector = (
        read[f"{name} {number}"]
        for name in ("cleft", "cright", "split_index", "default_left", "node_type", "leaf_value",
                     "leaf_vector")
    )  # fmt: skip
    if (kind > 1).any():  # neither a leaf nor a comparison
        raise TreeFormatError(_CATEGORIES)
    split = left >= 0
    values = widened(value.astype(np.float64), max(output, 0), k)
    if output < 0:
        values[~split] = vector.reshape(-1, k)
    return Nodes(left, right, feature, edge, values, missing_left.astype(bool))
