"""An answer is kept as it was first given, settled once, and goes where its owner takes it."""

import csv
import io
import json

import pytest

from ui.learn.answers import GivenAnswers, Record
from ui.learn.lessons import LESSON, LESSONS

ANGLES, NU = LESSON[1], LESSON[4]


@pytest.fixture
def answers():
    return GivenAnswers(LESSONS)


def test_the_first_answer_stays_and_is_settled_once(answers):
    answers.give(ANGLES, "guess", 0, 2)
    answers.give(ANGLES, "guess", 0, 1)
    assert answers.get(ANGLES, "guess", 0) == Record(2)
    answers.settle(ANGLES, "guess", 0, 1)
    answers.settle(ANGLES, "guess", 0, 2)
    assert answers.get(ANGLES, "guess", 0) == Record(2, False)
    assert answers.get(ANGLES, "guess", 1) is None, "other points, another question"


def test_a_lesson_is_done_when_all_its_questions_are(answers):
    answers.give(NU, "guess", 0, 1)
    answers.give(NU, "why", 0, 0)
    answers.give(NU, "transfer", 1, 1)
    assert not answers.is_done(NU), "given, and not yet settled"
    answers.settle(NU, "guess", 0, 1)
    answers.settle(NU, "transfer", 1, 1)
    assert answers.is_done(NU)
    assert not answers.is_done(ANGLES)


def test_the_browser_gives_back_what_it_was_given_and_replaces_nothing(answers):
    answers.give(ANGLES, "guess", 0, 2)
    answers.settle(ANGLES, "guess", 0, 2)
    answers.give(NU, "why", 7, 0)
    kept = json.loads(json.dumps(answers.message()["records"]))
    later = GivenAnswers(LESSONS)
    later.restore(kept)
    assert later.message()["records"] == answers.message()["records"]
    assert later.is_restored
    later.restore([["angles", "guess", 0, 1, True], ["nu", "guess", 0, 1, None]])
    assert later.get(ANGLES, "guess", 0) == Record(2, True), "answered before the browser spoke"
    assert later.get(NU, "guess", 0) == Record(1)
    later.forget()
    assert (later.message()["records"], later.message()["forgotten"]) == ([], 1)


@pytest.mark.parametrize(
    "odd",
    [
        *(None, 7, {}, [None, [], [1, 2, 3, 4, 5]], [["gone", "guess", 0, 1, True]]),
        *([["angles", "guess", seed, 1, True]] for seed in (-1, True)),
        *([["angles", "guess", 0, choice, True]] for choice in (3, 1.5)),
        [["angles", "guess", 0, 1, "yes"]],
        *([["angles", ["guess"], 0, 1, True]], [[["angles"], "guess", 0, 1, True]]),
    ],
)
def test_what_is_not_an_answer_is_passed_over(answers, odd):
    answers.restore(odd)
    assert not len(answers)
    assert answers.is_restored


def test_the_file_has_a_row_for_every_answer_in_the_order_of_the_lessons(answers):
    answers.give(NU, "guess", 0, 1)
    answers.give(ANGLES, "transfer", 0, 2)
    answers.give(ANGLES, "guess", 3, 1)
    answers.settle(ANGLES, "guess", 3, 0)
    rows = list(csv.DictReader(io.StringIO(answers.as_csv())))
    assert [(row["lesson"], row["question"], row["seed"], row["right"]) for row in rows] == [
        ("angles", "guess", "3", "0"),
        ("angles", "transfer", "0", ""),
        ("nu", "guess", "0", ""),
    ]
    assert rows[0]["answer"] == ANGLES.guess.choices[1]
