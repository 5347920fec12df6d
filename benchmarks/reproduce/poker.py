"""Poker hands by the rules: dealt from a seed, and labelled as UCI's "Poker Hand" set labels them.

The set's million test hands are not needed: a label follows from the cards.
"""

from __future__ import annotations

import numpy as np

HANDS = (
    "nothing", "one pair", "two pairs", "three of a kind", "straight", "flush", "full house",
    "four of a kind", "straight flush", "royal flush",
)  # fmt: skip


def deal(n: int, seed: int) -> np.ndarray:
    """``n`` hands of five different cards, int64 (n, 10): suit 1 to 4, rank 1 to 13, five times."""
    cards = np.random.default_rng(seed).random((n, 52)).argsort(axis=1, kind="stable")[:, :5]
    return np.stack([cards // 13 + 1, cards % 13 + 1], axis=2).reshape(n, 10)


def label(hands: np.ndarray) -> np.ndarray:
    """The class of every hand, int64 (n,); see :data:`HANDS`. The ace, rank 1, is high or low."""
    suits, ranks = hands[:, 0::2], np.sort(hands[:, 1::2], axis=1)
    flush = (suits == suits[:, :1]).all(axis=1)
    ladder = (np.diff(ranks, axis=1) == 1).all(axis=1)
    high = (ranks == [1, 10, 11, 12, 13]).all(axis=1)
    counts = np.stack([(ranks == rank).sum(axis=1) for rank in range(1, 14)], axis=1)
    most, second = -np.sort(-counts, axis=1)[:, :2].T
    rules = [  # the first that holds
        flush & high,
        flush & ladder,
        most == 4,
        (most == 3) & (second == 2),
        flush,
        ladder | high,
        most == 3,
        (most == 2) & (second == 2),
        most == 2,
    ]
    return np.select(rules, range(9, 0, -1), default=0)
