"""Every learner of the Lab on every shipped data set, by the limit in leaves.

    python -m benchmarks.draws [--data NAME ...] [--leaves N ...] [--jobs N] [--renew]

A draw is what the Lab does at the same link: the points of a seed are drawn, or the rows of a file
divided anew, a quarter is held out, every learner learns from the rest within the limit, and its
last tree is measured on the held-out rows. The Lab's verdicts are read off the file that this
writes, ``ui/lab/draws.jsonl``. Lines are kept as they come; those that are there stay, unless
they are to be renewed.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed

import numpy as np

from benchmarks.pages import today
from treecore import RunConfig, Trainer, warm_up
from treecore.base.state_file import write_atomically
from treecore.data.dataset import complete, split, subsample
from treecore.data.generators import GENERATORS, generate
from ui.lab.draws import FILE, TEST_SHARE, DrawnRun, Draws, all_draws, learner_text, lines
from ui.lab.fairness import within_leaves
from ui.widgets.data.gallery import FILES, USUAL_SIZE, sample

DATA = [*GENERATORS, *FILES]
LEARNERS = (
    RunConfig("axis", criterion="gini"),
    RunConfig("axis"),
    RunConfig("oc1"),
    RunConfig("co2"),
    RunConfig("sgd"),
    RunConfig("stable-sgd"),
    RunConfig("annealed"),
    RunConfig("tao"),
)
LEAVES = (2, 4, 8, 16, 32, 64)
SEEDS = 20


def rows(data: str, size: int, noise: float | None, seed: int):
    """Training and held-out rows as the Lab has them."""
    found = sample(data) if noise is None else generate(data, size, noise, seed)
    return complete(*split(subsample(found, size, seed), TEST_SHARE / 100, seed))


def run(config: RunConfig, train, held) -> tuple[float, int]:
    """Test accuracy, or R² of numbers, and active leaves of a learner's last tree."""
    trainer = Trainer(config, train.X, train.y, validation=(held.X, held.y))
    *_, last = trainer.events()
    good = last.validation_r2 if last.accuracy is None else last.validation_accuracy
    return good, last.active_leaves


def draws(data: str, leaves: int) -> Draws:
    """All learners on one data set, with one limit."""
    noise = GENERATORS[data].noise if data in GENERATORS else None
    size = sample(data).n_samples if noise is None else USUAL_SIZE
    parts = [rows(data, size, noise, seed) for seed in range(SEEDS)]
    runs = {}
    loss = "log" if parts[0][0].task == "classification" else "squared"
    for config in LEARNERS:
        found = []
        for seed, (train, held) in enumerate(parts):
            seeded = within_leaves(config.replace(seed=seed, loss=loss), train, leaves)
            found.append(run(seeded, train, held))
        accuracies, active = zip(*found, strict=True)
        rounded = tuple(round(float(a), 4) for a in accuracies)
        runs[learner_text(config)] = DrawnRun(rounded, round(float(np.mean(active)), 1))
    return Draws(data, noise, size, leaves, runs, today())


def keep(measured: Draws) -> None:
    """Write draws into the file."""
    all_draws.cache_clear()
    write_atomically(FILE, lines((all_draws() | {measured.key: measured}).values()).encode())
    all_draws.cache_clear()


def main(arguments: Sequence[str] | None = None) -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", choices=DATA, default=DATA)
    parser.add_argument("--leaves", nargs="+", type=int, choices=LEAVES, default=LEAVES)
    parser.add_argument("--jobs", type=int, default=1)
    parser.add_argument("--renew", action="store_true")
    given = parser.parse_args(arguments)
    known = {(data, leaves) for data, _size, leaves in all_draws()}
    cells = [(data, leaves) for data in given.data for leaves in given.leaves]
    cells = [cell for cell in cells if given.renew or cell not in known]
    started = time.perf_counter()
    with ProcessPoolExecutor(given.jobs, initializer=warm_up) as pool:
        pending = [pool.submit(draws, *cell) for cell in cells]
        for done, future in enumerate(as_completed(pending), start=1):
            measured = future.result()
            keep(measured)
            reported = ", ".join(f"{name} {100 * r.mean:.1f}" for name, r in measured.runs.items())
            seconds = time.perf_counter() - started
            place = f"{measured.data}, {measured.leaves} leaves"
            print(f"{done}/{len(cells)}, {seconds:.0f} s: {place}: {reported}", flush=True)


if __name__ == "__main__":
    main()
