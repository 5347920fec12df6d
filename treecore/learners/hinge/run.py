"""A run of a hinge forest: arrays, and one kernel that advances them.

Python makes a run and reads it. In between :func:`advance` draws orders, trees that are left out,
noise and moves, and learns; it may be cut between any two mini-batches without changing a bit.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.compiling.random import next_uniform, permute, random_words
from treecore.compiling.schedules import SCHEDULES, share_left
from treecore.learners.hinge.augmentation import add_noise, move_image
from treecore.learners.hinge.gradients import BatchBuffers, loss_gradient, make_buffers, train_step
from treecore.learners.hinge.layer import (
    Layer,
    filter_gradient,
    filter_responses,
    normalise,
    standardise,
    update_statistics,
)
from treecore.learners.hinge.optimizers import (
    BETA1,
    BETA2,
    OPTIMIZERS,
    OptimizerState,
    move_row,
    zero_state,
)
from treecore.learners.hinge.settings import HingeSettings
from treecore.learners.hinge.traversal import Trees, add_leaf, descend_all
from treecore.rows.training_rows import TrainingRows

ROUND = 100
"""Mini-batches in a round, after which the forest is measured."""

PACE = 0.03
"""What a mini-batch counts in the running means of the features."""


class HingeRun(NamedTuple):
    """Everything that a run reads and changes: the forest, its optimizer, rows and work space.

    - variance: float32 (n_filters,), running; base: float32 (n_outputs,).
    - unit, pull: float64 (n_outputs,) and (3,), see ``loss_gradient``; sums: float64 (3,), loss and
      error of the round, weight of its rows.
    - order: int64 (n_samples,), rows in the order of the present pass.
    - clock: int64 (3,), passes begun, mini-batches of the last one, mini-batches in all.
    - plan: int64 (5,), mini-batches of the run, depth, numbers of optimizer and schedule, pixels in
      a line of an image.
    - rates: float64 (5,), eta, dropout, noise, shift, pace of running means.
    """

    layer: Layer
    variance: np.ndarray
    trees: Trees
    memory: OptimizerState
    work: BatchBuffers
    base: np.ndarray
    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    unit: np.ndarray
    pull: np.ndarray
    sums: np.ndarray
    order: np.ndarray
    random: np.ndarray
    clock: np.ndarray
    plan: np.ndarray
    rates: np.ndarray


def make_run(
    layer: Layer,
    variance: np.ndarray,
    trees: Trees,
    base: np.ndarray,
    rows: TrainingRows,
    unit: np.ndarray,
    settings: HingeSettings,
    rng: np.random.Generator,
) -> HingeRun:
    """A run that has not begun, of a forest that it changes in place."""
    n, p = rows.X.shape
    optimizer = OPTIMIZERS[settings.optimizer]
    schedule = SCHEDULES.index(settings.schedule)
    return HingeRun(
        layer=layer,
        variance=variance,
        trees=trees,
        memory=zero_state(layer.filters, trees.threshold, trees.weights),
        work=make_buffers(trees, layer, min(settings.batch, n)),
        base=base,
        X=rows.X,
        y=rows.y,
        weight=rows.weight.astype(np.float32),
        unit=unit,
        pull=np.array(rows.loss.pull),
        sums=np.zeros(3),
        order=np.zeros(n, dtype=np.int64),
        random=random_words(rng),
        clock=np.zeros(3, dtype=np.int64),
        plan=np.array([settings.batches, settings.depth, optimizer, schedule, math.isqrt(p)]),
        rates=np.array([settings.eta, settings.dropout, settings.noise, settings.shift, PACE]),
    )


def learnt_arrays(run: HingeRun) -> dict[str, np.ndarray]:
    """The arrays of layer and trees that are learnt, by name."""
    layer, trees = run.layer, run.trees
    arrays = {name: getattr(layer, name) for name in ("filters", "mean", "deviation")}
    return arrays | {"threshold": trees.threshold, "weights": trees.weights}


def changing_arrays(run: HingeRun) -> dict[str, np.ndarray]:
    """All arrays that :func:`advance` changes and that the next call reads, by name."""
    names = ("variance", "sums", "order", "random", "clock")
    return learnt_arrays(run) | run.memory._asdict() | {name: getattr(run, name) for name in names}


def advance(run: HingeRun, budget: int) -> int:
    """Learn from so many mini-batches, at most to the end of the round; return how many."""
    return int(advance_run(run, budget))


@kernel
def advance_run(run, budget):
    clock, plan, order, size = run.clock, run.plan, run.order, run.work.x.shape[0]
    done = 0
    while done < budget and clock[2] < plan[0]:
        if clock[0] == 0 or (clock[1] + 1) * size > order.shape[0]:
            permute(run.random, order)
            clock[0] += 1
            clock[1] = 0
        learn_batch(run, order[clock[1] * size : (clock[1] + 1) * size])
        clock[1] += 1
        clock[2] += 1
        done += 1
        if clock[2] % ROUND == 0:
            break
    return done


@kernel
def learn_batch(run, rows):
    """Learn from one mini-batch; rows: int64 (n_rows,)."""
    layer, trees, work, sums = run.layer, run.trees, run.work, run.sums
    plan, rates, words = run.plan, run.rates, run.random
    dropout, noise, shift, size = rates[1], rates[2], np.float32(rates[3]), rows.shape[0]
    for m in range(trees.feature.shape[0]):
        counted = dropout == 0.0 or next_uniform(words) >= dropout
        work.counted[m] = np.float32(1.0 / (1.0 - dropout)) if counted else np.float32(0.0)
    for b in range(size):
        row = rows[b]
        if shift > 0:
            down = shift * (np.float32(2.0) * next_uniform(words) - np.float32(1.0))
            right = shift * (np.float32(2.0) * next_uniform(words) - np.float32(1.0))
            move_image(run.X[row], plan[4], down, right, work.moved)
            standardise(layer, work.moved, work.x[b])
        else:
            standardise(layer, run.X[row], work.x[b])
        if noise > 0:
            add_noise(words, noise, work.x[b])
        filter_responses(layer, work.x[b], work.z[b])
        sums[2] += run.weight[row]
    if rates[4] > 0:
        update_statistics(layer, run.variance, work.z, rates[4])
    for b in range(size):
        normalise(layer, work.z[b])
        for k in range(run.base.shape[0]):
            work.out[b, k] = run.base[k]
    descend_all(trees, plan[1], work.z, work.leaf, work.nearest, work.margin)
    for m in range(trees.feature.shape[0]):
        if work.counted[m] > 0:
            for b in range(size):
                strength = work.counted[m] * abs(work.margin[m, b])
                add_leaf(work.out, b, trees.weights, m, work.leaf[m, b], strength)
    loss, error = loss_gradient(work.out, run.y, run.weight, rows, run.unit, run.pull, work.dout)
    sums[0] += loss
    sums[1] += error
    method, steps = plan[2], run.clock[2] + 1.0
    rate, rate2 = rates[0] * share_left(plan[3], run.clock[2] / plan[0]), 1.0
    if method == 1:
        rate /= 1.0 - np.float64(BETA1) ** steps
        rate2 = 1.0 / (1.0 - np.float64(BETA2) ** steps)
    step, step2 = np.float32(rate), np.float32(rate2)
    train_step(trees, run.memory, work, size, work.counted, method, step, step2)
    if layer.filters.shape[0] > 0:
        filter_gradient(layer, work.x, work.dz, work.filters)
        for t in range(layer.filters.shape[0]):
            move_row(
                method, layer.filters[t], work.filters[t],
                run.memory.filters1[t], run.memory.filters2[t], step, step2,
            )  # fmt: skip
