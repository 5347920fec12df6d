"""One tree over learnt filters on images: its accuracy, and how many weights a row meets.

Run with ``python -m benchmarks.filters [mnist] [digits]``. Settings are chosen by the rule of
:mod:`benchmarks.protocol`, among a few.

A row meets every filter, with its bias, and then the splits of one path, each with a threshold, and
the values of one leaf. Weights count once however often they are used: a filter is laid over an
image in hundreds of places.
"""

from __future__ import annotations

import argparse
import time

import numpy as np

from benchmarks.data import PaperData, Part
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


def weights_met(tree: Tree, feature_map: FilterMap, rows: np.ndarray) -> tuple[int, float]:
    """Weights that a row meets: the most of all rows, and the mean.

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
    met = on_path[apply(tree, feature_map(rows))]
    return int(met.max()), float(met.mean())


def learn(config: RunConfig, training: Part, test: Part) -> tuple[float, float, int, float]:
    """Accuracy in percent, seconds of the processor, and the most and the mean of weights met."""
    trainer = TreeTrainer(config, training.X, training.y, validation=(test.X, test.y))
    trainer.measuring = "last"
    begun = time.process_time()
    *_, event = trainer.events()
    seconds = time.process_time() - begun
    feature_map = trainer.feature_map
    assert isinstance(feature_map, FilterMap)
    met = weights_met(trainer.model, feature_map, test.X)
    return 100 * (event.validation_accuracy or 0.0), seconds, *met


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*", default=list(CANDIDATES), metavar="DATASET")
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--first", action="store_true", help="the first candidate, not the best")
    arguments = parser.parse_args()
    if unknown := set(arguments.datasets) - set(CANDIDATES):
        parser.error(
            f"nothing is set for {', '.join(sorted(unknown))}; {', '.join(CANDIDATES)} are"
        )
    warm_up()
    for name in arguments.datasets:
        parts = PaperData().load(name)
        if parts is None:
            print(PaperData().why_absent(name))
            continue
        training, test = parts
        candidates = CANDIDATES[name][: 1 if arguments.first else None]
        chosen = choose(candidates, training, tree_error) | {"rounds": ROUNDS[name]}
        print(f"{name}: {chosen}", flush=True)
        found = []
        for seed in range(arguments.seeds):
            found.append(learn(RunConfig(**chosen, seed=seed), training, test))
            accuracy, seconds, most, mean = found[-1]
            print(f"{name}, test, seed {seed}: {accuracy:.2f} %, {seconds:.0f} s, weights met: "
                  f"{most} at most, {mean:.0f} on average", flush=True)  # fmt: skip
        accuracies = np.array([accuracy for accuracy, *_ in found])
        print(f"{name}: {accuracies.mean():.2f} ± {accuracies.std():.2f} % of test rows")


if __name__ == "__main__":
    main()
