"""Plain twins of the kernels: the same decisions, written to be read.

Arithmetic is NumPy's float32 in the order that the kernels state, so twins and kernels are
compared bit for bit, not up to a tolerance.
"""

from __future__ import annotations

import math
from itertools import product

import numpy as np

f32 = np.float32


def dot(w, x):
    """Sixteen lanes, block by block; lanes by halves; then what is left over, one by one."""
    whole = len(w) // 16 * 16
    total = f32(0)
    if whole:
        lanes = np.zeros(16, dtype=f32)
        for start in range(0, whole, 16):
            lanes = lanes + w[start : start + 16] * x[start : start + 16]
        while len(lanes) > 1:
            half = len(lanes) // 2
            lanes = lanes[:half] + lanes[half:]
        total = lanes[0]
    for j in range(whole, len(w)):
        total = total + w[j] * x[j]
    return total


def leaf_of(tree, x):
    """Follow the signs of the scores from the root."""
    node = tree.root
    while node >= 0:
        if tree.feature[node] >= 0:
            s = x[tree.feature[node]] - tree.threshold[node]
        else:
            s = dot(tree.weights[tree.row[node]], x) - tree.threshold[node]
        node = tree.right[node] if s > 0 else tree.left[node]
    return ~node


def log_loss(theta, y):
    """Eq. 2 of Norouzi et al. 2015, in float64."""
    theta = [float(value) for value in theta]
    greatest = max(theta)
    total = 0.0
    for value in theta:  # math.exp, as in the kernel: NumPy's own may differ in the last bit
        total += math.exp(value - greatest)
    return math.log(total) + greatest - theta[y]


def paths(tree):
    """For every leaf the list of (split, goes right) from the root down to it."""
    found = {}

    def walk(node, path):
        if node < 0:
            found[~node] = path
        else:
            walk(tree.left[node], [*path, (node, False)])
            walk(tree.right[node], [*path, (node, True)])

    walk(0 if len(tree.left) else -1, [])
    return found


def leaf_value(joint, scores, path, leaf, y):
    """v_j: the leaf's loss, less 2|s| for every split on its path that x disagrees with."""
    lost = f32(0)
    for split, right in path:
        if (scores[split] > 0) != right:
            lost = lost + f32(2) * abs(scores[split])
    return joint.tables.leaf_loss[leaf, y] - lost


def infer_exact(joint, x, y):
    """The textbook O(2^d p): every split is scored, every leaf is tried.

    Returns the best leaf, its value, and the inner products spent.
    """
    scores = [dot(w, x) for w in joint.W]
    values = {leaf: leaf_value(joint, scores, path, leaf, y) for leaf, path in paths(joint).items()}
    best = max(values, key=values.get)
    return best, values[best], len(scores)


def infer_codes(joint, x, y):
    """Eq. 10 to the letter: the maximum over all 2^m codes g of g'Wx + loss, less max_h h'Wx."""
    scores = np.array([dot(w, x) for w in joint.W], dtype=np.float64)
    best = -np.inf
    for code in product((-1.0, 1.0), repeat=len(scores)):
        node = 0 if len(scores) else -1
        while node >= 0:
            node = joint.right[node] if code[node] > 0 else joint.left[node]
        best = max(best, np.dot(code, scores) + joint.tables.leaf_loss[~node, y])
    return best - np.abs(scores).sum()


def infer_fast(joint, x, y):
    """The textbook O(d^2 p): flip each decision of the plain path, follow sgn(Wx) below it.

    Returns the best leaf, its value, and the inner products spent: one for every split on the
    plain path and on each of the paths that leave it.
    """
    n_products = 0

    def follow(node):
        nonlocal n_products
        path = []
        while node >= 0:
            s = dot(joint.W[node], x)
            n_products += 1
            path.append((node, s))
            node = joint.right[node] if s > 0 else joint.left[node]
        return path, ~node

    path, best = follow(0 if len(joint.W) else -1)
    value = joint.tables.leaf_loss[best, y]
    for split, s in path:
        _, leaf = follow(joint.left[split] if s > 0 else joint.right[split])
        flipped = joint.tables.leaf_loss[leaf, y] - f32(2) * abs(s)
        if flipped > value:
            best, value = leaf, flipped
    return best, value, n_products


def sgd_rows(joint, X, y, order, exact, eta, slope, n_before, nu):
    """Algorithm 1 of Norouzi et al. 2015, line by line, on the arrays of ``joint``."""
    all_paths = paths(joint)
    infer = infer_exact if exact else infer_fast
    for i, row in enumerate(order):
        x, label = X[row], y[row]
        rate = eta + (n_before + i) * slope
        scores = [dot(w, x) for w in joint.W]
        g_leaf, _, _ = infer(joint, x, label)
        for split, right in reversed(all_paths[g_leaf]):  # lines 6 to 8, where h and g differ
            h_right = scores[split] > 0
            if h_right != right:
                joint.W[split] += f32(2 * rate if h_right else -2 * rate) * x
                square = float(dot(joint.W[split], joint.W[split]))
                if square > nu:
                    joint.W[split] *= f32(math.sqrt(nu / square))
        losses = joint.tables.leaf_loss[g_leaf]
        for c in range(len(losses)):  # line 10
            gradient = math.exp(-float(losses[c])) - (c == label)
            joint.theta[g_leaf, c] = f32(float(joint.theta[g_leaf, c]) - rate * gradient)
        for c in range(len(losses)):
            losses[c] = f32(log_loss(joint.theta[g_leaf], c))


def stable_rows(joint, X, y, order, assigned, exact, eta, slope, n_before, nu):
    """Stable SGD (eq. 14) by whole codes: h and g are written out split by split.

    Returns the sum of the bounds before each update.
    """
    all_paths = paths(joint)
    infer = infer_exact if exact else infer_fast
    total = 0.0
    for i, row in enumerate(order):
        x, label, a_leaf = X[row], y[row], assigned[row]
        rate = eta + (n_before + i) * slope
        scores = [dot(w, x) for w in joint.W]
        sign = {split: s > 0 for split, s in enumerate(scores)}
        g_leaf, bound, _ = infer(joint, x, label)
        h = sign | dict(all_paths[a_leaf])
        g = sign | dict(all_paths[g_leaf])
        lost = f32(0)
        for split, right in reversed(all_paths[a_leaf]):
            if right != sign[split]:
                lost = lost + f32(2) * abs(scores[split])
        total += float(bound + lost)
        for split in range(len(scores)):
            if h[split] != g[split]:
                joint.W[split] += f32(2 * rate if h[split] else -2 * rate) * x
                square = float(dot(joint.W[split], joint.W[split]))
                if square > nu:
                    joint.W[split] *= f32(math.sqrt(nu / square))
        losses = joint.tables.leaf_loss[g_leaf]
        for c in range(len(losses)):
            gradient = math.exp(-float(losses[c])) - (c == label)
            joint.theta[g_leaf, c] = f32(float(joint.theta[g_leaf, c]) - rate * gradient)
        for c in range(len(losses)):
            losses[c] = f32(log_loss(joint.theta[g_leaf], c))
    return total
