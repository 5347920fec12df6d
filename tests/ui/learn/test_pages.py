"""Lessons as pages: the questions before, what the runs have borne out behind a fold."""

import html
import json
import re

import pytest

from ui.language.catalogue import catalogue
from ui.language.translate import _, speaking
from ui.learn.lessons import LESSON, LESSONS
from ui.learn.pages import learnt, lesson_page, write_lessons

BOUND = LESSON[3]


def test_a_page_asks_before_it_tells():
    page = lesson_page(BOUND)
    histories, runs, _forests = learnt(BOUND.guess.trial)
    reported = BOUND.guess.judge(histories).explanation
    assert page.count('class="run"') == len(runs) == 1
    requested, fold = page.index(BOUND.guess.question), page.index("<details>")
    assert requested < fold < page.index('class="run"')
    assert len(reported) > 20
    assert reported.split(",")[0] in page[fold:]
    assert reported.split(",")[0] not in page[:fold]
    for choice in (*BOUND.guess.choices, *BOUND.transfer.choices):
        assert _(choice) in page
    assert page.count("<details>") == page.count("</details>")
    assert not re.search(r'(?:src|href)="', page)


def test_a_page_speaks_the_language_it_is_written_in_and_so_do_its_scripts():
    with speaking("de"):
        page = lesson_page(BOUND)
    assert '<html lang="de">' in page
    words = re.search(r'<script type="application/json" id="words">(.*?)</script>', page)
    assert json.loads(words[1])["messages"]["Play"] == "Abspielen"
    text = html.unescape(re.sub(r"<(style|script)\b.*?</\1>", "", page, flags=re.DOTALL))
    english = [
        message.id
        for message in catalogue("de")
        if isinstance(message.id, str) and " " in message.id and message.id != message.string
    ]
    english += [BOUND.title, BOUND.guess.question, *BOUND.guess.choices, BOUND.why]
    assert [sentence for sentence in english if f">{sentence}<" in text] == []
    assert "Recorded by" not in text


@pytest.mark.slow
def test_every_lesson_becomes_a_page_that_the_index_names(tmp_path):
    *files, package = write_lessons(tmp_path / "lessons")
    index = files[-1].read_text("utf-8")
    assert len(files) == len(LESSONS) + 1
    assert all(f'href="{file.name}"' in index for file in files[:-1])
    assert package == tmp_path / "lessons.zip"
