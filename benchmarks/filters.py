"""One tree over learnt filters on images: its accuracy, and how many weights a row meets.

Run with ``python -m benchmarks.filters [mnist] [digits] [--first] [--seeds N]``. Settings are
chosen by the rule of :mod:`benchmarks.protocol`, among a few; ``--first`` takes the first ones.
Every seed divides the digits anew. Rows are written into ``benchmarks/results/filters.md``.

A row meets every filter, with its bias, and then the splits of one path, each with a threshold, and
the values of one leaf. Weights count once however often they are used: a filter is laid over an
image in hundreds of places.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.data import PaperData, Part
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from benchmarks.protocol import choose, tree_error
from treecore import RunConfig, apply, warm_up
from treecore.core.tree import Tree, parents
from treecore.data.filter_map import FilterMap
from treecore.training.tree_trainer import TreeTrainer

SHARED = {"method": "annealed", "filters": 20, "batch": 128}

CANDIDATES = {
    # 5 x 5 filters, patches of 4 x 4, 720 features: ten splits a path stay below 8,000 weights.
    "mnist": [
        SHARED | {"eta": 0.01, "depth": depth, "decay": decay, "image_shift": shift, "rounds": 60}
        for depth, decay, shift in ((8, 0.3, 1.5), (10, 0.3, 1.5), (8, 0.3, 1.0), (8, 0.15, 1.5))
    ],
    # 3 x 3 filters, patches of 2 x 2, 180 features.
    "digits": [
        SHARED | {"eta": eta, "depth": 6, "image_shift": shift, "rounds": 100}
        for eta in (0.03, 0.01)
        for shift in (0.0, 0.5)
    ],
}

ROUNDS = {"mnist": 160, "digits": 100}
"""Of the last trees; those of the choice are shorter, where there are many rows."""

SEEDS = 3

PAGE = Page(
    RESULTS / "filters.md",
    "One tree over learnt filters",
    "Mean and deviation of test accuracy. A path of the tree meets so many weights at most, those "
    "of the filters included.\nWritten by `python -m benchmarks.filters`.",
    ("data", "candidates", "seeds", "test accuracy, %", "weights met", "settings"),
    3,
)


def weights_met(tree: Tree, feature_map: FilterMap, rows: np.ndarray) -> int:
    """Count the weights that a row meets, at most.

    Parameters
    ----------
    tree : Tree
        Of oblique splits, behind the map.
    feature_map : FilterMap
    rows : float array, shape (n_samples, n_pixels)
    """
    of_split, of_leaf = parents(tree)
    of_one = np.count_nonzero(tree.weights[tree.row], axis=1) + 1
    above = np.zeros(tree.n_splits, dtype=np.int64)
    for split in range(tree.n_splits):  # parents come first
        above[split] = of_one[split] + (above[of_split[split]] if of_split[split] >= 0 else 0)
    on_path = np.where(of_leaf >= 0, above[of_leaf], 0) + tree.n_outputs + feature_map.n_weights
    return int(on_path[apply(tree, feature_map(rows))].max())


def learn(config: RunConfig, training: Part, test: Part) -> tuple[float, int]:
    """Return accuracy in percent and the weights met of one tree."""
    trainer = TreeTrainer(config, training.X, training.y, validation=(test.X, test.y))
    trainer.measuring = "last"
    *_, event = trainer.events()
    feature_map = trainer.feature_map
    assert isinstance(feature_map, FilterMap)
    met = weights_met(trainer.model, feature_map, test.X)
    return 100 * (event.validation_accuracy or 0.0), met


def measure(name: str, n_candidates: int, seeds: int = SEEDS) -> tuple[str, ...]:
    """Return the figures of a row, after its keys."""
    data, found, settings = PaperData(), [], {}
    candidates = CANDIDATES[name][:n_candidates]
    for seed in range(seeds):
        training, test = data.division(name, seed)
        if name == "digits" or seed == 0:
            chosen = choose(candidates, training, tree_error) | {"rounds": ROUNDS[name]}
        told = {k: v for k, v in chosen.items() if k not in SHARED and k != "rounds"}
        settings[", ".join(f"{k} {v}" for k, v in told.items())] = None
        found.append(learn(RunConfig(**chosen, seed=seed), training, test))
    accuracy, met = np.array(found).T
    figure = f"{accuracy.mean():.2f} ± {accuracy.std():.2f}"
    return figure, f"{met.max():,.0f}", "; ".join(settings)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*", default=list(CANDIDATES), metavar="DATASET")
    parser.add_argument("--seeds", type=int, default=SEEDS)
    parser.add_argument("--first", action="store_true", help="the first candidate, not the best")
    arguments = parser.parse_args()
    if unknown := set(arguments.datasets) - set(CANDIDATES):
        parser.error(
            f"nothing is set for {', '.join(sorted(unknown))}; {', '.join(CANDIDATES)} are"
        )
    warm_up()
    for name in arguments.datasets:
        if PaperData().load(name) is None:
            print(PaperData().why_absent(name))
            continue
        n = 1 if arguments.first else len(CANDIDATES[name])
        PAGE.keep(name, n, arguments.seeds, *measure(name, n, arguments.seeds))


if __name__ == "__main__":
    main()
