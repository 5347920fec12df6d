"""The page of lessons asks, waits and tells, and keeps what was answered."""

import pytest

from tests.helpers import harness
from tests.helpers.harness import (
    browser_says,
    choose,
    heard_late,
    news,
    places,
    press,
    run,
    run_until,
    sent,
)
from tests.ui.learn.test_lesson_file import EXAMPLE
from tests.ui.learn.test_lessons import histories
from ui.learn.lesson_file import read_lessons
from ui.learn.lessons import LESSON, LESSONS
from ui.learn.outcomes import LessonError
from ui.learn.parts import FIRST, GUESS, NUS, TRANSFER, WHY
from ui.learn.tab import VARIABLE
from ui.learn.words import prose
from ui.shell.glossary import LESSON_GLOSSARY

ANGLES, CORNERS, BOUND, NU = (LESSON[number] for number in range(1, 5))
START = LESSON[7]


@pytest.fixture(autouse=True)
def in_no_time(monkeypatch):
    """Lessons are shown as soon as the server has learnt them."""
    monkeypatch.setenv(VARIABLE, "server")
    monkeypatch.setattr("ui.learn.session.SECONDS_OF_SHOW", 0.0)


def opened(**query):
    """The page, once its runs have their first trees."""
    return started(harness.opened("learn", **query))


def started(app):
    """The page, once the runs on the screen have their first trees."""
    return run_until(app, lambda: hand(app)["state"] != "waiting", "for the first trees")


def hand(app):
    """What the slider over the runs is told."""
    return news(places(app, "overlay")[0])[0]


def question(app, lesson, requested, seed=0):
    """The choice of an answer."""
    return app.radio(key=f"lesson_{requested}_{lesson.key}_{seed}")


def said(app):
    """What the page says of answers, in order."""
    return [one.value for one in (*app.success, *app.info)]


def play(app, lesson, requested, choice, seed=0):
    """Answer, and see; gives what the page says of it."""
    before = len(said(app))
    question(app, lesson, requested, seed).set_value(choice)
    run(app)
    press(app, "lesson_play")
    run_until(app, lambda: len(said(app)) > before, "for an answer")
    return said(app)


def reason(app, lesson, choice):
    """Answer the question why."""
    question(app, lesson, WHY).set_value(choice)
    run(app)
    return press(app, "lesson_why")


def wrong(lesson):
    """A misconception, and what the core measures in the runs against it."""
    number = next(i for i, one in enumerate(lesson.reasons) if one.against is not None)
    runs = histories(LESSONS.index(lesson), f"why{number}", 0)
    return number, lesson.reasons[number].against.judge(runs).explanation


UNLIKE = (ANGLES, BOUND, NU, START)
"""Lessons whose pages look unlike each other; what the others tell is in test_lessons.py."""


@pytest.mark.parametrize(
    "lesson",
    [pytest.param(one, marks=() if one in UNLIKE else pytest.mark.slow) for one in LESSONS],
    ids=lambda one: one.key,
)
def test_a_lesson_from_the_first_guess_to_the_last(lesson):
    number = LESSONS.index(lesson)
    app = opened(lesson=str(number + 1))
    assert app.header[0].value == lesson.title
    assert app.button(key="lesson_play").disabled, "first an answer"
    assert not said(app)
    assert lesson.claim not in " ".join(html.proto.body for html in app.get("html"))

    first = lesson.guess.judge(histories(number, FIRST, 0))
    reported = play(app, lesson, GUESS, first.right)
    assert reported == [f"**Right.** {first.explanation}"], "the same figures as the core's own"

    misconception, against = wrong(lesson)
    reason(app, lesson, misconception)
    assert f"**That is not the reason.** {lesson.reasons[misconception].meaning}" in said(app)
    press(app, f"lesson_show{misconception}")
    run_until(app, lambda: against in said(app), "for the runs that tell")

    press(app, "lesson_transfer")
    started(app)
    other = lesson.transfer.judge(histories(number, TRANSFER, 0))
    assert f"**Right.** {other.explanation}" in play(app, lesson, TRANSFER, other.right)
    assert "1 of 12 lessons answered" in app.get("progress")[0].proto.text


def test_a_wrong_guess_is_told_the_answer_and_stays():
    app = opened(lesson="2")
    (reported,) = play(app, CORNERS, GUESS, 0)
    assert reported.startswith("**No: tree II, which adjusts all splits together.**")
    given = app.radio(key="lesson_guess_corners_0_given")
    assert given.disabled, "an answer is not changed after the fact"
    assert given.value == 0


def test_other_points_ask_again():
    app = opened(lesson="1")
    play(app, ANGLES, GUESS, 1)
    press(app, "lesson_points")
    started(app)
    assert not said(app)
    assert question(app, ANGLES, GUESS, 1).value is None
    assert app.query_params["seed"] == "1"
    reported = play(app, ANGLES, GUESS, 1, seed=1)
    assert reported == [f"**Right.** {ANGLES.guess.judge(histories(0, FIRST, 1)).explanation}"]


def test_the_lesson_is_in_the_address_and_the_buttons_turn_pages():
    app = opened(lesson="1")
    assert app.button(key="lesson_previous").disabled
    reported = play(app, ANGLES, GUESS, 1)
    before = browser_says(app)
    press(app, "lesson_next")
    heard_late(app, before)
    assert app.header[0].value == CORNERS.title, "though the browser has not heard of it"
    assert app.query_params["lesson"] == "2"
    press(app, "lesson_previous")
    assert app.query_params["lesson"] == "1"
    assert said(app) == reported, "it is where it was left"
    press(app, "lesson_forget")
    assert not said(app)
    assert question(app, ANGLES, GUESS).value is None


