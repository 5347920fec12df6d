"""Random hinge forests and ferns beside their paper's tables (Lay et al. 2018).

Run with ``python -m benchmarks.hinge [digits] [table3] [table2] [speed]``; ``--data NAME`` takes
some of the datasets only. Tables are printed as they grow.

Two rules of selection are told apart everywhere:

- *validation*: settings, the number of mini-batches among them, are chosen on held-out training
  rows; test rows are looked at once, after the last mini-batch.
- *best on test*: the least test error over all measured states of that same run, which is how the
  paper reports Table 3 (Section 5). It has seen the test rows.
"""

from __future__ import annotations

import argparse
import dataclasses
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor
from sklearn.model_selection import StratifiedKFold

import treecore
from benchmarks.hinge_data import TABLE2
from benchmarks.protocol import DATA, HELD_OUT, Part, load
from treecore import HingeSettings, HingeTrainer
from treecore.datasets import split_rows

PUBLISHED = json.loads(
    (Path(treecore.__file__).parent / "published" / "hinge2018_tables.json").read_text("utf-8")
)
KINDS = ("forest", "fern")

STEADY = {"eta": 0.01}
WIDE = {"eta": 0.02, "dropout": 0.5}
TABLE3 = {
    # the paper's trees, depth, features and mini-batches; ours are the rate's schedule,
    # dropout, and that images are moved
    "letter": ({"depth": 10, "batch": 53, "batches": 12_000}, [STEADY, WIDE]),
    "usps": ({"depth": 10, "batch": 29, "batches": 8_000}, [STEADY, {**STEADY, "shift": 0.5}]),
    "mnist": (
        {
            "depth": 10,
            "batch": 53,
            "batches": 12_000,
            "features": "convolutions",
            "n_features": 80,
        },
        [STEADY],
    ),
}
SMALL_FILTERS = {"features": "convolutions", "n_features": 40, "filter_size": 3, "stride": 1}
MOVED = {"shift": 0.5, "dropout": 0.5}
DIGITS = (
    {"depth": 8, "batch": 32, "batches": 6_000},
    [
        {**SMALL_FILTERS, **WIDE},
        {**SMALL_FILTERS, "n_features": 80, "eta": 0.01, **MOVED},
        {**SMALL_FILTERS, "n_features": 80, "eta": 0.01, "schedule": "constant", "average": 0.5}
        | MOVED,
    ],
)
FOLDS = {"digits": 3, "usps": 1}
"""Datasets whose candidates make whole runs, on each of so many folds; 1: on one split."""

STUMPS, FEW = {"trees": 50, "depth": 1}, {"trees": 10, "depth": 5}
SHALLOW, LARGE = {"trees": 50, "depth": 3}, {"trees": 100, "depth": 5}
RAW = {"trees": 100, "depth": 5, "features": "raw"}
DEEP = {"trees": 100, "depth": 8, "features": "raw", "dropout": 0.5}
LONG = {"batches": 30_000}
TABLE2_SETTINGS = {
    "iris": [each | {"scale": "one"} for each in (STUMPS, FEW, SHALLOW)] + [RAW],  # all are cm
    "abalone": [STUMPS, FEW, SHALLOW, RAW],
    "abalone_regression_r2": [STUMPS, FEW, SHALLOW, RAW],
    "human_activity": [STUMPS, FEW, SHALLOW, LARGE],
    "madelon": [STUMPS, FEW, SHALLOW, LARGE, RAW, DEEP],
    # equal ranks are found late, and then all at once: poker is a matter of long runs
    "poker": [{**SHALLOW, **LONG}, {**SHALLOW, **LONG, "trees": 100}],
}
"""Inner products where nothing else is said."""


def run(settings: HingeSettings, train: Part, test: Part, seed: int) -> tuple[float, float, float]:
    """Last and least test error in percent of one run, and its seconds."""
    trainer = HingeTrainer(settings, *train, validation=test, seed=seed)
    errors = [event.validation_error for event in trainer.events()]
    *_, last = [*errors]
    return 100 * last, 100 * min(errors), trainer.seconds


