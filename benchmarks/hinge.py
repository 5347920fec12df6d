"""Random hinge forests and ferns on the digits, and how fast they are.

Run with ``python -m benchmarks.hinge [digits] [speed] [iris]``. Rows of the first two are written
into ``benchmarks/results/hinge_digits.md`` and ``hinge_speed.md``. Every seed divides the digits
anew; settings are chosen on the first division. The paper's tables are a command, ``python -m
benchmarks.reproduce hinge-table2`` and ``hinge-table3``.
"""

from __future__ import annotations

import argparse
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
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
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
    ],
)


ADAGRAD = {
    "trees": 10,
    "depth": 5,
    "start": "drawn",
    "optimizer": "adagrad",
    "schedule": "constant",
}
IRIS = (
    {"trees": 50, "depth": 1, "scale": "one", "eta": 0.01, "batches": 1500},
    ADAGRAD | {"eta": 0.1, "batches": 600},
    ADAGRAD | {"eta": 0.02, "batches": 600},
    ADAGRAD | {"eta": 0.1, "batches": 600, "scale": "one"},
    {"trees": 10, "depth": 5, "eta": 0.01, "batches": 600, "noise": 0.2},
    {"trees": 50, "depth": 3, "eta": 0.01, "batches": 600, "noise": 0.3},
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


DIGITS_PAGE = Page(
    RESULTS / "hinge_digits.md",
    "Hinge forests on the digits",
    "100 trees or ferns of depth 8 over small filters, images moved. Mean and deviation over the "
    "seeds of the test error after the last mini-batch, and of the least one of all states, which "
    "has seen the test rows.\nWritten by `python -m benchmarks.hinge digits`.",
    ("kind", "seeds", "test error, %", "best state on test rows, %", "candidate"),
    2,
)
SPEED_PAGE = Page(
    RESULTS / "hinge_speed.md",
    "Speed of hinge forests",
    "100 trees of depth 10, 100 inner products, one thread, seconds of the processor. Prediction "
    "of so many rows is the least of 30 runs.\nWritten by `python -m benchmarks.hinge speed`.",
    (
        *("data", "batch", "batches/s", "authors' C++, two cores", "rows", "ours, ms"),
        "random forest of 100, ms",
    ),
    1,
)


def measure_digits(kind: str, seeds: int, candidate: int | None = None) -> tuple[str, str, str]:
    """Return the figures of a row, after its keys; without a candidate one is chosen."""
    fixed, changes = DIGITS
    data, candidates = PaperData(), [{**fixed, **change, "kind": kind} for change in changes]
    if candidate is None:
        candidate = candidates.index(choose(candidates, data.division("digits", 0)[0], last_error))
    config = config_of(**candidates[candidate])
    found = [
        errors_and_seconds(config, *data.division("digits", seed), seed)[:2]
        for seed in range(seeds)
    ]
    last, best = np.array(found).T
    errors = (f"{each.mean():.2f} ± {each.std():.2f}" for each in (last, best))
    return *errors, f"{candidate}"


def speed() -> None:
    """Mini-batches a second beside the authors' extension, and prediction beside scikit-learn."""
    measured = {"usps": 165, "letter": 49}
    data = PaperData()
    for name, theirs in measured.items():
        if data.load(name) is None:
            print(data.why_absent(name))
            continue
        train, test = data.require(name)
        batch = published_values("hinge2018_tables")["table3"]["settings"][name]["batch"]
        config = RunConfig("hinge-forest", depth=10, batch=batch, batches=600)
        Trainer(config.replace(batches=2), *train).run()  # compiles what is not yet
        trainer = Trainer(config, *train)
        learning = processor_seconds(trainer.run)
        forest, X = trainer.model, test.X.astype(np.float32)
        other = RandomForestClassifier(100, random_state=0).fit(*train)
        forests = {"ours": forest, "theirs": other}
        predictions = {who: partial(model.predict, X) for who, model in forests.items()}
        smallest = least_seconds(30, **predictions)
        times = (f"{1000 * smallest[who]:.1f}" for who in forests)
        SPEED_PAGE.keep(name, batch, f"{600 / learning:.0f}", theirs, len(X), *times)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    every = ["digits", "speed", "iris"]
    parser.add_argument("parts", nargs="*", default=every, metavar="PART", help=", ".join(every))
    parser.add_argument("--seeds", type=int, default=5)
    arguments = parser.parse_args()
    for part in arguments.parts:
        if part == "digits":
            for kind in KINDS:
                seeds = arguments.seeds
                DIGITS_PAGE.keep(kind, seeds, *measure_digits(kind, seeds))
        elif part == "speed":
            speed()
        elif part == "iris":
            iris()
        else:
            raise SystemExit(f"there is no part {part!r}; known are {', '.join(every)}")


if __name__ == "__main__":
    main()
