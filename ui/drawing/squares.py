"""A map of small squares: where they lie, and their colours."""

import numpy as np

from treecore.viewer import Plane
from ui.drawing.theme import Paint, rgb

SIDE = 96
"""Squares along a side of the map."""


def box_of(points: np.ndarray) -> np.ndarray:
    """The corners of the map, float64 (2, 2): least and greatest, with a margin."""
    low, high = points.min(axis=0).astype(np.float64), points.max(axis=0).astype(np.float64)
    margin = np.maximum(0.06 * (high - low), 1e-3 + 1e-6 * np.abs(high))
    return np.stack([low - margin, high + margin])


def box_on(plane: Plane, X: np.ndarray) -> np.ndarray:
    """The corners of the map, float64 (2, 2)."""
    return box_of(plane.points(X))


def grid(plane: Plane, box: np.ndarray) -> np.ndarray:
    """The middles of all squares as raw rows, lowest line first; of one feature a single line."""
    steps = (np.arange(SIDE) + 0.5) / SIDE
    u = box[0, 0] + steps * (box[1, 0] - box[0, 0])
    v = box[0, 1] + steps * (box[1, 1] - box[0, 1]) if plane.labels[1] else np.zeros(1)
    across, up = np.meshgrid(u, v)
    X = plane.origin + across.reshape(-1, 1) * plane.axes[0] + up.reshape(-1, 1) * plane.axes[1]
    return np.ascontiguousarray(X, dtype=np.float32)


def shaded(scores: np.ndarray, low: float, high: float, paint: Paint) -> np.ndarray:
    """Colours of squares, uint8 (n, 3): by the share of a class's votes, or a ramp of numbers."""
    if scores.shape[1] == 1:
        share = np.clip((scores[:, 0] - low) / max(high - low, 1e-12), 0.0, 1.0)
        return ramp(share, paint)
    k = scores.shape[1]
    label = scores.argmax(axis=1)
    share = scores[np.arange(len(scores)), label]
    sure = np.clip((share - 1 / k) / (1 - 1 / k), 0.0, 1.0)
    colours = np.array([rgb(paint.of(c)) for c in range(k)])[label]
    return mixed(colours, 0.75 * sure**0.7, paint)


def mixed(colours: np.ndarray, strength: np.ndarray, paint: Paint) -> np.ndarray:
    """Colours, (n, 3) or (3,), let through to the page by their strengths, (n,)."""
    back = np.array(rgb(paint.back), dtype=np.float64)
    blended = back + strength[:, None] * (np.asarray(colours, dtype=np.float64) - back)
    return np.rint(blended).astype(np.uint8)


def ramp(share: np.ndarray, paint: Paint) -> np.ndarray:
    stops = np.array([rgb(colour) for colour in paint.ramp], dtype=np.float64)
    at = np.linspace(0, 1, len(stops))
    channels = np.stack([np.interp(share, at, stops[:, i]) for i in range(3)], axis=1)
    return np.rint(channels).astype(np.uint8)