def choose(fixed: dict, candidates: list[dict], train: Part, n_folds: int) -> HingeSettings:
    """The candidate of least error on held-out training rows.

    After a run of a quarter's length on one split, or whole runs on ``n_folds`` folds.
    """
    if n_folds > 1:
        folds = StratifiedKFold(n_folds, shuffle=True, random_state=0).split(train.X, train.y)
        splits = [(kept, held) for kept, held in folds]
    else:
        splits = [split_rows(train.y, HELD_OUT, 0)]
    tried = []
    for candidate in candidates:
        settings = HingeSettings(**fixed | candidate)
        if len(candidates) == 1:
            return settings
        length = settings.batches if n_folds else settings.batches // 4
        tries = dataclasses.replace(settings, batches=length)
        error = np.mean(
            [
                run(tries, Part(*(a[kept] for a in train)), Part(*(a[held] for a in train)), 0)[0]
                for kept, held in splits
            ]
        )
        tried.append((error, len(tried), settings))
        print(f"on held-out training rows {error:.2f}: {fixed | candidate}", flush=True)
    return min(tried)[2]


def classification(name: str, fixed: dict, candidates: list[dict], seeds: int) -> None:
    """Test errors of forest and ferns on one dataset, over seeds, by both rules."""
    parts = load(name)
    if parts is None:
        print(f"{name}: no archive in {DATA}, left out")
        return
    train, test = parts
    for kind in KINDS:
        settings = choose(fixed | {"kind": kind}, candidates, train, FOLDS.get(name, 0))
        last, best, seconds = np.array([run(settings, train, test, s) for s in range(seeds)]).T
        column = {"forest": "hinge_forest", "fern": "hinge_ferns"}[kind]
        paper = PUBLISHED["table3"].get(name, {}).get(column)
        theirs = f"{paper[0]:.2f} ({paper[1]:.2f})" if paper else "-"
        shown = ", ".join(
            f"{known.name}={getattr(settings, known.name)}"
            for known in HingeSettings.known()
            if known.name not in ("kind", "trees")
            and getattr(settings, known.name) != known.default
        )
        print(
            f"| {name} | {kind} | {last.mean():.2f} ({last.std():.2f}) | "
            f"{best.mean():.2f} ({best.std():.2f}) | {theirs} | {seconds.mean():.0f} | {shown} |",
            flush=True,
        )


def table3(names: list[str], seeds: int, which: dict) -> None:
    """The header and the rows of Table 3."""
    print(f"test error in percent, mean (deviation) over {seeds} seeds, 100 trees:")
    print("| data | kind | validation | best on test | published, best on test | s | settings |")
    print("|" + " --- |" * 7)
    for name, (fixed, candidates) in which.items():
        if name in names:
            classification(name, fixed, candidates, seeds)


def table2(names: list[str], seeds: int) -> None:
    """Table 2: the candidates on every split; chosen on validation, and best on test."""
    print(
        "test error in percent, or R2, mean (deviation); `validation`: the candidate and the state"
    )
    print("that err least on validation rows, in every run; `best on test`: the candidate of best")
    print("mean on test rows, as the paper reports; random forest: 100 trees, depth 10, same rows")
    print(
        "| data | kind | runs | validation | best on test | published | random forest | published |"
    )
    print("|" + " --- |" * 8)
    for name, splits in TABLE2.items():
        if name not in names:
            continue
        found = splits(DATA, seeds)
        if found is None:
            print(f"| {name} | not in {DATA}, left out |")
            continue
        regression = name == "abalone_regression_r2"
        forest = np.array([_random_forest(parts, regression, s) for s, parts in enumerate(found)])
        for kind in KINDS:
            scores = np.array(
                [_candidates(name, kind, parts, regression, s) for s, parts in enumerate(found)]
            )  # (runs, candidates, validation error and test score)
            chosen = scores[np.arange(len(found)), scores[:, :, 0].argmin(axis=1), 1]
            means = scores[:, :, 1].mean(axis=0)
            best = scores[:, means.argmax() if regression else means.argmin(), 1]
            digits = 2 if regression else 1
            paper = PUBLISHED["table2"][name]
            cells = [
                f"{numbers.mean():.{digits}f} ({numbers.std():.2f})"
                for numbers in (chosen, best, forest)
            ]
            theirs = paper[{"forest": "hinge_forest", "fern": "hinge_fern"}[kind]]
            print(
                f"| {name} | {kind} | {len(found)} | {cells[0]} | {cells[1]} | "
                f"{theirs[0]} ({theirs[1]}) | {cells[2]} | "
                f"{paper['random_forest'][0]} ({paper['random_forest'][1]}) |",
                flush=True,
            )


