"""Plain twins of the kernels: the same decisions, written to be read.

Arithmetic is NumPy's float32 in the order that the kernels state, and inner products are those of
their one ``dot``, so twins and kernels are compared bit for bit, not up to a tolerance.
"""

import math
from itertools import product

import numpy as np

from treecore.compiling.kernels import dot
from treecore.losses.absolute import AbsoluteTables
from treecore.losses.huber import DELTA, HuberTables
from treecore.losses.log import LogTables
from treecore.losses.quantile import QuantileTables

f32 = np.float32


def leaf_of(tree, x):
    """Follow the signs of the scores from the root."""
    node = tree.root
    while node >= 0:
        if tree.feature[node] >= 0:
            s = x[tree.feature[node]] - tree.threshold[node]
            if np.isnan(s):
                s = -1 if tree.missing_left[node] else 1
        else:
            known = np.where(np.isnan(x), tree.missing, x)
            s = dot(tree.weights[tree.row[node]], known) - tree.threshold[node]
        node = tree.right[node] if s > 0 else tree.left[node]
    return ~node


def exponential(x):
    """e^x = 2^n e^r in float32: n the nearest whole number to x / log 2, and a polynomial of r."""
    x = min(max(f32(x), f32(-87)), f32(88))
    n = np.rint(x * f32(1.44269504))
    r = (x - n * f32(0.693359375)) - n * f32(-2.12194440e-4)
    p = f32(1.9875691500e-4)
    for c in (1.3981999507e-3, 8.3334519073e-3, 4.1665795894e-2, 1.6666665459e-1, 5.0000001201e-1):
        p = p * r + f32(c)
    return np.ldexp(p * (r * r) + r + f32(1), int(n))


def log_loss(theta, y):
    """Eq. 2 of Norouzi et al. 2015, in float64."""
    theta = [float(value) for value in theta]
    largest = max(theta)
    total = 0.0
    for value in theta:  # math.exp, as in the kernel: NumPy's own may differ in the last bit
        total += math.exp(value - largest)
    return math.log(total) + largest - theta[y]


def cost(joint, leaf, y):
    """What one leaf costs a target, float32, from its values alone."""
    return f32(loss_of_values(joint, joint.theta[leaf], y))


def loss_of_values(joint, theta, y):
    """The loss, of the kind that ``joint`` is learnt by, of any leaf values, in float64."""
    if isinstance(joint.tables, LogTables):
        return log_loss(theta, y)
    total = 0.0
    for value, target in zip(theta, y):
        residual = float(value) - float(target)
        size = abs(residual)
        if isinstance(joint.tables, QuantileTables):
            level = joint.tables.level[0]
            total += size * (1.0 - level if residual > 0 else level)
            continue
        if isinstance(joint.tables, AbsoluteTables):
            total += size
            continue
        straight = isinstance(joint.tables, HuberTables) and size > DELTA
        total += DELTA * (2.0 * size - DELTA) if straight else size * size
    return total


def step_on_leaf(joint, leaf, y, rate):
    """Line 10 of Algorithm 1: theta less ``rate`` times the gradient of its loss."""
    theta = joint.theta[leaf]
    if isinstance(joint.tables, LogTables):
        losses = [cost(joint, leaf, c) for c in range(len(theta))]
        gradient = [math.exp(-float(loss)) - (c == y) for c, loss in enumerate(losses)]
        for c in range(len(theta)):
            theta[c] = f32(float(theta[c]) - rate * gradient[c])
        return
    for q, (value, target) in enumerate(zip(theta.tolist(), y.tolist())):
        pull = value - target
        if isinstance(joint.tables, HuberTables):
            pull = min(max(pull, -DELTA), DELTA)
        slope = float(np.sign(pull)) if isinstance(joint.tables, AbsoluteTables) else 2.0 * pull
        if isinstance(joint.tables, QuantileTables):
            slope = float(pull > 0) - joint.tables.level[0] if pull else 0.0
        moved = value - rate * slope
        beyond = (moved - target) * (value - target) < 0.0  # no further than the target itself
        theta[q] = f32(target if beyond else moved)


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
    return cost(joint, leaf, y) - lost


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
        best = max(best, np.dot(code, scores) + cost(joint, ~node, y))
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
    value = cost(joint, best, y)
    for split, s in path:
        _, leaf = follow(joint.left[split] if s > 0 else joint.right[split])
        flipped = cost(joint, leaf, y) - f32(2) * abs(s)
        if flipped > value:
            best, value = leaf, flipped
    return best, value, n_products


def look_at_points(tree, joint, X, rows, y, exact):
    """Leaf, loss and bound of every row: of a raw tree, and of the same one in training
    coordinates.
    """
    leaves = [leaf_of(tree, x) for x in X]
    losses = [cost(joint, leaf, target) for leaf, target in zip(leaves, y, strict=True)]
    infer = infer_exact if exact else infer_fast
    bounds = [infer(joint, x, target)[1] for x, target in zip(rows, y, strict=True)]
    return leaves, losses, bounds


def turn(joint, split, towards_right, x, rate, nu):
    """Lines 6 to 8 of Algorithm 1 for one split, offset included."""
    joint.W[split] += f32(2 * rate if towards_right else -2 * rate) * x
    square = float(dot(joint.W[split], joint.W[split]))
    if square > nu:
        joint.W[split] *= f32(math.sqrt(nu / square))


