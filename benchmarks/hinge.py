"""Random hinge forests and ferns on the digits, and how fast they are.

Run with ``python -m benchmarks.hinge [digits] [speed] [iris]``. The paper's tables are a command,
``python -m benchmarks.reproduce hinge-table2`` and ``hinge-table3``; what *validation* and *best on
test* mean is told in :mod:`benchmarks.reproduce.hinge_runs`.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Callable
from functools import partial

import numpy as np
from sklearn.discriminant_analysis import (
    LinearDiscriminantAnalysis,
    QuadraticDiscriminantAnalysis,
)
from sklearn.ensemble import RandomForestClassifier
from sklearn.linear_model import LogisticRegression

from benchmarks.data import PaperData
from benchmarks.protocol import choose
from benchmarks.published import published_values
from benchmarks.reproduce.hinge_data import runs
from benchmarks.reproduce.hinge_runs import KINDS, config_of, errors_and_seconds, last_error
from benchmarks.timing import least_seconds, processor_seconds
from treecore import RunConfig, Trainer

SMALL_FILTERS = {"features": "convolutions", "n_features": 40, "filter_size": 3, "stride": 1}
MOVED = {"n_features": 80, "eta": 0.01, "shift": 0.5, "dropout": 0.5}
DIGITS = (
    {"depth": 8, "batch": 32, "batches": 6_000},
    [
        {**SMALL_FILTERS, "eta": 0.02, "dropout": 0.5},
        {**SMALL_FILTERS, **MOVED},
        {**SMALL_FILTERS, **MOVED, "schedule": "constant", "average": 0.5},
    ],
)


ADAGRAD = {"trees": 10, "depth": 5, "optimizer": "adagrad", "schedule": "constant"}
IRIS = (
    {"trees": 50, "depth": 1, "scale": "one", "eta": 0.01, "batches": 1500},
    ADAGRAD | {"eta": 0.1, "batches": 600},
    ADAGRAD | {"eta": 0.02, "batches": 600},
    ADAGRAD | {"eta": 0.1, "batches": 600, "scale": "one"},
    {"trees": 10, "depth": 5, "eta": 0.01, "batches": 600, "noise": 0.2},
    {"trees": 50, "depth": 3, "eta": 0.01, "batches": 600, "noise": 0.3, "smoothing": 0.1},
)
"""Hinge forests for 50 rows of iris; the second to the fourth learn as the paper says."""


def iris() -> None:
    """Test errors on the splits of the paper's table 2, beside models that iris is made for."""
    splits = runs("iris", PaperData(), 15)
    assert splits is not None, "scikit-learn brings iris"

    def tell(name: str, predict: Callable) -> None:
        errors = [
            100 * float((predict(seed, *s) != s[2].y).mean()) for seed, s in enumerate(splits)
        ]
        print(f"| {name} | {np.mean(errors):.2f} ({np.std(errors):.2f}) |", flush=True)

    print("test error in percent, mean (deviation) over 15 runs, 50 rows to learn from:")
    print("| model | test error |\n| --- | --- |")
    for model in (
        LinearDiscriminantAnalysis(),
        QuadraticDiscriminantAnalysis(),
        LogisticRegression(C=10, max_iter=2000),
    ):
        tell(type(model).__name__, lambda _, a, b, c, m=model: m.fit(*a).predict(c.X))
    for settings in IRIS:

        def learn(seed, training, validation, test, settings=settings):
            config = config_of("forest", seed=seed, **settings)
            return Trainer(config, *training, validation=validation).run().predict(test.X)

        tell("hinge forest: " + ", ".join(f"{k}={v}" for k, v in settings.items()), learn)


def digits(seeds: int) -> None:
    """Test errors of forest and ferns, over seeds, by both rules."""
    fixed, candidates = DIGITS
    training, test = PaperData().load("digits")
    print(f"test error in percent, mean (deviation) over {seeds} seeds, 100 trees:")
    print("| kind | validation | best on test | s | settings |")
    print("|" + " --- |" * 5)
    for kind in KINDS:
        every = [{**fixed, **changes, "kind": kind} for changes in candidates]
        config = config_of(**choose(every, training, last_error))
        runs = [errors_and_seconds(config, training, test, seed) for seed in range(seeds)]
        last, best, seconds = np.array(runs).T
        usual = RunConfig(config.method).as_dict()
        changed = {k: v for k, v in config.as_dict().items() if v != usual[k]}
        shown = ", ".join(f"{key}={value}" for key, value in changed.items())
        print(
            f"| {kind} | {last.mean():.2f} ({last.std():.2f}) | {best.mean():.2f} "
            f"({best.std():.2f}) | {seconds.mean():.0f} | {shown} |",
            flush=True,
        )


def speed() -> None:
    """Mini-batches a second beside the authors' extension, and prediction beside scikit-learn."""
    measured = {"usps": 165, "letter": 49}
    print("100 trees, depth 10, 100 inner products; one thread, seconds of processor time;")
    print("prediction: least of 30 runs")
    print("| data | batch | batches/s | authors' C++, two cores | rows | ours, ms | RF 100, ms |")
    print("|" + " --- |" * 7)
    data = PaperData()
    for name, theirs in measured.items():
        parts = data.load(name)
        if parts is None:
            print(data.why_absent(name))
            continue
        train, test = parts
        batch = published_values("hinge2018_tables")["table3"]["settings"][name]["batch"]
        config = RunConfig("hinge-forest", depth=10, batch=batch, batches=600)
        Trainer(config.replace(batches=2), *train).run()  # compiles what is not yet
        trainer = Trainer(config, *train)
        learning = processor_seconds(trainer.run)
        forest, X = trainer.model, test.X.astype(np.float32)
        other = RandomForestClassifier(100, random_state=0).fit(*train)
        forests = {"ours": forest, "theirs": other}
        predictions = {who: partial(model.predict, X) for who, model in forests.items()}
        least = least_seconds(30, **predictions)
        print(
            f"| {name} | {batch} | {600 / learning:.0f} | {theirs} | {len(X)} | "
            f"{1000 * least['ours']:.1f} | {1000 * least['theirs']:.1f} |",
            flush=True,
        )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    every = ["digits", "speed", "iris"]
    parser.add_argument("parts", nargs="*", default=every, metavar="PART", help=", ".join(every))
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    print(f"python -m benchmarks.hinge {' '.join(arguments.parts)}, {os.cpu_count()} cores")
    for part in arguments.parts:
        print(f"\n{part}")
        if part == "digits":
            digits(arguments.seeds)
        elif part == "speed":
            speed()
        elif part == "iris":
            iris()
        else:
            raise SystemExit(f"there is no part {part!r}; known are {', '.join(every)}")


if __name__ == "__main__":
    main()