def _candidates(
    name: str, kind: str, parts, regression: bool, seed: int
) -> list[tuple[float, float]]:
    train, validation, test = parts
    found = []
    for candidate in TABLE2_SETTINGS[name]:
        batches = min(max(1500, 60 * len(train.y) // 32 // 100 * 100), 8_000)
        fixed = {"kind": kind, "batches": batches, "eta": 0.01}
        fixed["loss"] = "squared" if regression else "log"
        settings = HingeSettings(**fixed | candidate)
        trainer = HingeTrainer(settings, *train, validation=validation, seed=seed)
        least = min(event.validation_error for event in trainer.events())
        predicted = trainer.forest.predict(test.X)
        found.append((least, _score(predicted, test.y, regression)))
    return found


def _random_forest(parts, regression: bool, seed: int) -> float:
    kind = RandomForestRegressor if regression else RandomForestClassifier
    forest = kind(100, max_depth=10, random_state=seed).fit(*parts[0])
    return _score(forest.predict(parts[2].X), parts[2].y, regression)


def _score(predicted: np.ndarray, y: np.ndarray, regression: bool) -> float:
    if not regression:
        return 100 * float((predicted != y).mean())
    away = ((predicted.reshape(len(y)) - y) ** 2).sum()
    return float(1 - away / ((y - y.mean()) ** 2).sum())


def speed(names: list[str]) -> None:
    """Mini-batches a second beside the authors' extension, and prediction beside scikit-learn."""
    measured = {"usps": 165, "letter": 49}
    print("100 trees, depth 10, 100 inner products; one thread, seconds of processor time;")
    print("prediction: least of 30 runs")
    print("| data | batch | batches/s | authors' C++, two cores | rows | ours, ms | RF 100, ms |")
    print("|" + " --- |" * 7)
    for name, theirs in measured.items():
        if name not in names:
            continue
        train, test = load(name)
        batch = PUBLISHED["table3"]["settings"][name]["batch"]
        settings = HingeSettings(depth=10, batch=batch, batches=600, validation=0.0)
        short = dataclasses.replace(settings, batches=2)
        HingeTrainer(short, *train).run()  # kernels are compiled, or come from the cache
        trainer = HingeTrainer(settings, *train)
        learning = _processor_time(trainer.run)
        forest, X = trainer.forest, test.X.astype(np.float32)
        other = RandomForestClassifier(100, random_state=0).fit(*train)
        forests = {"ours": forest, "theirs": other}
        least = {
            who: min(_processor_time(lambda: model.predict(X)) for _ in range(30))  # noqa: B023
            for who, model in forests.items()
        }
        print(
            f"| {name} | {batch} | {600 / learning:.0f} | {theirs} | {len(X)} | "
            f"{1000 * least['ours']:.1f} | {1000 * least['theirs']:.1f} |",
            flush=True,
        )


def _processor_time(action: Callable[[], object]) -> float:
    began = time.process_time()
    action()
    return time.process_time() - began


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    every = ["digits", "table3", "table2", "speed"]
    parser.add_argument("parts", nargs="*", default=every, metavar="PART", help=", ".join(every))
    parser.add_argument("--data", nargs="*", default=[*TABLE3, *TABLE2, "digits"], metavar="NAME")
    parser.add_argument("--seeds", type=int, default=3)
    arguments = parser.parse_args()
    print(f"python -m benchmarks.hinge {' '.join(arguments.parts)}, {os.cpu_count()} cores")
    for part in arguments.parts:
        print(f"\n{part}")
        if part == "digits":
            table3(["digits"], arguments.seeds, {"digits": DIGITS})
        elif part == "table3":
            table3(arguments.data, arguments.seeds, TABLE3)
        elif part == "table2":
            table2(arguments.data, arguments.seeds)
        elif part == "speed":
            speed(arguments.data)
        else:
            raise SystemExit(f"there is no part {part!r}; known are {', '.join(every)}")


if __name__ == "__main__":
    main()
