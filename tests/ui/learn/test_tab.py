"""What the browser says of a lesson's runs, and where lessons are learnt."""

import pytest

from tests.ui.learn.test_lessons import histories
from treecore.viewer.messages.history_curves import _curves
from ui.learn.lessons import LESSON, LESSONS
from ui.learn.parts import FIRST, USUAL_NU
from ui.learn.session import points_of
from ui.learn.tab import VARIABLE, TabRuns, engine, tab_runs

LEAVES = LESSON[5]
FIGURES = ("done", "bound", "loss", "validation_loss", "accuracy", "active_leaves")


@pytest.fixture
def runs():
    """Those of a lesson of two, which the browser plays."""
    trial = LEAVES.guess.trial
    runs = tab_runs("1", points_of(trial, 0), trial.configs(0, USUAL_NU), trial.chart)
    assert runs is not None
    runs.play()
    return runs


@pytest.fixture
def measured():
    """What the core measures of them, and the numbers that a browser says of that."""
    found = histories(LESSONS.index(LEAVES), FIRST, 0)
    return found, [_curves(run).tolist() for run in found]


def test_measured_trees_are_events_that_judges_read(runs, measured):
    found, rows = measured
    runs.hear({"key": runs.key, "plays": 1, "state": "finished", "runs": rows})
    assert runs.state == "finished"
    for run, expected in zip(runs.histories, found, strict=True):
        assert [event.n_leaves for event in run] == [event.n_leaves for event in expected]
        for name in FIGURES:
            values = [getattr(event, name) for event in run]
            assert values == pytest.approx([getattr(event, name) for event in expected], 1e-6)
    assert LEAVES.guess.judge(runs.histories) == LEAVES.guess.judge(found)


def test_what_cannot_have_been_measured_is_passed_over(runs, measured):
    _, rows = measured
    said = {"key": runs.key, "plays": 1, "state": "finished", "runs": rows}
    bad = (None, [], rows[:1], *([rows[0], run] for run in ([], [[1.0] * 7], [["1"] * 8])))
    wrong = [
        None,
        said | {"key": "another lesson"},
        said | {"state": "flying"},
        *(said | {"runs": found} for found in bad),
    ]
    for word in wrong:
        runs.hear(word)
        assert (runs.state, runs.histories) == ("running", ())


def test_a_late_word_of_an_earlier_play_does_not_keep_this_one_from_being_paused(runs, measured):
    _, rows = measured
    finished = {"key": runs.key, "plays": 1, "state": "finished", "runs": rows}
    runs.hear(finished)
    runs.play()
    runs.hear(finished)
    assert runs.state == "running"
    runs.pause()
    assert (runs.state, runs.pauses) == ("paused", 1)


@pytest.mark.parametrize("number", range(len(LESSONS)))
def test_lessons_of_what_the_module_has_are_learnt_there_and_no_others(number, monkeypatch):
    lesson = LESSONS[number]
    for trial in (lesson.guess.trial, lesson.transfer.trial):
        configs = trial.configs(0, USUAL_NU)
        known = all(config.method in ("axis", "oc1", "sgd", "stable-sgd") for config in configs)
        runs = tab_runs("1", points_of(trial, 0), configs, trial.chart)
        assert isinstance(runs, TabRuns) == known
    monkeypatch.setenv(VARIABLE, "server")
    assert tab_runs("1", points_of(trial, 0), configs, trial.chart) is None


def test_an_unknown_place_is_told():
    assert engine({}) == "browser"
    assert engine({VARIABLE: " Server"}) == "server"
    with pytest.raises(ValueError, match="TREECORE_ENGINE is 'moon'; it may be browser or server"):
        engine({VARIABLE: "moon"})
