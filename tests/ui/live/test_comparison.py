"""Runs of a comparison: one hand for all, and what the browser is told."""

import pytest

from tests.helpers.same import assert_same
from tests.helpers.wait import until
from tests.ui.lab.test_seed_study import CONFIGS, spirals
from treecore import RunConfig, Trainer, evaluate
from treecore.viewer.messages.planes import feature_plane
from treecore.viewer.messages.wire import unpack
from ui.drawing.theme import paint
from ui.jobs.run_title import NUMERALS
from ui.live.board import heading
from ui.live.comparison import LONGEST_TICK, Comparison
from ui.live.comparison_sources import ContestantSource, strip_source
from ui.live.forest_source import forest_source


@pytest.fixture
def match(clock):
    """A comparison at its beginning."""
    match = Comparison(clock)
    data = spirals()
    match.compare(data, CONFIGS, feature_plane(data.train, 0, 1))
    runners = [one.runner for one in match.contestants]
    reached(match, "paused")
    yield match
    runners += [one.runner for one in match.contestants]
    match.close()
    until(lambda: not any(runner.alive for runner in runners), "for the threads to end")


def reached(match, state):
    """The scene of a comparison that has come to a state."""

    def look():
        scene = match.tick()
        return scene if match.state(scene) == state else None

    return until(look, f"for a comparison that is {state}")


def finished(match):
    """The scene at the end of a comparison that is shown in no time."""
    match.seconds_of_show = 0.0
    match.play()
    return reached(match, "finished")


def learnt(match):
    """A comparison that plays, its runs at their end and its hand still at the beginning."""
    match.play()
    until(lambda: match.tick().finished, "for the end of all runs")


def test_every_run_begins_with_its_start_and_ends_with_the_tree_that_it_learns_alone(match):
    scene = match.tick()
    assert [view.index for view in scene.views] == [0, 0]
    assert [view.measured.event.done for view in scene.views] == [0, 0]
    scene, data = finished(match), spirals()
    for config, view in zip(CONFIGS, scene.views, strict=True):
        held = data.held.X, data.held.y
        alone = Trainer(config, data.train.X, data.train.y, validation=held).run()
        assert_same(view.snapshot.model, alone)
        accuracy = evaluate(alone, *held).accuracy
        assert view.measured.event.validation_accuracy == pytest.approx(accuracy)
    for number in range(len(CONFIGS)):
        messages = [unpack(one)[0] for one in match.recorded(number).messages]
        epochs = [frame["epoch"] for meta in messages for frame in meta["frames"]]
        total = messages[0]["n_epochs"]
        assert (epochs[0], epochs[-1], messages[-1]["state"]) == (0, total, "finished")
        assert epochs == sorted(epochs), "a recording goes from the first tree to the last"
    match.reset()
    assert [view.index for view in reached(match, "paused").views] == [0, 0]


@pytest.mark.parametrize("name", ["time", "share"])
def test_no_run_is_ever_shown_ahead_of_the_hand(match, clock, name):
    match.set_clock(name)
    match.seconds_of_show = 0.4
    match.play()

    def over():
        clock.forward(0.05)
        scene = match.tick()
        for view in scene.views:
            assert view.at[view.index] <= scene.hand or view.index == 0
        return not match.playing

    until(over, "for the end of the show")
    assert match.state(match.scene()) == "finished"


@pytest.mark.parametrize("name", ["time", "share"])
def test_the_hand_goes_from_end_to_end_in_the_time_of_the_show(match, clock, name):
    match.set_clock(name)
    match.seconds_of_show = 2.0
    learnt(match)
    shares = []
    for seconds in (0.2, 0.4, 3600.0, 0.4, 0.4):
        clock.forward(seconds)
        scene = match.tick()
        shares.append(scene.axis.share(scene.hand))
    jump = LONGEST_TICK / 2  # however long a browser was busy
    assert shares == pytest.approx([0.1, 0.3, 0.3 + jump, 0.5 + jump, 0.7 + jump])
    clock.forward(0.4)
    assert match.state(match.tick()) == "finished"


def test_a_step_leads_to_one_measured_tree_however_often_the_click_arrives(match):
    match.set_clock("share")
    target = match.next_step
    for _ in range(3):
        match.step(target)
    scene = reached(match, "paused")
    moved = [view.measured.event.done for view in scene.views]
    assert sum(epoch > 0 for epoch in moved) == 1
    first = scene.hand
    match.step(match.next_step)
    assert reached(match, "paused").hand > first


def test_the_hand_can_be_put_back_and_the_clock_be_changed(match):
    end = finished(match).views[1].snapshot
    match.seek(0.5)
    assert match.scene().views[1].snapshot is not end
    for clock in ("share", "time"):
        match.set_clock(clock)
        scene = match.scene()
        assert scene.axis.share(scene.hand) == pytest.approx(0.5, abs=1e-6)
    match.seek(0.0)
    assert match.scene().views[1].index == 0
    match.seek(1.0)
    assert match.scene().views[1].snapshot is end


def test_a_contestant_that_stays_keeps_its_run(match):
    first, second = match.contestants
    match.compare(match.data, [CONFIGS[0], RunConfig("oc1", depth=4)], match.plane)
    assert match.contestants[0] is first
    assert match.contestants[1] is not second
    until(lambda: not second.runner.alive, "for the end of the run that has gone")
    match.compare(spirals(seed=1), [c.config for c in match.contestants], match.plane)
    assert match.contestants[0] is not first, "other rows are another run"
    until(lambda: not first.runner.alive, "for the end of the run of other rows")


def test_views_of_runs_that_are_gone_say_nothing_and_break_nothing(match):
    plane = match.plane

    def words(scene, number):
        return f"{len(scene.views)} runs", NUMERALS[number]

    def sources(number):
        forest = forest_source(match, number, words, match.data, plane, None, [])
        return ContestantSource(match, number, words), forest

    match.refresh()
    assert all(source.news({}) is not None for source in sources(1))
    match.compare(match.data, CONFIGS[:1], plane)
    assert strip_source(match).news({}) is not None
    assert [source.news({}) for source in sources(1)] == [None, None]
    for source in sources(0):
        meta, _ = source.news({})
        assert meta["heading"] == ["1 runs", "I"], "the runs that there are now"
    match.compare(match.data, [RunConfig("random-forest", n_trees=2)], plane)
    until(lambda: match.refresh().started, "for the forest to begin")
    assert sources(0)[0].news({}) is None, "a view of a tree has nothing to say of a forest"


def test_growth_best_first_is_as_far_as_it_has_splits(match):
    config = RunConfig("axis", depth=20, max_leaf_nodes=5)
    match.compare(match.data, [config], match.plane)
    assert heading(match, finished(match), 0)[1] == "4 splits, finished"


def test_a_lesson_shows_no_tree_of_a_forest_before_it_plays(match):
    match.compare(match.data, [RunConfig("random-forest", n_trees=2)], match.plane)
    match.set_clock("share")
    until(lambda: match.refresh().started, "for the forest to begin")

    def reported(**how):
        source = forest_source(
            match, 0, lambda *_: ("", ""), match.data, match.plane, paint(), [], **how
        )
        return source.news({})[0]

    assert reported()["text"].startswith("1 tree, ")
    veiled = reported(from_nothing=True)
    assert veiled["text"] == "No tree yet."
    assert veiled["image"] != reported()["image"]
    finished(match)
    match.refresh()
    assert reported(from_nothing=True)["text"].startswith("2 trees, ")
