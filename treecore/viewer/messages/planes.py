"""Planes through the data, on which the map draws trees of any number of features.

``w.(origin + u*e1 + v*e2) - b`` is affine in (u, v), so every split is a straight line there.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np

from treecore.base.filled import Filled
from treecore.core.linear_leaves import LinearLeaves
from treecore.core.scaling import Scaling
from treecore.core.tree import OBLIQUE, Tree
from treecore.data.dataset import Dataset

COMPONENTS = ("Component 1", "Component 2")
"""The sides of the principal plane: short, or they would hide the numbers of an axis."""


@dataclass(frozen=True)
class Plane:
    """A plane in the space of the features: ``x = origin + u * axes[0] + v * axes[1]``.

    - origin, axes, dual: float64 (n_features,), (2, n_features) twice; the projection of x is
      ``(u, v) = dual @ (x - origin)``.
    - note, regions: what the viewer must know about the projection and a tree's regions, or empty.
    - kept: the share of the variance, each feature in deviations, that the plane keeps.
    - units: of the features along its sides, see :mod:`treecore.base.units`; elsewhere ``""``.
    """

    origin: np.ndarray
    axes: np.ndarray
    dual: np.ndarray
    labels: tuple[str, str]
    note: str = ""
    regions: str = ""
    kept: float = 1.0
    units: tuple[str, str] = ("", "")

    def through(self, x: np.ndarray) -> Plane:
        """The parallel plane through a row (n_features,); points keep their coordinates."""
        x = np.asarray(x, dtype=np.float64)
        return replace(self, origin=x - (self.dual @ (x - self.origin)) @ self.axes)

    def points(self, X: np.ndarray) -> np.ndarray:
        """Rows as points of the plane, float32 (n_samples, 2). X: (n_samples, n_features)."""
        return ((X - self.origin) @ self.dual.T).astype(np.float32)

    def splits(self, tree: Tree) -> tuple[np.ndarray, np.ndarray]:
        """Every split on the plane, where its score is ``size * (w1 * u + w2 * v - b)``.

        Returns lines, float32 (n_splits, 3), (w1, w2, b), the largest of them ±1; size (n_splits,).
        """
        lines = np.zeros((tree.n_splits, 3))
        lines[:, 2] = tree.threshold
        oblique = tree.feature == OBLIQUE
        where: slice | np.ndarray = slice(None)  # of trees that are learnt as one, most often
        if not oblique.all():
            axis, where = np.flatnonzero(~oblique), np.flatnonzero(oblique)
            features = tree.feature[axis]
            lines[axis, :2] = self.axes[:, features].T
            lines[axis, 2] -= self.origin[features]
        W = tree.weights[tree.row[where]].astype(np.float64)
        lines[where, :2] = W @ self.axes.T
        lines[where, 2] -= W @ self.origin
        # Lines keep their place under a common factor, and float32 keeps its digits.
        size = np.abs(lines).max(axis=1, keepdims=True)
        lines /= np.where(size > 0, size, 1.0)
        return lines.astype(np.float32), size[:, 0].astype(np.float32)

    def slopes(self, linear: LinearLeaves) -> np.ndarray:
        """Linear leaves on the plane, float32 (n_leaves, n_outputs, 5).

        Slope along u, slope along v, intercept, smallest and largest answer.
        """
        weights = linear.weights.astype(np.float64)
        along = [(weights * direction).sum(axis=-1) for direction in (*self.axes, self.origin)]
        along[2] += linear.intercept
        return np.stack([*along, linear.low, linear.high], axis=-1).astype(np.float32)


def no_plane(n_features: int) -> Plane:
    """Of features that no map shows: its first two, so that lines tell their thresholds."""
    units = np.eye(2, n_features)
    return Plane(np.zeros(n_features), units, units, ("", ""))


def feature_plane(data: Dataset, first: int, second: int) -> Plane:
    """The plane of two features, through the mean of the others; or the line of a single one."""
    origin = data.X.mean(axis=0)
    origin[[first, second]] = 0.0
    axes = np.zeros((2, data.n_features))
    axes[0, first] = 1.0
    names, units = data.feature_names, data.units
    if first == second:  # one feature: a map of vertical bands
        return Plane(origin, axes, axes, (names[first], ""), units=(units[first], ""))
    axes[1, second] = 1.0
    labels, along = (names[first], names[second]), (units[first], units[second])
    if data.n_features == 2:
        return Plane(origin, axes, axes, labels, units=along)
    return Plane(
        origin,
        axes,
        axes,
        labels,
        Filled("A projection: 2 of {n} features.", n=data.n_features),
        Filled("Regions are the slice of the tree at the mean of the other features."),
        2 / data.n_features,
        along,
    )


def usual_plane(data: Dataset) -> Plane:
    """That of all features where there are one or two, else the principal one."""
    few = data.n_features <= 2
    return feature_plane(data, 0, data.n_features - 1) if few else principal_plane(data)


def telling_features(data: Dataset) -> tuple[int, int]:
    """The two features that each alone separate the classes, or explain the numbers, best."""
    total = data.X.var(axis=0)
    between = np.zeros(data.n_features)
    if data.task == "regression":
        spread = data.y.std()
        aside = (data.y - data.y.mean()) / (spread if spread > 0 else 1.0)
        between = data.n_samples * (aside @ (data.X - data.X.mean(axis=0)) / data.n_samples) ** 2
    for label in range(data.n_classes):
        rows = data.X[data.y == label]
        if len(rows):
            between += len(rows) * (rows.mean(axis=0) - data.X.mean(axis=0)) ** 2
    share = np.where(total > 0, between / np.where(total > 0, total, 1.0), 0.0)
    second, first = np.argsort(share, kind="stable")[-2:]
    return int(first), int(second)


def split_shares(tree: Tree, spread: np.ndarray) -> np.ndarray:
    """Shares of the features in the score of each split, float64 (n_splits, n_features)."""
    size = np.zeros((tree.n_splits, tree.n_features))
    axis = np.flatnonzero(tree.feature != OBLIQUE)
    size[axis, tree.feature[axis]] = 1.0
    oblique = np.flatnonzero(tree.feature == OBLIQUE)
    size[oblique] = np.abs(tree.weights[tree.row[oblique]]) * spread
    total = size.sum(axis=1, keepdims=True)
    return size / np.where(total > 0, total, 1.0)


def principal_plane(data: Dataset) -> Plane:
    """The plane of the first two principal components of the scaled features."""
    scaling = Scaling.fit(data.X)
    Z = (data.X - scaling.mean) / scaling.deviation
    # Few rows tell the plane as well as all of them, and p x p is small beside n x p.
    values, vectors = np.linalg.eigh(Z.T @ Z)
    V = vectors[:, [-1, -2]].T
    V *= np.where(V.sum(axis=1, keepdims=True) < 0, -1.0, 1.0)  # eigh may flip signs
    share = values[[-1, -2]].sum() / max(values.sum(), 1e-300)
    return Plane(
        origin=scaling.mean,
        axes=V * scaling.deviation,
        dual=V / scaling.deviation,
        labels=COMPONENTS,
        note=Filled(
            "A projection: {n} features onto 2 principal components, which keep "
            "{share:.0%} of the variance.",
            n=data.n_features,
            share=share,
        ),
        regions=Filled("Regions are the slice of the tree through the mean."),
        kept=float(share),
    )
