"""Tables for views, and on which side of every split their rows lie."""

import numpy as np

from treecore.data.dataset import Dataset


def dataset(n_samples=300, n_features=5, n_classes=3, seed=0):
    rng = np.random.default_rng(seed)
    return Dataset(
        name="random",
        X=rng.standard_normal((n_samples, n_features)) * rng.uniform(0.1, 100, n_features),
        y=np.arange(n_samples) % n_classes,
        feature_names=tuple(f"f{i}" for i in range(n_features)),
        class_names=tuple("abcdef"[:n_classes]),
    )


def sides_on_plane(lines, points):
    return points @ lines[:, :2].T.astype(float) > lines[:, 2]


def sides_in_space(tree, X):
    raw = np.zeros((tree.n_splits, tree.n_features))
    axis = tree.feature >= 0
    raw[axis, tree.feature[axis]] = 1
    raw[~axis] = tree.weights[tree.row[~axis]]
    return X @ raw.T - tree.threshold > 0
