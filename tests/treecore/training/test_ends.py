"""Every setting of every method at both ends of its range: a sound tree, or one sentence."""

import itertools

import numpy as np
import pytest

from tests.helpers.cases import case
from treecore import RunConfig, Trainer, evaluate
from treecore.core.tree import check_tree
from treecore.losses import LOSSES, find_loss
from treecore.training.registry import TREES

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
MORE_TABLES = TABLES | {
    "huge, tiny and plain": (NORMAL * [1e38, 1e-38, 1.0], np.arange(24) % 2),
    "one outlier": (np.vstack([NORMAL, [1e30, 0.0, 0.0]]), np.arange(25) % 2),
    "one class": (NORMAL, np.zeros(24, dtype=int)),
    "more leaves than rows": (NORMAL[:6], np.arange(6)),
}
WEIGHTS = {"plain": np.where(np.arange(24) < 3, 0.0, 10.0 ** (np.arange(24) - 12.0))}


def ends_of(setting):
    """Values that are tried: all choices, or both ends."""
    return setting.choices or (
        [setting.low] if setting.name in ONLY_LONGER else [setting.low, setting.high]
    )


@pytest.mark.parametrize("method", TREES)
@pytest.mark.parametrize("every", [3, pytest.param(1, marks=pytest.mark.slow)])
def test_a_setting_at_its_end_gives_a_sound_tree_or_one_sentence(method, every):
    """All ends meet every third of the tables and losses, each another third; at last all do."""
    settings = TREES[method].settings.definitions()
    short = {known.name: SHORT[known.name] for known in settings if known.name in SHORT}
    tables = list(itertools.product(TABLES, ("log", "squared")))
    number = itertools.count()
    for known in settings:
        for value in ends_of(known):
            for table, loss in tables[next(number) % every :: every]:
                with case(setting=known.name, value=value, table=table, loss=loss):
                    config = RunConfig(method, loss=loss, **short | {known.name: value})
                    refusal = learn_and_check(config, table)
                    assert not refusal or known.name == "depth", "it may be beyond memory"
                    assert "\n" not in refusal


EXTREMES = [
    {"eta": 10.0, "nu": 1e4},
    {"eta": 10.0, "nu": 0.01, "schedule": "constant"},
    {"eta": 1e-5, "nu": 1e4},
    {"eta": 10.0, "nu": 1e4, "sparsity": 1.0},
]


@pytest.mark.parametrize("method", ["sgd", "stable-sgd"])
@pytest.mark.parametrize("loss", LOSSES)
def test_settings_that_are_extreme_together_give_a_sound_tree(method, loss):
    for table, settings in itertools.product(MORE_TABLES, EXTREMES):
        with case(table=table, settings=settings):
            config = RunConfig(method, loss=loss, depth=4, epochs=4, **settings)
            assert not learn_and_check(config, table)


def learn_and_check(config, table):
    """Learn a table; gives the sentence where that is refused, an empty one otherwise."""
    X, y = MORE_TABLES[table]
    y = y if config.loss == "log" else 1e6 * (y - 1.0) ** 3
    try:
        trainer = Trainer(config, X, y, sample_weight=WEIGHTS.get(table))
        events = list(trainer.events())
    except ValueError as error:
        return str(error)
    for event in events:
        assert np.isfinite(event.loss)
        if event.bound is not None:
            assert event.loss - 1e-5 * abs(event.loss) <= event.bound < np.inf
    tree = trainer.model
    check_tree(tree)
    assert np.isfinite(evaluate(tree, X, y, loss=find_loss(config.loss)).loss)
    if config.loss == "squared" and config.method in ("sgd", "stable-sgd"):
        slack = 1e-5 * (1.0 + np.abs(y).max())  # no step goes beyond its target
        assert y.min() - slack <= tree.values.min() <= tree.values.max() <= y.max() + slack
    return ""
