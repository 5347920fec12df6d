"""Backwards through loss and trees: what a mini-batch says to the few parameters it met.

A row's output of one tree is ``w[leaf] * |r|`` with ``r = z[f] - t`` the smallest margin, so only
that leaf, that threshold and that feature have a gradient (eqs. 11 and 12).
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from treecore.compiling.dispatch import by_first, implements
from treecore.compiling.kernels import dot, kernel
from treecore.learners.hinge.layer import n_features
from treecore.learners.hinge.optimizers import move_row


class BatchBuffers(NamedTuple):
    """Space for one mini-batch of n_rows rows; what it holds between batches is no state.

    - counted: float32 (n_trees,), what each tree counts, 0: dropped out; moved: (p,), an image.
    - x, z, dz: standardised rows; features, and the gradient of the loss by them; out, dout:
      outputs, and the gradient by them.
    - slot_of_leaf, slot_of_node: place in the sums of one met by the batch; -1 between trees.
    - leaf_sum, node_sum, filters: gradients.
    """

    moved: np.ndarray
    counted: np.ndarray
    x: np.ndarray
    z: np.ndarray
    dz: np.ndarray
    leaf: np.ndarray
    nearest: np.ndarray
    margin: np.ndarray
    out: np.ndarray
    dout: np.ndarray
    slot_of_leaf: np.ndarray
    slot_of_node: np.ndarray
    met_leaf: np.ndarray
    met_node: np.ndarray
    leaf_sum: np.ndarray
    node_sum: np.ndarray
    filters: np.ndarray


def make_buffers(trees, layer, n_rows: int) -> BatchBuffers:
    """Work space of mini-batches of n_rows rows."""
    width, p = n_features(layer), len(layer.centre)
    n_trees, n_leaves, n_outputs = trees.weights.shape

    def floats(*shape):
        return np.zeros(shape, dtype=np.float32)

    def integers(*shape):
        return np.full(shape, -1, dtype=np.int32)

    return BatchBuffers(
        floats(p),
        floats(n_trees),
        floats(n_rows, p),
        floats(n_rows, width),
        floats(n_rows, width),
        integers(n_trees, n_rows),
        integers(n_trees, n_rows),
        floats(n_trees, n_rows),
        floats(n_rows, n_outputs),
        floats(n_rows, n_outputs),
        integers(n_leaves),
        integers(trees.feature.shape[1]),
        integers(n_rows),
        integers(n_rows),
        floats(n_rows, n_outputs),
        floats(n_rows),
        np.zeros_like(layer.filters),
    )


@kernel
def loss_gradient(out, y, weight, rows, unit, pull, dout):
    """Weighted sums of loss and error of a batch, ``rows`` of y and weight; ``dout`` is written.

    unit: float64 (n_outputs,), the error of a squared distance of 1; pull: (3,), see ``Loss``.
    """
    loss, error = 0.0, 0.0
    n = np.float32(out.shape[0])
    for b in range(out.shape[0]):
        row = rows[b]
        w = weight[row]
        one, off = _row_gradient(y[row], out[b], w / n, unit, pull, dout[b])
        loss += w * one
        error += w * off
    return loss, error


@by_first
def _row_gradient(y, out, share, unit, pull, dout):
    """Loss and error of one row, unweighted; ``share`` times its gradient is written."""


@implements(_row_gradient, np.integer)
def _softmax_row(y, out, share, unit, pull, dout):
    top, best = out[0], 0
    for k in range(1, out.shape[0]):
        if out[k] > top:
            top, best = out[k], k
    total = np.float32(0.0)
    for k in range(out.shape[0]):
        dout[k] = np.exp(out[k] - top)
        total += dout[k]
    loss = np.log(total) - (out[y] - top)
    for k in range(out.shape[0]):
        dout[k] = dout[k] * (share / total)
    dout[y] -= share
    return np.float64(loss), 1.0 if best != y else 0.0


@implements(_row_gradient, np.ndarray)
def _numbers_row(y, out, share, unit, pull, dout):
    total, error = 0.0, 0.0
    for k in range(out.shape[0]):
        away = out[k] - y[k]
        far = np.float64(abs(away))
        limit = pull[0] if away > 0 else pull[1]
        error += far * far * unit[k]
        if pull[2] > 0 and far <= limit:
            dout[k] = share * away
            total += 0.5 * far * far
        else:
            total += limit * (far - 0.5 * pull[2] * limit)
            slope = share * np.float32(limit)
            dout[k] = slope if away > 0 else -slope if away < 0 else np.float32(0.0)
    return total, error


@kernel
def train_step(trees, memory, work, n, tree_weight, method, rate, rate2):
    """One step on thresholds and leaves of every tree, and the gradient by the features in ``dz``.

    ``work`` holds a forward pass and ``dout``; leaves and thresholds move once, after all rows.
    """
    zero = np.float32(0.0)
    work.dz[:n, :] = zero
    for m in range(trees.feature.shape[0]):
        if tree_weight[m] == zero:
            continue
        n_leaves, n_nodes = 0, 0
        for b in range(n):
            leaf, node, margin = work.leaf[m, b], work.nearest[m, b], work.margin[m, b]
            strength = tree_weight[m] * abs(margin)
            slot = work.slot_of_leaf[leaf]
            if slot < 0:
                slot = n_leaves
                n_leaves += 1
                work.slot_of_leaf[leaf] = slot
                work.met_leaf[slot] = leaf
                work.leaf_sum[slot, :] = zero
            steepness = _add_and_multiply(
                work.leaf_sum, slot, strength, work.dout, b, trees.weights, m, leaf
            )
            steepness *= tree_weight[m]
            if not margin > zero:  # sgn(r), left where they tie
                steepness = -steepness
            work.dz[b, trees.feature[m, node]] += steepness
            slot = work.slot_of_node[node]
            if slot < 0:
                slot = n_nodes
                n_nodes += 1
                work.slot_of_node[node] = slot
                work.met_node[slot] = node
                work.node_sum[slot] = zero
            work.node_sum[slot] -= steepness
        for slot in range(n_leaves):
            leaf = work.met_leaf[slot]
            work.slot_of_leaf[leaf] = -1
            w = trees.weights[m, leaf]
            first, second = memory.weights1[m, leaf], memory.weights2[m, leaf]
            move_row(method, w, work.leaf_sum[slot], first, second, rate, rate2)
        for slot in range(n_nodes):
            node = work.met_node[slot]
            work.slot_of_node[node] = -1
            move_row(
                method,
                trees.threshold[m, node : node + 1],
                work.node_sum[slot : slot + 1],
                memory.threshold1[m, node : node + 1],
                memory.threshold2[m, node : node + 1],
                rate,
                rate2,
            )


@kernel
def _add_and_multiply(total, slot, strength, dout, b, weights, m, leaf):
    """Add ``strength * dout[b]`` to a row of ``total``; return its product with the leaf's."""
    sums, gradient = total[np.uintp(slot)], dout[np.uintp(b)]
    for k in range(gradient.shape[0]):
        sums[k] += strength * gradient[k]
    return dot(weights[np.uintp(m), np.uintp(leaf)], gradient)
