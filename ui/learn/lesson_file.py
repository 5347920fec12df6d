"""Lessons from text files: one YAML file a lesson, checked while it is read.

Entries of a file are the fields of :mod:`ui.learn.parts`; the type of a field says how its value is
read. A file with a mistake is left out, and one sentence says why.
"""

import dataclasses
import functools
import re
from collections.abc import Iterable
from itertools import chain
from pathlib import Path
from types import NoneType
from typing import Any, get_args, get_origin, get_type_hints

import yaml

from treecore import RunConfig
from treecore.base import Setting
from treecore.data import GENERATORS, Generator
from treecore.losses import find_loss
from treecore.training import METHODS
from ui.jobs.metrics import charts_of
from ui.jobs.run_title import NUMERALS
from ui.language.catalogue import ENGLISH, languages
from ui.language.translate import N_, MultilingualText, speaking
from ui.learn.figures import FIGURES, has_figure
from ui.learn.outcomes import (
    JUDGES,
    NO_TEXT,
    Choice,
    Judge,
    JudgeByFigures,
    LessonError,
    check_known,
)
from ui.learn.parts import USUAL_NU, Guess, Lesson, Run, Trial
from ui.learn.words import WORDS, terms
from ui.widgets.data.gallery import LARGEST_DRAWN

REQUIRED = (ENGLISH, "de")
"""Languages that every text has; where another one is missing, the English text is shown."""

SLIDER = "slider"
"""Instead of a number, as ν of a run: what the visitor chooses."""

VIEWS = ("only", "tree", "curves")

_LIMITS = (
    Setting("n_points", "", "", 600, 50, LARGEST_DRAWN),
    Setting("test_share", "", "", 25, 5, 60),
    Setting("noise", "", "", 0.0, 0, 1),
)
_LIBRARY = "{error}"
_SCALARS = {
    str: N_("{value!r} must be a text"),
    int: N_("{value!r} must be a whole number"),
    float: N_("{value!r} must be a number"),
}


class _Loader(yaml.SafeLoader):
    """Refuses an entry that is given twice, of which YAML takes the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        seen = []
        for key, _node in node.value:
            if key.value in seen:
                message = N_("line {line} has {name!r} a second time: keep one of them")
                raise LessonError(message, line=key.start_mark.line + 1, name=key.value)
            seen.append(key.value)
        return super().construct_mapping(node, deep)


def read_lessons(folders: Iterable[Path]) -> tuple[tuple[Lesson, ...], tuple[LessonError, ...]]:
    """Read all lessons of some folders, by their numbers, and what is wrong with the others."""
    lessons: dict[int, Lesson] = {}
    problems = []
    files = [sorted(one.glob("*.y*ml")) if one.is_dir() else [one] for one in folders]
    for path in chain.from_iterable(files):
        try:
            lesson = read_lesson(path)
            if lesson.key in (other.key for other in lessons.values()):
                raise LessonError("another lesson has this name: rename the file")
            if other := lessons.get(lesson.number):
                message = N_("the lesson {name!r} has this number: choose another")
                raise LessonError(message, "number", name=other.key)
            lessons[lesson.number] = lesson
        except LessonError as error:
            error.file = path.name
            problems.append(error)
    return tuple(lessons[number] for number in sorted(lessons)), tuple(problems)


def read_lesson(path: Path) -> Lesson:
    """Read the lesson in a file; its key is the file's name. Raises LessonError."""
    try:
        content = yaml.load(path.read_text("utf-8"), _Loader)
    except yaml.MarkedYAMLError as error:
        line = error.problem_mark.line + 1 if error.problem_mark else 1
        message = N_(
            "line {line} is not YAML ({error}): put text with a colon or a comma into quotes"
        )
        raise LessonError(message, line=line, error=error.problem or "") from None
    except LessonError:
        raise
    except OSError:
        raise LessonError(
            "the file or folder cannot be read: check its name and its permissions"
        ) from None
    except (ValueError, RecursionError, yaml.YAMLError):
        raise LessonError("this file is not YAML in UTF-8: save it as UTF-8 text") from None
    return _made(Lesson, content, "", key=path.stem)


def _made(kind: Any, content: Any, where: str, **values: Any) -> Any:
    """One of a lesson's parts, from its entries."""
    fields = {field.name: field for field in dataclasses.fields(kind) if field.name not in values}
    if not isinstance(content, dict):
        raise LessonError("this must have entries: {known}", where, known=", ".join(fields))
    check_known(content, fields, where)
    for name, field in fields.items():
        if name in content:
            values[name] = _value(_types(kind)[name], content[name], _within(where, name))
        elif field.default is dataclasses.MISSING:
            raise LessonError("this entry is missing: add it", _within(where, name))
    made = kind(**values)
    if kind in _CHECKS:
        _CHECKS[kind](made, where)
    return made


_types = functools.cache(get_type_hints)


def _value(kind: Any, content: Any, where: str) -> Any:
    if kind in _READERS:
        return _READERS[kind](content, where)
    if get_origin(kind) is tuple:
        if not isinstance(content, list) or not content:
            raise LessonError("this must be a list, with a dash before each entry", where)
        each = get_args(kind)[0]
        return tuple(_value(each, one, _within(where, f"{n}")) for n, one in enumerate(content, 1))
    kinds = [one for one in get_args(kind) or (kind,) if one is not NoneType]
    if dataclasses.is_dataclass(kinds[0]):
        return _made(kinds[0], content, where)
    if float in kinds and type(content) is int:
        return float(content)
    if type(content) not in kinds:
        raise LessonError(_SCALARS[kinds[0]], where, value=content)
    return content


