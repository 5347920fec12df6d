"""What a page that learns calls between two pictures; all of it is compiled for WebAssembly too.

A page knows nothing of learning. It begins (:func:`begin_sgd`, :func:`begin_greedy`), goes on by
so much work (:func:`advance_sgd`, :func:`advance_annealed`, :func:`advance_greedy`), has a picture
made (:func:`read_out`, :func:`read_greedy`, :func:`picture`), and draws that. Where points are
moved or drawn, it says so (:func:`place_row`, :func:`count_rows`, :func:`hold_rows`); a greedy tree
then begins again.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import by_first, implements
from treecore.compiling.kernels import dot, kernel
from treecore.core.tree import OBLIQUE
from treecore.learners.greedy import state as greedy
from treecore.learners.greedy.criteria import count, impurity_of_node
from treecore.learners.greedy.finders.co2 import TurningStump, turn
from treecore.learners.greedy.finders.oblique import write_scales
from treecore.learners.greedy.finders.oc1 import HillClimb, climb_hills
from treecore.learners.greedy.finders.random_oblique import RandomDirections, try_directions
from treecore.learners.greedy.finders.sorting import sort_rows
from treecore.learners.greedy.run import advance_run as advance_growth
from treecore.learners.nongreedy.annealed import run as annealed
from treecore.learners.nongreedy.bounds import half_ranges
from treecore.learners.nongreedy.inference import infer, plain_leaf
from treecore.learners.nongreedy.sgd import run as sgd
from treecore.learners.nongreedy.sgd.visits import assign_rows
from treecore.losses.base import fill_leaves, fill_splits


class Rows(NamedTuple):
    """Rows to tell of, in training coordinates.

    - X: float32 (n, width); y: int64 (n,); weight: float64 (n,).
    - used: int32 (n,), the leaf that Stable SGD holds a row to; of no rows where none is held.
    - shown: int64 (m,), those on the map.
    - leaf, loss, bound: int32 and float32 (n,), written.
    """

    X: np.ndarray
    y: np.ndarray
    weight: np.ndarray
    used: np.ndarray
    shown: np.ndarray
    leaf: np.ndarray
    loss: np.ndarray
    bound: np.ndarray


class Picture(NamedTuple):
    """What is drawn of a tree, as :mod:`treecore.viewer.messages.message` sends it.

    Read, not written:

    - children: int16 (n_splits, 2); weight_of, feature: int32 (n_splits,), of oblique splits. A
      tree that grows writes them; its weight_of is -1 at axis-aligned splits.
    - plane: float64 (4, width), in training coordinates: one step along each side of the map, its
      origin, and a row of zeros.
    - unscale: float64 (n_features,), by which weights become those of deviations.

    All others are written: for splits, for leaves (counts: uint32 (n_leaves, n_classes), of the
    rows learnt from), for shown points, and figures: float64 (8,), a point of the curves, that is
    epoch, bound, loss, held-out loss, accuracy, held-out accuracy, active leaves, mean norm of W.
    A tree that grows has as many leaves as are active, and room for more.
    """

    children: np.ndarray
    weight_of: np.ndarray
    feature: np.ndarray
    plane: np.ndarray
    unscale: np.ndarray
    split: np.ndarray
    size: np.ndarray
    reach: np.ndarray
    weights: np.ndarray
    threshold: np.ndarray
    norm: np.ndarray
    length: np.ndarray
    low: np.ndarray
    high: np.ndarray
    leaf: np.ndarray
    share: np.ndarray
    counts: np.ndarray
    at: np.ndarray
    used: np.ndarray
    loss: np.ndarray
    bound: np.ndarray
    figures: np.ndarray


@kernel
def begin_sgd(run, unit, stable):
    """Start from rows of length 1, float64 (n_splits, width), and leaf values, as ``make_run``."""
    tree = run.tree
    fill_leaves(tree.tables, tree.theta)
    fill_splits(tree.tables, tree.theta, tree.left, tree.right)
    length = math.sqrt(run.rates[1])
    for i in range(unit.shape[0]):
        for j in range(unit.shape[1]):
            tree.W[i, j] = np.float32(length * unit[i, j])
    if stable is not None:
        assign_rows(tree, run.X, run.weight, stable)
        stable.moved[1:] = -1


@kernel
def advance_sgd(run, penalty, batches, stable, clock, budget):
    """Visit about ``budget`` rows of the pass; clock: float64 (2,), passes done, and in all."""
    sgd.advance_run(run, budget, penalty, batches, stable)
    clock[0] = max(0, run.clock[0] - 1) + run.clock[1] / run.order.shape[0]
    clock[1] = run.plan[0]


@kernel
def advance_annealed(run, shares, clock, budget):
    """Take about ``budget`` rows of the round; clock: float64 (2,), rounds done, and in all."""
    annealed.advance_run(run, budget, shares)
    clock[0] = run.clock[1] / run.plan[0]
    clock[1] = run.plan[1]


@kernel
def begin_greedy(run, axis, sorting, random, scales, together, X, y, clock):
    """Have growth begin with all rows in the root, sorted by every feature.

    axis: None where no axis-aligned split is asked for; random: the state of the search's random
    numbers, written, and how it is at first, or empty; scales, together: see ``feature_scales``, of
    rows of equal weight, empty where they stay; X: float32 (n_samples, width), in training
    coordinates; y: int64 (n_samples,); clock: float64 (2,), levels done, and in all.
    """
    nodes, at, n = run.nodes, run.clock, y.shape[0]
    for place in range(nodes.shape[0]):
        nodes[place]["left"], nodes[place]["waiting"] = 0, False
    root, tally, rules = nodes[0], run.tally[0], run.rules
    tally[:] = 0.0
    for i in range(n):
        run.rows[i], run.criterion.labels[i] = i, y[i]
        count(run.criterion, tally, i, 1)
        for f in range(run.X.shape[1]):
            run.X[i, f] = X[i, f]
    root["start"], root["stop"], root["depth"] = 0, n, 0
    impurity = impurity_of_node(run.criterion, tally, run.rows)
    root["pending"] = impurity > 0 and impurity >= rules.min_impurity
    root["pending"] &= rules.depth > 0 and n >= rules.min_rows and rules.max_leaf_nodes != 1
    at[:] = 0
    at[greedy.PHASE] = rules.first
    at[greedy.N_NODES], at[greedy.NEXT], at[greedy.SIZE] = 1, 1, root["pending"]
    if axis is not None:
        at[greedy.PHASE], at[greedy.N_RIVALS] = greedy.SEARCH, axis.rivals.shape[0]
        for f in range(axis.columns.shape[0]):
            for i in range(n):
                axis.columns[f, i] = X[i, f]
            sort_rows(axis.columns[f], run.rows, axis.order[f], axis.values, sorting)
    for i in range(random[0].shape[0]):
        random[0][i] = random[1][i]
    write_scales(run.X, together, scales)
    clock[0] = 0.0 if at[greedy.SIZE] > 0 else clock[1]


@by_first
def refine(search, run, budget):
    """Go on with what a finder does at the node at hand; see ``SplitFinder.refine``."""


@implements(refine, RandomDirections)
def _try_directions(search, run, budget):
    return try_directions(search, run, budget)


@implements(refine, HillClimb)
def _climb_hills(search, run, budget):
    return climb_hills(search, run, budget)


@implements(refine, TurningStump)
def _turn(search, run, budget):
    return turn(search, run, budget)


@kernel
def advance_greedy(run, search, units, axis, draws, levels, terms, monotonic, clock, budget):
    """Read about ``budget`` values, at most to the end of the level; clock: as ``Growth.epoch``.

    search: of the finder, None where axis-aligned splits are all; units: about how many values are
    read of a row on each level.
    """
    at, done, refines = run.clock, 0, True
    level = at[greedy.LEVEL]
    while refines:
        if search is not None and at[greedy.PHASE] == greedy.REFINE and at[greedy.SIZE] > 0:
            read = refine(search, run, budget - done)
            at[greedy.NODE_UNITS] += read
            done += read
        done += advance_growth(run, budget - done, axis, draws, levels, terms, monotonic)
        refines = at[greedy.PHASE] == greedy.REFINE and at[greedy.SIZE] > 0
        refines &= done < budget and at[greedy.LEVEL] == level
    clock[0] = clock[1]
    if at[greedy.SIZE] > 0:
        node = run.nodes[at[greedy.AT]]
        most = at[greedy.NODE_UNITS] + units * (node["stop"] - node["start"])
        share = at[greedy.NODE_UNITS] / most
        clock[0] = at[greedy.LEVEL] + (at[greedy.N_DONE] + share) / at[greedy.SIZE]


@kernel
def read_greedy(run, smoothing, train, held, tree, reference, out):
    """Write the tree grown so far as one in training coordinates, where there is room for more.

    smoothing: float64 (1,), see ``Growth``; train, held: ``Rows``, whose leaves are those where
    growth has sent the rows, or would; reference: int32 (n_nodes,), work space, the number of a
    node's split, or ``~leaf``.
    """
    nodes, counts, p = run.nodes[: run.clock[greedy.N_NODES]], run.right, run.X.shape[1]
    n_splits = n_leaves = 0
    for place in range(nodes.shape[0]):
        inner = nodes[place]["left"] > 0
        reference[place] = n_splits if inner else ~n_leaves
        n_splits, n_leaves = n_splits + inner, n_leaves + (not inner)
    tree.left[0] = tree.right[0] = -1  # a single leaf has a split that divides nothing
    for place in range(nodes.shape[0]):
        node, i = nodes[place], reference[place]
        if i >= 0:
            oblique = node["feature"] == OBLIQUE
            tree.W[i, p] = node["threshold"]
            for j in range(p):
                tree.W[i, j] = j == node["feature"]
                if oblique:
                    tree.W[i, j] = run.weights[node["row"], j]
            tree.left[i], tree.right[i] = reference[node["left"]], reference[node["left"] + 1]
            out.children[i, 0], out.children[i, 1] = tree.left[i], tree.right[i]
            out.feature[i] = node["feature"]
            if out.weight_of.shape[0] > 0:
                out.weight_of[i] = i if oblique else -1
            continue
        counts[:] = 0.0
        for k in range(node["start"], node["stop"]):
            row = run.rows[k]
            train.leaf[row] = ~i
            counts[train.y[row]] += train.weight[row]
        total = counts.sum() + smoothing[0]
        for c in range(counts.shape[0]):
            tree.theta[~i, c] = math.log((counts[c] + smoothing[0] / counts.shape[0]) / total)
    for row in range(held.leaf.shape[0]):
        x, at = held.X[row, :p], 0
        while nodes[at]["left"] > 0:
            node = nodes[at]
            if node["feature"] == OBLIQUE:
                score = dot(run.weights[node["row"]], x)
            else:
                score = x[node["feature"]]
            at = node["left"] + (score > node["threshold"])
        held.leaf[row] = ~reference[at]


@kernel
def place_row(X, y, plane, i, across, up, label):
    """Put a row at a place of the map; plane: of a ``Picture``, whose sides are all features."""
    for j in range(X.shape[1]):
        X[i, j] = np.float32(plane[2, j] + across * plane[0, j] + up * plane[1, j])
    y[i] = label


@kernel
def count_rows(order, weight, told, shown, clock, turn, old, new):
    """Go on with another number of rows, for both of which arrays have room.

    Of the present pass rows that are gone are left out, and those that are new come last.
    weight, told: of the run and of its ``Rows``, the same all over; clock: int64, at ``turn`` the
    rows of this order that had their turn.
    """
    kept = seen = 0
    for k in range(old):
        row = order[k]
        if row < new:
            order[kept] = row
            kept += 1
            seen += k < clock[turn]
    clock[turn] = seen
    for row in range(old, new):
        order[row] = shown[row] = row
        weight[row], told[row] = weight[0], told[0]


@kernel
def hold_rows(run, stable):
    """Hold rows to the leaves that they reach; the next pass has no bound to compare with."""
    assign_rows(run.tree, run.X, run.weight, stable)
    stable.bounds[1] = np.inf


@kernel
def read_out(theta, expected, rules, values):
    """Write what leaves of annealed learning say, see ``Annealed.values``.

    rules: float64 (2,), ``1 - power`` and the smoothing; values: float32 (n_leaves, n_classes).
    """
    n_leaves, k = theta.shape
    for j in range(n_leaves):
        largest = rules[0] * np.float64(theta[j, 0])
        for c in range(1, k):
            largest = max(largest, rules[0] * np.float64(theta[j, c]))
        total = 0.0
        for c in range(k):
            total += math.exp(rules[0] * np.float64(theta[j, c]) - largest)
        for c in range(k):
            rows = math.exp(rules[0] * np.float64(theta[j, c]) - largest) / total * expected[j]
            share = (rows + rules[1] / k) / (expected[j] + rules[1])
            values[j, c] = np.float32(math.log(share))


@kernel
def picture(tree, values, train, held, exact, bounded, grows, clock, out):
    """Write what is drawn of a tree.

    tree: its ``W`` and shape are read, and its tables, which are those of ``values`` afterwards;
    values: float32 (n_leaves, n_classes), what leaves say; train, held: ``Rows``; exact: which
    bound; bounded: whether there is one; grows: whether it is a tree that grows.
    """
    n_leaves, k = values.shape
    fill_leaves(tree.tables, values)
    for j in range(n_leaves):
        best = 0
        for c in range(1, k):
            if values[j, c] > values[j, best]:
                best = c
        out.leaf[j] = best
        out.share[j] = np.rint(255.0 * math.exp(-np.float64(tree.tables.leaf_loss[j, best])))
    half_ranges(tree.tables.leaf_loss, tree.left, tree.right, out.low, out.high, out.reach)
    out.counts[:] = 0
    draw_splits(tree.W, out)
    bound, out.figures[2], out.figures[4] = look(tree, train, exact, bounded, grows, 0, out)
    first, active = train.shown.shape[0], 0
    for i in range(train.y.shape[0]):
        out.counts[train.leaf[i], train.y[i]] += 1
    for j in range(n_leaves):
        active += out.counts[j].sum() > 0
    out.figures[0], out.figures[6] = clock[0], active
    out.figures[1] = bound if bounded else np.nan
    if grows:
        out.figures[7] = np.nan
    _, out.figures[3], out.figures[5] = look(tree, held, exact, bounded, grows, first, out)


@kernel
def look(tree, rows, exact, bounded, grows, first, out):
    """Write leaf, loss and bound of rows; of those shown also ``out``, from point ``first`` on.

    grows: their leaves are written already, see :func:`read_greedy`.
    Returns the weighted means of bound and loss, and the share that is right; NaN of no rows.
    """
    bounds = losses = right = weights = 0.0
    for i in range(rows.y.shape[0]):
        y, leaf = rows.y[i], np.int64(rows.leaf[i])
        if bounded:
            leaf, _, bound, _ = infer(tree, rows.X[i], y, exact)
            rows.bound[i] = bound
        elif not grows:
            leaf = plain_leaf(tree, rows.X[i])
        rows.leaf[i] = leaf
        rows.loss[i] = tree.tables.leaf_loss[leaf, y]
        bounds += rows.weight[i] * rows.bound[i]
        losses += rows.weight[i] * rows.loss[i]
        right += rows.weight[i] * (out.leaf[leaf] == y)
        weights += rows.weight[i]
    for e in range(rows.shown.shape[0]):
        i = rows.shown[e]
        out.at[first + e], out.loss[first + e] = rows.leaf[i], rows.loss[i]
        if bounded:
            out.bound[first + e] = rows.bound[i]
        if rows.used.shape[0] > 0:
            out.used[first + e] = rows.used[i]
    if weights == 0.0:
        return np.nan, np.nan, np.nan
    return bounds / weights, losses / weights, right / weights


@kernel
def draw_splits(W, out):
    """Write lines on the map, weights and lengths of the splits, and the mean length."""
    n_features = out.unscale.shape[0]
    lengths = 0.0
    for i in range(W.shape[0]):
        along = across = origin = threshold = square = spread = largest = 0.0
        for j in range(W.shape[1]):
            w = np.float64(W[i, j])
            along += w * out.plane[0, j]
            across += w * out.plane[1, j]
            origin -= w * out.plane[2, j]
            threshold -= w * out.plane[3, j]
            square += w * w
            if j < n_features:
                spread += (w * out.unscale[j]) ** 2
                largest = max(largest, abs(w * out.unscale[j]))
        size = max(abs(along), abs(across), abs(origin))
        scale = size if size > 0.0 else 1.0
        out.split[i, 0], out.split[i, 1] = along / scale, across / scale
        out.split[i, 2] = origin / scale
        out.size[i], out.threshold[i] = size, threshold
        out.norm[i] = math.sqrt(spread) if out.feature[i] == OBLIQUE else 0.0
        if out.length.shape[0] > 0:
            out.length[i] = math.sqrt(square)
        lengths += math.sqrt(square)
        if out.weight_of.shape[0] > 0:
            for j in range(n_features):
                w = W[i, j] * out.unscale[j] / (largest if largest > 0.0 else 1.0)
                out.weights[i, j] = np.rint(127.0 * w)
    out.figures[7] = lengths / W.shape[0]
