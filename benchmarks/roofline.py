"""What one core can do at most, and what is reached: prediction, an SGD update, an annealed step.

Run with ``python -m benchmarks.roofline [DATA ...] [--parts limits peers]``; tables are written to
``benchmarks/results/roofline.md`` and, of other libraries that are installed, ``predictions.md``.
Limits are measured in the same run, on one core:

- *stream*: the time to read every number of X once, in order;
- *products*: the multiply-adds that the decision paths need, at the pace of inner products whose
  numbers lie in the nearest cache; of an annealed step, at the pace of NumPy's matrix product.

The greater of the two is the limit. A cut multiplies nothing and reads one number of many, so an
axis-aligned tree may well be faster than the stream. Competitors take turns; the least of a few
times counts, of the processor's. A machine that others use gives other figures: what is compared
must come from one run.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable, Iterator
from functools import partial

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks.budgets import NAMES, parts_of
from benchmarks.data import PaperData
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from benchmarks.peers import absent, predictors
from benchmarks.timing import least_seconds
from treecore import AxisTreeClassifier, RunConfig, Trainer, Tree
from treecore.compiling.kernels import dot, kernel
from treecore.core.routing import apply_rows
from treecore.core.tree import parents

LIMITS = Page(
    RESULTS / "roofline.md",
    "What one core can do at most, and what is reached",
    "Least processor time of a few turns, on cores that other programs may have used as well; "
    "limits were measured in the same run. The limit of annealed learning is that of matrix "
    "products in which every row meets every split; once turns have hardened, few rows do.\n"
    "Written by `python -m benchmarks.roofline`.",
    ("what", "data", "features", "reached", "limit", "by", "scikit-learn"),
    2,
)
BATCHES = (1, 10, 100, 1000, 10_000, 100_000)
PEERS = Page(
    RESULTS / "predictions.md",
    "Prediction beside other libraries",
    "Nanoseconds a row by how many rows come at once, float32, one thread; least of a few turns. "
    "Models have learnt from 20,000 rows at most; of boosting a round is a tree for each class. "
    "– where a larger batch would take too long.\n"
    "Written by `python -m benchmarks.roofline --parts peers`.",
    ("model", "data", *(f"{size:,}" for size in BATCHES)),
    2,
)
MOST_SECONDS = 3.0
"""A batch that would take longer, by the time of the smaller one, is left out."""
ROUNDS = 5
UPDATE_DEPTHS = 10, 14, 18


@kernel
def _stream(X):
    total = np.float32(0.0)
    for i in range(X.shape[0]):
        for j in range(0, X.shape[1], 16):  # one number of every cache line
            total += X[i, j]
    return total


@kernel
def _products(w, X, rounds):
    total = np.float32(0.0)
    for _ in range(rounds):
        for i in range(X.shape[0]):
            total += dot(w, X[i])
    return total


smallest = partial(least_seconds, ROUNDS)
"""Least processor seconds of each, which take turns."""


def product_pace(width: int) -> float:
    """Multiply-adds a second of inner products of so many numbers in the nearest cache."""
    rng = np.random.default_rng(0)
    block = rng.standard_normal((max(1, 4096 // width), width), dtype=np.float32)
    rounds = 4_000_000 // block.size
    w = block[0].copy()
    return rounds * block.size / smallest(products=lambda: _products(w, block, rounds))["products"]


def matrix_pace(n_rows: int, width: int, n_splits: int) -> float:
    """Multiply-adds a second of the product of a mini-batch with the weights of all splits."""
    rng = np.random.default_rng(0)
    rows = rng.standard_normal((n_rows, width), dtype=np.float32)
    weights = rng.standard_normal((width, n_splits), dtype=np.float32)
    taken = smallest(matrix=lambda: [rows @ weights for _ in range(20)])["matrix"]
    return 20 * n_rows * width * n_splits / taken


def path_products(tree: Tree, leaf: np.ndarray) -> float:
    """Oblique splits on the decision path of a row, on average."""
    of_split, of_leaf = parents(tree)
    above = np.zeros(tree.n_splits, dtype=np.int64)
    for split in range(tree.n_splits):
        parent = of_split[split]
        above[split] = (tree.feature[split] < 0) + (above[parent] if parent >= 0 else 0)
    return float(above[of_leaf[leaf]].mean()) if tree.n_splits else 0.0


def prediction(name: str, X: np.ndarray, y: np.ndarray) -> Iterator[tuple]:
    """Rows a tree sends to its leaves, checked as they go down."""
    n, p = X.shape
    leaf = np.empty(n, dtype=np.int32)
    methods: tuple[tuple[str, int, dict], ...] = (
        ("axis", 10, {}),
        ("annealed", 8, {"rounds": 3}),
        ("sgd", 14, {"epochs": 3, "start": "axis"}),
    )
    for method, depth, more in methods:
        few = slice(None, 20_000)
        tree = Trainer(RunConfig(method, depth=depth, **more), X[few], y[few]).run()
        runs: dict[str, Callable] = {
            "ours": lambda tree=tree: apply_rows(tree, X, leaf, checked=False),
            "stream": lambda: _stream(X),
        }
        if method == "axis":
            peer = DecisionTreeClassifier(criterion="entropy", max_depth=depth, random_state=0)
            peer.fit(X[few], y[few])
            runs["peer"] = lambda peer=peer: peer.tree_.apply(X)
        taken = smallest(**runs)
        products = path_products(tree, leaf) * n * p / product_pace(p)
        by, limit = max(("products", products), ("stream", taken["stream"]), key=lambda it: it[1])
        peer_ns = f"{1e9 * taken['peer'] / n:.0f} ns" if "peer" in taken else "–"
        what = f"prediction, {method}, depth {depth}, a row"
        yield (
            what,
            name,
            p,
            f"{1e9 * taken['ours'] / n:.0f} ns",
            f"{1e9 * limit / n:.0f} ns",
            by,
            peer_ns,
        )


def update(name: str, X: np.ndarray, y: np.ndarray, depth: int) -> tuple:
    """One example of SGD on the exact bound; the limit is to read and score its path once."""
    config = RunConfig("sgd", depth=depth, epochs=3, start="axis", inference="exact")
    trainer = Trainer(config, X, y)
    learner = None
    for event in trainer.events():
        if event.stage == "sgd":
            learner = trainer.learner
            break
    assert learner is not None, "SGD comes after the start"
    paces = []
    while not learner.finished:
        began = time.process_time()
        done = learner.advance(5000)
        paces.append((time.process_time() - began) / done)
    width = learner.train_rows.shape[1]
    rows = learner.train_rows[:]
    leaf, _ = learner.measure(rows, y, np.ones(len(y)), False)
    stream = smallest(stream=lambda: _stream(rows))["stream"] / len(y)
    products = path_products(learner.tree(), leaf) * width / product_pace(width)
    by, limit = max(("products", products), ("stream", stream), key=lambda it: it[1])
    cells = f"{1e9 * min(paces):.0f} ns", f"{1e9 * limit:.0f} ns", by
    return f"SGD, depth {depth}, an update", name, X.shape[1], *cells, "–"


def annealed_step(name: str, X: np.ndarray, y: np.ndarray) -> tuple:
    """A mini-batch of annealed learning, as if every row met every split, and W twice."""
    trainer = Trainer(RunConfig("annealed", depth=8, rounds=4), X, y)
    event = next(iter(trainer.events()))
    learner = trainer.learner
    assert event.stage == "annealed"
    rows = trainer.config.settings.batch
    paces = []
    while not learner.finished:
        began = time.process_time()
        done = learner.advance(rows)
        paces.append((time.process_time() - began) / done)
    n_splits, width = learner.joint.W.shape
    limit = 2 * n_splits * width / matrix_pace(rows, width, n_splits)
    cells = f"{1e6 * min(paces):.1f} µs", f"{1e6 * limit:.1f} µs", "products"
    return "annealed learning, depth 8, a row", name, X.shape[1], *cells, "–"


def single_row(name: str, X: np.ndarray, y: np.ndarray) -> tuple:
    """One row through ``predict`` of an estimator, which has no limit but Python."""
    few = slice(None, 2000)
    ours = AxisTreeClassifier(max_depth=8).fit(X[few], y[few])
    peer = DecisionTreeClassifier(max_depth=8).fit(X[few], y[few])
    row = X[:1]
    taken = smallest(
        ours=lambda: [ours.predict(row) for _ in range(200)],
        peer=lambda: [peer.predict(row) for _ in range(200)],
    )
    reached, theirs = (f"{1e6 * taken[who] / 200:.0f} µs" for who in ("ours", "peer"))
    return "one row through an estimator", name, X.shape[1], reached, "–", "–", theirs


def side_by_side(name: str, X: np.ndarray, y: np.ndarray) -> Iterator[tuple]:
    """Nanoseconds a row of models of ours and of other libraries, by how many rows come at once.

    At each size all models take turns, so that other programs slow all of them alike.
    """
    rng = np.random.default_rng(0)
    few = slice(None, 20_000)
    models = dict(predictors(X[few], y[few]))
    shown: dict[str, list[str]] = {model: [] for model in models}
    running = dict(models)
    for size in BATCHES:
        batch, times = X[rng.integers(len(X), size=size)], max(1, 200 // size)
        taken = smallest(
            **{
                model: lambda p=predict, b=batch, n=times: [p(b) for _ in range(n)]
                for model, predict in running.items()
            }
        )
        for model in models:
            once = taken[model] / times if model in taken else None
            shown[model].append("–" if once is None else f"{1e9 * once / size:,.0f}")
            if once is not None and once * 10 > MOST_SECONDS:
                del running[model]
    for model, cells in shown.items():
        yield model, name, *cells


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES, metavar="DATA", help=", ".join(NAMES))
    parser.add_argument("--data", help="folder with NAME.npz; else what TREECORE_DATA names")
    parser.add_argument("--parts", nargs="+", choices=("limits", "peers"))
    arguments = parser.parse_args()
    parts = arguments.parts or ("limits", "peers")
    papers = PaperData(arguments.data)
    for library, reason in absent().items():
        print(f"{library} is left out: {reason}")
    for name in arguments.names:
        found = parts_of(name, papers)
        if found is None:
            print(papers.why_absent(name))
            continue
        X, y = found[0]
        if "limits" in parts:
            updates = [update(name, X, y, depth) for depth in UPDATE_DEPTHS]
            rows = [*prediction(name, X, y), *updates, annealed_step(name, X, y)]
            for row in [*rows, single_row(name, X, y)]:
                LIMITS.keep(*row)
        if "peers" in parts:
            for row in side_by_side(name, X, y):
                PEERS.keep(*row)


if __name__ == "__main__":
    main()
