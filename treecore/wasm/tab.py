"""A learner as what a page needs to go on with it: arrays in one memory, and calls of kernels."""

from __future__ import annotations

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from treecore.compiling.kernel_cache import PACKAGE, kernel_sources
from treecore.core.scaling import Scaling
from treecore.core.tree import OBLIQUE
from treecore.learners.greedy.finders.co2 import TurningStump
from treecore.learners.greedy.finders.oc1 import HillClimb
from treecore.learners.greedy.finders.sorting import sort_space
from treecore.learners.greedy.growth import Growth
from treecore.learners.greedy.state import NODE
from treecore.learners.nongreedy.annealed.annealed import Annealed
from treecore.learners.nongreedy.joint_tree import TrainingTree
from treecore.learners.nongreedy.sgd.sgd import SGD
from treecore.losses.log import LOG
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
    - rows, points: arrays of as many rows as are learnt from, and as there are on the map.
    - least: rows that have to stay; grows: whether it begins again where rows are moved.
    """

    calls: dict[str, tuple[Any, tuple[Any, ...]]]
    picture: Picture
    clock: np.ndarray
    knobs: dict[str, list[tuple[np.ndarray, int, int, int]]]
    rows: list[np.ndarray]
    points: list[np.ndarray]
    least: int
    grows: bool


LATER: dict[str, tuple[Any, ...]] = {
    "advance": (0,),  # about how many rows, or values that growth reads
    "place": (0, 0.0, 0.0, 0),  # row, place on the map, class
    "count": (0, 0),  # rows until now, rows from now on
}
"""What a page says with each call, by its type; integers are of 64 bits."""


def tab_of(
    learner: Growth | SGD | Annealed, rows: TrainingRows, sight: Sight, most_rows: int = 0
) -> TabRun:
    """A learner of classes that has not begun, with constant leaves; it stays as it is.

    most_rows: that there may be one day.
    """
    own: dict[tuple[int, int], tuple[np.ndarray, np.ndarray]] = {}

    def copied(value: Any, blank: bool = False) -> Any:
        """Arrays of one memory stay of one memory; blank: with zeros, unless copied already."""
        if isinstance(value, tuple):
            return getattr(value, "_make", tuple)([copied(part, blank) for part in value])
        if not isinstance(value, np.ndarray):
            return value
        key = value.ctypes.data, value.nbytes
        if not value.nbytes or key not in own:
            new = np.zeros(value.shape, value.dtype) if blank else np.array(value)
            # zeros_like would leave what lies between a record's fields; a value that is let go
            # would leave its place to another one.
            own[key] = new.reshape(-1), value
        return own[key][0].reshape(value.shape)

    clock = np.array([0.0, learner.n_epochs])
    knobs: dict[str, list[tuple[np.ndarray, int, int, int]]] = {}
    least = 1
    grows, bounded = isinstance(learner, Growth), isinstance(learner, SGD)
    if isinstance(learner, Growth):
        scaling, read = _room(learner, max(most_rows, len(rows.y)))
        train_X, held_X = scaling.transform(rows.X), scaling.transform(sight.held[0])
    else:
        scaling, read = learner.scaling, copied(learner.joint)
        train_X, held_X = learner.train_rows, sight.held[0]
    weights = np.array(rows.weight)
    train_X, y, weight = map(copied, (train_X, rows.y, weights))
    parts = [
        Rows(X, y, weight, np.zeros(0, np.int32), shown.astype(np.int64), *_figures(len(y)))
        for X, y, weight, shown in (
            (train_X, y, weight, sight.shown[0]),
            (*map(copied, (held_X, *sight.held[1:])), sight.shown[1]),
        )
    ]
    values, out = read.theta, _picture(learner, read, scaling, sight)
    calls: dict[str, tuple[Any, tuple[Any, ...]]] = {}
    if isinstance(learner, Growth):
        (axis, *forms), search, run = learner.parts, learner.search, learner.run
        if isinstance(search, HillClimb):
            search = search._replace(columns=axis.columns, weight=weights)
        elif isinstance(search, TurningStump):
            search = search._replace(targets=rows.y, weights=weights)
        # All else is written first.
        kept = search and (search.random, *_constants(search))
        copied((run.criterion, axis and (axis.rivals, axis.ties), kept))
        whole = run, axis, search, sort_space(len(y))
        run, axis, search, space = copied(whole, blank=True)
        nodes, reference = np.zeros(2 * len(values) - 1, NODE), np.zeros(2 * len(values) - 1, "i4")
        run = run._replace(nodes=nodes, tally=np.zeros((len(nodes), values.shape[1])))
        smoothing, units = np.array([learner.smoothing]), learner.pass_units // len(y)
        random, scales, together = 2 * (np.zeros(0, np.uint64),), np.zeros(0), False
        if search is not None:
            # One more than there are nodes: what is not kept is written as well.
            W = np.zeros((len(nodes) + 1, run.X.shape[1]), np.float32)
            run, random = run._replace(weights=W), (search.random, search.random.copy())
            together = getattr(search, "together", False)
            scales = scales if isinstance(search, TurningStump) or not most_rows else search.scales
        counting = random, scales, together, train_X, y, clock
        calls["begin"] = kernels.begin_greedy, (run, axis, space, *counting)
        calls["advance"] = kernels.advance_greedy, (run, search, units, axis, *forms, clock)
        calls["read"] = kernels.read_greedy, (run, smoothing, *parts, read, reference, out)
        counted = np.arange(len(y)), weight
        ticks = np.zeros(1, np.int64)
        each = [run.rows, run.spare, run.goes_right, run.X, run.criterion.labels]
        each += [*space[:-1], *([axis.columns, axis.order, axis.values] if axis else [])]
        if search is not None:
            each += [*search.space[:-2], *search.space.sorting[:-1]]
        if isinstance(search, HillClimb):
            each.append(search.plane.heights)
        elif isinstance(search, TurningStump):
            here = search.here
            each += [here.X, here.y, here.weight, here.right, search.order]
    else:
        run = copied(learner.run)
        counted, ticks, each = (run.order, run.weight), run.clock, []
        knobs = {"eta": [(run.rates, 0, 1, 1)]}
    if isinstance(learner, SGD):
        unit = scaling.rows_of(learner.start)
        for filled in (read.W, *read.tables):  # when it begins
            filled[:] = 0.0
        calls["begin"] = kernels.begin_sgd, (run, unit, run.stable)
        forms = [run.penalty, run.batches, run.stable]
        calls["advance"] = kernels.advance_sgd, (run, *forms, clock)
        if run.stable is not None:
            parts[0] = parts[0]._replace(used=run.stable.assigned)
            run.stable.assigned[:], run.stable.counts[:] = -1, 0
            calls["hold"] = kernels.hold_rows, (run, run.stable)
        if run.batches is not None:
            run.batches.leaf[:] = 0
        knobs["nu"] = [(run.rates, 1, 1, 1)]
    elif isinstance(learner, Annealed):
        values, least = np.zeros_like(read.theta), len(run.batch.y)
        # Room for all that a mini-batch can reach: then there is always enough.
        room = least * (len(run.left) + 2)
        routing = [np.zeros(len(run.routing.first), np.int64) for _ in range(2)]
        routing += [np.zeros(room, dtype=array.dtype) for array in run.routing[2:]]
        run = run._replace(routing=run.routing._make(routing))
        shares, rules = run.leaves.shares, np.array([learner.temper, learner.smoothing])
        calls["advance"] = kernels.advance_annealed, (run, shares, clock)
        calls["read"] = kernels.read_out, (read.theta, shares.expected, rules, values)
        read = read._replace(theta=values)
        knobs["eta"].append((run.rates, 1, 5, 3))
    exact = isinstance(learner, SGD) and learner.exact
    calls["picture"] = kernels.picture, (read, values, *parts, exact, bounded, grows, clock, out)
    calls["place"] = kernels.place_row, (train_X, y, out.plane)
    calls["count"] = kernels.count_rows, (*counted, weight, parts[0].shown, ticks, int(bounded))
    points = [out.at, out.used, out.loss, out.bound]
    each = [*counted, *each, *parts[0]]
    return TabRun(calls, out, clock, knobs, each, points, least, grows)


def _room(learner: Growth, n_rows: int) -> tuple[Scaling, TrainingTree]:
    """Room for a tree that grows, in coordinates that are those of the features."""
    p, k, rules = learner.run.X.shape[1], learner.run.tally.shape[1], learner.run.rules
    scaling = Scaling(np.zeros(p), np.ones(p), 1.0)
    m = max(2, min(n_rows, 1 << rules.depth, rules.max_leaf_nodes or n_rows)) - 1
    left, right, above, leaf_above = np.full((4, m + 1), -1, dtype=np.int32)
    W, theta = np.zeros((m, scaling.width), np.float32), np.zeros((m + 1, k), np.float32)
    shape = W, left[:m], right[:m], above[:m], leaf_above, theta
    space = np.zeros(m, np.float32), np.zeros(1, np.int32), np.zeros(1, np.float32)
    return scaling, TrainingTree(*shape, LOG.make_tables(m, m + 1, k), *space)


def _constants(search: Any) -> tuple[np.ndarray, ...]:
    """What a search of oblique splits reads and never writes, or writes only where rows move."""
    if isinstance(search, TurningStump):
        tree = search.joint
        return tree.left, tree.right, tree.split_parent, tree.leaf_parent
    return search.scales, search.layers


def _figures(n: int) -> tuple[np.ndarray, ...]:
    """Room for the leaf, the loss and the bound of rows."""
    return np.zeros(n, np.int32), np.zeros(n, np.float32), np.zeros(n, np.float32)


def _picture(
    learner: Growth | SGD | Annealed, tree: TrainingTree, scaling: Scaling, sight: Sight
) -> Picture:
    n_leaves, k = tree.theta.shape
    n, p, m = n_leaves - 1, scaling.n_features, sum(map(len, sight.shown))
    bounded, n_oblique = isinstance(learner, SGD), n
    if isinstance(learner, Growth) and learner.search is None:
        n_oblique = 0
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
        children=np.stack([tree.left, tree.right], axis=1).astype(np.int16),
        weight_of=np.arange(n_oblique, dtype=np.int32),
        feature=np.full(n, OBLIQUE, dtype=np.int32),
        plane=plane,
        unscale=unit * sight.spread * bool(n_oblique),
        split=zeros(f4, n, 3),
        size=zeros(f4, n),
        reach=zeros(f4, n),
        weights=zeros(np.int8, n_oblique, p),
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
            # Whole numbers of 64 bits are texts, as scripts have another kind of numbers for them.
            return [str(value) if type(value) is int else getattr(value, "item", lambda: value)()]
        key = value.ctypes.data, value.nbytes if value.nbytes else len(arrays)
        if key not in places:
            places[key] = len(arrays)
            content = value.tobytes()
            if not any(content):
                number = -1
            else:
                number = blobs.index(content) if content in blobs else len(blobs)
            blobs.extend([content] if number == len(blobs) else [])
            arrays.append([value.dtype.str[1:], value.size, number, 0])
        return [[places[key], *value.shape]]

    calls = {}
    for name, (kernel, arguments) in tab.calls.items():
        exported = exports().get(key_of(kernel, (*arguments, *LATER.get(name, ()))))
        if exported is None:
            return None
        calls[name] = [exported, place(arguments)]
    n = len(tab.rows[0])
    for array in filter(np.size, (*tab.points, *tab.rows)):
        is_row = any(array is one for one in tab.rows)
        arrays[place(array)[0][0]][3] = array.size // n if is_row else 1
    return {
        "calls": calls,
        "clock": place(tab.clock)[0][0],
        "picture": dict(zip(tab.picture._fields, place(tab.picture), strict=True)),
        "knobs": {
            name: [[place(array)[0][0], *where] for array, *where in places]
            for name, places in tab.knobs.items()
        },
        "rows": n,
        "least": tab.least,
        "grows": tab.grows,
        "arrays": arrays,
    }
