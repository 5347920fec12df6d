"""Time of greedy axis-aligned trees beside scikit-learn's, in turns in one process.

    python -m benchmarks.greedy_axis [DATA ...] [--depth 10] [--turns 3]

Seconds are those of the processor, the least of a few turns, by entropy and by Gini. ``normal`` and
``mixed`` are made here; the others are the papers' datasets, MNIST with its first 20,000 rows.
"""

from __future__ import annotations

import argparse

import numpy as np
from sklearn.tree import DecisionTreeClassifier

from benchmarks.data import PaperData, as_float32
from benchmarks.growth import table
from benchmarks.timing import least_seconds
from treecore import RunConfig, Trainer
from treecore.training.warmup import warm_up

NAMES = ("letter", "connect4", "normal", "mixed", "mnist")
CRITERIA = ("entropy", "gini")


def mixed(n_rows: int = 100_000) -> tuple[np.ndarray, np.ndarray]:
    """Ten numbers of two decimals and 44 features of 0 and 1, two of them 1; seven classes."""
    rng = np.random.default_rng(0)
    X = np.zeros((n_rows, 54), dtype=np.float32)
    X[:, :10] = 100 * rng.normal(size=(n_rows, 10)).round(2)
    for first, n_levels in ((10, 4), (14, 40)):
        X[np.arange(n_rows), first + rng.integers(n_levels, size=n_rows)] = 1
    scores = X[:, :10] @ rng.normal(size=(10, 7)) / 100 + rng.gumbel(size=(n_rows, 7))
    return X, scores.argmax(axis=1)


def rows_of(name: str, papers: PaperData) -> tuple[np.ndarray, np.ndarray] | None:
    """X, float32, and y of a dataset by its name; None where it is not at hand."""
    if name == "normal":
        return table(100_000, 54, 7)
    if name == "mixed":
        return mixed()
    parts = papers.load(name)
    if parts is None:
        return None
    X, y = as_float32(parts)[0].take(slice(20_000 if name == "mnist" else None))
    return np.ascontiguousarray(X), y


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("names", nargs="*", default=NAMES, metavar="DATA", help=", ".join(NAMES))
    parser.add_argument("--data", help="folder with NAME.npz; else what TREECORE_DATA names")
    parser.add_argument("--depth", type=int, default=10)
    parser.add_argument("--turns", type=int, default=3)
    given = parser.parse_args()
    papers = PaperData(given.data)
    print("| data | rows x features | criterion | ours, s | scikit-learn, s | ratio |")
    print(f"|{6 * ' --- |'}")
    for name in given.names:
        found = rows_of(name, papers)
        if found is None:
            print(papers.why_absent(name))
            continue
        X, y = found
        size = f"{len(X):,} x {X.shape[1]}"
        for criterion in CRITERIA:
            config = RunConfig("axis", depth=given.depth, criterion=criterion)
            warm_up(config=config)
            peer = DecisionTreeClassifier(
                criterion=criterion, max_depth=given.depth, random_state=0
            )
            taken = least_seconds(
                given.turns,
                ours=lambda c=config, X=X, y=y: Trainer(c, X, y).run(),
                peer=lambda p=peer, X=X, y=y: p.fit(X, y),
            )
            ours, theirs = taken["ours"], taken["peer"]
            times = f"{ours:.3f}", f"{theirs:.3f}", f"{ours / theirs:.2f}"
            cells = name, size, criterion, *times
            print(f"| {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
