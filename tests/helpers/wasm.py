"""A page's run in Python: kernels by wasmtime, in a memory as ``engine.js`` makes it."""

from __future__ import annotations

import numpy as np

from treecore.losses.log import LOG
from treecore.rows.training_rows import TrainingRows
from treecore.training.registry import find_method
from treecore.wasm.tab import MODULE, Sight, image_of, tab_of

LINE, PAGE = 64, 65536


class Engine:
    """Of a ``TabRun``; ``calls`` go on here as kernels do natively."""

    def __init__(self, tab, room=0):
        import wasmtime

        blobs = []
        self.image = image_of(tab, blobs)
        self.tab, self.store = tab, wasmtime.Store()
        module = wasmtime.Module.from_file(self.store.engine, str(MODULE))
        self.code = wasmtime.Instance(self.store, module, []).exports(self.store)
        self.memory = self.code["memory"]
        heap = self.code["__heap_base"].value(self.store)
        self.result = heap + LINE - heap % LINE
        top, self.places, self.more = self.result + 2 * LINE, [], 0
        for place, (kind, *_) in enumerate(self.image["arrays"]):
            self.places.append(top)
            top += (
                -(-self._size(place, max(0, room - self.rows)) * np.dtype(kind).itemsize // LINE)
                * LINE
            )
        self.memory.grow(self.store, max(0, -(-(top - self.memory.data_len(self.store)) // PAGE)))
        for place, (_, _, content, _) in zip(self.places, self.image["arrays"]):
            if content >= 0:
                self.memory.write(self.store, blobs[content], place)

    @property
    def rows(self):
        return self.image["rows"] + self.more

    def resize(self, rows):
        self.more += rows - self.rows

    def _size(self, place, more):
        _, size, _, each = self.image["arrays"][place]
        return size + more * each

    def call(self, name, *more):
        exported, given = self.image["calls"][name]
        flat = [number for one in given for number in self._handed(one)]
        assert self.code[exported](self.store, self.result, self.result + LINE, *flat, *more) == 0

    def _handed(self, one):
        if not isinstance(one, list):
            return [0 if one is None else int(one) if isinstance(one, str) else one]
        place, *shape = one
        kind, first, _, each = self.image["arrays"][place]
        kind = np.dtype(kind)
        if each:
            shape[[n * each for n in shape].index(first)] += self.more
        strides = np.zeros(shape, kind).strides if all(shape) else [kind.itemsize] * len(shape)
        size = int(np.prod(shape))
        return [0, 0, size, kind.itemsize, self.places[place], *shape, *strides]

    def array(self, place):
        kind, size = self.image["arrays"][place][0], self._size(place, self.more)
        start = self.places[place]
        end = start + size * np.dtype(kind).itemsize
        return np.frombuffer(bytes(self.memory.read(self.store, start, end)), kind)

    def pairs(self, name):
        """What a call's arrays hold natively and here."""
        given = [one for one in self.image["calls"][name][1] if isinstance(one, list)]
        for array, (place, *_) in zip(arrays(self.tab.calls[name][1]), given, strict=True):
            yield array.reshape(-1), self.array(place)


def arrays(value):
    """All arrays of nested tuples."""
    if isinstance(value, np.ndarray):
        yield value
    elif isinstance(value, tuple):
        for part in value:
            yield from arrays(part)


def learner_of(method, n=300, p=2, k=2, seed=0, **settings):
    """A learner that has not begun, and its rows: k classes in p features, some of which tell."""
    rng = np.random.default_rng(seed)
    y = rng.integers(0, k, n)
    X = (rng.normal(size=(n, p)) + np.eye(k, p)[y] * 2).astype(np.float32)
    rows = TrainingRows(X, y, rng.choice([0.5, 1.5], n), k, LOG)
    return build(method, rows, seed, **settings), rows


def build(method, rows, seed=0, **settings):
    entry = find_method(method)
    return entry.build(entry.settings(**settings), rows, None, np.random.default_rng(seed))


def tab_for(learner, rows, n_held=20, shown=None, most_rows=0):
    """Its run in a page, with some of the rows as those held out; shown: all of these, or some."""
    p = rows.X.shape[1]
    held = learner.prepare(rows)[:n_held], rows.y[:n_held], rows.weight[:n_held]
    learnt = np.arange(0, len(rows.y), 3) if shown is None else shown
    shown = learnt, np.arange(0, n_held, 2)
    sight = Sight(held, shown, rows.X.mean(axis=0, dtype=float), np.eye(2, p), np.ones(p))
    return tab_of(learner, rows, sight, most_rows)


def both(tab, name, *more):
    """Call a kernel natively."""
    kernel, arguments = tab.calls[name]
    kernel(*arguments, *more)


def go(tab, engine, budgets):
    """The same calls in both; ends with a picture."""
    for name in ["begin"] * ("begin" in tab.calls):
        both(tab, name)
        engine.call(name)
    for budget in budgets:
        both(tab, "advance", budget)
        engine.call("advance", budget)
    for name in ["read"] * ("read" in tab.calls) + ["picture"]:
        both(tab, name)
        engine.call(name)


CASES = (
    ("sgd", {"epochs": 6}, 2, 2),
    ("sgd", {"epochs": 4, "inference": "fast", "schedule": "cosine"}, 5, 3),
    ("sgd", {"epochs": 4, "batch": 5, "momentum": 0.5}, 20, 2),
    ("stable-sgd", {"epochs": 8, "tolerance": 0.05}, 3, 4),
    ("stable-sgd", {"epochs": 4, "batch": 3}, 2, 2),
    ("annealed", {"rounds": 6, "batch": 32}, 2, 3),
    ("annealed", {"rounds": 3, "batch": 64}, 20, 2),
    ("axis", {}, 2, 2),
    ("axis", {"max_leaf_nodes": 9, "criterion": "gini", "min_samples_leaf": 3}, 5, 3),
    ("random-oblique", {}, 2, 2),
    ("random-oblique", {"n_directions": 7, "scaling": "together", "max_leaf_nodes": 9}, 5, 3),
    ("oc1", {}, 2, 2),
    ("oc1", {"order": "random", "start": "random", "max_leaf_nodes": 9, "jumps": 2}, 5, 3),
    ("co2", {}, 2, 2),
    ("co2", {"nu": 2.0, "epochs": 3, "max_leaf_nodes": 9}, 20, 3),
)
"""Method, settings, features and classes of whole runs."""


def run_case(method, settings, p, k):
    """A whole run in both, cut in odd places."""
    learner, rows = learner_of(method, p=p, k=k, depth=4, **settings)
    tab = tab_for(learner, rows)
    engine = Engine(tab)
    portion = max(77, learner.pass_units // 101)  # each call packs all arguments anew
    portions = -(-learner.pass_units // portion)
    go(tab, engine, [portion] * (portions * 2 * int(tab.clock[1])))
    assert tab.clock[0] == tab.clock[1]
    return tab, engine


if __name__ == "__main__":  # in a process whose numba compiles for a plain processor
    for case in CASES:
        tab, engine = run_case(*case)
        for name in tab.calls:
            for native, here in engine.pairs(name):
                if native.dtype.kind == "V":  # nodes and cuts of a tree that grows
                    assert here.tobytes() == native.tobytes()
                elif native.dtype == np.float64:  # exp and log of two libraries: the last bit
                    np.testing.assert_allclose(here, native, rtol=1e-12, atol=1e-15)
                else:
                    np.testing.assert_array_equal(here, native, strict=True)
