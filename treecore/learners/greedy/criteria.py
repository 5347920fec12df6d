"""Split criteria for kernels: the rows on either side of a split, summed up and scored.

A *tally* sums up a set of rows: float64 numbers that add up without rounding, so that what is not
on the right is on the left, exactly and in whatever order rows have moved::

    classes    [ weight of class 0, of class 1, ... ]
    numbers    [ sum of weight * output 0, of output 1, ...,  weight ]

A *criterion* is a NamedTuple of arrays, from which kernels read what a row adds and how good two
sides are; its type decides, when they are compiled, whose code that is: of classes
(:mod:`treecore.learners.greedy.class_criterion`) or of numbers
(:mod:`treecore.learners.greedy.variance_criterion`). Outside of kernels its ``tally`` sums up rows.
A scan moves one row after another and keeps *totals* at hand, four numbers that spare it most
sums::

    totals = start_totals(criterion, tally, right)
    totals = move(criterion, tally, right, row, sign, totals)       sign 1: to the right, -1: back
    score(criterion, tally, right, totals)                          low is good
    gain_of(criterion, tally, score)                                fall of the mean impurity
    impurity_of_node(criterion, tally, rows)                        0 where nothing can be gained
    side_values(criterion, tally, right, smoothing)                 of monotonic trees
    profile_size(criterion, tally)                                  of levels of categories
    weight_of(criterion, tally)

A score depends on the tallies alone, and not on which side is which, so equal splits tie.
"""

from __future__ import annotations

from treecore.compiling.dispatch import by_first


@by_first
def count(criterion, tally, row, sign):
    """Add a row to a tally (sign 1), take it out (-1), or neither (0)."""


@by_first
def start_totals(criterion, tally, right):
    """The totals of two sides, from the tallies of the node and of the right side.

    Returns n_left, n_right, of_left, of_right: weights, and sums that :func:`move` updates.
    """


@by_first
def move(criterion, tally, right, row, sign, totals):
    """Move a row to the right side (sign 1), or back (-1); return the totals after it."""


@by_first
def score(criterion, tally, right, totals):
    """How good two sides are, neither of them empty; the lowest score is the best."""


@by_first
def side_values(criterion, tally, right, smoothing):
    """What the sides would answer as leaves: the share of the second class, or the mean."""


@by_first
def profile_size(criterion, tally):
    """How many numbers of a tally, its first ones, say what rows are like, over their weight.

    Returns the number, and whether the last of them says it alone: of two classes, or one number.
    """


@by_first
def weight_of(criterion, tally):
    """The weight of the rows in a tally."""


@by_first
def gain_of(criterion, tally, score):
    """Impurity of a node less the mean one of its two sides, by their :func:`score`; >= 0."""


@by_first
def impurity_of_node(criterion, tally, rows):
    """In bits for entropy, in squared deviations for numbers; exactly 0 where all are equal."""
