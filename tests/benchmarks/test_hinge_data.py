"""What the figures of hinge forests stand on: poker's rules, the splits of Table 1."""

from collections import Counter

import numpy as np
import pytest

from benchmarks.data import PaperData
from benchmarks.reproduce.hinge_data import runs
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


def test_labels_are_those_of_the_published_hands(paper_data):
    archive = paper_data("poker_train")
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
    splits = runs(name, PaperData(), 1)
    if splits is None:
        pytest.skip(f"{name} is not at hand; set TREECORE_DATA to the folder that has it")
    assert len(splits) == (15 if name == "iris" else 1)
    for parts in splits:
        assert tuple(len(part.y) for part in parts) == SIZES[name]
        assert tuple(len(part.X) for part in parts) == SIZES[name]


def test_runs_have_other_rows_and_the_parts_of_a_run_none_in_common(data):
    for name in ("abalone", "madelon", "poker"):
        first, second = runs(name, data, 2)
        assert not np.array_equal(first[0].X, second[0].X)
        training, validation, test = (set(map(tuple, part.X)) for part in first)
        assert training
        assert validation
        assert test
        assert not training & validation
        assert not (training | validation) & test
    assert set(runs("abalone", data, 1)[0][0].y) == {0, 1, 2}
    assert runs("abalone_regression_r2", data, 1)[0][0].y.dtype == np.float64
    assert runs("human_activity", data, 1) is None
