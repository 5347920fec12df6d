"""From what a run has to show to the messages that the live view draws."""

from __future__ import annotations

import numpy as np

from treecore import RunConfig, Tree, predict
from treecore.datasets import Dataset
from treecore.methods import find_method
from treecore.metrics import leaf_counts
from treecore.scaling import Scaling
from treecore.tree import OBLIQUE
from ui.glossary import GLOSSARY
from ui.planes import Plane
from ui.runner import Frame, Status
from ui.wire import pack

SHOWN_POINTS = 1000
"""Points on the map; more would hide each other, and cost a byte a frame each."""

MESSAGE_BYTES = 48_000
"""What the frames of one message may take; deep trees send fewer of them."""

OVERLAP_SECONDS = 0.35
"""A message repeats the frames of the last ticks, since the browser may miss one."""

WEIGHT_NUMBERS = 40_000
"""Weights sent with the newest frame, the splits nearest to the root first."""

COUNTED = 1_000_000
"""Values of the training rows up to which they are counted anew for a message: 2 ms at most."""


class Stage:
    """What stays the same during a run: the plane, the points, and how messages are packed.

    Parameters
    ----------
    train, held : Dataset, Dataset or None
        Training rows and rows held out.
    plane : Plane
    config : RunConfig
    """

    def __init__(self, train: Dataset, held: Dataset | None, plane: Plane, config: RunConfig):
        self._train = train
        self._method = find_method(config.method)
        self._n_epochs = self._method.n_epochs(config.settings)
        self._plane = plane
        n_rows = train.n_samples + (held.n_samples if held else 0)
        keep = min(1.0, SHOWN_POINTS / n_rows)
        rng = np.random.default_rng(0)
        shown = [
            part.take(
                np.sort(rng.permutation(part.n_samples)[: max(1, round(keep * part.n_samples))])
            )
            for part in (train, held)
            if part is not None
        ]
        self._rows = np.concatenate([part.X for part in shown]).astype(np.float32)
        self._points = plane.points(self._rows)
        self._labels = np.concatenate([part.y for part in shown])
        self._held = np.repeat(np.arange(len(shown)), [part.n_samples for part in shown])
        low, high = self._points.min(axis=0), self._points.max(axis=0)
        margin = np.maximum(0.06 * (high - low), 1e-3 + 1e-6 * np.abs(high))
        low, high = low - margin, high + margin
        self._box = [float(v) for v in (low[0], high[0], low[1], high[1])]
        self._shown = [len(self._rows), n_rows]
        self._scale = np.where(Scaling.fit(train.X).deviation > 0, train.X.std(axis=0), 0.0)
        self._packed: dict[int, dict[str, np.ndarray]] = {}  # by frame number: packed once

    def message(self, status: Status, run: str, desk: str = "", sent: int = 0) -> bytes:
        """A full snapshot of ``status`` for the live view; see ``ui/live/main.js``.

        Parameters
        ----------
        status : Status
        run : str
            Name of the run; the view forgets what it knew when this changes.
        desk, sent : str, int
            Where the message comes from, and its number there: one that a later one has
            overtaken is dropped.
        """
        frames = self._chosen(status.frames)
        arrays = {
            "points": self._points,
            "label": self._labels.astype(np.uint8),
            "held": self._held.astype(np.uint8),
            "curves": _curves(status),
        }
        self._packed = {
            frame.number: self._packed.get(frame.number) or self._pack(frame) for frame in frames
        }
        for i, frame in enumerate(frames):
            for name, array in self._packed[frame.number].items():
                arrays[f"f{i}.{name}"] = array
        if frames:
            arrays |= self._details(frames[-1].tree, status.counts)
        meta = {
            "v": 1,
            "desk": desk,
            "sent": sent,
            "run": run,
            "state": status.state,
            "message": status.message or _reassigned(status),
            "unit": self._method.unit,
            "n_epochs": self._n_epochs,
            "epoch": self._epoch(frames[-1]) if frames else 0.0,
            "box": self._box,
            "axes": {
                "x": self._plane.labels[0],
                "y": self._plane.labels[1],
                "note": self._plane.note,
            },
            "classes": list(self._train.class_names),
            "features": list(self._train.feature_names),
            "image": list(self._train.image_shape) if self._train.image_shape else None,
            "glossary": GLOSSARY,
            "frames": [
                {"n": frame.number, "t": frame.time, "epoch": self._epoch(frame)}
                for frame in frames
            ],
            "shown": self._shown,
        }
        return pack(meta, arrays)

    def _epoch(self, frame: Frame) -> float:
        """Passes of the run's own method; a starting tree is at epoch 0 while it grows."""
        return frame.event.epoch if frame.event.stage == self._method.name else 0.0

    def _chosen(self, frames: tuple[Frame, ...]) -> list[Frame]:
        """The frames of the last ticks, evenly thinned to the message's budget, newest last."""
        if not frames:
            return []
        newest = frames[-1]
        recent = [f for f in frames if f.time >= newest.time - OVERLAP_SECONDS]
        tree = newest.tree
        size = 20 * tree.n_splits + 2 * tree.n_leaves + len(self._points)
        n_affordable = max(1, MESSAGE_BYTES // size)
        step = -(-len(recent) // n_affordable)
        # By number, so that every message thins to the same frames.
        return [f for f in recent if f.number % step == 0 or f is newest]

    def _pack(self, frame: Frame) -> dict[str, np.ndarray]:
        tree = frame.tree
        theta = tree.values.astype(np.float64)
        odds = np.exp(theta - theta.max(axis=1, keepdims=True))
        return {
            "split": self._plane.splits(tree),
            "children": np.stack([tree.left, tree.right], axis=1).astype(np.int16),
            "leaf": theta.argmax(axis=1).astype(np.uint8),
            "share": (255 * odds.max(axis=1) / odds.sum(axis=1)).astype(np.uint8),
            "guess": predict(tree, self._rows).astype(np.uint8),
        }

    def _details(self, tree: Tree, counts: np.ndarray | None) -> dict[str, np.ndarray]:
        """What the tree view tells of the newest frame beyond its shape."""
        p = tree.n_features
        splits = np.flatnonzero(tree.feature == OBLIQUE)[: max(1, WEIGHT_NUMBERS // p)]
        # In deviations: a weight on a feature counted in thousands looks small and is not.
        W = tree.weights[tree.row[splits]] * (1.0 if self._train.image_shape else self._scale)
        largest = np.abs(W).max(axis=1, keepdims=True, initial=0.0)
        norm = np.zeros(tree.n_splits)
        norm[tree.feature == OBLIQUE] = np.linalg.norm(tree.weights * self._scale, axis=1)[
            tree.row[tree.feature == OBLIQUE]
        ]
        details = {
            "weights": np.rint(127 * W / np.where(largest > 0, largest, 1.0)).astype(np.int8),
            "weight_of": splits.astype(np.int32),
            "feature": tree.feature,
            "threshold": tree.threshold,
            "norm": norm.astype(np.float32),
        }
        if (counts is None or len(counts) != tree.n_leaves) and self._train.X.size <= COUNTED:
            # A tree that has grown since it was measured: the edges should not lose their rows.
            counts = leaf_counts(tree, self._train.X, self._train.y)
        if counts is not None and len(counts) == tree.n_leaves:
            few = counts.max(initial=0) < 2**16  # 4096 leaves of ten classes: 80 KB instead of 160
            details["counts"] = counts.astype(np.uint16 if few else np.uint32)
        return details


def _curves(status: Status) -> np.ndarray:
    """The history as rows of the live view's curves, float32 (n, 8), NaN where there is none."""
    rows = [
        (
            event.epoch,
            event.bound,
            event.loss,
            event.validation_loss,
            event.accuracy,
            event.validation_accuracy,
            event.active_leaves,
            event.row_norm,
        )
        for event in status.history
    ]
    return np.array(rows, dtype=np.float32).reshape(-1, 8)


def _reassigned(status: Status) -> str:
    """What the last reassignment of Stable SGD has done, in a few words."""
    for event in reversed(status.history):
        if event.reassignment is not None:
            told = event.reassignment
            return (
                f"Reassigned {told.n_moved} rows in epoch {event.epoch:.0f}: "
                f"{told.n_woken} leaves woke, {told.n_asleep} fell asleep"
            )
    return ""
