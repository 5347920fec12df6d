"""The data of the hinge paper's Table 2, split as its Table 1 says: training, validation, test."""

from __future__ import annotations

import numpy as np
from sklearn.model_selection import StratifiedKFold

from benchmarks.data import PaperData, Part
from benchmarks.reproduce.poker import deal, label

TEST_HANDS = 100_000

PROBLEMS = {
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


def runs(problem: str, data: PaperData, n_runs: int) -> list[Run] | None:
    """Split a row of Table 2 once a run; None where its dataset is not at hand.

    problem: a key of :data:`PROBLEMS`; n_runs: for iris always fifteen: five shuffles of three
    folds.
    """
    entire = data.entire(PROBLEMS[problem])
    if entire is None:
        return None
    if problem == "iris":
        return _iris(entire)
    if problem == "poker":
        return [_poker(entire, seed) for seed in range(n_runs)]
    if PROBLEMS[problem] == "abalone":
        # Three classes as UCI suggests, 8 rings or fewer, 9 or 10, more; or the number of rings.
        classes = problem == "abalone"
        y = np.digitize(entire.y, [8.5, 10.5]) if classes else entire.y.astype(np.float64)
        sizes = 2089, 1044, 1044
        return [_shuffled_parts(Part(entire.X, y), seed, *sizes) for seed in range(n_runs)]
    sizes = {"madelon": (1500, 500), "human_activity": (5514, 1838)}[problem]
    training, test = data.load(PROBLEMS[problem])  # with their official test rows
    return [(*_shuffled_parts(training, seed, *sizes), test) for seed in range(n_runs)]


def _iris(entire: Part) -> list[Run]:
    """Take each of three folds in turn for training, validation and test."""
    splits = []
    for seed in range(5):
        shuffled = StratifiedKFold(3, shuffle=True, random_state=seed).split(*entire)
        folds = [entire.take(rows) for _, rows in shuffled]
        splits += [(folds[i], folds[i - 1], folds[i - 2]) for i in range(3)]
    return splits


def _poker(entire: Part, seed: int) -> Run:
    """Deal the test hands, others for every seed."""
    hands = deal(TEST_HANDS, seed)
    return (*_shuffled_parts(entire, seed, 18757, 6253), Part(hands, label(hands)))


def _shuffled_parts(entire: Part, seed: int, *sizes: int) -> tuple[Part, ...]:
    """Draw parts of the paper's sizes; smaller ones of these shares where there are fewer rows."""
    n, ends = len(entire.y), np.cumsum(sizes)
    if n < ends[-1]:
        ends = (ends * n) // ends[-1]
    order = np.random.default_rng(seed).permutation(n)
    return tuple(entire.take(rows) for rows in np.split(order, ends)[: len(sizes)])
