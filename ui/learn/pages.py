"""The lessons as pages that need neither a server nor a network: ``make lessons``, German ones by
``python -m ui.learn.pages lessons de``.

Each has the lesson's text, its questions, the recorded runs that settle the first one, and what
they have borne out. Nobody records an answer: the reader is asked to choose before looking.
"""

from __future__ import annotations

import dataclasses
import sys
from pathlib import Path

from treecore.base.state_file import write_atomically
from treecore.training.registry import METHODS
from treecore.viewer.messages.message import Stage
from treecore.viewer.messages.planes import feature_plane
from treecore.viewer.messages.status import History
from treecore.viewer.pages.page import safe
from treecore.viewer.pages.recorded import RecordedRun, RunRecorder, recorded_run
from ui.drawing.run_page import run_page
from ui.jobs.chosen_data import trainer_builder
from ui.language.catalogue import ENGLISH, languages
from ui.language.translate import _, speaking
from ui.learn.lessons import LESSONS
from ui.learn.parts import GUESS, TRANSFER, USUAL_NU, WHY, Guess, Lesson, Trial
from ui.learn.session import points_of
from ui.learn.words import prose
from ui.live.comparison import NUMERALS

SEED = 0
"""Of the points: those that the page *Learn* begins with."""


def write_lessons(folder: Path) -> list[Path]:
    """Write every lesson into a folder, and an index; gives the files."""
    folder.mkdir(parents=True, exist_ok=True)
    files, listed = [], ""
    for number, lesson in enumerate(LESSONS, 1):
        name = f"{number:02}-{lesson.key}.html"
        write_atomically(folder / name, lesson_page(lesson).encode())
        listed += f'<li><a href="{name}">{safe(_(lesson.title))}</a></li>'
        files.append(folder / name)
    title = _("Lessons")
    index = run_page(title, [], f"<h1>{safe(title)}</h1><ol>{listed}</ol>")
    write_atomically(folder / "index.html", index.encode())
    return [*files, folder / "index.html"]


def lesson_page(lesson: Lesson) -> str:
    """One lesson as a page."""
    first, second = lesson.guess, lesson.transfer
    histories, runs = learnt(first.trial)
    outcome_text = first.judge(histories).explanation
    later = second.judge(learnt(second.trial)[0]).explanation
    unseen = len(histories) - len(runs)
    no_map = _("A forest has no map here; the page Learn of the app draws it.")
    reasons = "".join(
        f"<dt>{safe(_(reason.text))}</dt><dd>{prose([reason.meaning], dark=False)}</dd>"
        for reason in lesson.reasons
    )
    shown = _fold(_("I have chosen: show the runs"), f"<p>{safe(no_map)}</p>" if unseen else "")
    before = (
        f"<h1>{safe(_(lesson.title))}</h1>{prose(lesson.text, dark=False)}"
        f"{_asked(lesson, GUESS)}{_held(first)}{shown}"
    )
    meanings = _fold(_("I have chosen: what each answer means"), f"<dl>{reasons}</dl>")
    outcome = _fold(_("I have chosen: what came out"), f"<p>{safe(later)}</p>")
    afterword = prose([lesson.afterword], dark=False) if lesson.afterword else ""
    after = (
        f"<p>{safe(outcome_text)}</p>{prose([lesson.claim], dark=False, kind='claim')}</details>"
        f"{_asked(lesson, WHY)}{meanings}</details>{prose([lesson.other], dark=False)}"
        f"{_asked(lesson, TRANSFER)}{_held(second)}{outcome}{afterword}</details>"
    )
    return run_page(_(lesson.title), runs, before, after)


def _fold(line: str, content: str) -> str:
    """What a click on a line shows, from its beginning on."""
    return f"<details><summary>{safe(line)}</summary>{content}"


def learnt(trial: Trial) -> tuple[tuple[History, ...], list[RecordedRun]]:
    """What the runs of a trial have measured, and recordings of those that learn a single tree."""
    data = points_of(trial, SEED)
    plane = feature_plane(data.train, 0, 1)
    histories, runs = [], []
    for number, config in enumerate(trial.runs(SEED, USUAL_NU)):
        trainer, method = trainer_builder(data, config)(), METHODS[config.method]
        if method.family != "tree":
            events = [event for event in trainer.events() if event.stage == config.method]
            histories.append(tuple(events))
            continue
        recorder = RunRecorder(config.method)
        while not trainer.finished:
            recorder.step(trainer)
        stage = Stage(data.train, data.held, plane, config)
        run = recorded_run(
            stage, data.train.name, config, recorder.seen, recorder.history, "finished", _
        )
        name = trial.names[number] if trial.names else method.title
        runs.append(dataclasses.replace(run, title=f"{NUMERALS[number]}: {_(name)}"))
        histories.append(tuple(recorder.history))
    return tuple(histories), runs


def _asked(lesson: Lesson, question: str) -> str:
    """A question and its answers, in the order in which the page *Learn* has them."""
    choices = lesson.choices(question)
    answers = "".join(
        f'<p><label><input type="radio" name="{question}"> {safe(_(choices[i]))}</label></p>'
        for i in lesson.order(question, SEED)
    )
    return f"<fieldset><legend>{safe(_(lesson.asked(question)))}</legend>{answers}</fieldset>"


def _held(guess: Guess) -> str:
    trial = guess.trial
    sentence = _(
        "Changed: {changed}. The same: {held}.", changed=_(trial.changed), held=_(trial.held)
    )
    return f"<p>{safe(sentence)}</p>"


def main() -> None:
    """``python -m ui.learn.pages FOLDER LANGUAGE``; both may be missing."""
    folder, code, *_more = [*sys.argv[1:], *("lessons", ENGLISH)[len(sys.argv) - 1 :]]
    if code not in languages():
        sys.exit(f"there are no lessons in {code!r}: choose one of {', '.join(languages())}")
    with speaking(code):
        written = write_lessons(Path(folder))
    sys.stdout.write(f"{len(written)} pages in {folder}\n")


if __name__ == "__main__":
    main()
