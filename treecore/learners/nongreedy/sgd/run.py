"""A run of SGD or Stable SGD: arrays, and one kernel that advances them.

Python makes a run and reads it; all that happens in between, orders, schedule, batches and
assignments, happens in :func:`advance`, which may be cut anywhere between two updates without
changing a bit.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.compiling.random import permute, random_words
from treecore.compiling.schedules import SCHEDULES, share_left
from treecore.core.scaling import Scaling
from treecore.core.tree import Tree
from treecore.learners.nongreedy.joint_tree import TrainingTree, make_joint
from treecore.learners.nongreedy.settings import SGDSettings, StableSGDSettings
from treecore.learners.nongreedy.sgd.batches import Batches, make_batches
from treecore.learners.nongreedy.sgd.sparsity import ROUNDS, soft_threshold
from treecore.learners.nongreedy.sgd.updates import StepRule
from treecore.learners.nongreedy.sgd.visits import (
    Stable,
    assign_rows,
    make_stable,
    sgd_rows,
    visit_batches,
)
from treecore.rows.training_rows import TrainingRows


class SGDRun(NamedTuple):
    """Everything that a run reads and changes.

    - X, y, weight: rows in training coordinates, float32 (n_samples, width), targets and weights.
    - order: int64 (n_samples,), rows in the order of the present pass.
    - clock: int64 (3,), passes begun, visits of the last one, inner products of these visits.
    - plan: int64 (6,), passes in all, batch, visits between two payments of the L1 penalty,
      features, number of the schedule, whether inference is exact.
    - rates: float64 (3,), eta, nu, tolerance of Stable SGD.
    - penalty: float64 (1,), of L1; batches: where several examples make a step; stable: of Stable
      SGD; None elsewhere.
    """

    tree: TrainingTree
    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    order: np.ndarray
    random: np.ndarray
    clock: np.ndarray
    plan: np.ndarray
    rates: np.ndarray
    penalty: np.ndarray | None
    batches: Batches | None
    stable: Stable | None


def make_run(
    rows: TrainingRows,
    start: Tree,
    settings: SGDSettings,
    rng: np.random.Generator,
    scaling: Scaling,
    goes_on: bool,
) -> SGDRun:
    """A run that has not begun. goes_on: whether the rows of ``start`` keep their lengths.

    Else each begins at ``sqrt(nu)``, so that the first bound is as tight as ``nu`` allows.
    """
    W = (
        scaling.to_scaled_weights(start)
        if goes_on
        else math.sqrt(settings.nu) * scaling.rows_of(start)
    )
    tree = make_joint(start, W.astype(np.float32), rows.loss)
    X, n, batch = scaling.transform(rows.X), len(rows.X), settings.batch
    heavy = batch > 1 or settings.momentum > 0
    held = isinstance(settings, StableSGDSettings)
    number, exact = SCHEDULES.index(settings.schedule), settings.inference == "exact"
    payment = -(-n // (ROUNDS * batch)) * batch
    tolerance = settings.tolerance if isinstance(settings, StableSGDSettings) else 0.0
    run = SGDRun(
        tree=tree,
        X=X,
        y=rows.y,
        weight=rows.weight_in_order,
        order=np.zeros(n, dtype=np.int64),
        random=random_words(rng),
        clock=np.zeros(3, dtype=np.int64),
        plan=np.array([settings.epochs, batch, payment, scaling.n_features, number, exact]),
        rates=np.array([settings.eta, settings.nu, tolerance]),
        penalty=np.array([settings.sparsity]) if settings.sparsity > 0 else None,
        batches=make_batches(tree.W, batch, settings.momentum) if heavy else None,
        stable=make_stable(n, start.n_leaves, start.n_splits) if held else None,
    )
    if run.stable is not None:
        assign_rows(tree, X, run.weight, run.stable)
        run.stable.moved[1:] = -1
    return run


def changing_arrays(run: SGDRun) -> dict[str, np.ndarray]:
    """All arrays that :func:`advance` changes and that the next call reads, by name."""
    tree, tables = run.tree, run.tree.tables
    arrays = {"W": tree.W, "theta": tree.theta, "order": run.order}
    arrays |= {"random": run.random, "clock": run.clock}
    arrays |= dict(zip(tables._fields, tables, strict=True))
    if run.batches is not None:
        arrays["velocity"] = run.batches.velocity
    if run.stable is not None:
        names = ("assigned", "counts", "bounds", "moved")
        arrays |= {name: getattr(run.stable, name) for name in names}
    return arrays


def advance(run: SGDRun, budget: int) -> int:
    """Visit about ``budget`` examples, at most to the end of the pass; return how many.

    Batches and rounds of the penalty are never cut.
    """
    return int(advance_run(run, budget, run.penalty, run.batches, run.stable))


@kernel
def advance_run(run, budget, penalty, batches, stable):
    # What is None here is not compiled.
    clock, plan, rates, n = run.clock, run.plan, run.rates, run.order.shape[0]
    n_passes, batch, payment = plan[0], plan[1], plan[2]
    if clock[0] == n_passes and clock[1] == n:
        return 0
    if clock[0] == 0 or clock[1] == n:
        permute(run.random, run.order)
        clock[0] += 1
        clock[1] = clock[2] = 0
        if stable is not None:
            stable.bounds[0] = 0.0
            stable.moved[1] = -1
    # Whole batches, so that cutting a pass never cuts one of them, and no further than a round.
    start = clock[1]
    stop = start - (-budget // batch) * batch
    if penalty is not None:
        stop = min(stop, start - start % payment + payment)
    stop = min(stop, n)
    # The schedule is read at both ends of a pass and followed on a straight line between.
    first = rates[0] * share_left(plan[4], (clock[0] - 1) / n_passes)
    last = rates[0] * share_left(plan[4], clock[0] / n_passes)
    slope = (last - first) / n
    rule = StepRule(plan[5] == 1, first, rates[1], slope, start)
    visits = run.order[start:stop]
    if batches is None:
        clock[2] += sgd_rows(run.tree, run.X, run.y, run.weight, visits, rule, stable)
    else:
        clock[2] += visit_batches(run.tree, run.X, run.y, run.weight, visits, rule, batches, stable)
    clock[1] = stop
    if penalty is not None and (stop % payment == 0 or stop == n):
        started = (stop - 1) // payment * payment
        elapsed = (stop - started) * (first + slope * (started + stop) / 2)
        soft_threshold(run.tree.W, plan[3], penalty[0] * elapsed)
    if stable is not None and stop == n:
        bound = stable.bounds[0] / n
        if bound > (1.0 - rates[2]) * stable.bounds[1]:
            assign_rows(run.tree, run.X, run.weight, stable)
            bound = np.inf  # another bound now: the next pass has nothing to compare with
        stable.bounds[1] = bound
    return stop - start
