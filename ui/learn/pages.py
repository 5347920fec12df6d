"""The lessons as pages that need neither a server nor a network: ``make lessons``, German ones by
``python -m ui.learn.pages lessons de``.

Each has the lesson's text, its questions, the recorded runs that settle the first one, and what
they have borne out. Nobody records an answer: the reader is asked to choose before looking.
"""

import dataclasses
import re
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Any
from urllib.parse import quote
from zipfile import ZIP_DEFLATED, ZipFile

from treecore.base.state_file import write_atomically, writing_atomically
from treecore.training import METHODS
from treecore.viewer import (
    History,
    RecordedRun,
    RunRecorder,
    Stage,
    feature_plane,
    living,
    recorded_run,
    safe,
)
from ui.drawing.run_page import run_page
from ui.drawing.theme import DARK, LIGHT
from ui.jobs.chosen_data import ChosenData, new_trainer
from ui.jobs.run_title import NUMERALS
from ui.language.catalogue import ENGLISH, languages
from ui.language.translate import _, speaking
from ui.learn.lessons import LESSONS, PROBLEMS
from ui.learn.parts import GUESS, TRANSFER, USUAL_NU, WHY, Guess, Lesson, Trial
from ui.learn.session import points_of
from ui.learn.words import prose
from ui.live.forest_source import forest_drawing
from ui.shell.page_style import colours, styles

SEED = 0
"""Of the points: those that the page *Learn* begins with."""

INDEX = "index.html"


def write_lessons(folder: Path) -> list[Path]:
    """Write every lesson into a folder, an index, and a package of them; gives these files."""
    folder.mkdir(parents=True, exist_ok=True)
    titles = {f"{lesson.number:02}-{lesson.key}.html": _(lesson.title) for lesson in LESSONS}
    names = list(titles)
    for before, name, after, lesson in zip(
        ["", *names], names, [*names[1:], ""], LESSONS, strict=False
    ):
        around = {_("Previous"): before, _("Lessons"): INDEX, _("Next"): after}
        links = "".join(_link(title, to) for title, to in around.items() if to)
        page = lesson_page(lesson, f"<nav>{links}</nav>")
        write_atomically(folder / name, page.encode())
    listed = "".join(f"<li>{_link(title, name)}</li>" for name, title in titles.items())
    title = _("Lessons")
    index = run_page(title, [], f"<h1>{safe(title)}</h1><ol>{listed}</ol>")
    write_atomically(folder / INDEX, index.encode())
    package = write_package(folder, title, INDEX, titles)
    return [*(folder / name for name in (*names, INDEX)), package]


def _link(title: str, to: str) -> str:
    return f'<a href="{quote(to)}">{safe(title)}</a>'


def lesson_page(lesson: Lesson, links: str = "") -> str:
    first, second = lesson.guess, lesson.transfer
    histories, runs, forests = learnt(first.trial)
    later = second.judge(learnt(second.trial)[0]).explanation
    reasons = "".join(
        f"<dt>{safe(_(reason.text))}</dt><dd>{prose([reason.meaning])}</dd>"
        for reason in lesson.reasons
    )
    shown = _fold(_("I have chosen: show the runs"), "")
    style = f"<style>{colours()}{styles('lesson', 'lesson_page')}</style>"
    before = (
        f"{style}<h1>{safe(_(lesson.title))}</h1>{_points(first.trial)}{prose(lesson.text)}"
        f"{_question_html(lesson, GUESS)}{_held(first)}{shown}"
    )
    meanings = _fold(_("I have chosen: explain each answer"), f"<dl>{reasons}</dl>")
    outcome = _fold(_("I have chosen: show the outcome"), prose([later]))
    afterword = prose([lesson.afterword]) if lesson.afterword else ""
    after = (
        f'<div class="forests">{forests}</div>'
        f"{prose([first.judge(histories).explanation])}{prose([lesson.claim], kind='claim')}"
        f"</details>{_question_html(lesson, WHY)}{meanings}</details>"
        f"{_points(second.trial)}{prose([lesson.other])}"
        f"{_question_html(lesson, TRANSFER)}{_held(second)}{outcome}{afterword}</details>{links}"
    )
    return run_page(_(lesson.title), runs, before, after)


def _fold(line: str, content: str) -> str:
    return f"<details><summary>{safe(line)}</summary>{content}"


