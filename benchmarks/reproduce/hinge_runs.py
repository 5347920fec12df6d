"""Hinge forests and ferns as the tables of Lay et al. 2018 have them, and how they are drawn.

Two rules of selection are told apart everywhere:

- *validation*: settings, the number of mini-batches among them, are chosen on held-out training
  rows; test rows are looked at once, after the last mini-batch.
- *best on test*: the least test error over all measured states of that same run, which is how the
  paper reports Table 3 (section 5). It has seen the test rows.
"""

from __future__ import annotations

import pandas as pd

from benchmarks.data import Part
from benchmarks.reproduce.drawing import BLACK, BLUE, GREEN
from treecore.training import Trainer
from treecore.training.config import RunConfig

KINDS = {"forest": "hinge-forest", "fern": "hinge-ferns"}
"""Methods by what the tables call them."""

NAMES = {"forest": "hinge forest", "fern": "hinge ferns"}
COLOURS = {"hinge forest": BLUE, "hinge ferns": GREEN, "random forest": BLACK}
DIGITS = dict.fromkeys(("test", "deviation", "best", "published", "published_deviation"), 2)


def config_of(kind: str, **settings) -> RunConfig:
    """Give the config of one row of a table; ``kind`` is a key of :data:`KINDS`."""
    return RunConfig(KINDS[kind], **settings)


def errors_and_seconds(
    config: RunConfig, training: Part, held: Part, seed: int
) -> tuple[float, float, float]:
    """Train once; give the last and the least error in percent on other rows, and the seconds."""
    trainer = Trainer(config.replace(seed=seed), *training, validation=held)
    events = list(trainer.events())
    errors = [100 * event.validation_error for event in events]
    return errors[-1], min(errors), events[-1].seconds


def last_error(settings: dict, training: Part, held: Part, seed: int) -> float:
    """Train once; give the error in percent after the last mini-batch, for choosing settings.

    Candidates are judged by whole runs: a quarter of one judges badly, since images that are moved
    are learnt more slowly (ferns on USPS: 6.3 % of test error, not 4.8).
    """
    return errors_and_seconds(config_of(**settings), training, held, seed)[0]


def series(lines: pd.DataFrame, problems: list[str], methods: list[str], ours_is: str) -> list:
    """Ours and the published bars of every method, with their deviations."""
    found = []
    for method in methods:
        own = lines[lines["method"] == method].set_index("problem").reindex(problems)
        for ours, prefix in ((True, ""), (False, "published_")):
            label = f"{method}, {ours_is if ours else 'published'}"
            values = own["test" if ours else "published"]
            found.append((label, COLOURS[method], ours, values, own[f"{prefix}deviation"]))
    return found
