"""A learner as what a page needs to go on with it: arrays in one memory, and calls of kernels."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from treecore.compiling.kernel_cache import PACKAGE, kernel_sources
from treecore.core.tree import OBLIQUE
from treecore.learners.nongreedy.annealed.annealed import Annealed
from treecore.learners.nongreedy.sgd.sgd import SGD
from treecore.rows.training_rows import TrainingRows
from treecore.wasm import kernels
from treecore.wasm.kernels import Picture, Rows

MODULE = Path(__file__).with_name("kernels.wasm")
"""The kernels; what is exported stands beside it, see :func:`exports`."""

NOWHERE = 2**16 - 1
"""Leaf of a point that learning does not hold to one."""


class Sight(NamedTuple):
    """What a picture is of.

    - held: rows held out, prepared by the learner, float32 (n, width), their classes, int64 (n,),
      and weights, float64 (n,).
    - shown: rows on the map, of those learnt from and of those held out.
    - origin, axes: float64 (n_features,) and (2, n_features), the map's.
    - spread: float64 (n_features,), the features' deviations.
    """

    held: tuple[np.ndarray, np.ndarray, np.ndarray]
    shown: tuple[np.ndarray, np.ndarray]
    origin: np.ndarray
    axes: np.ndarray
    spread: np.ndarray


class TabRun(NamedTuple):
    """A run as a page goes on with it.

    - calls: by name a kernel and its arguments, without those of ``LATER``: ``begin``, ``read`` and
      ``hold`` where there is one, ``advance``, ``picture``, ``place`` and ``count``.
    - clock: float64 (2,), passes done and in all.
    - knobs: by the name of a setting where it stands: an array, a place, and what it is multiplied
      with and divided by.
    - rows, points: arrays of as many rows as are learnt from, the first of them their order, and
      of as many as there are on the map; turn: where the clock of the run counts this order's rows.
    - least: rows that have to stay.
    """

    calls: dict[str, tuple[Any, tuple[Any, ...]]]
    picture: Picture
    clock: np.ndarray
    knobs: dict[str, list[tuple[np.ndarray, int, int, int]]]
    rows: list[np.ndarray]
    points: list[np.ndarray]
    turn: int
    least: int


LATER: dict[str, tuple[Any, ...]] = {
    "advance": (0,),  # about how many rows
    "place": (0, 0.0, 0.0, 0),  # row, place on the map, class
    "count": (0, 0, 0),  # turn, rows until now, rows from now on
}
"""What a page says with each call, by its type; integers are of 64 bits."""


def tab_of(learner: SGD | Annealed, rows: TrainingRows, sight: Sight) -> TabRun:
    """A learner of classes that has not begun, with constant leaves; it stays as it is."""
    own: dict[tuple[int, int], np.ndarray] = {}

    def copied(value: Any) -> Any:
        """Arrays of one memory stay of one memory."""
        if isinstance(value, tuple):
            return getattr(value, "_make", tuple)([copied(part) for part in value])
        if not isinstance(value, np.ndarray):
            return value
        key = value.ctypes.data, value.nbytes
        if not value.nbytes or key not in own:
            own[key] = np.array(value).reshape(-1)
        return own[key].reshape(value.shape)

    run, joint = copied(learner.run), copied(learner.joint)
    train_X, y, weight = map(copied, (learner.train_rows, rows.y, np.array(rows.weight)))
    clock = np.array([0.0, learner.n_epochs])
    used = np.zeros(0, dtype=np.int32)
    out = _picture(learner, sight)
    calls: dict[str, tuple[Any, tuple[Any, ...]]] = {}
    if isinstance(learner, SGD):
        read, values = joint, joint.theta
        unit = learner.scaling.rows_of(learner.start)
        for filled in (joint.W, *joint.tables):  # when it begins
            filled[:] = 0.0
        calls["begin"] = kernels.begin_sgd, (run, unit, run.stable)
        forms = run.penalty, run.batches, run.stable
        calls["advance"] = kernels.advance_sgd, (run, *forms, clock)
        if run.stable is not None:
            used = run.stable.assigned
            used[:], run.stable.counts[:] = -1, 0
            calls["hold"] = kernels.hold_rows, (run, run.stable)
        if run.batches is not None:
            run.batches.leaf[:] = 0
        knobs = {"eta": [(run.rates, 0, 1, 1)], "nu": [(run.rates, 1, 1, 1)]}
    else:
        values = np.zeros_like(joint.theta)
        read = joint._replace(theta=values)
        # Room for all that a mini-batch can reach: then there is always enough.
        room = len(run.batch.y) * (len(run.left) + 2)
        routing = [np.zeros(len(run.routing.first), np.int64) for _ in range(2)]
        routing += [np.zeros(room, dtype=array.dtype) for array in run.routing[2:]]
        run = run._replace(routing=run.routing._make(routing))
        shares, rules = run.leaves.shares, np.array([learner.temper, learner.smoothing])
        calls["advance"] = kernels.advance_annealed, (run, shares, clock)
        calls["read"] = kernels.read_out, (joint.theta, shares.expected, rules, values)
        knobs = {"eta": [(run.rates, 0, 1, 1), (run.rates, 1, 5, 3)]}
    parts = [
        Rows(X, y, weight, used, shown.astype(np.int64), *_figures(len(y)))
        for X, y, weight, used, shown in (
            (train_X, y, weight, used, sight.shown[0]),
            (*map(copied, sight.held), np.zeros(0, np.int32), sight.shown[1]),
        )
    ]
    bounded, exact = isinstance(learner, SGD), isinstance(learner, SGD) and learner.exact
    calls["picture"] = kernels.picture, (read, values, *parts, exact, bounded, clock, out)
    learnt, shown = parts[0], parts[0].shown
    calls["place"] = kernels.place_row, (learnt.X, learnt.y, out.plane)
    weights = run.weight, learnt.weight
    calls["count"] = kernels.count_rows, (run.order, *weights, shown, run.clock)
    each = [run.order, run.weight, *learnt]
    points = [out.at, out.used, out.loss, out.bound]
    turn, least = (1, 1) if isinstance(learner, SGD) else (0, len(run.batch.y))
    return TabRun(calls, out, clock, knobs, each, points, turn, least)


def _figures(n: int) -> tuple[np.ndarray, ...]:
    """Room for the leaf, the loss and the bound of rows."""
    return np.zeros(n, np.int32), np.zeros(n, np.float32), np.zeros(n, np.float32)


def _picture(learner: SGD | Annealed, sight: Sight) -> Picture:
    scaling, (n_leaves, k) = learner.scaling, learner.joint.theta.shape
    n, p, m = n_leaves - 1, scaling.n_features, sum(map(len, sight.shown))
    bounded = isinstance(learner, SGD)
    held_to = isinstance(learner, SGD) and learner.run.stable is not None
    plane = np.zeros((4, scaling.width))
    unit = scaling.factor / scaling.deviation
    plane[:2, :p] = sight.axes * unit
    plane[2, :p], plane[3, :p] = (sight.origin - scaling.mean) * unit, -scaling.mean * unit
    plane[2:, p] = -scaling.factor

    def zeros(kind: type, *shape: int) -> np.ndarray:
        return np.zeros(shape, dtype=kind)

    f4 = np.float32
    return Picture(
        children=np.stack([learner.joint.left, learner.joint.right], axis=1).astype(np.int16),
        weight_of=np.arange(n, dtype=np.int32),
        feature=np.full(n, OBLIQUE, dtype=np.int32),
        plane=plane,
        unscale=unit * sight.spread,
        split=zeros(f4, n, 3),
        size=zeros(f4, n),
        reach=zeros(f4, n),
        weights=zeros(np.int8, n, p),
        threshold=zeros(f4, n),
        norm=zeros(f4, n),
        length=zeros(f4, n if bounded else 0),
        low=zeros(f4, n, k),
        high=zeros(f4, n, k),
        leaf=zeros(np.uint8, n_leaves),
        share=zeros(np.uint8, n_leaves),
        counts=zeros(np.uint32, n_leaves, k),
        at=zeros(np.uint16, m),
        used=np.full(m if held_to else 0, NOWHERE, dtype=np.uint16),
        loss=zeros(f4, m),
        bound=zeros(f4, m if bounded else 0),
        figures=zeros(np.float64, 8),
    )


def described(value: Any) -> str:
    """The type of an argument: kernels are compiled for one each."""
    if isinstance(value, tuple):
        return f"{type(value).__name__}({','.join(map(described, value))})"
    if isinstance(value, np.ndarray):
        return f"{value.dtype.str[1:]}:{value.ndim}"
    return type(value).__name__


@cache
def exports() -> dict[str, str]:
    """The name in the module of each kernel for its types."""
    return json.loads(MODULE.with_suffix(".json").read_text("utf-8"))["kernels"]


def sources() -> str:
    """A digest of the text that the module is made of."""
    digest = hashlib.sha256()
    for path, text in kernel_sources(Path(__file__)).items():
        digest.update(path.relative_to(PACKAGE).as_posix().encode() + b"\0" + text)
    return digest.hexdigest()


def key_of(kernel: Any, arguments: tuple[Any, ...]) -> str:
    """What :func:`exports` calls a kernel for these arguments."""
    return f"{kernel.__name__}{described(arguments)}"


def image_of(tab: TabRun, blobs: list[bytes]) -> dict[str, Any] | None:
    """A run as JSON, of which ``js/learn/engine.js`` makes the memory of its kernels.

    blobs: receives what arrays hold at first, each content once. Returns None where the module has
    no code for such a run.
    """
    places: dict[tuple[int, int], int] = {}
    arrays: list[list[Any]] = []

    def place(value: Any) -> list[Any]:
        if isinstance(value, tuple):
            return [leaf for part in value for leaf in place(part)]
        if not isinstance(value, np.ndarray):
            return [None if value is None else int(value)]
        key = value.ctypes.data, value.nbytes if value.nbytes else len(arrays)
        if key not in places:
            places[key] = len(arrays)
            content = value.tobytes()
            if not any(content):
                number = -1
            else:
                number = blobs.index(content) if content in blobs else len(blobs)
            blobs.extend([content] if number == len(blobs) else [])
            arrays.append([value.dtype.str[1:], value.size, number])
        return [[places[key], *value.shape]]

    calls = {}
    for name, (kernel, arguments) in tab.calls.items():
        exported = exports().get(key_of(kernel, (*arguments, *LATER.get(name, ()))))
        if exported is None:
            return None
        calls[name] = [exported, place(arguments)]
    return {
        "calls": calls,
        "clock": place(tab.clock)[0][0],
        "picture": dict(zip(tab.picture._fields, place(tab.picture), strict=True)),
        "knobs": {
            name: [[place(array)[0][0], *where] for array, *where in places]
            for name, places in tab.knobs.items()
        },
        "rows": [place(array)[0][0] for array in tab.rows if array.size],
        "points": [place(array)[0][0] for array in tab.points if array.size],
        "turn": tab.turn,
        "least": tab.least,
        "arrays": arrays,
    }
