"""TAO with one thread and with two: seconds and accuracy from CART.

On a machine that does other things as well, compare the seconds that processors were busy.

``python -m benchmarks.tao letter mnist`` reads ``letter.npz`` and ``mnist.npz`` (its first 20,000
rows) in the folder that ``TREECORE_DATA`` names; without arguments, scikit-learn's digits.
"""

from __future__ import annotations

import sys
import time

import numpy as np

from benchmarks.data import PaperData, as_float32
from treecore import RunConfig, Trainer, evaluate
from treecore.learners.nongreedy.settings import TAOSettings
from treecore.learners.nongreedy.tao.tao import TAO
from treecore.losses import LOG
from treecore.rows.training_rows import TrainingRows

ITERATIONS = 5
MOST_ROWS = 20_000
DEPTH = {"digits": 8, "letter": 10, "mnist": 8}


def run(rows: TrainingRows, start, n_threads: int, n_epochs: int):
    """A finished learner, its seconds, and those of all processors together."""
    learner = TAO(rows, start, TAOSettings(epochs=n_epochs), n_threads=n_threads)
    started = time.perf_counter(), time.process_time()
    while not learner.finished:
        learner.advance(10**9)
    return learner, time.perf_counter() - started[0], time.process_time() - started[1]


def main(names: list[str]) -> None:
    """Print a line for each dataset and number of threads."""
    data = PaperData()
    for name in names:
        if name not in DEPTH:
            raise SystemExit(f"there is no dataset {name!r}; known are {', '.join(DEPTH)}")
        data.require(name)
    for name in names:
        training, (X_test, y_test) = as_float32(data.load(name))
        X, y = training.take(slice(MOST_ROWS))
        start = Trainer(RunConfig("axis", depth=DEPTH[name]), X, y).run()
        rows = TrainingRows(X, y, np.ones(len(y)), start.n_outputs, LOG)
        few = rows.take(slice(300))
        greedy = evaluate(start, X_test, y_test).accuracy
        print(f"{name}, depth {DEPTH[name]}: CART {greedy:.2%}")
        run(few, start, 1, 1)  # compiles
        for n_threads in (1, 2):
            learner, seconds, busy = run(rows, start, n_threads, ITERATIONS)
            tree = learner.tree()
            train, test = evaluate(tree, X, y), evaluate(tree, X_test, y_test)
            print(
                f"  {n_threads} threads {seconds:6.1f} s ({busy:6.1f} s busy)   "
                f"train {train.accuracy:.2%}  test {test.accuracy:.2%}  "
                f"{tree.n_leaves} leaves, {np.count_nonzero(tree.weights)} weights",
                flush=True,
            )


if __name__ == "__main__":
    main(sys.argv[1:] or ["digits"])
