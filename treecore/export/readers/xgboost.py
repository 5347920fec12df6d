"""Models that XGBoost saves as JSON (``booster.save_model("model.json")``)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from treecore.export.readers.nodes import (
    TO_LEFT,
    TO_RIGHT,
    Nodes,
    check_classes,
    less_than,
    margin_document,
    number_forest,
    numbered_names,
    widened,
)
from treecore.persistence import Document, TreeFormatError


def _same(number: float) -> float:
    return number


def _log_odds(share: float) -> float:
    return math.log(share / (1.0 - share))


_LINKS: dict[str, Callable[[float], float]] = {
    "reg:squarederror": _same,
    "reg:absoluteerror": _same,
    "reg:pseudohubererror": _same,
    "reg:quantileerror": _same,
    "rank:ndcg": _same,
    "rank:map": _same,
    "rank:pairwise": _same,
    "multi:softmax": _same,
    "multi:softprob": _same,
    "reg:logistic": _log_odds,
    "binary:logistic": _log_odds,
    "binary:logitraw": _log_odds,
    "count:poisson": math.log,
    "reg:gamma": math.log,
    "reg:tweedie": math.log,
}
"""What ``base_score`` becomes where trees are added, by objective."""


def from_xgboost(content: dict[str, Any], complete_rows: bool = False) -> Document:
    """A model from what its JSON file holds.

    XGBoost sends x left where ``x < threshold``; here that is ``x <=`` the float32 number below, so
    every row reaches the leaf that it reaches there. Sums are equal to 1e-6; what a link makes of
    them (a probability of log-odds) is told only of a single tree of two classes.

    complete_rows: whether rows to be predicted have no missing values. Raises TreeFormatError.
    """
    try:
        return _read(content["learner"], complete_rows)
    except TreeFormatError:
        raise
    except (ArithmeticError, AttributeError, LookupError, TypeError, ValueError) as error:
        raise TreeFormatError(
            f"this is no model that XGBoost has saved as JSON, or not a whole one ({error!r}): "
            'save it anew by save_model("model.json")'
        ) from None


def _read(learner: dict[str, Any], complete_rows: bool) -> Document:
    booster = learner["gradient_booster"]
    if booster["name"] != "gbtree":
        raise TreeFormatError(
            f"the model's booster is {booster['name']}, and treecore reads gbtree: plain trees"
        )
    objective = learner["objective"]["name"]
    if objective not in _LINKS:
        raise TreeFormatError(f"treecore does not know what XGBoost's {objective} predicts")
    params = learner["learner_model_param"]
    if int(params.get("num_target", 1)) > 1:
        raise TreeFormatError("the model has several targets; treecore reads models of one")
    k, p = max(1, check_classes(int(params["num_class"]))), int(params["num_feature"])
    text = str(params["base_score"]).strip("[]")
    base = np.array([_LINKS[objective](float(part)) for part in text.split(",")])
    base = np.broadcast_to(base, (k,)).astype(np.float64)
    model = booster["model"]
    trees = [
        _nodes(tree, int(of), k)
        for tree, of in zip(model["trees"], model["tree_info"], strict=True)
    ]
    if not trees:
        raise TreeFormatError("the model has no trees")
    _check_all_are_used(learner, len(trees) // k)
    names = numbered_names(learner.get("feature_names"), p)
    training = {"method": f"XGBoost {objective}"}
    if objective.startswith(("binary:", "multi:")):
        classes = tuple(map(str, range(max(2, k))))
        return margin_document(trees, base, names, classes, complete_rows, training)
    output = "y" if _LINKS[objective] is _same else f"raw score ({objective})"
    return number_forest(trees, base, names, (output,), complete_rows, training)


def _check_all_are_used(learner: dict[str, Any], n_rounds: int) -> None:
    """Refuse trees behind the best round, which XGBoost's estimators do not ask."""
    booster = learner["gradient_booster"]["model"]
    n_rounds //= max(1, int(booster["gbtree_model_param"].get("num_parallel_tree", 1)))
    best = learner.get("attributes", {}).get("best_iteration")
    if best is not None and int(best) + 1 < n_rounds:
        raise TreeFormatError(
            f"XGBoost predicts by the first {int(best) + 1} of the model's {n_rounds} rounds (its "
            f"best_iteration is {int(best)}), and treecore reads them all: save "
            f"booster[:{int(best) + 1}]"
        )


def _nodes(tree: dict[str, Any], k: int, n_outputs: int) -> Nodes:
    if int(tree["tree_param"].get("size_leaf_vector", 1)) > 1:
        raise TreeFormatError("a leaf has several numbers; treecore reads leaves of one")
    if tree.get("categories_nodes") or any(tree.get("split_type", ())):
        raise TreeFormatError(
            "a split asks for categories, and treecore compares numbers: encode them one by one"
        )
    left = np.array(tree["left_children"], dtype=np.int64)
    conditions = np.array(tree["split_conditions"], dtype=np.float64)
    return Nodes(
        left,
        np.array(tree["right_children"], dtype=np.int64),
        np.array(tree["split_indices"], dtype=np.int64),
        less_than(np.where(left >= 0, conditions.astype(np.float32), 0.0)),
        widened(conditions.astype(np.float32), k, n_outputs),
        np.where(np.array(tree["default_left"], dtype=bool), TO_LEFT, TO_RIGHT),
    )
