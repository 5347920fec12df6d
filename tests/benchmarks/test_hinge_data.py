"""What the figures of hinge forests stand on: poker's rules, the splits of Table 1."""

from __future__ import annotations

from collections import Counter

import numpy as np
import pytest

from benchmarks.protocol import DATA
from benchmarks.reproduce.hinge_data import runs
from benchmarks.data import Papers
from benchmarks.reproduce.poker import HANDS, deal, label


def named(hand):
    """The class of one hand, by another road: from its ranks' counts and its places in order."""
    suits, ranks = hand[0::2], sorted(hand[1::2])
    counts = sorted(Counter(ranks).values(), reverse=True)
    aces_high = sorted(14 if rank == 1 else rank for rank in ranks)
    straight = any(row == list(range(row[0], row[0] + 5)) for row in (ranks, aces_high))
    if len(set(suits)) == 1:
        royal = straight and aces_high[0] == 10
        return "royal flush" if royal else "straight flush" if straight else "flush"
    if straight:
        return "straight"
    names = {(4, 1): "four of a kind", (3, 2): "full house", (3, 1, 1): "three of a kind"}
    names |= {(2, 2, 1): "two pairs", (2, 1, 1, 1): "one pair"}
    return names.get(tuple(counts), "nothing")


def test_hands_are_five_different_cards_and_all_52_come():
    hands = deal(3000, 0)
    cards = hands[:, 0::2] * 100 + hands[:, 1::2]
    assert all(len(set(hand)) == 5 for hand in cards.tolist())
    assert np.unique(cards).size == 52
    assert (deal(3000, 0) == hands).all()


def test_labels_follow_the_rules():
    hands = deal(4000, 1)
    rare = [
        [1, 1, 1, 10, 1, 11, 1, 12, 1, 13],
        [2, 5, 2, 1, 2, 2, 2, 4, 2, 3],
        [1, 1, 2, 10, 1, 11, 1, 12, 1, 13],
        [1, 12, 2, 13, 1, 1, 1, 2, 1, 3],  # no straight goes round the corner
        [1, 7, 2, 7, 3, 7, 4, 7, 1, 2],
        [1, 7, 2, 7, 3, 7, 4, 2, 1, 2],
        [3, 2, 3, 9, 3, 4, 3, 11, 3, 6],
    ]
    hands = np.concatenate([hands, rare])
    assert [HANDS[i] for i in label(hands)] == [named(hand) for hand in hands.tolist()]


def test_frequencies_are_those_of_poker():
    share = np.bincount(label(deal(50_000, 0)), minlength=10) / 50_000
    assert share[:5] == pytest.approx([0.5012, 0.4226, 0.0475, 0.0211, 0.0039], abs=0.008)


@pytest.mark.skipif(not (DATA / "poker_train.npz").exists(), reason="needs poker_train.npz")
def test_labels_are_those_of_the_published_hands():
    with np.load(DATA / "poker_train.npz") as archive:
        assert (label(archive["X"]) == archive["y"]).all()


SIZES = {
    "iris": (50, 50, 50),
    "abalone": (2089, 1044, 1044),
    "abalone_regression_r2": (2089, 1044, 1044),
    "madelon": (1500, 500, 600),
    "poker": (18757, 6253, 100_000),
}


@pytest.mark.parametrize("name", SIZES)
def test_splits_are_as_large_as_published(name):
    found = runs(name, Papers(DATA), 1)
    if found is None:
        pytest.skip(f"{name} is not in {DATA}")
    assert len(found) == (15 if name == "iris" else 1)
    for parts in found:
        assert tuple(len(part.y) for part in parts) == SIZES[name]
        assert tuple(len(part.X) for part in parts) == SIZES[name]


def test_the_human_activity_set_is_read_where_a_user_has_it(tmp_path):
    assert runs("human_activity", Papers(tmp_path), 1) is None
    for part, n in (("train", 5514 + 1838), ("test", 30)):
        folder = tmp_path / "UCI HAR Dataset" / part
        folder.mkdir(parents=True)
        np.savetxt(folder / f"X_{part}.txt", np.arange(2.0 * n).reshape(n, 2), fmt="%.1f")
        np.savetxt(folder / f"y_{part}.txt", np.arange(n) % 6 + 1, fmt="%d")
    ((train, validation, test),) = runs("human_activity", Papers(tmp_path), 1)
    assert (len(train.y), len(validation.y), len(test.y)) == (5514, 1838, 30)
    assert set(train.y) == set(range(6))
    assert (train.X[:, 0] // 2 % 6 == train.y).all()