def learnt(trial: Trial) -> tuple[tuple[History, ...], list[RecordedRun], str]:
    """What the runs of a trial have measured, recordings of trees, and pictures of forests."""
    data = points_of(trial, SEED)
    histories, runs, forests = [], [], ""
    for number, config in enumerate(trial.configs(SEED, USUAL_NU)):
        trainer, method = new_trainer(data, config), METHODS[config.method]
        name = f"{NUMERALS[number]}: {_(trial.runs[number].name or method.title)}"
        if method.family != "tree":
            events = [event for event in trainer.events() if event.stage == config.method]
            histories.append(tuple(events))
            picture = _map_html(trainer.model, data)
            forests += f"<figure><figcaption>{safe(name)}</figcaption>{picture}</figure>"
            continue
        recorder = RunRecorder(config.method)
        while not trainer.finished:
            recorder.step(trainer)
        stage = Stage(data.train, data.held, feature_plane(data.train, 0, 1), config)
        live = living(trainer, data.train, data.held, stage, _)
        seen, history = recorder.seen, recorder.history
        run = recorded_run(stage, data.train.name, config, seen, history, "finished", _, live)
        runs.append(dataclasses.replace(run, title=name))
        histories.append(tuple(recorder.history))
    return tuple(histories), runs, forests


def _points(trial: Trial) -> str:
    """The points that a question is about."""
    return _map_html(None, points_of(trial, SEED), "points")


def _map_html(model: Any, data: ChosenData, kind: str = "map") -> str:
    """A map in the colours that the reader's screen asks for."""
    plane = feature_plane(data.train, 0, 1)
    light, dark = (forest_drawing(model, data, plane, one).address() for one in (LIGHT, DARK))
    source = f'<source media="(prefers-color-scheme: dark)" srcset="{dark}">'
    image = f'<img class="{kind}" src="{light}" alt="{safe(_("Map"))}">'
    return f"<picture>{source}{image}</picture>"


def _question_html(lesson: Lesson, question: str) -> str:
    """A question and its answers, in the order in which the page *Learn* has them."""
    choices = lesson.choices(question)
    answers = "".join(
        f'<p><label><input type="radio" name="{question}"> {safe(_(choices[i]))}</label></p>'
        for i in lesson.order(question, SEED)
    )
    return f"<fieldset><legend>{safe(_(lesson.requested(question)))}</legend>{answers}</fieldset>"


def _held(guess: Guess) -> str:
    trial = guess.trial
    sentence = _(
        "What differs: {changed}. What stays the same: {held}.",
        changed=_(trial.changed),
        held=_(trial.held),
    )
    return f"<p>{safe(sentence)}</p>"


def main() -> None:
    """``python -m ui.learn.pages FOLDER LANGUAGE``; both may be missing."""
    folder, code, *_more = [*sys.argv[1:], *("lessons", ENGLISH)[len(sys.argv) - 1 :]]
    if folder.startswith("-") or _more:
        sys.exit("give at most a folder and a language, as in: python -m ui.learn.pages lessons de")
    if code not in languages():
        sys.exit(f"there are no lessons in {code!r}: choose one of {', '.join(languages())}")
    with speaking(code):
        sys.stderr.writelines(f"{problem}\n" for problem in PROBLEMS)
        *pages, package = write_lessons(Path(folder))
    sys.stdout.write(f"{len(pages)} pages in {folder}, and for course systems in {package}\n")


MANIFEST = "imsmanifest.xml"

_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ufffe\uffff]")
"""Characters that no XML may have, not even as numbers."""


def write_package(folder: Path, title: str, index: str, pages: Mapping[str, str]) -> Path:
    """Add a manifest to a folder of pages, and zip all beside it; ``pages`` are titles by file.

    Pages are assets: completed once opened. Open edX opens the first and lists what is visible.
    """
    items = resources = ""
    for number, name in enumerate((index, *pages)):
        resources += f"""
<resource identifier="page-{number}" type="webcontent" adlcp:scormType="asset" href="{quote(name)}">
<file href="{quote(name)}"/></resource>"""
        if name in pages:
            items += f"""
<item identifier="item-{number}" identifierref="page-{number}" isvisible="true">
<title>{_text(pages[name])}</title></item>"""
    # Elements stand in the order of imscp_v1p1.xsd; Moodle asks for these very prefixes.
    manifest = Path(__file__).with_name(MANIFEST).read_text(encoding="utf-8")
    manifest = manifest.format(title=_text(title), items=items, resources=resources)
    write_atomically(folder / MANIFEST, manifest.encode())
    package = Path(f"{folder.resolve()}.zip")
    with writing_atomically(package) as file, ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name in (MANIFEST, index, *pages):
            archive.write(folder / name, name)
    return package


def _text(text: str) -> str:
    return safe(_UNWRITABLE.sub(" ", text))


if __name__ == "__main__":
    main()
