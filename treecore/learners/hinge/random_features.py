"""Random initial trees (Algorithm 1 of Lay et al. 2018).

The paper draws thresholds from U(-3, 3), in deviations. *Between rows*, each lies between two rows
that come to it, as in extremely randomised trees; where fewer do, within what is left of its range.
"""

from __future__ import annotations

import numpy as np

from treecore.compiling.kernels import kernel
from treecore.learners.hinge.traversal import Trees, n_nodes


def random_trees(kind: str, n_trees: int, depth: int, n_outputs: int, Z, rng, start: str) -> Trees:
    """Trees or ferns of random features, leaves and thresholds; Z: (n_rows, n_features)."""
    nodes, p = n_nodes(kind, depth), Z.shape[1]
    as_in_paper = start == "drawn"
    if kind == "fern" and p >= depth and not as_in_paper:
        # Two tests of one feature leave a quarter of the leaves dark.
        keys = rng.random((n_trees, p))
        feature = np.argsort(keys, axis=1, kind="stable")[:, :depth]
    else:
        feature = rng.integers(p, size=(n_trees, nodes))
    feature = np.ascontiguousarray(feature, dtype=np.int32)
    if as_in_paper:
        # Deviations from the mean, as in Section 4.
        threshold = rng.uniform(-3.0, 3.0, (n_trees, nodes)).astype(np.float32)
    else:
        threshold = np.empty((n_trees, nodes), dtype=np.float32)
        drawn = rng.random((n_trees, nodes, 3))
        ends = Z.min(axis=0), Z.max(axis=0)
        space = np.empty(len(Z), dtype=np.int64), np.zeros((2, 2**depth), dtype=np.int64)
        place_thresholds(Z, feature, drawn, *ends, kind == "fern", threshold, *space)
    weights = rng.standard_normal((n_trees, 2**depth, n_outputs), dtype=np.float32)
    # N(0, 0.01) numbers (Section 4).
    return Trees(feature, threshold, weights * np.float32(0.01))


@kernel
def place_thresholds(Z, feature, drawn, low, high, fern, threshold, order, ranges):
    """Write the thresholds (n_trees, n_nodes) of all trees; low, high: ends of the features.

    drawn: float64 (n_trees, n_nodes, 3), uniform in [0, 1): two rows, and a place between them.
    """
    n, start, end = Z.shape[0], ranges[0], ranges[1]
    for m in range(feature.shape[0]):
        for i in range(n):
            order[i] = i
        start[0], end[0] = 0, n
        for v in range(feature.shape[1]):
            f = feature[m, v]
            first, last = (0, n) if fern else (start[v], end[v])
            size = last - first
            u = drawn[m, v]
            if size >= 2:
                one = Z[order[first + np.int64(u[0] * size)], f]
                other = one
                j = np.int64(u[1] * size)
                for i in range(size):  # the next row that differs: margins of zero teach nothing
                    other = Z[order[first + (j + i) % size], f]
                    if other != one:
                        break
                t = one + np.float32(u[2]) * (other - one)
            else:
                a, b = low[f], high[f]
                child = v
                while child > 0 and not fern:
                    node = (child - 1) // 2
                    if feature[m, node] == f:
                        if child == 2 * node + 1:
                            b = min(b, threshold[m, node])
                        else:
                            a = max(a, threshold[m, node])
                    child = node
                t = a + np.float32(u[0]) * (b - a)
            threshold[m, v] = t
            if fern or 2 * v + 2 >= start.shape[0]:
                continue
            middle = first
            for i in range(first, last):
                if not Z[order[i], f] > t:
                    order[i], order[middle] = order[middle], order[i]
                    middle += 1
            start[2 * v + 1], end[2 * v + 1] = first, middle
            start[2 * v + 2], end[2 * v + 2] = middle, last
