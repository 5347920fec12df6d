"""A run of annealed learning: arrays, and one kernel that advances them.

Python makes a run and reads it. In between :func:`advance` draws mini-batches, routes them and
steps; it may be cut between any two mini-batches without changing a bit.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.compiling.random import permute
from treecore.learners.nongreedy.annealed.adam import adam_step, step_splits
from treecore.learners.nongreedy.annealed.power_loss import (
    class_gradient,
    power_costs,
    power_shares,
)
from treecore.learners.nongreedy.annealed.soft_routing import (
    Routing,
    make_routing,
    route_down,
    route_up,
)

ROUND = 50
"""Mini-batches in a round, after which the tree is measured; half of them on a small table."""


class Batch(NamedTuple):
    """A mini-batch: rows in training coordinates, float32 (n_rows, width), targets and weights."""

    Z: np.ndarray
    y: np.ndarray
    weight: np.ndarray


class Shares(NamedTuple):
    """What constant leaves say of classes, see ``power_shares``; expected: weight of their rows."""

    share: np.ndarray
    powered: np.ndarray
    largest: np.ndarray
    total: np.ndarray
    gradient: np.ndarray
    expected: np.ndarray
    power: np.ndarray


class Leaves(NamedTuple):
    """What is learnt in leaves: constants, or the weights of models, as flat views, float32 (n,).

    costs: for the batch at hand; moments: float32 (2, n), AdamW's; shares: of constants of classes.
    """

    costs: NamedTuple
    values: np.ndarray
    gradient: np.ndarray
    moments: np.ndarray
    shares: Shares | None


class AnnealedRun(NamedTuple):
    """Everything that a run reads and changes.

    - W, left, right, theta: the tree that is learnt, as in a ``TrainingTree``.
    - X, y: rows in training coordinates, their targets as in a batch; weight: divided by its size.
    - moments: float32 (2, n_splits, width), AdamW's running means for W; gradient: work space.
    - order: int64 (n_samples,), rows in the order in which they are drawn.
    - clock: int64 (3,), rows drawn of this order, steps done, whether the routing was too small.
    - plan: int64 (3,), steps of a round, rounds, whether an earlier run goes on.
    - rates: float64 (4,), learning rates of splits and leaves, weight decay, last sharpness.
    """

    W: np.ndarray
    left: np.ndarray
    right: np.ndarray
    theta: np.ndarray
    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    batch: Batch
    leaves: Leaves
    routing: Routing
    moments: np.ndarray
    gradient: np.ndarray
    order: np.ndarray
    random: np.ndarray
    clock: np.ndarray
    plan: np.ndarray
    rates: np.ndarray


def changing_arrays(run: AnnealedRun) -> dict[str, np.ndarray]:
    """All arrays that :func:`advance` changes and that the next call reads, by name."""
    arrays = {"W": run.W, "values": run.leaves.values, "order": run.order, "random": run.random}
    arrays |= {"clock": run.clock, "moments": run.moments, "leaf_moments": run.leaves.moments}
    if run.leaves.shares is not None:
        arrays["expected"] = run.leaves.shares.expected
    return arrays


def advance(run: AnnealedRun, budget: int) -> tuple[int, AnnealedRun]:
    """Take mini-batches of about ``budget`` rows, at most to the end of the round.

    Returns the rows taken, and the run, whose routing may be another one with more room.
    """
    done = int(advance_run(run, budget, run.leaves.shares))
    while run.clock[2]:
        routing = make_routing(len(run.left), 2 * len(run.routing.row))
        run = run._replace(routing=routing)
        done += int(advance_run(run, max(1, budget - done), run.leaves.shares))
    return done, run


@kernel
def advance_run(run, budget, shares):
    left, right, W, theta = run.left, run.right, run.W, run.theta
    batch, leaves, routing = run.batch, run.leaves, run.routing
    clock, plan, rates = run.clock, run.plan, run.rates
    n, size, n_steps = run.X.shape[0], batch.Z.shape[0], plan[0] * plan[1]
    done = 0
    clock[2] = 0
    while done < budget and clock[1] < n_steps:
        if clock[0] + size > n:
            permute(run.random, run.order)
            clock[0] = 0
        take_batch(run.X, run.y, run.weight, run.order[clock[0] : clock[0] + size], batch)
        progress = clock[1] / n_steps
        # The rate rises for 3 % of the run, then falls on half a cosine.
        pace, sharp = min(1.0, (progress + 1.0 / n_steps) / 0.03), 1.0
        if plan[2] == 0:  # a tree that goes on is as sharp as at last
            pace *= 0.5 * (1.0 + math.cos(math.pi * progress))
            sharp = progress
        beta = np.float32(rates[3] ** sharp)
        if shares is None:
            leaves.gradient[:] = np.float32(0.0)
        else:
            spread, power = (shares.largest, shares.total), shares.power[0]
            power_shares(theta, power, shares.share, shares.powered, spread[0], spread[1])
            power_costs(shares.powered, power, leaves.costs.costs)
            leaves.costs.mass[:] = np.float32(0.0)
        if not route_down(left, right, W, batch.Z, batch.weight, beta, routing):
            clock[2] = 1
            break
        clock[0] += size
        clock[1] += 1
        route_up(left, right, leaves.costs, batch.weight, beta, routing)
        if shares is not None:
            mass = leaves.costs.mass
            class_gradient(shares.share, shares.powered, mass, shares.largest, shares.gradient)
            expect(mass, n, shares.expected)
        rate, leaf_rate = rates[0] * pace, rates[1] * pace
        moments = run.gradient, run.moments[0], run.moments[1]
        step_splits(W, batch.Z, routing, moments, rate, clock[1], rates[2])
        mean, square = leaves.moments[0], leaves.moments[1]
        adam_step(leaves.values, leaves.gradient, mean, square, leaf_rate, clock[1], 0.0)
        done += size
        if clock[1] % plan[0] == 0:
            break
    return done


@kernel
def take_batch(X, y, weight, rows, batch):
    """Write some rows side by side; rows: int64 (n_rows,)."""
    for e in range(rows.shape[0]):
        row = rows[e]
        here, there = X[row], batch.Z[e]
        for j in range(here.shape[0]):
            there[j] = here[j]
        for q in range(y.shape[1]):
            batch.y[e, q] = y[row, q]
        batch.weight[e] = weight[row]


@kernel
def expect(mass, n_rows, expected):
    """Move ``expected`` (n_leaves,) towards the ``mass`` of a batch, by 1 / ROUND."""
    for j in range(expected.shape[0]):
        total = np.float32(0.0)
        for c in range(mass.shape[0]):
            total += mass[c, j]
        expected[j] += (np.float64(total * np.float32(n_rows)) - expected[j]) / ROUND
