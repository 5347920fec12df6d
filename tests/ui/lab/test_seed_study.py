"""A comparison over seeds in the background: its runs and its figures."""

import pytest

from tests.helpers.wait import SECONDS, until
from treecore import RunConfig, Trainer, evaluate
from ui.jobs.metrics import time_left
from ui.lab.seed_study import SeedProgress, SeedResult, SeedStudy, summary
from ui.widgets.data.gallery import gallery_data

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


@pytest.fixture
def studies():
    """One that has no end, and one that waits for it."""
    first = SeedStudy(spirals, [ENDLESS], [0])
    until(lambda: first.look().share > 0, "for the first study")
    second = SeedStudy(spirals, [CONFIGS[0]], [0])
    until(lambda: second.look().waiting, "for the second one to wait")
    yield first, second
    first.stop()
    first.join(SECONDS)
    assert not first.alive


def unwatched(study):
    study.unwatched_seconds = 0.0


@pytest.mark.parametrize("rest", [SeedStudy.pause, SeedStudy.stop, SeedStudy.close, unwatched])
def test_one_study_at_a_time_and_the_next_goes_on_once_the_first_rests(rest, studies):
    first, second = studies
    assert not first.look().waiting
    assert second.look().results == ()
    rest(first)
    assert len(ended(second).results) == 1
    if rest is SeedStudy.pause:
        share = first.look().share
        first.play()
        until(lambda: first.look().share > share, "for the first one to go on")


def test_a_study_that_waits_can_be_stopped(studies):
    _first, second = studies
    second.stop()
    assert ended(second).results == ()


def test_a_seed_without_luck_is_told():
    def broken(seed):
        raise ValueError("these rows cannot be divided")

    reported = ended(SeedStudy(broken, CONFIGS, [0]))
    assert reported == SeedProgress((), 0.0, None, False, "these rows cannot be divided")


def test_a_single_draw_has_no_deviation():
    results = [SeedResult(1, 0, 0.9)]
    assert summary(results, 1).deviation is None
    assert summary(results, 0) is None


@pytest.mark.parametrize(
    ("seconds", "said"),
    [(0.0, "1 s"), (0.885, "1 s"), (12.4, "12 s"), (119.6, "120 s"), (150, "2 min")],
)
def test_a_time_left_is_told_in_whole_seconds(seconds, said):
    assert time_left(seconds) == f"about {said} left"
