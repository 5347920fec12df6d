"""What whoever presses Play in the Lab sees: every dataset of the app by every method.

Run with ``python -m benchmarks.defaults [--data NAME ...] [--methods NAME ...] [--seeds N]
[--set NAME=VALUE ...]``. Settings are the usual ones; a quarter of the rows is held out. Of the
held-out rows the table has the share that is right, or the variance that is explained, in percent,
before learning, at its best and in the end; and the mean loss over the training rows before and
after. What ends below its start by more than a point is marked, and joint learning that ends with
a greater loss; then the sentence that the page says, and the end after its one click.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore import Event, RunConfig, Trainer, warm_up
from treecore.data.dataset import Dataset
from treecore.data.generators import GENERATORS
from treecore.training.registry import TREES
from ui.jobs.diagnosis import diagnose
from ui.widgets.data.picker import FILES, gallery_data

SIZE = 500
SHARE = 25
NOISE = 1.0
"""Points in percent by which two equal trees may differ on the held-out rows."""

HEAD = "data | method | start | best | end | loss from | to | "


@dataclass(frozen=True)
class Outcome:
    """Means over the seeds: figures of the held-out rows in percent, and losses."""

    start: float
    best: float
    end: float
    first_loss: float
    last_loss: float
    is_bounded: bool

    @property
    def is_bad(self) -> bool:
        """Whether learning has made the tree worse; TAO lowers errors, which may raise the loss."""
        risen = self.is_bounded and self.last_loss > self.first_loss
        return self.end < self.start - NOISE or risen


def rows_of(name: str, seed: int) -> tuple[Dataset, Dataset | None]:
    """Training and held-out rows of a dataset, as the page divides them."""
    data = gallery_data(name, None if name in FILES else SIZE, seed=seed, share=SHARE)
    return data.train, data.held


def play(name: str, method: str, settings: dict[str, Any], seed: int) -> tuple[RunConfig, list]:
    """The events of one run's own method, at every measured tree."""
    train, held = rows_of(name, seed)
    assert held is not None
    loss = "log" if train.task == "classification" else "squared"
    config = RunConfig(method, seed=seed, loss=loss, **settings)
    trainer = Trainer(
        config, train.X, train.y, validation=(held.X, held.y), n_classes=train.n_classes
    )
    return config, [event for event in _measured(trainer) if event.stage == method]


def _measured(trainer: Trainer) -> Iterator[Event]:
    while not trainer.finished:
        event = trainer.step()
        if event.complete:
            yield event


def score(event: Event) -> float:
    """Held-out rows that are right, or variance explained, in percent."""
    share = event.validation_accuracy if event.r2 is None else event.validation_r2
    return float("nan") if share is None else 100 * share


def outcome(runs: list[list[Event]]) -> Outcome:
    """What several runs of one kind have come to."""
    scores = [[score(event) for event in events] for events in runs]  # of runs of any length
    losses = np.array([[events[0].loss, events[-1].loss] for events in runs], dtype=float)
    return Outcome(
        float(np.mean([own[0] for own in scores])),
        float(np.mean([max(own) for own in scores])),
        float(np.mean([own[-1] for own in scores])),
        *losses.mean(axis=0).tolist(),
        is_bounded=runs[0][0].bound is not None,
    )


def row(name: str, method: str, settings: dict[str, Any], seeds: int) -> str:
    """One line of the table."""
    runs = [play(name, method, settings, seed) for seed in range(seeds)]
    found = outcome([events for _, events in runs])
    n_features = rows_of(name, 0)[0].n_features
    said = [diagnose(events, config, n_features) for config, events in runs]
    words = "worse than its start. " if found.is_bad else ""
    reported = [(seed, one) for seed, one in enumerate(said) if one is not None]
    if reported:
        mended = [play(name, method, settings | one.change, seed)[1] for seed, one in reported]
        end = np.mean([score(events[-1]) for events in mended])
        was = np.mean([score(runs[seed][1][-1]) for seed, _ in reported])
        words += f"{len(reported)} of {seeds} seeds: {reported[0][1].sentence} "
        words += f"Mended: {was:.1f} to {end:.1f}."
    return (
        f"| {name} | {method} | {found.start:.1f} | {found.best:.1f} | {found.end:.1f} "
        f"| {found.first_loss:.3f} | {found.last_loss:.3f} | {words} |"
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    datasets = [*GENERATORS, *FILES]
    parser.add_argument("--data", nargs="+", choices=datasets, default=datasets)
    parser.add_argument("--methods", nargs="+", choices=TREES, default=list(TREES))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--set", nargs="+", default=[], metavar="NAME=VALUE")
    arguments = parser.parse_args()
    warm_up()
    print(f"| {HEAD}|", "|" + " --- |" * HEAD.count("|") + " --- |", sep="\n", flush=True)
    for name in arguments.data:
        for method in arguments.methods:
            known = TREES[method].definitions()
            pairs = dict(pair.split("=", 1) for pair in arguments.set)
            given = {s.name: type(s.default)(pairs[s.name]) for s in known if s.name in pairs}
            print(row(name, method, given, arguments.seeds), flush=True)


if __name__ == "__main__":
    main()
