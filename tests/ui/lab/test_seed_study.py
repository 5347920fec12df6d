"""A comparison over seeds in the background: its runs, its figures and its small pictures."""

import struct

import numpy as np
import pytest

from tests.helpers.pacing import ManualClock, permits
from tests.helpers.wait import SECONDS, until
from treecore import RunConfig, Trainer, apply, evaluate
from ui.drawing.png import png
from ui.drawing.target_style import Answers
from ui.drawing.theme import DARK, LIGHT
from ui.jobs.background import UNWATCHED_SECONDS
from ui.lab.seed_study import SeedProgress, SeedResult, SeedStudy, differences, summary
from ui.lab.seed_view import leads
from ui.lab.thumbnails import Sheet, map_pixels, strong
from ui.widgets.data.picker import gallery_data

__all__ = ["permits"]  # a fixture

CONFIGS = [RunConfig("axis", depth=4), RunConfig("sgd", depth=4, epochs=10)]
ENDLESS = RunConfig("sgd", depth=3, epochs=100_000)


def spirals(seed=0):
    return gallery_data("spirals", 200, 0.1, seed)


def ended(spread):
    """What is told of runs once their thread has ended."""
    spread.join(SECONDS)
    reported = spread.look()
    assert not reported.running
    return reported


@pytest.fixture(scope="module")
def results():
    """Of both contestants for two seeds."""
    reported = ended(SeedStudy(spirals, CONFIGS, [3, 4]))
    assert reported.share == 1.0
    assert reported.message == ""
    return reported.results


def test_every_method_is_run_for_every_seed_as_if_alone(results):
    assert [(r.seed, r.contestant) for r in results] == [(3, 0), (3, 1), (4, 0), (4, 1)]
    for result in results:
        data = spirals(result.seed)
        config = CONFIGS[result.contestant].replace(seed=result.seed)
        tree = Trainer(
            config, data.train.X, data.train.y, validation=(data.held.X, data.held.y)
        ).run()
        assert result.good == pytest.approx(evaluate(tree, data.held.X, data.held.y).accuracy)


def test_stopping_keeps_what_is_done(permits):
    spread = SeedStudy(spirals, [CONFIGS[0], ENDLESS], range(5), permits)
    until(lambda: permits.give() or spread.look().results, "for the first run")
    spread.stop()
    permits.give()  # the step that had been begun
    assert [r.contestant for r in ended(spread).results] == [0]


def test_runs_that_nobody_asks_about_wait_and_then_end(permits):
    clock = ManualClock()
    spread = SeedStudy(spirals, [ENDLESS], [0], permits, clock)
    permits.spend(4)
    clock.forward(UNWATCHED_SECONDS)
    permits.give()
    until(lambda: clock.asleep, "for the step under way to end")
    assert permits.requested == 5, "nobody asks, and no step is begun"
    reported = spread.look()
    assert reported.running
    assert reported.share > 0
    until(lambda: permits.requested == 6, "for the look to let it go on")
    clock.forward(UNWATCHED_SECONDS)
    permits.give()
    until(lambda: clock.asleep, "for it to wait again")
    clock.forward(SeedStudy.forgotten_seconds - UNWATCHED_SECONDS)
    assert ended(spread).results == ()
    assert permits.requested == 6


def test_a_seed_without_luck_is_told():
    def broken(seed):
        raise ValueError("these rows cannot be divided")

    reported = ended(SeedStudy(broken, CONFIGS, [0]))
    assert reported == SeedProgress((), 0.0, None, False, "these rows cannot be divided")


def test_mean_and_deviation_are_those_of_the_sample():
    values = [0.9, 0.7, 0.8]
    results = [SeedResult(1, seed, v, 0.5, 0.1) for seed, v in enumerate(values)]
    found = summary(results, 1)
    assert found.mean == pytest.approx(np.mean(values))
    assert found.deviation == pytest.approx(np.std(values, ddof=1))
    assert summary(results[:1], 1).deviation is None
    assert summary(results, 0) is None


def test_only_equal_seeds_are_set_against_each_other():
    results = [SeedResult(0, s, a, 0, 0) for s, a in enumerate([0.9, 0.8, 0.7])]
    results += [SeedResult(1, s, a, 0, 0) for s, a in enumerate([0.8, 0.8])]
    assert differences(results, 0, 1) == pytest.approx([0.1, 0.0])
    assert differences(results, 1, 0) == pytest.approx([-0.1, 0.0])


def test_whoever_is_ahead_comes_first_with_the_error_of_its_lead():
    results = [SeedResult(0, s, a, 0, 0) for s, a in enumerate([0.7, 0.8])]
    assert leads(results, ["I · A", "II · B"]) == []
    results += [SeedResult(1, s, a, 0, 0) for s, a in enumerate([0.9, 0.8])]
    (reported,) = leads(results, ["I · A", "II · B"])
    assert reported.startswith("II is ahead of I by 10.0 ± 10.0 points")
    assert "better 1 times, equally good 1, less good 0" in reported


# Small multiples -------------------------------------------------------------------------------


def test_small_maps_are_the_trees_predictions_on_a_grid():
    data, side = spirals(), 32
    tree = Trainer(CONFIGS[0], data.train.X, data.train.y).run()
    answers = Answers(data.train, LIGHT)
    pixels = map_pixels(tree, np.array([[-1.0, -1.0], [1.0, 1.0]]), answers, side)
    assert pixels.shape == (side, side, 3)
    tints = strong(answers, tree)
    middle = [(2 * i + 1) / side - 1 for i in range(side)]

    def leaf_at(row, column):
        return apply(tree, [[middle[column], -middle[row]]])[0]

    edges = 0
    for row, column in np.ndindex(side, side):
        leaf = leaf_at(row, column)
        colour, share = tints[leaf]
        ground = [share * int(colour[i : i + 2], 16) + (1 - share) * 255 for i in (1, 3, 5)]
        if leaf == leaf_at(row, max(0, column - 1)) == leaf_at(max(0, row - 1), column):
            np.testing.assert_allclose(pixels[row, column], ground, atol=0.51)
        else:
            edges += 1
            assert pixels[row, column].sum() < sum(ground), "a boundary is darker"
    assert 0 < edges < side * side / 2
    file = png(pixels)
    assert file.startswith(b"\x89PNG")
    assert struct.unpack(">II", file[16:24]) == (side, side)


def test_every_run_over_seeds_has_a_picture_made_once(results):
    sheet = Sheet(spirals(3).train)
    found = [sheet.picture(result, LIGHT) for result in results]
    assert all(address.startswith("data:image/png;base64,") for address in found)
    assert len(set(found)) == len(found), "other seeds, other trees"
    assert sheet.picture(results[0], LIGHT) is sheet.picture(results[0], LIGHT)
    assert sheet.picture(results[0], DARK) != found[0]


def test_more_features_have_small_trees_until_they_are_too_large():
    def wine(seed):
        return gallery_data("wine", 100, seed=seed)

    configs = [RunConfig("axis", depth=3), RunConfig("sgd", depth=9, epochs=1, start="random")]
    small, large = ended(SeedStudy(wine, configs, [0])).results
    assert large.tree is None
    assert small.tree.weights.size == 0
    sheet = Sheet(wine(0).train)
    assert sheet.picture(small, LIGHT).startswith("data:image/svg+xml;base64,")
    assert sheet.picture(large, LIGHT) == ""
