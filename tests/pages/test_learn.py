"""The lessons show what they claim, seed after seed, and their page asks, waits and tells."""

from __future__ import annotations

import dataclasses
import functools

import pytest

from tests.helpers import harness
from tests.helpers.harness import news, places, press, run, run_until
from tests.helpers.same import assert_same
from treecore import Trainer
from treecore.data.dataset import split
from treecore.data.generators import generate
from ui.learn.lessons import LESSONS, NUS, TEST_SHARE, USUAL_NU
from ui.learn.outcomes import Verdict
from ui.learn.session import points_of
from ui.learn.words import prose, terms
from ui.shell.glossary import GLOSSARY, LESSON_GLOSSARY

SEEDS = range(5)
ANGLES, GREED, BOUND, NU, SLEEP, REPAIR = LESSONS


@functools.cache
def histories(number, seed, nu=USUAL_NU):
    """What the runs of a lesson measure, learnt by the core without any page."""
    lesson = LESSONS[number]
    whole = generate(lesson.data, lesson.n_points, seed=seed)
    train, held = split(whole, TEST_SHARE / 100, seed)
    found = []
    for config in lesson.runs(seed, nu):
        trainer = Trainer(config, train.X, train.y, validation=(held.X, held.y), n_classes=2)
        events = trainer.events()
        found.append(tuple(e for e in events if e.complete and e.stage == config.method))
    return tuple(found)


def test_at_the_same_depth_axis_aligned_is_worse_than_oblique():
    for seed in SEEDS:
        axis, oblique = (events[-1] for events in histories(0, seed))
        assert axis.validation_accuracy + 0.1 < oblique.validation_accuracy
        assert axis.n_leaves <= 8
        assert oblique.n_leaves <= 8


def test_where_no_first_split_helps_greedy_is_worse_than_joint():
    for seed in SEEDS:
        greedy, joint = histories(1, seed)
        assert greedy[-1].validation_accuracy + 0.1 < joint[-1].validation_accuracy
        assert joint[-1].validation_accuracy > 0.9
        (first,) = [event for event in greedy if event.done == 1]
        assert first.accuracy < 0.6, "the first split looks useless"


def test_the_loss_is_never_above_the_bound():
    for seed in SEEDS:
        (events,) = histories(2, seed)
        assert len(events) == 101
        assert all(event.loss <= event.bound for event in events)
        assert events[-1].bound < events[0].bound / 2, "there is something to see"


def test_active_leaves_grow_with_nu_and_most_are_not_best():
    for seed in SEEDS:
        small, own, large = (events[-1] for events in histories(3, seed))
        assert small.active_leaves < own.active_leaves < large.active_leaves
        assert own.validation_accuracy > large.validation_accuracy > small.validation_accuracy


def test_stable_sgd_keeps_more_leaves_awake():
    for seed in SEEDS:
        plain, stable = histories(4, seed)
        assert plain[0].active_leaves == stable[0].active_leaves, "they begin with the same tree"
        assert 1.2 * plain[-1].active_leaves < stable[-1].active_leaves


def test_tao_repairs_and_never_falls():
    for seed in SEEDS:
        (events,) = histories(5, seed)
        accuracy = [event.accuracy for event in events]
        assert accuracy == sorted(accuracy)
        assert accuracy[-1] > accuracy[0]


@pytest.mark.parametrize("number", range(len(LESSONS)))
def test_a_verdict_is_read_from_the_run(number):
    usual = (1, 1, 0, 1, 1, 1)[number]
    for seed in SEEDS:
        runs = histories(number, seed)
        verdict = LESSONS[number].judge(runs)
        assert verdict.right == usual
        assert "Draw other points" not in verdict.told
        # The same runs the other way round in place or in time: another answer, and nothing
        # explained.
        turned = tuple(reversed(runs)) if len(runs) > 1 else (tuple(reversed(runs[0])),)
        other = LESSONS[number].judge(turned)
        if number == 2:  # the bound is above the loss at any time
            assert other.right == usual
        else:
            assert other.right != usual
            assert "Draw other points" in other.told


def test_a_loss_above_the_bound_would_be_told():
    (events,) = histories(2, 0)
    broken = (*events[:-1], dataclasses.replace(events[-1], loss=2 * events[-1].bound))
    verdict = BOUND.judge((broken,))
    assert verdict.right == 1
    assert "once above" in verdict.told


def test_every_explained_word_is_known_and_explained_once():
    known = GLOSSARY | LESSON_GLOSSARY
    assert not GLOSSARY.keys() & LESSON_GLOSSARY.keys()
    used = set()
    for lesson in LESSONS:
        found = terms(" ".join([*lesson.text, lesson.afterword]))
        assert len(found) == len(set(found)), lesson.title
        assert set(found) <= known.keys()
        used |= set(found)
    assert used >= LESSON_GLOSSARY.keys(), "no entry without a place"


