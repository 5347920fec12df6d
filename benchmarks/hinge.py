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
import json
import os
import time
from collections.abc import Callable
from pathlib import Path

import numpy as np
from sklearn.ensemble import RandomForestClassifier, RandomForestRegressor

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
    # the paper's trees, depth, features and mini-batches; ours are the rate's schedule and dropout
    "letter": ({"depth": 10, "batch": 53, "batches": 30_000}, [STEADY, WIDE]),
    "usps": ({"depth": 10, "batch": 29, "batches": 10_000}, [STEADY, WIDE]),
    "mnist": (
        {
            "depth": 10,
            "batch": 53,
            "batches": 20_000,
            "features": "convolutions",
            "n_features": 80,
        },
        [STEADY],
    ),
}
DIGITS = (
    {"depth": 8, "batch": 32, "batches": 5_000},
    [
        {"features": "raw", "dropout": 0.5, "eta": 0.01},
        {"dropout": 0.5, "eta": 0.01},
        {
            "features": "convolutions",
            "n_features": 40,
            "filter_size": 3,
            "stride": 1,
            "dropout": 0.5,
            "eta": 0.01,
        },
    ],
)
TABLE2_SETTINGS = [
    {"trees": 50, "depth": 1, "features": "inner products"},
    {"trees": 50, "depth": 3, "features": "inner products"},
    {"trees": 100, "depth": 5, "features": "inner products"},
    {"trees": 100, "depth": 5, "features": "raw"},
    {"trees": 100, "depth": 8, "features": "raw", "dropout": 0.5},
]


def run(settings: HingeSettings, train: Part, test: Part, seed: int) -> tuple[float, float, float]:
    """Last and least test error in percent of one run, and its seconds."""
    trainer = HingeTrainer(settings, *train, validation=test, seed=seed)
    errors = [event.validation_error for event in trainer.events()]
    *_, last = [*errors]
    return 100 * last, 100 * min(errors), trainer.seconds


def choose(fixed: dict, candidates: list[dict], train: Part) -> HingeSettings:
    """The candidate of least error on held-out training rows after its last mini-batch."""
    kept, held = split_rows(train.y, HELD_OUT, 0)
    inner, outer = Part(train.X[kept], train.y[kept]), Part(train.X[held], train.y[held])
    tried = []
    for candidate in candidates:
        settings = HingeSettings(**fixed | candidate)
        if len(candidates) == 1:
            return settings
        tried.append((run(settings, inner, outer, 0)[0], len(tried), settings))
    return min(tried)[2]


def classification(name: str, fixed: dict, candidates: list[dict], seeds: int) -> None:
    """Test errors of forest and ferns on one dataset, over seeds, by both rules."""
    parts = load(name)
    if parts is None:
        print(f"{name}: no archive in {DATA}, left out")
        return
    train, test = parts
    for kind in KINDS:
        settings = choose(fixed | {"kind": kind}, candidates, train)
        last, best, seconds = np.array([run(settings, train, test, s) for s in range(seeds)]).T
        column = {"forest": "hinge_forest", "fern": "hinge_ferns"}[kind]
        paper = PUBLISHED["table3"].get(name, {}).get(column)
        theirs = f"{paper[0]:.2f} ({paper[1]:.2f})" if paper else "-"
        changed = {**candidates[0], **fixed}
        shown = ", ".join(f"{key}={getattr(settings, key)}" for key in {**changed, "dropout": 0})
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
                [_candidates(kind, parts, regression, s) for s, parts in enumerate(found)]
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


def _candidates(kind: str, parts, regression: bool, seed: int) -> list[tuple[float, float]]:
    train, validation, test = parts
    found = []
    for candidate in TABLE2_SETTINGS:
        batches = min(max(100, 60 * len(train.y) // 32 // 100 * 100), 15_000)
        settings = HingeSettings(
            kind=kind,
            batches=batches,
            eta=0.01,
            loss="squared" if regression else "log",
            **candidate,
        )
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
    print("100 trees, depth 10, 100 inner products; one thread; prediction: least of 7 runs")
    print("| data | batch | batches/s | authors' C++, two cores | rows | ours, ms | RF 100, ms |")
    print("|" + " --- |" * 7)
    for name, theirs in measured.items():
        if name not in names:
            continue
        train, test = load(name)
        batch = PUBLISHED["table3"]["settings"][name]["batch"]
        settings = HingeSettings(depth=10, batch=batch, batches=1100, validation=0.0)
        trainer = HingeTrainer(settings, *train)
        marks = {event.done: event.seconds for event in trainer.events()}
        forest, X = trainer.forest, test.X.astype(np.float32)
        other = RandomForestClassifier(100, random_state=0).fit(*train)
        ours, slow = _fastest(lambda: forest.predict(X)), _fastest(lambda: other.predict(X))  # noqa: B023
        print(
            f"| {name} | {batch} | {1000 / (marks[1100] - marks[100]):.0f} | {theirs} | {len(X)} | "
            f"{1000 * ours:.1f} | {1000 * slow:.1f} |",
            flush=True,
        )


def _fastest(action: Callable[[], object]) -> float:
    seconds = []
    for _ in range(7):
        began = time.perf_counter()
        action()
        seconds.append(time.perf_counter() - began)
    return min(seconds)


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
            table3(["digits"], max(arguments.seeds, 5), {"digits": DIGITS})
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