@pytest.mark.parametrize(("wrong", "nearest"), [("x", 1), ("1e99", 12)])
def test_a_wrong_link_gets_one_sentence(wrong, nearest):
    app = harness.opened("learn", lesson=wrong)
    assert len(app.warning) == 1
    assert app.header[0].value == LESSONS[nearest - 1].title


def test_the_line_over_nu_grows_with_every_nu_that_is_tried():
    app = opened(lesson="4")
    play(app, NU, GUESS, 1)

    def line():
        (chart,) = places(app, "overlay_one")
        return news(chart)[1]["run3"][:-1, 1].tolist()

    runs = histories(3, FIRST, 0)
    expected = {nu: run[-1].active_leaves for nu, run in zip((1, 20, 1000), runs, strict=True)}
    assert line() == list(expected.values())
    choose(app, "lesson_nu", NUS[-1])
    assert not app.success, "another tree: it has to be played"
    run_until(app, lambda: not app.button(key="lesson_play").disabled, "for the first tree")
    press(app, "lesson_play")
    run_until(app, lambda: app.success, "for an answer")
    assert line() == [
        expected[1],
        expected[20],
        histories(3, FIRST, 0, NUS[-1])[1][-1].active_leaves,
        expected[1000],
    ]


def test_runs_of_the_same_method_are_told_apart():
    app = opened(lesson=str(1 + LESSONS.index(START)))
    names = [news(place)[0]["heading"][0] for place in places(app, "lesson_only")]
    assert names == ["I · From a greedy tree", "II · From random splits"]


def test_accuracy_below_a_lesson_is_drawn_over_the_run():
    app = opened(lesson=str(1 + LESSONS.index(START)))
    play(app, START, GUESS, 1)
    (place,) = places(app, "overlay_one")
    meta, arrays = news(place)
    (chart,) = meta["charts"]
    assert chart["unit"] == "%"
    assert "ticks" not in chart, "it has those of the clock"
    runs = histories(LESSONS.index(START), FIRST, 0)
    drawn = [arrays[f"run{i}"] for i in range(2)]
    expected = [(1, 100 * run[-1].validation_accuracy) for run in runs]
    assert [tuple(rows[-1]) for rows in drawn] == [pytest.approx(pair) for pair in expected]


def test_the_chart_below_is_there_in_german_too():
    app = harness.opened("learn", lesson="5", lang="de")
    (board,) = (place for place in places(app) if place["view"] == "board")
    run_until(app, lambda: news(board)[0]["state"] != "waiting", "for the first trees")
    assert [chart["title"] for chart in news(board)[0]["charts"]] == ["Aktive Blätter"]


def test_prose_has_words_alone():
    shown = prose(["1 < 2 and [[a <tree>|tree]] *stands*"])
    assert "1 &lt; 2" in shown
    assert "<tree>" not in shown
    assert "<em>stands</em>" in shown
    assert "[[" not in shown
    assert LESSON_GLOSSARY["tree"][:20] in shown


def test_a_file_that_is_no_lesson_is_told_and_the_lessons_work(monkeypatch):
    problem = LessonError("the text in this language is missing: add it", "title › de")
    problem.file = "my_lesson.yaml"
    monkeypatch.setattr("ui.learn.lessons.PROBLEMS", (problem,))
    app = harness.opened("learn", lesson="1", lang="de")
    (warning,) = app.warning
    assert "der Text in dieser Sprache fehlt" in warning.value
    assert "my\\_lesson.yaml" in warning.value
    assert app.header[0].value == ANGLES.title.translations["de"]


def test_a_lesson_of_ones_own_comes_after_the_others(monkeypatch, tmp_path):
    (tmp_path / "questions.yaml").write_text(EXAMPLE, "utf-8")
    (own,), _problems = read_lessons([tmp_path])
    for module in ("lessons", "session"):
        monkeypatch.setattr(f"ui.learn.{module}.LESSONS", (*LESSONS, own))
        monkeypatch.setattr(f"ui.learn.{module}.LESSON", LESSON | {own.number: own})
    app = opened(lesson=str(len(LESSONS)))
    press(app, "lesson_next")
    started(app)
    assert app.header[0].value == own.title
    assert app.query_params["lesson"] == "101"
    assert app.button(key="lesson_next").disabled
    (reported,) = play(app, own, GUESS, 1)
    assert reported.endswith("Eight pieces are too few for two spirals.")
    press(app, "lesson_previous")
    assert app.header[0].value == LESSONS[-1].title


def test_a_browser_is_told_what_to_learn_and_how_to_tell_of_it(monkeypatch):
    monkeypatch.setenv(VARIABLE, "browser")
    app = harness.opened("learn", lesson="4")
    ((told, arrays),) = sent(app, "lesson")
    assert [place["wire"] for place in places(app)] == [told["address"]] * 5
    assert told["names"] == ["I · ν = 1", "II · ν = 20", "III · ν = 1000"]
    assert told["words"]["hand"] == "{value}\u00a0% of each run"
    assert told["chart"]["places"] == pytest.approx([0, 0.4337, 1], abs=1e-4)
    assert set(arrays) == {"start0", "start1", "start2"}
    question(app, NU, GUESS).set_value(1)
    run(app)
    press(app, "lesson_play")
    ((told, _arrays),) = sent(app, "lesson")
    assert (told["plays"], told["pauses"], told["state"]) == (1, 0, "running")
    press(app, "lesson_pause")
    ((told, _arrays),) = sent(app, "lesson")
    assert (told["plays"], told["pauses"], told["state"]) == (1, 1, "paused")
