"""Where greedy trees win and where trees that are learnt as a whole: data, depth and rows.

    python -m benchmarks.where_it_wins [--data NAME ...] [--sizes ROWS ...] [--depths D ...]
                                       [--methods NAME ...]

Every cell is a race of the page *Compare*: the points of a seed are drawn, or a file's rows taken,
and a quarter of them held out; all methods learn from the rest at the same depth with the defaults
for the data, and their last trees are measured on the held-out rows. Cells at which the page opens
data have more seeds. Lines are written into ``ui/compare/measured_races.jsonl``, which the app
shows, as they come; other cells stay, and so do methods that are not asked for.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from benchmarks.pages import today
from treecore import RunConfig, Trainer, warm_up
from treecore.base.state_file import write_atomically
from treecore.data.dataset import complete, split, subsample
from treecore.data.generators import GENERATORS, generate
from ui.compare.link import OPENING_DEPTHS, USUAL_DEPTH
from ui.compare.measured_races import (
    ANNEALED,
    ENTROPY,
    FILE,
    FROM_AXIS,
    GINI,
    OC1,
    SGD,
    TEST_SHARE,
    MeasuredRace,
    MeasuredRun,
    lines,
    measured_races,
    rival,
)
from ui.compare.opening import OPENING_SIZE
from ui.jobs.models import n_weights
from ui.widgets.data.picker import sample

DRAWN = [name for name, generator in GENERATORS.items() if generator.n_classes]
FILES = ("breast_cancer", "digits")
MEASURED = (GINI, ENTROPY, OC1, SGD, ANNEALED, FROM_AXIS)
SIZES, DEPTHS = (500, 200, 1000), (2, 3, 4, 6, 8)
SEEDS, OPENING_SEEDS = 5, 20


def rows(data: str, size: int, noise: float | None, seed: int):
    """Training and held-out rows as the page *Compare* has them."""
    found = sample(data) if noise is None else generate(data, size, noise, seed)
    return complete(*split(subsample(found, size, seed), TEST_SHARE / 100, seed))


def run(config: RunConfig, train, held) -> tuple:
    """Accuracy, leaves, weights, and the first and last bound and loss on the way."""
    trainer = Trainer(config, train.X, train.y, validation=(held.X, held.y))
    events = [event for event in trainer.events() if event.stage == config.method]
    reported = [(event.bound, event.loss) for event in (events[0], events[-1])]
    tree = trainer.model
    return events[-1].validation_accuracy, tree.n_leaves, n_weights(tree), reported


def race(
    data: str, size: int, depth: int, n_seeds: int, methods: Sequence[str] = MEASURED
) -> MeasuredRace:
    """One cell of the map, of these methods."""
    noise = GENERATORS[data].noise if data in GENERATORS else None
    parts = [rows(data, size, noise, seed) for seed in range(n_seeds)]
    runs = {}
    for text in methods:
        config = rival(data, text).replace(depth=depth)
        found = [run(config.replace(seed=seed), *part) for seed, part in enumerate(parts)]
        accuracies, leaves, weights, reported = zip(*found, strict=True)
        bound = loss = None
        if text in (SGD, FROM_AXIS):
            means = np.mean(np.array(reported, dtype=float), axis=0).round(4)
            bound, loss = tuple(means[:, 0].tolist()), tuple(means[:, 1].tolist())
        runs[text] = MeasuredRun(
            tuple(round(float(a), 4) for a in accuracies),
            round(float(np.mean(leaves)), 1),
            round(float(np.mean(weights)), 1),
            bound,
            loss,
        )
    return MeasuredRace(data, noise, size, depth, runs, today())


def cells(data: str, sizes: Iterable[int], depths: Sequence[int]) -> Iterator[tuple[int, int]]:
    """Sizes and depths of the map's cells; a file may have too few rows for some."""
    most = max(SIZES) if data in GENERATORS else sample(data).n_samples
    for size in sizes:
        if size <= most:
            yield from ((size, depth) for depth in depths)


def keep(measured: MeasuredRace) -> None:
    """Write a race into the file; runs of its key that it does not have stay."""
    measured_races.cache_clear()  # others may have come meanwhile
    races = measured_races()
    if known := races.get(measured.key):
        day = measured.measured if set(known.runs) <= set(measured.runs) else known.measured
        measured = replace(measured, runs={**known.runs, **measured.runs}, measured=day)
    races = races | {measured.key: measured}
    write_atomically(FILE, lines(races.values()).encode())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--data", nargs="+", choices=[*DRAWN, *FILES], default=DRAWN)
    parser.add_argument("--sizes", nargs="+", type=int, choices=SIZES, default=list(SIZES))
    parser.add_argument("--depths", nargs="+", type=int, choices=DEPTHS, default=list(DEPTHS))
    parser.add_argument("--methods", nargs="+", choices=MEASURED, default=MEASURED)
    arguments = parser.parse_args()
    warm_up()
    started = time.process_time()
    for data in arguments.data:
        for size, depth in cells(data, arguments.sizes, arguments.depths):
            opens = size == OPENING_SIZE and depth == OPENING_DEPTHS.get(data, USUAL_DEPTH)
            n_seeds = OPENING_SEEDS if opens else SEEDS
            measured = race(data, size, depth, n_seeds, arguments.methods)
            keep(measured)
            reported = ", ".join(f"{name} {100 * r.mean:.1f}" for name, r in measured.runs.items())
            seconds = time.process_time() - started
            print(f"{data}, {size} rows, depth {depth}: {reported}; {seconds:.0f} s", flush=True)


if __name__ == "__main__":
    main()
