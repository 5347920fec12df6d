"""Figure 2 of Norouzi et al. 2015: accuracy against depth, five ways to grow one tree.

Run with ``python -m benchmarks.figure2 [mnist connect4] [--depths 6 8 ...] [--rows N]``. For every
depth and method it prints our test accuracy beside the published one, which was read off the
paper's figure. Settings of the non-greedy trees are chosen by the protocol of
:mod:`benchmarks.protocol`, anew at every depth; the baselines have one setting each.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import treecore
from benchmarks.protocol import Part, choose, load, train
from treecore import RunConfig, warm_up
from treecore.datasets import split_rows

PUBLISHED = Path(treecore.__file__).parent / "published" / "norouzi2015_figures.json"

NAMES = {"mnist": "MNIST", "connect4": "Connect4"}

BASELINES = {
    "Axis-aligned": {"method": "axis"},
    "CO2": {"method": "co2"},
    "Random": {"method": "random-oblique", "n_directions": 20},
    "OC1": {"method": "oc1", "order": "random", "restarts": 0, "jumps": 0},
}

NON_GREEDY = [
    {"method": "annealed", "start": start, "decay": decay, "rounds": 40}
    for start in ("random", "axis")
    for decay in (0.3, 1.0)
]
DEEPEST_COMPLETE = 10
"""A complete tree has 2^depth leaves; beyond this depth only a grown start is tried."""


def candidates(depth: int) -> list[dict]:
    """The non-greedy candidates at one depth."""
    kept = [c for c in NON_GREEDY if c["start"] != "random" or depth <= DEEPEST_COMPLETE]
    return [{**candidate, "depth": depth} for candidate in kept]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*", default=list(NAMES), metavar="DATASET")
    parser.add_argument("--depths", nargs="+", type=int, default=[6, 8, 10, 12, 14, 16, 18])
    parser.add_argument("--rows", type=int, help="train on so many rows only")
    arguments = parser.parse_args()
    warm_up()
    figure = json.loads(PUBLISHED.read_text(encoding="utf-8"))["figure2"]
    for name in arguments.datasets:
        parts = load(name)
        if parts is None:
            print(f"{name}: not at hand")
            continue
        training, test = parts
        if arguments.rows and arguments.rows < len(training.y):
            _, kept = split_rows(training.y, arguments.rows / len(training.y), 0)
            training = Part(training.X[kept], training.y[kept])
        published = figure["test_accuracy"][NAMES[name]]
        print(f"\n{NAMES[name]}: test accuracy, ours (published); training accuracy; seconds\n")
        print(f"| depth | {' | '.join(published)} |")
        print("|" + " --- |" * (1 + len(published)))
        for depth in arguments.depths:
            cells = []
            for method, values in published.items():
                if method in BASELINES:
                    chosen = {**BASELINES[method], "depth": depth}
                else:
                    chosen = choose(candidates(depth), training)
                outcome, _ = train(RunConfig(**chosen, seed=0), training, test)
                at = figure["depth"]
                theirs = f"{100 * values[at.index(depth)]:.1f}" if depth in at else "-"
                cells.append(
                    f"{outcome.accuracy:.1f} ({theirs}); {outcome.training_accuracy:.1f}; "
                    f"{outcome.seconds:.0f} s"
                )
            print(f"| {depth} | {' | '.join(cells)} |", flush=True)


if __name__ == "__main__":
    main()
