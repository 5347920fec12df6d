"""From what a run has to show to the messages that the live view draws."""

from __future__ import annotations

import math
import threading
import zlib
from collections.abc import Callable
from typing import Any, cast

import numpy as np

from treecore.base.filled import Filled
from treecore.core.routing import apply
from treecore.core.scaling import Scaling
from treecore.core.tree import Tree
from treecore.data.dataset import Dataset
from treecore.learners.nongreedy.settings import SGDSettings
from treecore.losses import find_loss
from treecore.training.config import RunConfig
from treecore.training.registry import find_method
from treecore.viewer.glossary import GLOSSARY, NUMBERS
from treecore.viewer.messages.history_curves import new_curves
from treecore.viewer.messages.planes import Plane
from treecore.viewer.messages.plotted_points import ShownPoints
from treecore.viewer.messages.status import Frame, Status
from treecore.viewer.messages.tree_arrays import (
    count_array,
    image_arrays,
    ink_of,
    sets_by_split,
    shape_arrays,
    weight_arrays,
)
from treecore.viewer.messages.wire import Have, News, pack, spoken
from treecore.wasm.tab import Sight

SHOWN_POINTS = 1000
"""Points on the map; more would hide each other, and cost ten bytes a frame each."""

DEEPEST_SHOWN = 12
"""A live view of 4096 leaves is the most that a screen and the wire can take."""

LARGEST_SHOWN = 2**DEEPEST_SHOWN
"""Most leaves of a tree that the live view takes."""

MESSAGE_BYTES = 128_000
"""What the frames of one message may take; deep trees send fewer of them."""

DETAIL_SECONDS = 0.1
"""Between two trees whose weights and counts are told while a run plays."""


VERSION = 3
"""Number of the format of a message; the browser refuses others."""


