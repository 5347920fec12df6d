"""Verdicts: the test behind them, the condition in them, and the limits that learners keep."""

import math
from dataclasses import replace

import numpy as np
import pytest
from scipy import stats

from treecore import RunConfig, Trainer
from treecore.data.generators import GENERATORS
from ui.lab.choices import USUAL, Limit
from ui.lab.draws import all_draws, lines, opening
from ui.lab.fairness import within_leaves
from ui.lab.seed_study import SeedResult
from ui.lab.verdict import LEVEL, means_over, p_value, verdict
from ui.widgets.data.gallery import FILES, gallery_data

GREEDY, SGD, OC1 = USUAL


def test_fresh_draws_are_told_apart_by_the_paired_t_test():
    random = np.random.default_rng(0)
    first, second = random.normal(0.9, 0.02, 20), random.normal(0.89, 0.02, 20)
    assert p_value(first, second) == pytest.approx(stats.ttest_rel(first, second).pvalue)
    assert p_value(first, first) == 1.0


@pytest.mark.parametrize("second", [[0.25] * 2, [0.1, 0.3]])
def test_the_same_lead_in_few_draws_decides_nothing(second):
    """Where all differences are equal, t is infinite, however few they are: signs decide."""
    first = np.add(second, 0.2)  # 0.3 - 0.1 and 0.5 - 0.3 differ in their last bit
    assert p_value(first, second) == 0.5
    ten, with_lead = second * 5, np.add(second * 5, 0.2)
    assert p_value(with_lead, ten) == 0.5**9 < LEVEL


def test_divisions_of_one_table_need_a_greater_lead():
    """The corrected variance is 1/n + test/train in place of 1/n, times that of the differences."""
    lead = np.array([0.0, 0.02] * 10)
    plain, corrected = p_value(lead, 0 * lead), p_value(lead, 0 * lead, 1 / 3)
    assert plain < LEVEL < corrected
    t = lead.mean() / math.sqrt((1 / 20 + 1 / 3) * lead.var(ddof=1))
    assert corrected == pytest.approx(2 * stats.t.sf(t, 19))


@pytest.mark.parametrize("method", ["axis", "oc1", "co2", "sgd", "stable-sgd", "annealed", "tao"])
@pytest.mark.parametrize("n_leaves", [2, 5, 16])
def test_no_tree_has_more_leaves_than_the_limit(method, n_leaves):
    train = gallery_data("checkerboard", 200).train
    config = within_leaves(RunConfig(method), train, n_leaves)
    tree = Trainer(config, train.X, train.y).run()
    assert tree.n_leaves <= n_leaves
    if method == "axis":
        assert tree.n_leaves == n_leaves, "the best leaf is split first, however deep"


def test_the_verdict_names_data_limit_draws_and_figures():
    data = gallery_data("xor")
    said = verdict(data, (GREEDY, SGD), Limit("leaves", 4))
    assert said.startswith("XOR, at most 4 leaves, 20 draws: **SGD** ")
    for name in ("sgd", "axis~criterion~gini"):
        assert f"{100 * all_draws()['xor', 500, 4].runs[name].mean:.0f}" in said
    assert "SGD is ahead." in said
    assert "With 64 leaves: " in said
    greedy = verdict(gallery_data("spirals"), (GREEDY, SGD), Limit("leaves", 16))
    assert "Axis-aligned is ahead." in greedy, "as loudly"
    close = verdict(data, (SGD, RunConfig("stable-sgd")), Limit("leaves", 64))
    assert "Too close to call." in close
    assert "ahead" not in close
    alike = (GREEDY, RunConfig("axis"))
    assert "**I · Axis-aligned** 61" in verdict(data, alike, Limit("leaves", 4))


@pytest.mark.parametrize(
    ("changed", "limit"),
    [
        ({"share": 30}, Limit("leaves", 4)),
        ({"size": 200}, Limit("leaves", 4)),
        ({"noise": 0.5}, Limit("leaves", 4)),
        ({}, Limit("depth", 2)),
        ({}, Limit("weights", 4)),
        ({}, Limit("leaves", 128)),
    ],
)
def test_nothing_is_said_of_what_was_not_measured(changed, limit):
    assert verdict(gallery_data("xor", **changed), (GREEDY, SGD), limit) == ""
    other = (GREEDY, SGD.replace(nu=3))
    assert verdict(gallery_data("xor"), other, Limit("leaves", 4)) == ""


def test_draws_of_the_visitor_count_first():
    results = [SeedResult(who, seed, 0.5 + 0.2 * who) for seed in range(8) for who in (0, 1)]
    said = verdict(gallery_data("xor"), (GREEDY, SGD), Limit("depth", 2), results)
    assert "XOR, depth at most 2, 8 draws: **SGD** 70\N{NO-BREAK SPACE}%" in said
    assert "SGD is ahead." in said
    near = [replace(one, good=0.991 + 0.003 * one.contestant) for one in results]
    said = verdict(gallery_data("xor"), (GREEDY, SGD), Limit("depth", 2), near)
    assert "99.4\N{NO-BREAK SPACE}%" in said, "whole per cent would hide who is ahead"
    few = verdict(gallery_data("xor"), (GREEDY, SGD), Limit("depth", 2), results[:4])
    assert "2 draws" in few
    assert "Too close to call." in few
    assert verdict(gallery_data("xor"), (GREEDY, SGD), Limit("depth", 2), results[:3]) == ""
    with_others = verdict(gallery_data("xor"), (GREEDY, SGD), Limit("leaves", 4), results)
    assert "4 leaves, 8 draws: " in with_others
    assert "With 64 leaves, 20 draws: " in with_others, "those are the shipped ones"


def test_means_stand_at_the_leaves_that_were_active():
    means = means_over(gallery_data("moons"), (GREEDY, SGD))
    limits = (2, 4, 8, 16, 32, 64)
    for of_one in means:
        assert all(1 <= x <= limit for (x, _), limit in zip(of_one, limits, strict=True))
    run = all_draws()["moons", 500, 8].runs["sgd"]
    assert means[1][2] == (run.leaves, pytest.approx(100 * run.mean))


def test_data_open_at_their_limit_with_a_typical_seed():
    leaves, seed = opening("xor")
    runs = all_draws()["xor", 500, 4].runs
    assert leaves == 4
    shown = [runs["axis~criterion~gini"], runs["sgd"]]
    far = [sum((run.accuracies[s] - run.mean) ** 2 for run in shown) for s in range(20)]
    assert seed == int(np.argmin(far))
    assert opening("hill")[0] == 16
    every = {(name, opening(name)[0]) for name in (*GENERATORS, *FILES)}
    assert {(data, leaves) for data, _size, leaves in all_draws()} >= every, "each has a verdict"
    text = "".join(lines(all_draws().values()))
    assert text.count("\n") == len(all_draws()) > 50, "the file is read as it is written"


def test_of_numbers_the_verdict_is_about_r2():
    data = gallery_data("waves")
    configs = [config.replace(loss="squared") for config in (GREEDY, SGD)]
    said = verdict(data, configs, Limit("leaves", 16))
    runs = all_draws()["waves", 500, 16].runs
    assert said.startswith("Waves, test R², at most 16 leaves, 20 draws: ")
    assert f"**SGD** {100 * runs['sgd'].mean:.0f}\u00a0%" in said
    huber = [config.replace(loss="huber") for config in configs]
    assert verdict(data, huber, Limit("leaves", 16)) == "", "nothing was drawn with this loss"
