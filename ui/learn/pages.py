"""The lessons as pages that need neither a server nor a network: ``make lessons``.

Each has the lesson's text, its questions, the recorded runs that settle the first one, and what
they have borne out. Nobody records an answer: the reader is asked to choose before looking.
"""

from __future__ import annotations

import dataclasses
import html
import sys
from pathlib import Path

from treecore.base.state_file import write_atomically
from treecore.training.registry import METHODS
from treecore.viewer.message import Stage
from treecore.viewer.page import page_html, safe
from treecore.viewer.planes import feature_plane
from treecore.viewer.recorded import RecordedRun, RunRecorder, recorded_run
from treecore.viewer.status import History
from ui.language.translate import _
from ui.learn.lessons import LESSONS
from ui.learn.parts import GUESS, TRANSFER, USUAL_NU, WHY, Guess, Lesson, Trial
from ui.learn.session import points_of
from ui.learn.words import prose
from ui.live.comparison import NUMERALS
from ui.live.session import builder

SEED = 0
"""Of the points: those that the page *Learn* begins with."""


def write_lessons(folder: Path) -> list[Path]:
    """Write every lesson into a folder, and an index; gives the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files, listed = [], ""
    for number, lesson in enumerate(LESSONS, 1):
        name = f"{number:02}-{lesson.key}.html"
        write_atomically(folder / name, lesson_page(lesson).encode())
        listed += f'<li><a href="{name}">{safe(lesson.title)}</a></li>'
        files.append(folder / name)
    index = (
        '<!doctype html>\n<html lang="en"><head><meta charset="utf-8"><title>Lessons</title>'
        '<meta name="color-scheme" content="light dark"></head>'
        f'<body style="font: 16px/1.7 system-ui; margin: 2em"><h1>Lessons</h1><ol>{listed}</ol>'
        "</body></html>\n"
    )
    write_atomically(folder / "index.html", index.encode())
    return [*files, folder / "index.html"]


def lesson_page(lesson: Lesson) -> str:
    """One lesson as a page."""
    first, second = lesson.guess, lesson.transfer
    histories, runs = learnt(first.trial)
    outcome_text = first.judge(histories).told
    later = second.judge(learnt(second.trial)[0]).told
    unseen = len(histories) - len(runs)
    more = (
        _("<p>A forest has no map here; the page Learn of the app draws it.</p>") if unseen else ""
    )
    before = _(
        "<h1>{title}</h1>{text}{lesson}"
        "{first}<details><summary>I have chosen: show the runs</summary>{more}",
        title=safe(lesson.title),
        text=prose(lesson.text, dark=False),
        lesson=_asked(lesson, GUESS),
        first=_held(first),
        more=more,
    )
    reasons = "".join(
        f"<dt>{safe(reason.text)}</dt><dd>{prose([reason.meaning], dark=False)}</dd>"
        for reason in lesson.reasons
    )
    after = _(
        "<p>{told}</p>{prose}</details>"
        "{lesson}<details><summary>I have chosen: what each answer means</summary>"
        "<dl>{reasons}</dl></details>{prose2}"
        "{lesson2}{second}<details><summary>I have chosen: what came out"
        "</summary><p>{later}</p>"
        "{value}</details>",
        told=safe(outcome_text),
        prose=prose([lesson.claim], dark=False, kind="claim"),
        lesson=_asked(lesson, WHY),
        reasons=reasons,
        prose2=prose([lesson.other], dark=False),
        lesson2=_asked(lesson, TRANSFER),
        second=_held(second),
        later=safe(later),
        value=prose([lesson.afterword], dark=False) if lesson.afterword else "",
    )
    return page_html(lesson.title, runs, before, after)


def learnt(trial: Trial) -> tuple[tuple[History, ...], list[RecordedRun]]:
    """What the runs of a trial have measured, and recordings of those that learn a single tree."""
    data = points_of(trial, SEED)
    plane = feature_plane(data.train, 0, 1)
    histories, runs = [], []
    for number, config in enumerate(trial.runs(SEED, USUAL_NU)):
        trainer, method = builder(data, config, None)(), METHODS[config.method]
        if method.family != "tree":
            events = [event for event in trainer.events() if event.stage == config.method]
            histories.append(tuple(events))
            continue
        recorder = RunRecorder(config.method)
        while not trainer.finished:
            recorder.step(trainer)
        stage = Stage(data.train, data.held, plane, config)
        run = recorded_run(
            stage, data.train.name, config, recorder.seen, recorder.history, "finished"
        )
        name = trial.names[number] if trial.names else method.title
        runs.append(dataclasses.replace(run, title=f"{NUMERALS[number]}: {name}"))
        histories.append(tuple(recorder.history))
    return tuple(histories), runs


def _asked(lesson: Lesson, question: str) -> str:
    """A question and its answers, in the order in which the page *Learn* has them."""
    choices = lesson.choices(question)
    answers = "".join(
        f'<p><label><input type="radio" name="{question}"> {safe(choices[i])}</label></p>'
        for i in lesson.order(question, SEED)
    )
    return f"<fieldset><legend>{safe(lesson.asked(question))}</legend>{answers}</fieldset>"


def _held(guess: Guess) -> str:
    trial = guess.trial
    return _(
        "<p>Changed: {changed}. The same: {held}.</p>",
        changed=html.escape(trial.changed),
        held=html.escape(trial.held),
    )


if __name__ == "__main__":
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else "lessons")
    written = write_lessons(folder)
    sys.stdout.write(f"{len(written)} pages in {folder}\n")
