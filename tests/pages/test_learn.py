"""The lessons show what they claim, seed after seed, and their page asks, waits and tells."""

from __future__ import annotations

import functools
import time

import pytest

from tests.helpers import harness
from treecore import Trainer, warm_up
from treecore.datasets import split
from treecore.generators import generate
from ui.glossary import GLOSSARY, LESSON_GLOSSARY
from ui.learn_lessons import LESSONS, NUS, TEST_SHARE, USUAL_NU
from ui.learn_room import points_of
from ui.learn_verdicts import Verdict
from ui.learn_words import prose, terms
from ui.wire import unpack

SEEDS = range(5)
ANGLES, GREED, BOUND, NU, SLEEP, REPAIR = LESSONS


@pytest.fixture(scope="module", autouse=True)
def compiled():
    warm_up()


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


@pytest.mark.parametrize("seed", SEEDS)
def test_at_the_same_depth_axis_aligned_is_worse_than_oblique(seed):
    axis, oblique = (run[-1] for run in histories(0, seed))
    assert axis.validation_accuracy + 0.1 < oblique.validation_accuracy
    assert axis.n_leaves <= 8
    assert oblique.n_leaves <= 8


@pytest.mark.parametrize("seed", SEEDS)
def test_where_no_first_split_helps_greedy_is_worse_than_joint(seed):
    greedy, joint = histories(1, seed)
    assert greedy[-1].validation_accuracy + 0.1 < joint[-1].validation_accuracy
    assert joint[-1].validation_accuracy > 0.9
    (first,) = [event for event in greedy if event.done == 1]
    assert first.accuracy < 0.6, "the first split looks useless"


@pytest.mark.parametrize("seed", SEEDS)
def test_the_loss_is_never_above_the_bound(seed):
    (run,) = histories(2, seed)
    assert len(run) == 101
    assert all(event.loss <= event.bound for event in run)
    assert run[-1].bound < run[0].bound / 2, "there is something to see"


@pytest.mark.parametrize("seed", SEEDS)
def test_active_leaves_grow_with_nu_and_most_are_not_best(seed):
    small, own, large = (run[-1] for run in histories(3, seed))
    assert small.active_leaves < own.active_leaves < large.active_leaves
    assert own.validation_accuracy > large.validation_accuracy > small.validation_accuracy


@pytest.mark.parametrize("seed", SEEDS)
def test_stable_sgd_keeps_more_leaves_awake(seed):
    plain, stable = histories(4, seed)
    assert plain[0].active_leaves == stable[0].active_leaves, "they begin with the same tree"
    assert 1.2 * plain[-1].active_leaves < stable[-1].active_leaves


@pytest.mark.parametrize("seed", SEEDS)
def test_tao_repairs_and_never_falls(seed):
    (run,) = histories(5, seed)
    accuracy = [event.accuracy for event in run]
    assert accuracy == sorted(accuracy)
    assert accuracy[-1] > accuracy[0]


@pytest.mark.parametrize("seed", SEEDS)
@pytest.mark.parametrize("number", range(len(LESSONS)))
def test_a_verdict_is_read_from_the_run(number, seed):
    usual = (1, 1, 0, 1, 1, 1)[number]
    runs = histories(number, seed)
    verdict = LESSONS[number].judge(runs)
    assert verdict.right == usual
    # The same runs the other way round in place or in time: another answer, and nothing explained.
    turned = tuple(reversed(runs)) if len(runs) > 1 else (tuple(reversed(runs[0])),)
    other = LESSONS[number].judge(turned)
    if number == 2:  # the bound is above the loss at any time
        assert other.right == usual
    else:
        assert other.right != usual
        assert "Draw other points" in other.told
    assert "Draw other points" not in verdict.told


def test_a_loss_above_the_bound_would_be_told():
    import dataclasses

    (run,) = histories(2, 0)
    broken = (*run[:-1], dataclasses.replace(run[-1], loss=2 * run[-1].bound))
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
        assert (data.train.X == train.X).all()
        assert (data.held.X == held.X).all()


def opened(**query):
    return harness.fresh("learn", **query)


