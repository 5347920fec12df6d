"""Inner products that loss-augmented inference spends per example, against the textbook's.

The textbook's exact inference scores every split, O(2^d p). Its fast inference follows the
sibling of every split on the plain path down to a leaf, O(d^2 p); its inner products are counted
here on the same trees and examples, whose paths need not all be d long.

Run with ``python -m benchmarks.inference``; MNIST where ``--data`` (or TREECORE_DATA) has
``mnist.npz``, scikit-learn's digits otherwise.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from benchmarks.data import PaperData
from benchmarks.pages import RESULTS, Page
from treecore import RunConfig, Trainer, warm_up
from treecore.compiling.kernels import dot, kernel
from treecore.learners.nongreedy.inference import infer

PAGE = Page(
    RESULTS / "inference.md",
    "Inner products of loss-augmented inference",
    "How many inner products an example takes, as a ratio: mean over the trees after each epoch.\n"
    "Written by `python -m benchmarks.inference`.",
    ("data", "depth", "epochs", "start", "fast, ours to the textbook's", "exact to fast, ours"),
    4,
)


@kernel
def path_length(tree, x, node):
    """Splits from ``node`` down along sgn(Wx)."""
    length = 0
    while node >= 0:
        node = tree.right[node] if dot(tree.W[node], x) > 0 else tree.left[node]
        length += 1
    return length


@kernel
def textbook_fast(tree, X):
    """Inner products of the O(d^2 p) fast inference over all rows."""
    total = 0
    for i in range(X.shape[0]):
        node = 0
        while node >= 0:
            right = dot(tree.W[node], X[i]) > 0
            sibling = tree.left[node] if right else tree.right[node]
            total += 1 + path_length(tree, X[i], sibling)
            node = tree.right[node] if right else tree.left[node]
    return total


@kernel
def branch_and_bound(tree, X, y, exact):
    """Inner products of ours over all rows."""
    total = 0
    for i in range(X.shape[0]):
        total += infer(tree, X[i], y[i], exact)[3]
    return total


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", help="folder with mnist.npz; else what TREECORE_DATA names")
    parser.add_argument("--depth", type=int, default=12)
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--start", choices=("axis", "random"), default="axis")
    arguments = parser.parse_args()

    warm_up()
    data = PaperData(arguments.data)
    parts = data.load("mnist")
    name, (X, y) = ("MNIST", parts[0]) if parts else ("digits", data.whole("digits"))
    config = RunConfig("sgd", depth=arguments.depth, epochs=arguments.epochs, start=arguments.start)
    print(f"{name}: {len(X)} rows, {X.shape[1]} features; {config}")
    print("Inner products per example (textbook exact scores every split):\n")
    header = ("epoch", "fast", "exact", "textbook fast", "textbook exact")
    header += ("fast / textbook", "exact / fast", "accuracy", "seconds")
    print("| " + " | ".join(header) + " |")
    print("|" + " --- |" * len(header))
    shown = {0, 1, 2, 5, 10, arguments.epochs}
    trainer = Trainer(config, X, y)
    passes = []
    for event in trainer.events():
        if event.stage != "sgd":
            continue
        joint, rows = trainer.learner.joint, trainer.learner.train_rows[:]
        fast = branch_and_bound(joint, rows, y, False) / len(y)
        exact = branch_and_bound(joint, rows, y, True) / len(y)
        textbook = textbook_fast(joint, rows) / len(y)
        if event.done > 0:  # the start has not been learnt on yet
            passes.append((fast, exact, textbook))
        if event.done not in shown:
            continue
        print(
            f"| {event.done:.0f} | {fast:.1f} | {exact:.1f} | {textbook:.1f} "
            f"| {len(joint.W)} | {fast / textbook:.2f} | {exact / fast:.2f} "
            f"| {event.accuracy:.4f} | {event.seconds:.1f} |",
            flush=True,
        )
    fast, exact, textbook = np.mean(passes, axis=0)
    keys = name, arguments.depth, arguments.epochs, arguments.start
    PAGE.keep(*keys, f"{fast / textbook:.2f}", f"{exact / fast:.2f}")
    for exact in (False, True):
        begun = time.perf_counter()
        branch_and_bound(joint, rows, y, exact)
        seconds = time.perf_counter() - begun
        kind = "exact" if exact else "fast"
        print(f"{kind} inference: {1e6 * seconds / len(y):.1f} microseconds per example")


if __name__ == "__main__":
    main()
