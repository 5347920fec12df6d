"""Every setting of every method at both ends of its range: a sound tree, or one sentence."""

from __future__ import annotations

import numpy as np
import pytest

from treecore import RunConfig, Trainer, evaluate
from treecore.losses import LOSSES
from treecore.methods import TREES
from treecore.tree import check_tree

SHORT = {"depth": 3, "epochs": 2, "rounds": 1, "restarts": 1, "jumps": 1, "n_directions": 4}
"""Runs are short: what is at its end is the setting that is tried, unless it only takes longer."""

ONLY_LONGER = {"epochs", "rounds", "restarts", "jumps", "n_directions"}

RNG = np.random.default_rng(0)
NORMAL = RNG.normal(size=(24, 3))
TABLES = {
    "plain": (NORMAL, np.arange(24) % 3),
    "zero rows, constant and huge columns": (
        np.where(np.arange(24)[:, None] < 8, 0.0, NORMAL * [1e30, 0.0, 1e-30]),
        np.arange(24) % 2,
    ),
    "contradictions": (np.repeat(NORMAL[:3], 8, axis=0), np.arange(24) % 4),
    "one row": (NORMAL[:1], np.array([1])),
}
WEIGHTS = {"plain": np.where(np.arange(24) < 3, 0.0, 10.0 ** (np.arange(24) - 12.0))}

ENDS = [
    (method.name, known.name, value)
    for method in TREES.values()
    for known in method.settings.known()
    for value in known.choices
    or ([known.low] if known.name in ONLY_LONGER else [known.low, known.high])
]


@pytest.mark.parametrize(("method", "name", "value"), ENDS)
def test_a_setting_at_its_end_gives_a_sound_tree_or_one_sentence(method, name, value):
    known = {setting.name for setting in TREES[method].settings.known()}
    settings = {k: v for k, v in SHORT.items() if k in known} | {name: value}
    refused = []
    for table, (X, y) in TABLES.items():
        for loss in ("log", "squared"):
            targets = y if loss == "log" else 1e6 * (y - 1.0) ** 3
            config = RunConfig(method, loss=loss, **settings)
            try:
                trainer = Trainer(config, X, targets, sample_weight=WEIGHTS.get(table))
                events = list(trainer.events())
            except ValueError as error:
                refused.append(str(error))
                continue
            assert all(np.isfinite(event.loss) for event in events)
            check_tree(trainer.tree)
            assert np.isfinite(evaluate(trainer.tree, X, targets, loss=LOSSES[loss]).loss)
    assert not refused or name == "depth", "only trees beyond memory are refused"
    assert not any("\n" in sentence for sentence in refused)