def sgd_rows(joint, X, y, weight, order, rule):
    """Algorithm 1 of Norouzi et al. 2015, line by line, on W and theta of ``joint``."""
    all_paths = paths(joint)
    infer = infer_exact if rule.exact else infer_fast
    for i, row in enumerate(order):
        if weight[row] == 0:
            continue
        x, target = X[row], y[row]
        rate = (rule.eta + (rule.n_before + i) * rule.slope) * weight[row]
        scores = [dot(w, x) for w in joint.W]
        g_leaf, _, _ = infer(joint, x, target)
        for split, right in reversed(all_paths[g_leaf]):
            if (scores[split] > 0) != right:
                turn(joint, split, scores[split] > 0, x, rate, rule.nu)
        step_on_leaf(joint, g_leaf, target, rate)


def stable_rows(joint, X, y, weight, order, assigned, rule):
    """Stable SGD (eq. 14) by whole codes: h and g are written out split by split.

    Returns the weighted sum of the bounds before each update.
    """
    all_paths = paths(joint)
    infer = infer_exact if rule.exact else infer_fast
    total = 0.0
    for i, row in enumerate(order):
        if weight[row] == 0:
            continue
        x, target, a_leaf = X[row], y[row], assigned[row]
        rate = (rule.eta + (rule.n_before + i) * rule.slope) * weight[row]
        scores = [dot(w, x) for w in joint.W]
        sign = {split: s > 0 for split, s in enumerate(scores)}
        g_leaf, bound, _ = infer(joint, x, target)
        h = sign | dict(all_paths[a_leaf])
        g = sign | dict(all_paths[g_leaf])
        lost = f32(0)
        for split, right in reversed(all_paths[a_leaf]):
            if right != sign[split]:
                lost = lost + f32(2) * abs(scores[split])
        total += weight[row] * float(bound + lost)
        for split in range(len(scores)):
            if h[split] != g[split]:
                turn(joint, split, h[split], x, rate, rule.nu)
        step_on_leaf(joint, g_leaf, target, rate)
    return total


def soft_routing(joint, scores, costs, beta, unreached):
    """Expected cost of one row, its gradient by the scores, and the chance of every leaf.

    A split of chance ``unreached`` or less is not visited, unless it is the likelier of two: its
    side counts as the other one.
    """
    gradient, reach = np.zeros(len(scores)), np.zeros(len(costs))

    def visit(node, chance, likelier):
        if node < 0:
            reach[~node] += chance
            return costs[~node]
        if chance <= unreached and not likelier:
            return None
        p = 1 / (1 + math.exp(-beta * scores[node]))
        left = visit(joint.left[node], chance * (1 - p), p <= 0.5)
        right = visit(joint.right[node], chance * p, p > 0.5)
        left = right if left is None else left
        right = left if right is None else right
        gradient[node] = beta * chance * p * (1 - p) * (right - left)
        return left + p * (right - left)

    return visit(0 if len(scores) else -1, 1.0, True), gradient, reach


def batch_rows(joint, X, y, weight, order, assigned, rule, batch, momentum):
    """Mini-batches with momentum: whole codes as in ``stable_rows``; no leaves assigned, plain SGD.

    Starts at rest. Returns the weighted sum of the bounds, and the velocities.
    """
    all_paths = paths(joint)
    infer = infer_exact if rule.exact else infer_fast
    velocity = np.zeros_like(joint.W)
    total = 0.0
    for first in range(0, len(order), batch):
        rows = order[first : first + batch]
        rate = rule.eta + (rule.n_before + first) * rule.slope
        gradient, taught = {}, []
        for row in rows:
            if weight[row] == 0:
                continue
            x, share = X[row], weight[row] / len(rows)
            scores = [dot(w, x) for w in joint.W]
            sign = {split: s > 0 for split, s in enumerate(scores)}
            g_leaf, bound, _ = infer(joint, x, y[row])
            h, g = dict(sign), sign | dict(all_paths[g_leaf])
            if len(assigned):
                h |= dict(all_paths[assigned[row]])
            for split in sorted(h, reverse=True):
                if h[split] != sign[split]:
                    bound = bound + f32(2) * abs(scores[split])
                if h[split] != g[split]:
                    step = f32(2 * share if h[split] else -2 * share) * x
                    gradient[split] = gradient.get(split, f32(0)) + step
            total += weight[row] * float(bound)
            taught.append((g_leaf, y[row], rate * share))
        for split, step in gradient.items():
            velocity[split] = f32(momentum) * velocity[split] + step
            joint.W[split] += f32(rate) * velocity[split]
            square = float(dot(joint.W[split], joint.W[split]))
            if square > rule.nu:
                joint.W[split] *= f32(math.sqrt(rule.nu / square))
        for lesson in taught:
            step_on_leaf(joint, *lesson)
    return total, velocity


def soft_threshold(w, amount):
    """The nearest point to ``w`` after paying ``amount`` for each unit of its L1 norm."""
    return [math.copysign(max(abs(value) - f32(amount), f32(0)), value) for value in w]


def place_on_map(plane, across, up):
    """The row of a place on a map: its middle, and its two sides."""
    return plane[2] + across * plane[0] + up * plane[1]


def go_on_with(order, had, old, new):
    """The order of ``new`` rows in place of ``old``, and how many of them had their turn."""
    left = [row for row in order[:old] if row < new]
    return left + list(range(old, new)), sum(row < new for row in order[:had])
