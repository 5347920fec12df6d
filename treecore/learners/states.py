"""States of learners, for checkpoints: what changes while they work, as arrays and numbers.

A learner that goes on is built anew from the same rows, start and random numbers, and then takes
its state, in which every array must be of the kind and shape that the new learner has there.
"""

from __future__ import annotations

from functools import singledispatch
from typing import Any

import numpy as np

from treecore.base.state_file import CheckpointError, State
from treecore.core.linear_leaves import LinearLeaves
from treecore.core.tree import Tree, make_tree
from treecore.learners.greedy.growth import Growth
from treecore.learners.greedy.state import (
    AT,
    N_NODES,
    N_RIVALS,
    N_WEIGHTS,
    NEXT,
    NO_SPLIT,
    PHASE,
    PICK,
    PLACE,
    REFINE,
)
from treecore.learners.nongreedy.tao.tao import TAO


@singledispatch
def state_of(learner) -> State:
    """All that has changed in a learner since it was built; arrays are copies."""
    return copied(learner.arrays())


@singledispatch
def load_state(learner, state: State) -> None:
    """Set a learner that was just built to a state; KeyError, TypeError, ValueError if unfit."""
    load_arrays(learner.arrays(), state)


def copied(value: Any) -> Any:
    """A value as a state holds it: arrays copied, tuples and lists as dictionaries."""
    if isinstance(value, np.ndarray):
        return value.copy()
    if isinstance(value, tuple) and hasattr(value, "_fields"):
        return {name: copied(part) for name, part in zip(value._fields, value, strict=True)}
    if isinstance(value, list | tuple):
        return {str(i): copied(part) for i, part in enumerate(value)}
    if isinstance(value, dict):
        return {name: copied(part) for name, part in value.items()}
    return value


def _fitting(array: np.ndarray, stored: Any, name: str) -> np.ndarray:
    """A stored array, if it is of the kind and of the shape of another one."""
    fits = isinstance(stored, np.ndarray) and stored.dtype == array.dtype
    if not fits or stored.shape != array.shape:
        raise CheckpointError(f"{name} of the state does not fit these rows and settings")
    return stored


def _check_indexes(indexes: np.ndarray, n: int, name: str) -> None:
    if not np.all((indexes >= 0) & (indexes < n)):
        raise CheckpointError(f"{name} of the state has an index outside 0 to {n - 1}")


_INDEXES = {"order": "order", "assigned": "theta", "leaf": "values"}
"""Arrays of a run that hold indexes, and an array that has as many entries as they may name."""


def load_arrays(arrays: dict[str, np.ndarray], state: State) -> None:
    """Fill the arrays of a run, by name, from those of a state."""
    for name, array in arrays.items():
        stored = _fitting(array, state[name], name)
        if name in _INDEXES:
            _check_indexes(stored, len(arrays[_INDEXES[name]]), name)
        array[...] = stored


@state_of.register
def _(learner: Growth) -> State:
    search = {name: array for name, (array, _) in learner.arrays_of_search().items()}
    return copied(learner.arrays() | {"search": search})


@load_state.register
def _(learner: Growth, state: State) -> None:
    run = learner.run
    run.clock[:] = clock = _fitting(run.clock, state["clock"], "clock")
    (n_samples, p), n_rows, n = run.X.shape, len(run.rows), int(clock[N_NODES])
    n_weights = len(state["weights"])
    most = {AT: n, PHASE: PICK + 1, N_RIVALS: p + 1, NEXT: n + 2, N_WEIGHTS: n_weights}
    most |= {N_NODES: len(run.nodes) + 1, PLACE: 1 << 62 if clock[PHASE] == REFINE else p + 1}
    for place, limit in most.items():
        _check_indexes(clock[place], limit, "clock")
    learner.make_room(n_weights)
    arrays = learner.arrays()
    load_arrays(arrays, state)
    left, start, stop = arrays["left"], arrays["start"], arrays["stop"]
    _check_indexes(left + (left > 0), n, "left")
    _check_indexes(start, n_rows, "start")
    _check_indexes(run.rows, n_samples, "rows")
    _check_indexes(np.append(stop - 1, stop - start), n_rows + 1, "stop")
    _check_indexes(arrays["feature"] - NO_SPLIT, p - NO_SPLIT, "feature")
    _check_indexes(arrays["row"], n_weights, "row")
    learner.go_on()
    for name, (array, limit) in learner.arrays_of_search().items():
        stored = _fitting(array, state["search"][name], name)
        if limit:
            _check_indexes(stored, limit, name)
        array[...] = stored


@load_state.register
def _(learner: TAO, state: State) -> None:
    load_arrays(learner.arrays(), state)
    learner.go_on()


def read_tree(state: State) -> Tree:
    """The tree of ``copied(tree)``, checked."""
    linear = state.get("linear")
    parts = {name: state[name] for name in Tree._fields if name != "linear"}
    return make_tree(**parts, linear=None if linear is None else LinearLeaves(**linear))
