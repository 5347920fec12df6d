"""The data of the hinge paper's Table 2, split as its Table 1 says: training, validation, test."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.data import Papers, Part
from benchmarks.reproduce.poker import deal, label

TEST_HANDS = 100_000

DATASETS = {
    "iris": "iris",
    "abalone": "abalone",
    "abalone_regression_r2": "abalone",
    "human_activity": "human_activity",
    "madelon": "madelon",
    "poker": "poker_train",
}
"""The rows of Table 2, and the dataset that each is made from."""

Run = tuple[Part, Part, Part]
"""Training, validation and test rows."""


def runs(name: str, papers: Papers, n_runs: int) -> list[Run] | None:
    """The splits of a row of Table 2; None where its dataset is not at hand.

    Parameters
    ----------
    name : str
        A key of :data:`DATASETS`.
    papers : Papers
    n_runs : int
        For iris always fifteen: five shuffles of three folds.
    """
    whole = papers.whole(DATASETS[name])
    if whole is None:
        return None
    if name == "iris":
        return _iris(whole)
    if name == "poker":
        return [_poker(whole, seed) for seed in range(n_runs)]
    if name.startswith("abalone"):
        # Three classes as UCI suggests, 8 rings or fewer, 9 or 10, more; or the number of rings.
        classes = name == "abalone"
        y = np.digitize(whole.y, [8.5, 10.5]) if classes else whole.y.astype(np.float64)
        sizes = 2089, 1044, 1044
        return [_parts(Part(whole.X, y), len(y), seed, *sizes) for seed in range(n_runs)]
    sizes = {"madelon": (1500, 500), "human_activity": (5514, 1838)}[name]
    training, test = papers.load(DATASETS[name])  # with their official test rows
    return [(*_parts(training, len(training.y), seed, *sizes), test) for seed in range(n_runs)]


def _iris(whole: Part) -> list[Run]:
    """Each of three folds in turn for training, validation and test."""
    found = []
    for seed in range(5):
        cut = StratifiedKFold(3, shuffle=True, random_state=seed).split(*whole)
        folds = [whole.take(rows) for _, rows in cut]
        found += [(folds[i], folds[i - 1], folds[i - 2]) for i in range(3)]
    return found


def _poker(whole: Part, seed: int) -> Run:
    """Test hands are dealt, others for every seed."""
    hands = deal(TEST_HANDS, seed)
    return (*_parts(whole, len(whole.y), seed, 18757, 6253), Part(hands, label(hands)))


def _parts(whole: Part, n: int, seed: int, *sizes: int) -> tuple[Part, ...]:
    """Shares of the paper's sizes, fewer where there are fewer rows."""
    ends = np.cumsum(sizes)
    if n < ends[-1]:
        ends = (ends * n) // ends[-1]
    order = np.random.default_rng(seed).permutation(n)
    return tuple(whole.take(rows) for rows in np.split(order, ends)[: len(sizes)])
