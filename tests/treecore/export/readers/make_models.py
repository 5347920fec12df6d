"""Makes the files in ``models``: small models of other packages with what they say of some rows.

Run ``python -m tests.treecore.export.readers.make_models`` where XGBoost and LightGBM are
installed (``pip install xgboost-cpu lightgbm``).
"""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np

FOLDER = Path(__file__).parent / "models"


def xgboost_model(seed, objective, n_trees, holes=False):
    """A booster, rows, and its sums (margins)."""
    import xgboost

    X, y = rows(seed, holes)
    y = {"b": (y > 0).astype(int), "m": np.digitize(y, [-0.5, 0.5])}.get(objective[0], y)
    params = {"objective": objective, "max_depth": 3, "eta": 0.7, "seed": seed}
    if objective.startswith("multi"):
        params["num_class"] = 3
    booster = xgboost.train(params, xgboost.DMatrix(X, y), n_trees)
    T = on_splits(X, [
        (split, edge)
        for tree in json.loads(booster.save_raw("json"))["learner"]["gradient_booster"]["model"][
            "trees"]
        for split, edge, left in zip(
            tree["split_indices"], tree["split_conditions"], tree["left_children"]
        )
        if left >= 0
    ])  # fmt: skip
    said = booster.predict(xgboost.DMatrix(T), output_margin=True)
    return booster.save_raw("json").decode(), T, said.reshape(len(T), -1)


def lightgbm_model(seed, objective, n_trees, holes=False):
    """The text of a booster, rows, and its sums."""
    import lightgbm

    X, y = rows(seed, holes)
    y = {"b": (y > 0).astype(int), "m": np.digitize(y, [-0.5, 0.5])}.get(objective[0], y)
    params = {"objective": objective, "num_leaves": 6, "min_data_in_leaf": 3, "verbose": -1,
              "seed": seed, "learning_rate": 0.7}  # fmt: skip
    if objective == "multiclass":
        params["num_class"] = 3
    booster = lightgbm.train(params, lightgbm.Dataset(X, y), n_trees)
    frame = booster.trees_to_dataframe().dropna(subset=["threshold"])
    pairs = [(int(f.split("_")[1]), t) for f, t in zip(frame.split_feature, frame.threshold)]
    T = on_splits(X, pairs)
    return booster.model_to_string(), T, booster.predict(T, raw_score=True).reshape(len(T), -1)


def rows(seed, holes):
    rng = np.random.default_rng(seed)
    X = rng.standard_normal((150, 4)).astype(np.float32)
    y = X[:, 0] * X[:, 1] + X[:, 2] + 0.3 * rng.standard_normal(150)
    if holes:
        X[rng.random(X.shape) < 0.15] = np.nan
    return X, y


def on_splits(X, splits):
    """Some of the rows, and rows that lie on a split and one float32 step beside it."""
    T = X[:30].copy()
    more = []
    for feature, threshold in splits:
        here = np.float32(threshold)
        for value in (here, np.nextafter(here, np.float32(9)), np.nextafter(here, np.float32(-9))):
            row = X[len(more) % len(X)].copy()
            row[feature] = value
            more.append(row)
    return np.concatenate([T, np.array(more, dtype=np.float32).reshape(-1, X.shape[1])])


CASES = {
    "xgboost-numbers": (xgboost_model, 0, "reg:squarederror", 3),
    "xgboost-one-tree": (xgboost_model, 1, "binary:logistic", 1),
    "xgboost-classes": (xgboost_model, 2, "multi:softprob", 2),
    "xgboost-holes": (xgboost_model, 3, "reg:squarederror", 4, True),
    "lightgbm-numbers": (lightgbm_model, 0, "regression", 3),
    "lightgbm-one-tree": (lightgbm_model, 1, "binary", 1),
    "lightgbm-classes": (lightgbm_model, 2, "multiclass", 2),
    "lightgbm-holes": (lightgbm_model, 3, "regression", 4, True),
}

if __name__ == "__main__":
    FOLDER.mkdir(exist_ok=True)
    for name, (make, *case) in CASES.items():
        text, X, said = make(*case)
        cells = [[None if np.isnan(v) else float(v) for v in row] for row in X]
        kept = {"model": text, "rows": cells, "sums": said.astype(float).tolist()}
        (FOLDER / f"{name}.json").write_text(json.dumps(kept) + "\n")
