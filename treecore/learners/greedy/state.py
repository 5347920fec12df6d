"""A greedy growth as arrays: its nodes, its clock, its rules.

:func:`treecore.learners.greedy.run.advance_run` and the finders' kernels advance it.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.learners.greedy.targets import Criteria

NO_SPLIT = -2
"""The feature of a node that nothing divides."""

SORT, BEGIN, REFINE, TEST, SEARCH, DIVIDE, FOUND, KEEP, SPLIT, PICK = range(10)
"""Phases of the work on a node.

Python does SORT (the table, at the root), BEGIN (what a finder needs before it refines) and TEST
(whether the split that is found is significant), a finder's own kernel REFINE. Those after DIVIDE
take no units. In PICK a level is over but for the best of the splits that wait.
"""

AT, PHASE, PLACE, N_RIVALS, N_NODES, NEXT, LEVEL, N_DONE, SIZE, N_WEIGHTS, NODE_UNITS = range(11)
"""Places in the clock.

The node at hand; its phase; features sorted, searched or divided in this phase, or what a finder
counts; features that compete; nodes made; the first one not yet turned to; levels finished; nodes
of this level that are done, and those to do; oblique splits kept; units of work on the node at
hand.
"""

_KINDS = {"start": "i4", "stop": "i4", "depth": "i4", "left": "i4", "feature": "i4", "row": "i4"}
_KINDS |= {"fall": "f8", "threshold": "f4", "missing_left": "?", "pending": "?", "waiting": "?"}

NODE = np.dtype(list(_KINDS.items()), align=True)
"""A node; they are in the order in which they were made: children after their parents.

- start, stop: the training rows ``rows[start:stop]`` reach it.
- left: its left child, after which comes the right one; 0 of a leaf, for the time being at least.
- feature, threshold, missing_left: its split; row: the place of its weights among all; not read of
  an axis-aligned one.
- fall: of the impurity of all rows by its split; before that is kept, of its own rows.
- pending: whether it is still to be searched; waiting: whether its split is found, and may be made
  later.
"""


class Rules(NamedTuple):
    """When a node stays a leaf; see :class:`treecore.learners.greedy.growth.Growth`.

    min_rows: fewest rows of a node that is split; first: the phase that follows the search of
    features; tests: whether splits are tested.
    """

    depth: int
    min_rows: int
    min_samples_leaf: int
    max_leaf_nodes: int
    min_gain: float
    min_impurity: float
    first: int
    tests: bool


class GreedyRun(NamedTuple):
    """What growth by any finder reads and changes.

    - nodes: NODE (room,); tally: float64 (room, n_numbers), sums up the targets of a node's rows.
    - clock: int64 (11,), see ``AT``.
    - weights: float32 (room, n_features), of the oblique splits, and of one that is not yet kept.
    - rows: int32 (n,), the rows that have weight, node by node; goes_right: bool (n_samples,), of
      the rows of the node that is divided; spare, right: work space, int32 (n,) and as long as a
      tally.
    - X: float32 (n_samples, n_features), NaN where a value is missing; complete: the same with
      ``means``, which oblique splits and nodes without missing values read.
    """

    nodes: np.ndarray
    tally: np.ndarray
    clock: np.ndarray
    weights: np.ndarray
    rows: np.ndarray
    spare: np.ndarray
    goes_right: np.ndarray
    right: np.ndarray
    X: np.ndarray
    complete: np.ndarray
    means: np.ndarray
    criterion: Criteria
    rules: Rules
