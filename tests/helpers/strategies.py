"""Random trees and data for tests: any shape, any mixture of splits, from a seed."""

from __future__ import annotations

import math

import numpy as np

from treecore.compiling.kernels import LANES
from treecore.core.tree import OBLIQUE, Tree, make_tree
from treecore.learners.nongreedy.joint_tree import TrainingTree, make_joint
from treecore.losses import LOG, LOSSES, find_loss


def random_shape(rng, n_splits, max_depth):
    """Child references of a random binary tree: split a random leaf until there are enough."""
    left, right = [], []
    open_places = [(None, None, 0)]  # (parent, side, depth)
    while len(left) < n_splits:
        shallow = [i for i, place in enumerate(open_places) if place[2] < max_depth]
        if not shallow:
            break
        parent, side, depth = open_places.pop(shallow[rng.integers(len(shallow))])
        split = len(left)
        left.append(None)
        right.append(None)
        if parent is not None:
            side[parent] = split
        open_places += [(split, left, depth + 1), (split, right, depth + 1)]
    for leaf, (parent, side, _) in enumerate(open_places):
        if parent is not None:
            side[parent] = ~leaf
    return np.array(left, dtype=np.int32), np.array(right, dtype=np.int32)


def random_tree(rng, n_splits=7, n_features=3, n_classes=3, max_depth=10, share_axis=0.5) -> Tree:
    """A tree of random shape, with a share of axis-aligned splits, and random sides for NaN."""
    left, right = random_shape(rng, n_splits, max_depth)
    n_splits = len(left)
    axis = rng.random(n_splits) < share_axis
    row = np.full(n_splits, -1)
    row[~axis] = rng.permutation(np.count_nonzero(~axis))
    return make_tree(
        weights=rng.standard_normal((np.count_nonzero(~axis), n_features)),
        threshold=rng.standard_normal(n_splits),
        feature=np.where(axis, rng.integers(n_features, size=n_splits), OBLIQUE),
        row=row,
        left=left,
        right=right,
        values=rng.standard_normal((n_splits + 1, n_classes)),
        missing_left=axis & (np.random.default_rng(n_splits).random(n_splits) < 0.5),
    )


def random_joint(rng, scale=1.0, spread=1.0, loss=LOG, **shape) -> TrainingTree:
    """A random tree ready for joint learning; rows of length about ``scale``."""
    tree = random_tree(rng, share_axis=0.0, **shape)
    p = tree.n_features
    W = np.zeros((tree.n_splits, -(-(p + 1) // LANES) * LANES), dtype=np.float32)
    W[:, : p + 1] = scale * rng.standard_normal((tree.n_splits, p + 1)) / math.sqrt(p + 1)
    return make_joint(tree._replace(values=np.float32(spread) * tree.values), W, loss)


def random_rows(rng, joint: TrainingTree, n_samples, n_features=3):
    """Rows in training coordinates, and their classes or numbers."""
    X = np.zeros((n_samples, joint.W.shape[1]), dtype=np.float32)
    X[:, :n_features] = rng.standard_normal((n_samples, n_features))
    X[:, n_features] = -1.0
    return X, random_targets(rng, joint, n_samples)


def random_case(seed, n_rows=1, loss=None, n_splits=None, max_splits=40, max_depth=8):
    """A training tree of any shape, scale and loss, rows, and a leaf for each; and what drew it."""
    rng = np.random.default_rng(seed)
    joint = random_joint(
        rng,
        loss=list(LOSSES.values())[seed % len(LOSSES)] if loss is None else loss,
        scale=10.0 ** rng.uniform(-2, 1),
        spread=10.0 ** rng.uniform(-1, 1),
        n_splits=int(rng.integers(0, max_splits)) if n_splits is None else n_splits,
        max_depth=int(rng.integers(1, max_depth + 1)),
        n_classes=int(rng.integers(2, 6)),  # or outputs
    )
    X, y = random_rows(rng, joint, n_rows)
    return rng, joint, X, y, rng.integers(len(joint.theta), size=n_rows).astype(np.int32)


def random_targets(rng, joint: TrainingTree, n_samples):
    """Classes or numbers, whichever the tree's loss is for."""
    n_outputs = joint.theta.shape[1]
    if loss_of(joint) is LOG:
        return rng.integers(n_outputs, size=n_samples)
    return (2 * rng.standard_normal((n_samples, n_outputs))).astype(np.float32)


def loss_of(joint: TrainingTree):
    """The loss whose tables a tree carries."""
    (loss,) = (
        loss
        for loss in [*LOSSES.values(), find_loss("quantile:0.9")]
        if type(loss.make_tables(0, 1, 1)) is type(joint.tables)
    )
    return loss


def random_weights(rng, n_samples):
    """Weights of rows, some of them zero."""
    return np.where(rng.random(n_samples) < 0.2, 0.0, rng.exponential(size=n_samples))
