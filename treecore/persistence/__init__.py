"""A tree as one JSON file that anyone can read: the format, its writer and its checks.

``tree.schema.json`` beside this module describes every key. In short: ``splits`` and ``leaves``
are lists, split 0 is the root (leaf 0 when there are no splits), and a child is written
``{"split": 3}`` or ``{"leaf": 2}``. A child split has a greater number than its parent. This is
a complete reader, for the most probable class of ``x``, a list of numbers, None where one is
missing; of a regression tree, for the numbers that it predicts::

    import json

    def predict(text, x):
        tree = json.loads(text)
        gone = [n is None for n in x]
        x = [f if n is None else n for f, n in zip(tree.get("missing", [0] * len(x)), x)]
        x = mapped(tree, x) if "map" in tree else x
        node = {"split": 0} if tree["splits"] else {"leaf": 0}
        while "split" in node:
            split = tree["splits"][node["split"]]
            weights = split.get("weights", {"indices": [split.get("feature")], "values": [1]})
            if isinstance(weights, list):
                weights = {"indices": range(len(x)), "values": weights}
            product = sum(w * x[i] for i, w in zip(weights["indices"], weights["values"]))
            side = "right" if product > split["threshold"] else "left"
            told = "missing" in split and gone[split["feature"]]
            node = split[split["missing"] if told else side]
        j = node["leaf"]
        value = leaning(tree["linear"][j], x) if "linear" in tree else tree["leaves"][j]["value"]
        return tree["classes"][value.index(max(value))] if "classes" in tree else value

for trees with linear leaves::

    def leaning(leaf, x):
        rows = zip(leaf["weights"], leaf["intercept"], leaf["low"], leaf["high"])
        sums = [(b + sum(w * n for w, n in zip(row, x)), low, high) for row, b, low, high in rows]
        return [min(max(total, low), high) for total, low, high in sums]

for trees behind the features of a kernel (:mod:`treecore.data.feature_maps`)::

    from math import cos, exp, sqrt

    def mapped(tree, x):
        map = tree["map"]
        z = [(x - c) / d for x, c, d in zip(x, map["centre"], map["deviation"])]
        if "spline" in map:
            knots = zip(map["spline"]["features"], map["spline"]["knots"])
            return z + [max(z[j] - t, 0.0) for j, t in knots]
        if "fourier" in map:
            rows = zip(map["fourier"]["weights"], map["fourier"]["offsets"])
            angles = [sum(a * b for a, b in zip(row, z)) + offset for row, offset in rows]
            return [sqrt(2 / len(angles)) * cos(angle) for angle in angles]
        gamma, rows = map["nystroem"]["gamma"], map["nystroem"]["components"]
        near = [exp(-gamma * sum((a - b) ** 2 for a, b in zip(row, z))) for row in rows]
        return [sum(a * b for a, b in zip(row, near)) for row in map["nystroem"]["normalization"]]

Numbers are float32 (float64 in ``map``, and what the leaves of a regression tree say), written with
the fewest digits that read back to the same bits. This reader computes in float64, and so may
decide otherwise than treecore where a product equals a threshold up to float32 rounding; a reader
for which that matters rounds both numbers and ``x`` to float32.

A reader ignores keys that it does not know at the top level and under ``training``, and refuses
them in splits and leaves. A change of meaning raises ``version``, and a reader refuses versions
that it does not know. A tree is written as the first version that can say what it is: version 2
brought ``outputs`` and ``map``, version 3 ``linear``, version 4 had learnt ``filters``, which are
refused now, and version 5 brought the side of a missing value to splits on one feature, where that
is not the side of the mean. The levels of a column are features of zeros and ones, and a set of
them is a split with sparse weights that are all 1 or all -1, which every version reads.

Where a feature is not simply a column of numbers, ``columns`` tells how a table becomes the
features: :mod:`treecore.persistence.columns`.

Forests have a format of their own, made of such trees: :mod:`treecore.persistence.forest`.
"""

from typing import TYPE_CHECKING

from treecore.base.public import public_names

if TYPE_CHECKING:
    from treecore.persistence.document import MAX_DEPTH, Document, Model, fingerprint
    from treecore.persistence.formats import from_json, load, save, to_json
    from treecore.persistence.level_sets import NamedSet
    from treecore.persistence.values import TreeFormatError
    from treecore.persistence.written_columns import encode_table

__all__ = [
    "Document",
    "NamedSet",
    "TreeFormatError",
    "fingerprint",
    "from_json",
    "load",
    "save",
    "to_json",
]

__getattr__, __dir__ = public_names(__name__)