def messages(app, name):
    return [
        unpack(view.proto.bytes)
        for view in app.get("bidi_component")
        if view.proto.component_name == f"treecore.{name}"
    ]


def wait_for(app, ready, what):
    for _ in range(400):
        app.run()
        assert not app.exception
        if ready():
            return
        time.sleep(0.02)
    raise AssertionError(what)


def waiting(app):
    return messages(app, "overlay")[0][0]["state"] == "waiting"


def play(app, number, choice, monkeypatch):
    monkeypatch.setattr("ui.learn_room.SECONDS_OF_SHOW", 0.0)
    wait_for(app, lambda: not waiting(app), "no first tree")
    app.radio(key=f"lesson_answer{number}").set_value(choice).run()
    app.button(key="lesson_play").click().run()
    assert not app.exception
    wait_for(app, lambda: app.success or app.info, "no answer")
    return (app.success or app.info)[0].value


@pytest.mark.parametrize("number", range(1, len(LESSONS) + 1))
def test_a_lesson_asks_first_and_tells_what_its_runs_have_measured(number, monkeypatch):
    app = opened(lesson=str(number))
    wait_for(app, lambda: not waiting(app), "no first tree")
    assert app.button(key="lesson_play").disabled, "first an answer"
    assert not app.success
    assert not app.info
    verdict = LESSONS[number - 1].judge(histories(number - 1, 0))
    told = play(app, number, verdict.right, monkeypatch)
    assert told == f"**Right.** {verdict.told}", "the same figures as the core's own"
    assert not app.radio, "an answer is not changed after the fact"


def test_a_wrong_guess_is_told_the_answer(monkeypatch):
    app = opened(lesson="2")
    told = play(app, 2, 0, monkeypatch)
    assert told.startswith("**No: tree II, which turns all cuts together.**")


def test_other_points_ask_again(monkeypatch):
    app = opened(lesson="1")
    play(app, 1, 1, monkeypatch)
    app.button(key="lesson_points").click().run()
    assert not app.success
    assert app.radio(key="lesson_answer1").value is None
    assert app.query_params["seed"] == "1"
    told = play(app, 1, 1, monkeypatch)
    assert told == f"**Right.** {ANGLES.judge(histories(0, 1)).told}"


def test_the_lesson_is_in_the_address_and_the_buttons_turn_pages():
    app = opened(lesson="3")
    assert app.subheader[0].value == BOUND.title
    app.button(key="lesson_next").click().run()
    assert app.subheader[0].value == NU.title
    assert app.query_params["lesson"] == "4"
    app.button(key="lesson_previous").click().run()
    assert app.query_params["lesson"] == "3"
    assert opened(lesson="6").button(key="lesson_next").disabled
    assert opened(lesson="1").button(key="lesson_previous").disabled


@pytest.mark.parametrize(
    ("wrong", "nearest"), [("7", 6), ("0", 1), ("x", 1), ("1e99", 6), ("nan", 1)]
)
def test_a_wrong_link_gets_one_sentence(wrong, nearest):
    app = opened(lesson=wrong)
    assert len(app.warning) == 1
    assert app.subheader[0].value == LESSONS[nearest - 1].title


def test_the_line_over_nu_grows_with_every_nu_that_is_tried(monkeypatch):
    app = opened(lesson="4")
    play(app, 4, 1, monkeypatch)

    def line():
        (chart,) = messages(app, "overlay_one")
        return chart[1]["run3"][:-1, 1].tolist()

    expected = {run: h[-1].active_leaves for run, h in zip((1, 20, 1000), histories(3, 0))}
    assert line() == list(expected.values())
    wait_for(app, lambda: not app.select_slider(key="lesson_nu").disabled, "still playing")
    app.select_slider(key="lesson_nu").set_value(NUS[-1]).run()
    assert not app.success, "another tree: it has to be played"
    wait_for(app, lambda: not app.button(key="lesson_play").disabled, "no first tree")
    app.button(key="lesson_play").click().run()
    wait_for(app, lambda: app.success, "no answer")
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
