"""Runs of a comparison: turns, one hand for all, seeds in the background."""

import math
import struct
import threading
import time

import numpy as np
import pytest

from treecore import RunConfig, Trainer, apply, evaluate, warm_up
from treecore.datasets import split
from treecore.generators import generate
from ui import compare_seeds
from ui.compare_match import NUMERALS, Match
from ui.compare_multiples import Sheet, map_pixels, strong
from ui.compare_seeds import Progress, Result, Spread, summary, wins
from ui.compare_turns import Turns, spare_processors
from ui.data import ChosenData, divided, sample
from ui.planes import feature_plane
from ui.png import png
from ui.step_answers import Answers
from ui.step_paint import DARK, LIGHT
from ui.wire import unpack


@pytest.fixture(scope="module", autouse=True)
def compiled():
    warm_up()


def spirals(seed=0, share=0.25):
    train, held = split(generate("spirals", 200, 0.1, seed), share, seed)
    return ChosenData(train, held, ("spirals", 0.1, 200, share, seed), spirals)


CONFIGS = [RunConfig("axis", depth=4), RunConfig("sgd", depth=4, epochs=10)]


@pytest.fixture
def compare():
    made = []

    def start(configs=CONFIGS, data=None):
        match = Match()
        made.append(match)
        data = data or spirals()
        match.take_up(data, configs, feature_plane(data.train, 0, 1))
        return match

    yield start
    for match in made:
        match.close()


def wait_for(match, state, seconds=15.0):
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        scene = match.tick()
        if match.state(scene) == state:
            return scene
        time.sleep(0.005)
    raise AssertionError(f"still {match.state(match.scene())} after {seconds} s")


def test_turns_are_held_by_no_more_than_allowed_and_go_to_who_has_spent_least():
    turns = Turns(1)
    order, held, most = [], [0], [0]

    def work(spent):
        with turns.turn(spent):
            held[0] += 1
            most[0] = max(most[0], held[0])
            order.append(spent)
            time.sleep(0.01)
            held[0] -= 1

    with turns.turn(0.0):  # all others arrive while this one is at work
        threads = [threading.Thread(target=work, args=(s,)) for s in (math.inf, 3.0, 1.0, 2.0)]
        for thread in threads:
            thread.start()
        time.sleep(0.1)
    for thread in threads:
        thread.join(5)
    assert order == [1.0, 2.0, 3.0, math.inf]
    assert most == [1]


def test_a_turn_is_given_back_after_an_error():
    turns = Turns(1)
    with pytest.raises(ValueError, match="spilt"), turns.turn(0.0):
        raise ValueError("spilt")
    with turns.turn(0.0):
        pass


def test_there_is_always_a_turn():
    assert 1 <= spare_processors() <= 4


def test_a_comparison_begins_with_the_measured_start_of_every_run(compare):
    match = compare()
    scene = wait_for(match, "paused")
    assert [view.index for view in scene.views] == [0, 0]
    assert [view.measured.event.done for view in scene.views] == [0, 0]


def test_at_the_end_every_run_shows_the_tree_that_it_learns_alone(compare):
    match = compare()
    wait_for(match, "paused")
    match.seconds_of_show = 0.0
    match.play()
    scene = wait_for(match, "finished")
    data = spirals()
    for config, view in zip(CONFIGS, scene.views):
        alone = Trainer(
            config, data.train.X, data.train.y, validation=(data.held.X, data.held.y)
        ).run()
        for ours, theirs in zip(view.shot.tree, alone):
            np.testing.assert_array_equal(ours, theirs)
        figures = evaluate(alone, data.held.X, data.held.y)
        assert view.measured.event.validation_accuracy == pytest.approx(figures.accuracy)


