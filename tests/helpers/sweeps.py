"""A small sweep to run for tests."""

from __future__ import annotations

from treecore.sweeps import read_spec

SMALL = {
    "data": {"name": "sample:moons", "size": 120},
    "final": {"seeds": [0, 1]},
    "methods": [{"method": "axis", "depth": [1, 3]}, {"method": "sgd", "epochs": 3, "nu": [1, 50]}],
}


def small(**more):
    return read_spec(SMALL | more)
