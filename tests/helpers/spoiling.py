"""Small tree files for tests, and ways to spoil them."""

from __future__ import annotations

import json


def small():
    """A file with three splits, one of each kind, as Python objects to spoil."""
    return {
        "format": "treecore-tree",
        "version": 1,
        "features": ["a", "b", "c"],
        "classes": ["no", "yes"],
        "splits": [
            {"feature": 1, "threshold": 0.5, "left": {"split": 1}, "right": {"split": 2}},
            {"weights": [1, 2.5, -3], "threshold": 0, "left": {"leaf": 0}, "right": {"leaf": 1}},
            {
                "weights": {"indices": [0, 2], "values": [1.5, -0.5]},
                "threshold": -1,
                "left": {"leaf": 3},
                "right": {"leaf": 2},
            },
        ],
        "leaves": [
            {"value": [0.1, 0.2], "samples": [3, 1], "impurity": 0.8},
            {"value": [0.3, 0.4], "samples": [0, 0], "impurity": None},
            {"value": [0.5, 0.6], "samples": [0, 2], "impurity": 0},
            {"value": [0.7, 0.8], "samples": [1, 1], "impurity": 1.0},
        ],
        "training": {"method": "tao", "seed": 0},
    }


def put(*path_and_value):
    """A function that sets one place of a file; the last argument is the new value."""
    *path, last, value = path_and_value

    def change(content):
        for key in path:
            content = content[key]
        content[last] = value

    return change


def drop(*path):
    def change(content):
        for key in path[:-1]:
            content = content[key]
        del content[path[-1]]

    return change


def mapped():
    """A regression tree of one split behind a map from three features to two."""
    return {
        "format": "treecore-tree",
        "version": 2,
        "features": ["a", "b", "c"],
        "missing": [0.5, 0, 1e300],
        "map": {
            "centre": [0, 0, 1],
            "deviation": [1, 2, 0.1],
            "nystroem": {
                "gamma": 0.5,
                "components": [[1, 2, 3], [4, 5, 6]],
                "normalization": [[1, 0], [0.5, 1]],
            },
        },
        "outputs": ["height"],
        "splits": [{"weights": [1, -1], "threshold": 0, "left": {"leaf": 1}, "right": {"leaf": 0}}],
        "leaves": [
            {"value": [1.5], "samples": 7, "impurity": None},
            {"value": [-2], "samples": 0, "impurity": None},
        ],
    }


GOOD = json.dumps(small(), indent=1)