def _text(content: Any, where: str) -> MultilingualText:
    if not isinstance(content, dict):
        known = ", ".join(REQUIRED)
        raise LessonError("this must have a text in each language: {known}", where, known=known)
    check_known(content, languages(), where)
    for code in (*REQUIRED, *content):
        text, place = content.get(code), _within(where, code)
        if text is None or not str(text).strip():
            raise LessonError("the text in this language is missing: add it", place)
        if not isinstance(text, str):
            raise LessonError("{text!r} is not text: put it into quotes", place, text=text)
        check_known(terms(text), WORDS, place)
    # Lines are joined, whichever of YAML's styles a text has; unbroken spaces stay.
    said = {code: re.sub(r"[ \n]+", " ", text).strip(" ") for code, text in content.items()}
    return MultilingualText(said.pop(ENGLISH), **said)


def _choice(content: Any, where: str) -> int:
    if type(content) is not int or content < 1:
        message = N_("{value!r} must be the number of a choice, counted from 1")
        raise LessonError(message, where, value=content)
    return content - 1


def _judge(content: Any, where: str) -> Judge:
    entries = dict(content) if isinstance(content, dict) else {}
    name, place = entries.pop("name", ""), _within(where, "name")
    check_known([name], JUDGES, place)
    judge = JUDGES[name]
    if isinstance(judge, JudgeByFigures):
        check_known(entries, ["name"], where)
        return judge
    return _made(judge, entries, where)


def _run(content: Any, where: str) -> Run:
    settings = dict(content) if isinstance(content, dict) else {}
    method, place = settings.get("method", ""), _within(where, "method")
    check_known([method], METHODS, place)
    name = _text(settings.pop("name"), _within(where, "name")) if "name" in settings else NO_TEXT
    if has_slider := settings.get("nu") == SLIDER:
        settings["nu"] = USUAL_NU
    if "seed" in settings:
        raise LessonError("the page chooses the seed: remove this entry", _within(where, "seed"))
    try:
        config = RunConfig(**{str(setting): value for setting, value in settings.items()})
    except (TypeError, ValueError) as error:
        raise LessonError(_LIBRARY, where, error=error) from None
    if find_loss(config.loss).task != "classification":
        raise LessonError("lessons are about classes: remove this entry", _within(where, "loss"))
    return Run(config, name, has_slider)


def _check_trial(trial: Trial, where: str) -> None:
    drawn = [name for name, one in GENERATORS.items() if isinstance(one, Generator)]
    check_known([trial.data], drawn, _within(where, "data"))
    check_known([trial.view], VIEWS, _within(where, "view"))
    for limit in _LIMITS:
        value = getattr(trial, limit.name)
        try:
            limit.check(limit.default if value is None else value)
        except ValueError as error:
            raise LessonError(_LIBRARY, where, error=error) from None
    n_runs, most = len(trial.runs), 1 if trial.view == "curves" else len(NUMERALS)
    if n_runs > most:
        message = N_("{n_runs} runs are too many here: {most} at most")
        raise LessonError(message, _within(where, "runs"), n_runs=n_runs, most=most)
    _check_figures(trial.figures, trial, _within(where, "figures"))
    without = [run.config.method for run in trial.runs if "nu" not in run.config.as_dict()]
    if trial.has_slider and without:
        message = N_("when one run uses the slider, all runs need a ν; {method} has none")
        raise LessonError(message, _within(where, "runs"), method=without[0])
    with speaking(ENGLISH):
        methods = [run.config.method for run in trial.runs]
        charts = ["", *(chart.title for chart in charts_of("log", methods))]
    charts = ["nu"] if trial.has_slider else charts
    check_known([trial.chart], charts, _within(where, "chart"))


def _check_figures(names: Iterable[str], trial: Trial, where: str) -> None:
    for method in {run.config.method for run in trial.runs}:
        known = [name for name in FIGURES if has_figure(name, method)]
        check_known(names, known, where)


def _check_lesson(lesson: Lesson, where: str) -> None:
    if lesson.number < 1:
        raise LessonError("a lesson's number is 1 or more", "number")
    if sum(reason.against is None for reason in lesson.reasons) != 1:
        raise LessonError(
            "all reasons but one need 'against'; the one without it is the right reason", "reasons"
        )
    judged = {"guess": lesson.guess, "transfer": lesson.transfer} | {
        f"reasons › {n} › against": reason.against
        for n, reason in enumerate(lesson.reasons, 1)
        if reason.against is not None
    }
    for place, one in judged.items():
        trial, place = one.trial or lesson.guess.trial, _within(place, "judge")
        one.judge.check(len(trial.runs), len(one.choices) if isinstance(one, Guess) else 0, place)
        _check_figures(one.judge.figures, trial, place)


def _within(where: str, name: str) -> str:
    return f"{where} › {name}" if where else name


_READERS: dict[Any, Any] = {MultilingualText: _text, Choice: _choice, Judge: _judge, Run: _run}
_CHECKS: dict[Any, Any] = {Trial: _check_trial, Lesson: _check_lesson}