def test_prose_has_words_alone():
    shown = prose(["1 < 2 and [[a <tree>|tree]] *stands*"], dark=False)
    assert "1 &lt; 2" in shown
    assert "<tree>" not in shown
    assert "<em>stands</em>" in shown
    assert "[[" not in shown
    assert LESSON_GLOSSARY["tree"][:20] in shown


def test_lessons_draw_their_points_as_their_generator_does():
    for lesson in LESSONS:
        data = points_of(lesson, 3)
        whole = generate(lesson.data, lesson.n_points, seed=3)
        train, held = split(whole, TEST_SHARE / 100, 3)
        assert_same((data.train.X, data.train.y), (train.X, train.y))
        assert_same((data.held.X, data.held.y), (held.X, held.y))


@pytest.fixture(autouse=True)
def in_no_time(monkeypatch):
    """Lessons are shown as soon as they are learnt."""
    monkeypatch.setattr("ui.learn.session.SECONDS_OF_SHOW", 0.0)


def opened(**query):
    """The page, once its runs have their first trees."""
    app = harness.opened("learn", **query)
    return run_until(app, lambda: not waiting(app), "for the first trees")


def waiting(app):
    return news(places(app, "overlay")[0])[0]["state"] == "waiting"


def play(app, number, choice):
    """Answer, and see; gives what the page says of the answer."""
    app.radio(key=f"lesson_answer{number}").set_value(choice)
    run(app)
    press(app, "lesson_play")
    run_until(app, lambda: app.success or app.info, "for an answer")
    return (app.success or app.info)[0].value


@pytest.mark.parametrize("number", range(1, len(LESSONS) + 1))
def test_a_lesson_asks_first_and_tells_what_its_runs_have_measured(number):
    app = opened(lesson=str(number))
    assert app.button(key="lesson_play").disabled, "first an answer"
    assert not app.success
    assert not app.info
    verdict = LESSONS[number - 1].judge(histories(number - 1, 0))
    told = play(app, number, verdict.right)
    assert told == f"**Right.** {verdict.told}", "the same figures as the core's own"
    assert not app.radio, "an answer is not changed after the fact"


def test_a_wrong_guess_is_told_the_answer():
    app = opened(lesson="2")
    told = play(app, 2, 0)
    assert told.startswith("**No: tree II, which turns all cuts together.**")


def test_other_points_ask_again():
    app = opened(lesson="1")
    play(app, 1, 1)
    press(app, "lesson_points")
    run_until(app, lambda: not waiting(app), "for the first trees")
    assert not app.success
    assert app.radio(key="lesson_answer1").value is None
    assert app.query_params["seed"] == "1"
    told = play(app, 1, 1)
    assert told == f"**Right.** {ANGLES.judge(histories(0, 1)).told}"


def test_the_lesson_is_in_the_address_and_the_buttons_turn_pages():
    app = opened(lesson="3")
    assert app.subheader[0].value == BOUND.title
    press(app, "lesson_next")
    assert app.subheader[0].value == NU.title
    assert app.query_params["lesson"] == "4"
    press(app, "lesson_previous")
    assert app.query_params["lesson"] == "3"
    assert opened(lesson="6").button(key="lesson_next").disabled
    assert opened(lesson="1").button(key="lesson_previous").disabled


@pytest.mark.parametrize(
    ("wrong", "nearest"), [("7", 6), ("0", 1), ("x", 1), ("1e99", 6), ("nan", 1)]
)
def test_a_wrong_link_gets_one_sentence(wrong, nearest):
    app = harness.opened("learn", lesson=wrong)
    assert len(app.warning) == 1
    assert app.subheader[0].value == LESSONS[nearest - 1].title


def test_the_line_over_nu_grows_with_every_nu_that_is_tried():
    app = opened(lesson="4")
    play(app, 4, 1)

    def line():
        (chart,) = places(app, "overlay_one")
        return news(chart)[1]["run3"][:-1, 1].tolist()

    expected = {nu: h[-1].active_leaves for nu, h in zip((1, 20, 1000), histories(3, 0))}
    assert line() == list(expected.values())
    run_until(app, lambda: not app.select_slider(key="lesson_nu").disabled, "for the end")
    app.select_slider(key="lesson_nu").set_value(NUS[-1])
    run(app)
    assert not app.success, "another tree: it has to be played"
    run_until(app, lambda: not app.button(key="lesson_play").disabled, "for the first tree")
    press(app, "lesson_play")
    run_until(app, lambda: app.success, "for an answer")
    assert line() == [
        expected[1],
        expected[20],
        histories(3, 0, NUS[-1])[1][-1].active_leaves,
        expected[1000],
    ]


def test_every_lesson_is_whole():
    for lesson in LESSONS:
        assert len(lesson.choices) == 3
        assert lesson.question.endswith("?")
        assert isinstance(lesson.judge(histories(LESSONS.index(lesson), 0)), Verdict)
    assert LESSONS == (ANGLES, GREED, BOUND, NU, SLEEP, REPAIR)
