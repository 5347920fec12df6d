"""Lessons are read from files; what is wrong in one is told in a sentence, and no other is lost."""

import os
import re
import subprocess
import sys

import pytest
import yaml

from tests.helpers.paths import ROOT
from tests.ui.learn.test_lessons import learnt
from ui.language.translate import _, speaking
from ui.learn.figures import FIGURES
from ui.learn.lesson_file import read_lesson, read_lessons
from ui.learn.outcomes import JUDGES, RELATIONS, UNUSUAL
from ui.learn.parts import USUAL_NU

GUIDE = (ROOT / "docs/howto/lessons.md").read_text("utf-8")
(EXAMPLE,) = re.findall(r"```yaml\n(.*?)```", GUIDE, flags=re.DOTALL)


def read(folder, text, name="questions.yaml"):
    """The sentences about a file with this text."""
    (folder / name).write_text(text, "utf-8")
    return [str(problem) for problem in read_lessons([folder])[1]]


def changed(path, value):
    """The example with another value at a place; None takes the entry away."""
    content = yaml.safe_load(EXAMPLE)
    *way, last = path
    place = content
    for step in way:
        place = place[step]
    if value is None:
        del place[last]
    else:
        place[last] = value
    return yaml.safe_dump(content, allow_unicode=True)


def test_the_example_of_the_guide_is_a_lesson_whose_runs_bear_it_out(tmp_path):
    assert read(tmp_path, EXAMPLE) == []
    lesson = read_lesson(tmp_path / "questions.yaml")
    assert (lesson.key, lesson.number) == ("questions", 101)
    for guess, usual in ((lesson.guess, 1), (lesson.transfer, 2)):
        found = guess.judge(learnt(guess.trial, 0, USUAL_NU))
        assert found.right == usual
        assert UNUSUAL not in found.explanation
    against = lesson.reasons[1].against.judge(learnt(lesson.guess.trial, 0, USUAL_NU))
    assert against.right == 1
    with speaking("de"):
        assert _(lesson.title) == "Drei Fragen oder zwölf"


def test_the_guide_names_all_that_there_is():
    for name in (*FIGURES, *JUDGES, *RELATIONS):
        assert f"`{name}`" in GUIDE


TRIAL = ("guess", "trial")
JUDGE = ("guess", "judge")
AGAINST = ("reasons", 1, "against", "judge")


@pytest.mark.parametrize(
    ("path", "value", "expected"),
    [
        (
            ("titel",),
            {"en": "a", "de": "b"},
            "questions.yaml: there is no 'titel' here; allowed are",
        ),
        (("title", "de"), None, "title › de: the text in this language is missing: add it"),
        (("title",), "Two", "title: this must have a text in each language: en, de"),
        (("title", "xx"), "a", "title: there is no 'xx' here; allowed are en, de"),
        (("title", "en"), False, "title › en: False is not text: put it into quotes"),
        (("text", 0, "de"), "[[Baum]]", "text › 1 › de: there is no 'Baum' here; allowed are"),
        (("text",), {"en": "a", "de": "b"}, "text: this must be a list"),
        (("claim",), None, "claim: this entry is missing: add it"),
        (("number",), "one", "number: 'one' must be a whole number"),
        (("number",), 0, "number: a lesson's number is 1 or more"),
        (("guess",), [], "guess: this must have entries: question, choices, trial, judge"),
        ((*TRIAL, "data"), "spiral", "guess › trial › data: there is no 'spiral' here; allowed"),
        ((*TRIAL, "data"), "wave", "guess › trial › data: there is no 'wave' here; allowed"),
        ((*TRIAL, "noise"), 2, "guess › trial: noise=2.0 must be between 0 and 1"),
        ((*TRIAL, "n_points"), 3, "guess › trial: n_points=3 must be between 50 and 5000"),
        ((*TRIAL, "view"), "map", "view: there is no 'map' here; allowed are only, tree, curves"),
        ((*TRIAL, "view"), "curves", "guess › trial › runs: 2 runs are too many here: 1 at most"),
        ((*TRIAL, "chart"), "Bound", "there is no 'Bound' here; allowed are Test accuracy, Loss"),
        ((*TRIAL, "figures"), ["unsen"], "guess › trial › figures: there is no 'unsen' here"),
        ((*TRIAL, "figures"), ["bound"], "guess › trial › figures: there is no 'bound' here"),
        ((*TRIAL, "runs", 0), {"depth": 2}, "guess › trial › runs › 1 › method: there is no ''"),
        ((*TRIAL, "runs", 0, "method"), "axes", "runs › 1 › method: there is no 'axes' here"),
        ((*TRIAL, "runs", 0, "dept"), 2, "runs › 1: there is no setting 'dept' here; known are"),
        ((*TRIAL, "runs", 0, "depth"), 0, "runs › 1: depth=0 must be between 1 and 512"),
        ((*TRIAL, "runs", 0, "seed"), 1, "runs › 1 › seed: the page chooses the seed"),
        ((*TRIAL, "runs", 0, "nu"), "slider", "runs › 1: there is no setting 'nu' here"),
        ((*TRIAL, "runs", 0, "loss"), "squared", "runs › 1 › loss: lessons are about classes"),
        (
            (*TRIAL, "runs", 0),
            {"method": "sgd", "nu": "slider"},
            "runs: when one run uses the slider, all runs need a ν; axis has none",
        ),
        ((*JUDGE, "name"), "hihgest", "guess › judge › name: there is no 'hihgest' here; allowed"),
        (JUDGE, {"name": "bound"}, "the number of runs must be 1 for this judge, not 2"),
        (JUDGE, {"name": "nu", "of": 1}, "guess › judge: there is no 'of' here"),
        ((*JUDGE, "figure"), "best", "guess › judge: there is no 'best' here; allowed are unseen"),
        ((*JUDGE, "usual"), 4, "usual=4 must be the number of a choice from 1 to 3"),
        (("guess", "choices", 2), None, ""),
        (("guess", "choices"), [{"en": "a", "de": "b"}], "2 runs need a choice each"),
        ((*AGAINST, "relation"), "over", "against › judge: there is no 'over' here; allowed"),
        ((*AGAINST, "value"), "training", "judge › value: there is no 'training' here; allowed"),
        ((*AGAINST, "value"), "training of III", "there is no 'III' here; allowed are I, II, all"),
        ((*AGAINST, "other"), "tests of I", "reasons › 2 › against › judge: there is no 'tests'"),
        (("reasons", 1, "against"), None, "reasons: all reasons but one need 'against'"),
    ],
    ids=lambda value: ".".join(map(str, value)) if isinstance(value, tuple) else None,
)
def test_a_mistake_is_told_with_its_place(tmp_path, path, value, expected):
    told = read(tmp_path, changed(path, value))
    assert len(told) == (1 if expected else 0)
    assert all(expected in one for one in told), told
    assert all("\n" not in one and one.endswith(".") for one in told)


