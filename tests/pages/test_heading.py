"""Every page says what is on it, in words that stay words."""

import re
from html import unescape
from types import SimpleNamespace

import pytest

from tests.helpers import harness
from ui.shell.class_link import LONGEST_TITLE, OF_PAGE
from ui.shell.router import APP, PAGES, tab_title
from ui.widgets.data.gallery import DRAWN, UPLOAD
from ui.widgets.heading import rows_text

HOSTILE = "<img src=x onerror=alert(1)> **Which** wins?"


def headings(app) -> list[str]:
    """The level-1 headings of a page."""
    found = [title.value for title in app.title]
    for part in app.get("html"):
        found += re.findall("<h1[^>]*>(.*?)</h1>", part.proto.body)
    return [unescape(one) for one in found]


def beside(app) -> list[str]:
    """What stands beside the heading."""
    (body,) = [p.proto.body for p in app.get("html") if 'class="about' in p.proto.body]
    return [unescape(one) for one in re.findall("<span>(.*?)</span>", body)]


@pytest.mark.parametrize("page", PAGES)
def test_every_page_has_one_heading_and_a_title_of_its_own(page):
    assert len(headings(harness.opened(page))) == 1
    assert (tab_title(PAGES[page][0]) == APP) == (page == "home")


@pytest.mark.parametrize("chosen", [UPLOAD, DRAWN])
def test_data_methods_and_rows_are_named_also_what_is_left_of_other_data(chosen):
    app = harness.opened("lab", data="moons")
    (before,) = headings(app)
    data, *methods = before.split(" · ")
    assert data == "Moons"
    assert len(methods) == 2
    assert re.fullmatch(r"[\d,]+ training examples, [\d,]+ test examples", beside(app)[-1])
    harness.with_state(app, dataset=chosen)
    assert headings(app) == [f"Still shown: {before}"]
    app.session_state["dataset"] = "moons"
    assert headings(harness.run(app)) == [before]


def test_one_example_is_one_example():
    one = SimpleNamespace(n_samples=1)
    said = rows_text(SimpleNamespace(train=one, held=one))
    assert said == "1 training example, 1 test example"


@pytest.mark.parametrize("page", OF_PAGE)
def test_a_title_for_a_class_stays_text_and_in_the_link(page):
    app = harness.opened(page, title=HOSTILE)
    assert not app.warning
    (found,) = headings(app)
    assert found.replace("\\", "") == HOSTILE
    assert not any("<img src=x" in part.proto.body for part in app.get("html"))
    assert harness.link(app)["title"] == HOSTILE
    app = harness.opened(page, title="\u202e" + "a" * 1000)
    assert headings(app) == ["\ufffd" + "a" * (LONGEST_TITLE - 1)], "no letter turns others round"


def test_a_class_link_takes_the_title_that_is_typed():
    app = harness.one_tree()
    harness.with_state(app, class_link_lab=True)  # the expander is opened
    harness.choose(app, "class_title_asked_lab", "Which wins?")
    assert any("title=Which+wins%3F" in code.value for code in app.code)
    assert "title" not in harness.link(app), "the teacher's own page stays as it is"