@pytest.mark.parametrize("clock", ["time", "values", "loss", "share"])
def test_no_run_is_ever_shown_ahead_of_the_hand(compare, clock):
    match = compare()
    wait_for(match, "paused")
    match.set_clock(clock)
    match.seconds_of_show = 0.4
    match.play()
    hands = []
    while match.playing:
        scene = match.tick()
        hands.append(scene.hand)
        for view in scene.views:
            if not view.shots:
                continue
            if clock == "loss":  # the first one that is good enough
                assert all(at < scene.hand for at in view.at[: view.index])
            else:
                assert view.at[view.index] <= scene.hand or view.index == 0
        time.sleep(0.02)
    late = hands[len(hands) // 2 :]
    assert late == sorted(late), "it goes on, once the axis is known"
    assert match.state(match.scene()) == "finished"


def test_a_step_leads_to_one_measured_tree_however_often_the_click_arrives(compare):
    match = compare()
    wait_for(match, "paused")
    match.set_clock("share")
    target = match.next_step
    for _ in range(3):
        match.step(target)
    scene = wait_for(match, "paused")
    moved = [view.measured.event.done for view in scene.views]
    assert sum(epoch > 0 for epoch in moved) == 1
    first = scene.hand
    match.step(match.next_step)
    assert wait_for(match, "paused").hand > first


def test_the_hand_can_be_put_back_and_the_clock_be_changed(compare):
    match = compare()
    wait_for(match, "paused")
    match.seconds_of_show = 0.0
    match.play()
    wait_for(match, "finished")
    end = match.scene().views[1].shot
    match.seek(0.5)
    assert match.scene().views[1].shot is not end
    for clock in ("loss", "values", "share", "time"):
        match.set_clock(clock)
        scene = match.scene()
        assert scene.axis.share(scene.hand) == pytest.approx(0.5, abs=1e-6)
    match.seek(0.0)
    assert match.scene().views[1].index == 0
    match.seek(1.0)
    assert match.scene().views[1].shot is end


def test_a_reset_learns_the_same_again(compare):
    match = compare()
    wait_for(match, "paused")
    match.seconds_of_show = 0.0
    match.play()
    first = wait_for(match, "finished")
    match.reset()
    assert [view.index for view in wait_for(match, "paused").views] == [0, 0]
    match.play()
    second = wait_for(match, "finished")
    for before, after in zip(first.views, second.views):
        assert before.measured.event.loss == after.measured.event.loss


def test_a_contestant_that_stays_keeps_its_run(compare):
    match = compare()
    wait_for(match, "paused")
    first, second = match.contestants
    data = match.data
    match.take_up(data, [CONFIGS[0], RunConfig("oc1", depth=4)], match.plane)
    assert match.contestants[0] is first
    assert match.contestants[1] is not second
    second.runner._thread.join(2)
    assert not second.runner.alive
    match.take_up(spirals(seed=1), [c.config for c in match.contestants], match.plane)
    assert match.contestants[0] is not first, "other rows are another run"


def test_the_browser_is_told_trees_in_the_order_in_which_they_are_shown(compare):
    match = compare()
    wait_for(match, "paused")
    match.set_clock("share")
    match.seconds_of_show = 0.5
    match.play()
    numbers = []
    while match.playing:
        meta, _ = unpack(match.message(1, match.tick()))
        numbers.append(meta["frames"][-1]["n"] if meta["frames"] else -1)
        time.sleep(0.03)
    assert numbers == sorted(numbers)
    assert len(set(numbers)) > 3
    match.seek(0.2)
    match.tick()
    meta, _ = unpack(match.message(1, match.scene()))
    assert meta["frames"][-1]["n"] > numbers[-1], "going back is a new picture, too"
    assert meta["frames"][-1]["epoch"] < 10


def test_data_that_cannot_be_learnt_from_fail_in_words(compare):
    data = spirals()
    bad = ChosenData(data.train, data.held, ("bad",))
    configs = [RunConfig("axis", depth=4), RunConfig("tao", depth=4, start="random")]
    match = compare(configs, bad)
    wait_for(match, "paused")
    match.contestants[1].runner._fail("no luck", match.contestants[1].runner.generation)
    assert match.state(match.tick()) == "failed"
    assert unpack(match.message(1, match.scene()))[0]["message"] == "no luck"


# Over seeds ------------------------------------------------------------------------------------


def test_every_method_is_run_for_every_seed_as_if_alone():
    spread = Spread(spirals, CONFIGS, [3, 4], Turns(1))
    spread.join(20)
    told = spread.progress()
    assert not told.running
    assert told.share == 1.0
    assert [(r.seed, r.contestant) for r in told.results] == [(3, 0), (3, 1), (4, 0), (4, 1)]
    for result in told.results:
        data = spirals(result.seed)
        config = CONFIGS[result.contestant].replace(seed=result.seed)
        tree = Trainer(
            config, data.train.X, data.train.y, validation=(data.held.X, data.held.y)
        ).run()
        assert result.good == pytest.approx(evaluate(tree, data.held.X, data.held.y).accuracy)


def test_stopping_keeps_what_is_done():
    configs = [CONFIGS[0], RunConfig("sgd", depth=4, epochs=100_000)]
    spread = Spread(spirals, configs, range(5), Turns(1))
    end = time.monotonic() + 10
    while not spread.progress().results and time.monotonic() < end:
        time.sleep(0.01)
    spread.stop()
    spread.join(5)
    told = spread.progress()
    assert not told.running
    assert [r.contestant for r in told.results] == [0]


def test_runs_that_nobody_asks_about_wait_and_then_end(monkeypatch):
    monkeypatch.setattr(compare_seeds, "UNWATCHED_SECONDS", 0.2)
    configs = [RunConfig("sgd", depth=3, epochs=100_000)]
    spread = Spread(spirals, configs, [0], Turns(1))
    before = spread.progress().share
    time.sleep(0.8)
    waiting = spread.progress().share  # a look, which lets it go on
    assert waiting > before or not waiting, "it had begun"
    end = time.monotonic() + 10
    while spread.progress().share <= waiting and time.monotonic() < end:
        time.sleep(0.02)
    going = spread.progress().share
    assert going > waiting, "a look lets it go on"
    time.sleep(0.5)
    with spread._lock:
        held = spread._present
    time.sleep(0.4)
    assert spread._present == held, "nobody asks, and it waits"
    monkeypatch.setattr(compare_seeds, "FORGOTTEN_SECONDS", 0.3)
    spread.join(5)
    assert not spread.progress().running


def test_a_seed_without_luck_is_told():
    def broken(seed):
        raise ValueError("these rows cannot be divided")

    spread = Spread(broken, CONFIGS, [0], Turns(1))
    spread.join(5)
    assert spread.progress() == Progress((), 0.0, None, False, "these rows cannot be divided")


def test_mean_and_deviation_are_those_of_the_sample():
    values = [0.9, 0.7, 0.8]
    results = [Result(1, seed, v, 0.5, 0.1) for seed, v in enumerate(values)]
    found = summary(results, 1)
    assert found.mean == pytest.approx(np.mean(values))
    assert found.deviation == pytest.approx(np.std(values, ddof=1))
    assert summary(results[:1], 1).deviation is None
    assert summary(results, 0) is None


def test_only_equal_seeds_are_set_against_each_other():
    results = [Result(0, s, a, 0, 0) for s, a in enumerate([0.9, 0.8, 0.7])]
    results += [Result(1, s, a, 0, 0) for s, a in enumerate([0.8, 0.8])]
    assert wins(results, 0, 1) == (1, 1, 0)
    assert wins(results, 1, 0) == (0, 1, 1)


def test_there_are_as_many_names_as_contestants_may_be():
    assert len(set(NUMERALS)) == 4


# Small multiples -------------------------------------------------------------------------------


def test_small_maps_are_the_trees_predictions_on_a_grid():
    data = spirals()
    tree = Trainer(CONFIGS[0], data.train.X, data.train.y).run()
    answers = Answers(data.train, LIGHT)
    box = np.array([[-1.0, -1.0], [1.0, 1.0]])
    pixels = map_pixels(tree, box, answers, side=32)
    leaf = apply(tree, np.array([[-1 + 2 * 5.5 / 32, 1 - 2 * 9.5 / 32]]))[0]
    beside = [[-1 + 2 * 4.5 / 32, 1 - 2 * 9.5 / 32], [-1 + 2 * 5.5 / 32, 1 - 2 * 8.5 / 32]]
    neighbours = apply(tree, np.array(beside))
    colour, share = strong(answers, tree)[leaf]
    ground = [share * int(colour[i : i + 2], 16) + (1 - share) * 255 for i in (1, 3, 5)]
    if (neighbours == leaf).all():
        np.testing.assert_allclose(pixels[9, 5], ground, atol=0.51)
    else:
        assert pixels[9, 5].sum() < sum(ground), "a boundary is darker"
    assert pixels.shape == (32, 32, 3)
    assert len(np.unique(pixels.reshape(-1, 3), axis=0)) > 2
    file = png(pixels)
    assert file.startswith(b"\x89PNG")
    head = struct.unpack(">II", file[16:24])
    assert head == (32, 32)


def test_every_run_over_seeds_has_a_picture_made_once():
    spread = Spread(spirals, CONFIGS, [3, 4], Turns(1))
    spread.join(20)
    sheet = Sheet(spirals(3).train)
    results = spread.progress().results
    found = [sheet.picture(result, LIGHT) for result in results]
    assert all(address.startswith("data:image/png;base64,") for address in found)
    assert len(set(found)) == len(found), "other seeds, other trees"
    assert sheet.picture(results[0], LIGHT) is sheet.picture(results[0], LIGHT)
    assert sheet.picture(results[0], DARK) != found[0]


def test_more_features_have_small_trees_until_they_are_too_large():
    def wine(seed):
        return divided(("wine", 100, 25, seed), sample("wine"))

    configs = [RunConfig("axis", depth=3), RunConfig("sgd", depth=9, epochs=1, start="random")]
    spread = Spread(wine, configs, [0], Turns(1))
    spread.join(30)
    small, large = spread.progress().results
    assert large.tree is None
    assert small.tree.weights.size == 0
    sheet = Sheet(wine(0).train)
    assert sheet.picture(small, LIGHT).startswith("data:image/svg+xml;base64,")
    assert sheet.picture(large, LIGHT) == ""
