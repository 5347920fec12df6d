"""Lessons as pages: the questions before, what the runs have borne out behind a fold."""

from __future__ import annotations

import re

import pytest

from ui.learn.lessons import BOUND, LESSONS
from ui.learn.pages import learnt, lesson_page, write_lessons


def test_a_page_asks_before_it_tells():
    page = lesson_page(BOUND)
    histories, runs = learnt(BOUND.guess.trial)
    told = BOUND.guess.judge(histories).told
    assert page.count('class="run"') == len(runs) == 1
    asked, fold = page.index(BOUND.guess.question), page.index("<details>")
    assert asked < fold < page.index('class="run"')
    assert len(told) > 20
    assert told.split(",")[0] in page[fold:]
    assert told.split(",")[0] not in page[:fold]
    for choice in (*BOUND.guess.choices, *BOUND.transfer.choices):
        assert choice in page
    assert page.count("<details>") == page.count("</details>")
    assert not re.search(r'(?:src|href)="', page)


@pytest.mark.slow
def test_every_lesson_becomes_a_page_that_the_index_names(tmp_path):
    files = write_lessons(tmp_path)
    index = files[-1].read_text("utf-8")
    assert len(files) == len(LESSONS) + 1
    assert all(f'href="{file.name}"' in index for file in files[:-1])
