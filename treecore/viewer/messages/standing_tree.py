"""A tree without a run, of whatever origin, as one message for ``js/pages/standing.js``."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from treecore.core.routing import apply
from treecore.core.tree import Tree
from treecore.data.readers.columns import Column
from treecore.viewer.glossary import GLOSSARY, NUMBERS
from treecore.viewer.messages.message import VERSION
from treecore.viewer.messages.planes import no_plane
from treecore.viewer.messages.tree_arrays import (
    count_array,
    histogram_arrays,
    image_arrays,
    sets_by_split,
    shape_arrays,
    weight_arrays,
)
from treecore.viewer.messages.wire import pack


def standing_message(
    tree: Tree,
    name: str,
    features: Sequence[str],
    classes: Sequence[str],
    *,
    units: Sequence[str] = (),
    target: str = "",
    rows: np.ndarray | None = None,
    labels: np.ndarray | None = None,
    counts: np.ndarray | None = None,
    image: tuple[int, int] | None = None,
    part: str = "training",
    marked: int | None = None,
    columns: Sequence[Column] = (),
) -> bytes:
    """A tree in one message; rows: (n_samples, n_features); counts: (n_leaves, n_classes or 1).

    labels: the column of ``counts`` of each row, int (n_samples,).

    columns: that became the features, if they are known; their sets of levels are named.
    """
    p, task = tree.n_features, "classification" if classes else "regression"
    lines, size = no_plane(p).splits(tree)  # of two features the lines say all
    scale = np.ones(p) if rows is None else rows.std(axis=0, dtype=np.float64)
    meta: dict[str, Any] = {
        "v": VERSION,
        "run": name,
        "state": "finished",
        "message": "",
        "task": task,
        "classes": list(classes),
        "features": list(features),
        "units": list(units) if any(units) else [],
        "image": list(image) if image else None,
        "axes": {"x": features[0], "y": features[1] if p > 1 else "", "note": "", "regions": ""},
        "glossary": GLOSSARY if classes else GLOSSARY | NUMBERS,
        "frames": [{"n": 0, "t": 0.0, "epoch": 0.0}],
        "detail": [0, 0.0, True],
        "alone": True,
        "part": part,
        "marked": -1 if marked is None else marked,
        "sets": sets_by_split(tree, columns, features),
    }
    if not classes:
        values = tree.values[:, 0].astype(np.float64)
        low, high = float(values.min()), float(values.max())
        meta |= {"range": [low, high if high > low else low + 1.0], "target": target}
    meta["mean"] = tree.linear is not None
    arrays = {"f0.split": lines, "f0.size": size}
    arrays |= {f"f0.{key}": array for key, array in shape_arrays(tree, task).items()}
    arrays |= weight_arrays(tree, scale, bool(image))
    if counts is not None:
        arrays["counts"] = count_array(counts)
    if rows is not None and labels is not None:
        arrays |= histogram_arrays(tree, rows, labels, len(classes) or 1)
    if image and rows is not None:
        arrays |= image_arrays(rows, apply(tree, rows), tree.n_leaves)
    return pack(meta, arrays)