class Stage:
    """What stays the same during a run: the plane, the points, and how messages are packed.

    most: points on the map; of more rows some are drawn at random.
    """

    def __init__(
        self,
        train: Dataset,
        held: Dataset | None,
        plane: Plane,
        config: RunConfig,
        most: int = SHOWN_POINTS,
    ):
        self._train = train
        self._method = find_method(config.method)
        self._settings = config.settings
        self._n_epochs = self._method.n_epochs(config.settings)
        self._task = find_loss(config.loss).task
        self.plane = plane
        n_rows = train.n_samples + (held.n_samples if held else 0)
        keep = min(1.0, most / n_rows)
        rng = np.random.default_rng(0)
        parts = [part for part in (train, held) if part is not None]
        self.shown_rows = [
            np.sort(rng.permutation(part.n_samples)[: max(1, round(keep * part.n_samples))])
            for part in parts
        ]
        shown = [part.take(rows) for part, rows in zip(parts, self.shown_rows, strict=True)]
        X = np.concatenate([part.X for part in shown]).astype(np.float32)
        y = np.concatenate([part.y for part in shown])
        given = np.concatenate([part.given for part in shown]).astype(np.float32)
        number = np.full(len(X), -1)
        number[: len(self.shown_rows[0])] = self.shown_rows[0]
        self._shown_points = ShownPoints(X, given, y, number, train.X, train.y, config)
        self._points = plane.points(X)
        self._staircase = self._task == "regression" and train.n_features == 1
        if self._staircase:  # the map has a side to spare: the target is drawn over the feature
            self._points[:, 1] = np.asarray(y, dtype=np.float32).reshape(len(y), -1)[:, 0]
        self._held = number < 0
        low, high = self._points.min(axis=0), self._points.max(axis=0)
        margin = np.maximum(0.06 * (high - low), 1e-3 + 1e-6 * np.abs(high))
        low, high = low - margin, high + margin
        self._box = [float(v) for v in (low[0], high[0], low[1], high[1])]
        self._scale = np.where(Scaling.fit(train.X).deviation > 0, train.X.std(axis=0), 0.0)
        self._packed: dict[int, dict[str, np.ndarray]] = {}  # by frame number, for all who look
        self._run = ""  # whose frames they are
        self._packing = threading.Lock()
        self.still = self._stills(y, [len(X), n_rows])

    def _stills(self, y: np.ndarray, shown: list[int]) -> dict[str, Any]:
        """The part of ``meta`` that is the same in every message of the run."""
        train = self._train
        still: dict[str, Any] = {
            "v": VERSION,
            "task": self._task,
            "unit": self._method.unit,
            "n_epochs": self._n_epochs,
            "box": self._box,
            "axes": {
                "x": self.plane.labels[0],
                "y": self.plane.labels[1],
                "note": self.plane.note,
                "regions": self.plane.regions,
                "units": list(self.plane.units),
            },
            "features": list(train.feature_names),
            "units": list(train.units) if any(train.units) else [],
            "image": list(train.image_shape) if train.image_shape else None,
            "glossary": GLOSSARY,
            "shown": shown,
            "rows": train.n_samples,
        }
        if isinstance(self._settings, SGDSettings):
            # CO2 has a nu as well, but keeps only the directions of what it has learnt with it.
            still["nu"] = float(self._settings.nu)
        if getattr(self._settings, "leaf", "constant") == "linear":
            still["mean"] = True  # what is said of a leaf is so on average
        if self.plane.kept < 0.9:
            still["near"] = True
            still["axes"]["regions"] = Filled(
                "Each place has the colour of its nearest point's leaf."
            )
        if self._task == "classification":
            still["classes"] = list(train.class_names)
            self._labels, self._targets = y.astype(np.uint8), None
            return still
        # A colour for every number: a few extreme ones must not make all others alike.
        first = np.asarray(train.y, dtype=np.float64).reshape(train.n_samples, -1)[:, 0]
        low, high = np.quantile(first, [0.02, 0.98])
        still["classes"] = []
        still["glossary"] = GLOSSARY | NUMBERS
        still["staircase"] = self._staircase
        still["range"] = [float(low), float(high if high > low else low + 1.0)]
        still["target"] = train.target_name
        if self._staircase:
            still["axes"]["y"] = train.target_name
        self._labels = np.zeros(len(y), dtype=np.uint8)
        self._targets = np.asarray(y, dtype=np.float32).reshape(len(y), -1)[:, 0]
        return still

    def sight(self, held: tuple[np.ndarray, np.ndarray, np.ndarray]) -> Sight:
        """What a picture made in a page is of; held: see ``Sight``."""
        none, plane = np.zeros(0, dtype=np.int64), self.plane
        shown = self.shown_rows[0], [*self.shown_rows, none][1]
        return Sight(held, shown, plane.origin, plane.axes, self._scale)

    @property
    def n_points(self) -> int:
        """Points of the map."""
        return len(self._points)

    @property
    def rows_shown(self) -> list[int]:
        """The training row of every point of the map; -1 for those held out."""
        return self._shown_points.number.tolist()

    def training_row(self, point: int) -> int | None:
        """The training row of a point of the map; None for a held-out one, or where none is."""
        number = self._shown_points.number
        row = int(number[point]) if 0 <= point < len(number) else -1
        return row if row >= 0 else None

    def point(self, i: int) -> dict[str, Any]:
        """A shown point by number: features ``x``, target ``y`` by name, and whether ``held``."""
        values = zip(self._train.feature_names, self._shown_points.X[i].tolist(), strict=True)
        y: str | float = float(self._targets[i]) if self._targets is not None else ""
        if self._targets is None:
            y = self._train.class_names[self._labels[i]]
        return {"x": dict(values), "y": y, "held": bool(self._held[i])}

    def message(self, status: Status, run: str, say: Callable[[str], str] = str) -> bytes:
        """All there is to know of a run in one message, for a view that asks for no more."""
        meta, arrays = cast(News, self.news(status, run, {}))
        return pack(spoken(meta, say), arrays)

    def news(self, status: Status, run: str, have: Have) -> News | None:
        """What is new for the view, or None; see ``treecore/viewer/js/app/receive.js``."""
        with self._packing:
            return self._news(status, run, have if have.get("run") == run else None)

    def _news(self, status: Status, run: str, have: Have | None) -> News | None:
        known = have or {}
        before = _number(known.get("n"), -1)
        recent, seen = _since(status.frames, before)
        frames = self._chosen(recent)
        first, rows = new_curves(status, known)
        last = status.frames[-1] if status.frames else None
        detailed = last is not None and self._wants_detail(last, status, known)
        meta: dict[str, Any] = {
            "run": run,
            "state": status.state,
            "message": status.message or self._settled(status) or _reassigned(status),
            "epoch": self._epoch(last) if last else 0.0,
        }
        mark = zlib.crc32(f"{meta['state']} {meta['message']}".encode())
        through = self._through(known)
        anew = last is not None and not frames and through != _number(known.get("sliced"), -1)
        anew = anew and have is not None
        newer = frames or len(rows) or detailed or anew or mark != known.get("mark")
        if have is not None and not newer:
            return None
        meta |= {"mark": mark, "curves": first, "frames": []}
        arrays: dict[str, np.ndarray] = {"curves": rows}
        if have is None:
            meta |= self.still
            arrays |= self.points_once()
        if run != self._run:
            self._packed, self._run = {}, run
            self._shown_points.forget()
        oldest = status.frames[0].number if status.frames else 0
        for number in [number for number in self._packed if number < oldest]:
            del self._packed[number]
        assigned = seen.assigned if seen else None
        if last is not None and anew:
            meta["anew"] = [last.number, through]
            arrays |= {f"anew.{k}": v for k, v in self._sliced(last, through).items()}
        for i, frame in enumerate(frames):
            packed = self._frame(frame)
            if through >= 0:
                packed = packed | self._sliced(frame, through)
            arrays |= {f"f{i}.{name}": array for name, array in packed.items()}
            entry = {"n": frame.number, "t": frame.time, "epoch": self._epoch(frame)}
            entry["sliced"] = through
            if frame.assigned is not None:
                # Frames between two assignments share one, which is sent once.
                entry["used"] = -1
                if frame.assigned is not assigned:
                    entry["used"] = i
                    arrays[f"used{i}"] = self._shown_points.used(frame.assigned)
                assigned = frame.assigned
            meta["frames"].append(entry)
        if last is not None and detailed:
            meta["detail"] = [last.number, last.time, status.state != "running"]
            arrays |= self._details(last, status)
            meta["sets"] = sets_by_split(last.tree, self._train.columns, self._train.feature_names)
        return meta, arrays

    def points_once(self) -> dict[str, np.ndarray]:
        """What is sent of the points, which stay where they are."""
        arrays = {
            "points": self._points,
            "label": self._labels,
            "held": self._held.astype(np.uint8),
        }
        return arrays if self._targets is None else arrays | {"target": self._targets}

    def _wants_detail(self, frame: Frame, status: Status, known: Have) -> bool:
        """Whether the drawing of the tree, which follows more slowly, should hear of this frame."""
        detail = known.get("detail")
        if not (isinstance(detail, list) and len(detail) == 3):
            return True
        number, time, was_at_rest = detail
        at_rest = status.state != "running"
        if number == frame.number:
            return at_rest and was_at_rest is not True
        return at_rest or not 0 <= frame.time - _number(time, -math.inf) < DETAIL_SECONDS

    def _frame(self, frame: Frame) -> dict[str, np.ndarray]:
        if frame.number not in self._packed:
            self._packed[frame.number] = self._pack(frame)
        return self._packed[frame.number]

    def _through(self, known: Have) -> int:
        """The point through which regions are a slice; -1 for the mean, and where all is shown."""
        requested = int(_number(known.get("slice"), -1))
        return (
            requested if self._train.n_features > 2 and 0 <= requested < len(self._points) else -1
        )

    def _sliced(self, frame: Frame, through: int) -> dict[str, np.ndarray]:
        """What a frame has on the plane through a point, or through the mean."""
        plane = self.plane
        if through >= 0:
            plane = plane.through(self._shown_points.X[through])
        return self._on_plane(frame.tree, plane)

    def _on_plane(self, tree: Tree, plane: Plane) -> dict[str, np.ndarray]:
        """Lines of the splits, and slopes of linear leaves: of one number, or of all classes."""
        lines, size = plane.splits(tree)
        found = {"split": lines, "size": size}
        if tree.linear is not None:
            slopes = plane.slopes(tree.linear)
            found["slopes"] = slopes if self._task == "classification" else slopes[:, :1]
        return found

    def _settled(self, status: Status) -> str:
        """Why a run is over before its time, which looks like a slider that is stuck."""
        done, most = status.event and status.event.done, self.still["n_epochs"]
        if status.state == "finished" and self._method.unit == "epoch" and done < most:
            return Filled("Ended at {done:.0f}: the last epoch changed nothing", done=done)
        return ""

    def _epoch(self, frame: Frame) -> float:
        """Passes of the run's own method; a starting tree is at epoch 0 while it grows."""
        return frame.event.done if frame.event.stage == self._method.name else 0.0

    def _chosen(self, recent: list[Frame]) -> list[Frame]:
        """Some of these frames, thinned to the message's budget, newest last."""
        if not recent:
            return []
        newest = recent[-1]
        tree = newest.tree
        size = 24 * tree.n_splits + 6 * tree.n_leaves + 10 * len(self._points)
        if tree.linear is not None:
            size += 20 * tree.values.size + 4 * len(self._points)
        step = -(-len(recent) // max(1, MESSAGE_BYTES // size))
        return [f for f in recent if f.number % step == 0 or f is newest]

    def _pack(self, frame: Frame) -> dict[str, np.ndarray]:
        tree = frame.tree
        head = self._on_plane(tree, self.plane) | shape_arrays(tree, self._task)
        return head | (frame.points or self._shown_points.of(frame))

    def _details(self, frame: Frame, status: Status) -> dict[str, np.ndarray]:
        """What the tree view tells of the newest frame beyond its shape."""
        tree, counts = frame.tree, status.counts
        details = weight_arrays(tree, self._scale, bool(self._train.image_shape))
        if "nu" in self.still and frame.event.stage == self._method.name:
            details["length"] = self._shown_points.lengths(tree)
        at_rest = status.state != "running"
        if tree.n_features > 2:  # on a map of all features the browser has the points themselves
            scores = self._shown_points.scores(frame, at_rest)
            if scores is not None:
                details["scores"] = scores
        stale = counts is None or len(counts) != tree.n_leaves
        # They are counted anew in at most 2 ms.
        if self._train.X.size <= 1_000_000 and (stale or self._train.image_shape):
            leaf = apply(tree, self._train.given)
            if stale:
                # A tree that has grown since it was measured: the edges should not lose their rows.
                counts = self._count(tree, leaf)
            if self._train.image_shape:
                details |= self._pictures(frame, leaf)
        if counts is not None and len(counts) == tree.n_leaves:
            details["counts"] = count_array(counts)
        return details

    def _count(self, tree: Tree, leaf: np.ndarray) -> np.ndarray:
        """Training rows by leaf and class, or by leaf alone where targets are numbers."""
        k = tree.n_outputs if self._task == "classification" else 1
        y = self._train.y if self._task == "classification" else 0
        return np.bincount(leaf * np.int64(k) + y, minlength=k * tree.n_leaves).reshape(-1, k)

    def _pictures(self, frame: Frame, leaf: np.ndarray) -> dict[str, np.ndarray]:
        """The mean image of every leaf, and images that the tree takes for another class."""
        X = self._train.X
        pictures = image_arrays(X, leaf, frame.tree.n_leaves)
        if self._task == "classification":
            packed = self._frame(frame)
            guess = packed["said"] if "said" in packed else packed["leaf"][packed["at"]]
            missed = self._shown_points.missed(guess)
            images = np.clip(ink_of(X) * self._shown_points.X[missed], 0, 255)
            pictures |= {"missed": missed, "missed_images": images.astype(np.uint8)}
        return pictures


def _since(frames: tuple[Frame, ...], before: int) -> tuple[list[Frame], Frame | None]:
    """The frames after number ``before``, newest last, and that frame itself where it is kept."""
    recent: list[Frame] = []
    for frame in reversed(frames):  # most often it is the last but one of many
        if frame.number <= before:
            return recent[::-1], frame if frame.number == before else None
        recent.append(frame)
    return recent[::-1], None


def _number(value: object, otherwise: float) -> Any:
    return value if isinstance(value, int | float) else otherwise


def _reassigned(status: Status) -> str:
    """What the last reassignment of Stable SGD has done, in a few words."""
    if status.frames and status.frames[-1].assigned is None:
        return ""  # nothing is ever assigned: no need to search many events
    for event in reversed(status.history):
        if event.reassignment is not None:
            change = event.reassignment
            return Filled(
                "Reassigned {moved} examples in epoch {epoch:.0f}: {woken} leaves became active, "
                "{asleep} became inactive",
                moved=change.n_moved,
                epoch=event.done,
                woken=change.n_woken,
                asleep=change.n_asleep,
            )
    return ""
