"""Forests beside those of well-kept libraries: error by number of trees and by seconds.

``python -m benchmarks.forests digits`` (or letter, mnist): ours beside scikit-learn's random forest
and histogram gradient boosting, and XGBoost where it can be imported. Settings are chosen by the
rule of `benchmarks/protocol.py`. Every seed divides the digits anew; the first chooses. Gradient
boosting grows a tree for every class in each iteration, and is counted so. Rows are written into
``benchmarks/results/forests.md``, other rows stay. ``--quick`` takes the first candidate of each,
``--rows`` the first training rows only, ``--models`` some of the models.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.data import PaperData, as_float32
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from benchmarks.protocol import choose
from benchmarks.reproduce.forest_models import LIBRARIES, OURS, SHOWN, Curve, Model, flat
from treecore import warm_up

PAGE = Page(
    RESULTS / "forests.md",
    "Forests on the papers' data",
    "Mean and deviation of the test error over so many seeds, seconds of one forest.\n"
    "Written by `python -m benchmarks.forests`.",
    ("data", "training rows", "model", "seeds", "trees", "test error, %", "seconds", "settings"),
    4,
)


def measure(
    name: str, model: Model, seeds: int, quick: bool, rows: int | None
) -> tuple[tuple, list[Curve]]:
    """Return the cells of a row, and the curves of all seeds."""
    data = PaperData()
    divisions = [as_float32(data.division(name, seed)) for seed in range(seeds)]
    divisions = [(training.take(slice(rows)), test) for training, test in divisions]
    training = divisions[0][0]
    chosen = model.candidates[0] if quick else choose(model.candidates, training, model.error)
    seeded = range(seeds) if name == "digits" else model.seeds(seeds)
    runs = [model.grow(chosen, *divisions[seed], seed) for seed in seeded]
    last = np.array([run.error[-1] for run in runs])
    n_trees = np.mean([run.trees[-1] for run in runs])
    seconds = np.mean([run.seconds[-1] for run in runs])
    reported = ", ".join(f"{k}={v}" for k, v in flat(chosen).items())
    keys = name, f"{len(training.y):,}", model.name, len(runs)
    error = f"{last.mean():.2f} ± {last.std():.2f}"
    return (*keys, f"{n_trees:.0f}", error, f"{seconds:.1f}", reported), runs


def compare(
    name: str, models: tuple[Model, ...], seeds: int, quick: bool, rows: int | None
) -> None:
    """Write the models' errors, and print their curves by trees and by seconds."""
    if PaperData().load(name) is None:
        print(PaperData().why_absent(name))
        return
    curves = {}
    for model in models:
        cells, curves[model.name] = measure(name, model, seeds, quick, rows)
        PAGE.keep(*cells)
    print("\nTest error, %, after so many trees (and seconds), mean over the seeds:\n")
    for model, runs in curves.items():
        common = sorted(set.intersection(*(set(run.trees) for run in runs)))
        shown = [n for n in common if n // common[0] in SHOWN]  # so many rounds
        cells = []
        for n in shown:
            at = [(run.error[run.trees == n][0], run.seconds[run.trees == n][0]) for run in runs]
            error, seconds = np.mean(at, axis=0)
            cells.append(f"{n}: {error:.2f} ({seconds:.3g} s)")
        print(f"{model:26} {'  '.join(cells)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=OURS)
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="the first candidate each")
    parser.add_argument("--rows", type=int, help="so many training rows, the first ones")
    parser.add_argument("--models", nargs="*", default=[], help="words of the models' names")
    arguments = parser.parse_args()
    warm_up()
    name, wanted = arguments.what, arguments.models
    every = (*OURS[name], *LIBRARIES[name])
    models = tuple(m for m in every if not wanted or any(word in m.name for word in wanted))
    compare(name, models, arguments.seeds, arguments.quick, arguments.rows)


if __name__ == "__main__":
    main()