@pytest.mark.parametrize(
    ("content", "expected"),
    [
        (b"title: a: b", "questions.yaml: line 1 is not YAML (mapping values"),
        (b"title: [a", "line 1 is not YAML"),
        (b"number: 1\nview: tree\nnumber: 2", "line 3 has 'number' a second time: keep one"),
        (b"? [a]\n: 1", "line 1 is not YAML (found unhashable key)"),
        (b"- a", "questions.yaml: this must have entries: number, short"),
        (b"", "this must have entries"),
        (b"[" * 5000, "this file is not YAML"),
        (b"\xff\xfe\x00", "this file is not YAML in UTF-8: save it as UTF-8 text"),
        (
            b"a: !!python/object:os.system {}",
            "line 1 is not YAML (could not determine a constructor",
        ),
    ],
)
def test_what_is_no_lesson_is_told(tmp_path, content, expected):
    (tmp_path / "questions.yaml").write_bytes(content)
    lessons, problems = read_lessons([tmp_path])
    assert lessons == ()
    (problem,) = map(str, problems)
    assert expected in problem


def test_numbers_and_names_are_taken_once(tmp_path):
    read(tmp_path, EXAMPLE)
    (told,) = read(tmp_path, EXAMPLE, "second.yaml")
    assert "second.yaml, number: the lesson 'questions' has this number" in told
    own = read(tmp_path, EXAMPLE.replace("number: 101", "number: 102"), "second.yaml")
    assert own == []
    (tmp_path / "more").mkdir()
    (tmp_path / "more/questions.yaml").write_text(EXAMPLE.replace("101", "103"), "utf-8")
    (problem,) = read_lessons([tmp_path, tmp_path / "more"])[1]
    assert "another lesson has this name" in str(problem)


def test_a_variable_names_the_folder_and_links_know_its_lessons(tmp_path):
    read(tmp_path, EXAMPLE)
    (tmp_path / "bad.yaml").write_text("title: a: b", "utf-8")
    program = (
        "from ui.learn.lessons import LESSON, PROBLEMS; from ui.learn.link import read_lesson; "
        "print(list(LESSON)[-1], len(PROBLEMS), [read_lesson({'lesson': [n]}).state['lesson'] "
        "for n in ('2', '101', '-5', '99', '200')])"
    )
    environment = os.environ | {"TREECORE_LESSONS": str(tmp_path)}
    told = subprocess.run(
        [sys.executable, "-c", program], env=environment, cwd=ROOT, capture_output=True, text=True
    )
    assert told.stdout == "101 1 [2, 101, 1, 101, 101]\n"


def test_a_folder_that_is_not_there_is_told(tmp_path):
    lessons, (problem,) = read_lessons([tmp_path / "gone"])
    assert lessons == ()
    assert "gone: the file or folder cannot be read: check its name and its permissions" in str(
        problem
    )


def test_a_mistake_is_told_in_german_as_well(tmp_path):
    with speaking("de"):
        (told,) = read(tmp_path, changed(("title", "de"), None))
        (library,) = read(tmp_path, changed((*TRIAL, "noise"), 2))
    place = "questions.yaml, title › de"
    assert told.startswith(f"Diese Lektion fehlt. {place}: der Text in dieser Sprache fehlt: ")
    assert "noise=2.0 geht nicht, nur zwischen 0 und 1" in library
