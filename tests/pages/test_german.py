"""Every page in German: it is drawn, and none of what is marked is left in English."""

import pytest

from tests.helpers.harness import opened, run
from ui.language.catalogue import catalogue
from ui.shell.router import PAGES

IN_BOTH = ("body", "label", "help", "value", "placeholder")
"""What elements say, by the names that the harness has for it."""


def said(app) -> set[str]:
    """All whole texts of a page's elements."""
    found = set()
    kinds = ("title", "header", "subheader", "markdown", "caption", "info", "warning", "button")
    kinds += (
        "selectbox",
        "slider",
        "number_input",
        "toggle",
        "text_input",
        "button_group",
        "metric",
    )
    for kind in kinds:
        for element in app.get(kind):
            texts = [getattr(element.proto, name, "") for name in IN_BOTH]
            found |= {text for text in texts if isinstance(text, str)}
            found |= set(map(str, getattr(element, "options", ())))
    return found


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_in_german_what_is_marked(page):
    english = {
        message.id
        for message in catalogue("de")
        if isinstance(message.id, str) and message.id != message.string and " " in message.id
    }
    app = opened(page, lang="de")
    assert said(app) & english == set()


def test_english_comes_back_when_it_is_chosen():
    app = opened("home", lang="de")
    assert app.title[0].value == "Bäumen beim Lernen zusehen"
    app.button_group(key="language_choice_de").set_value("en")
    assert run(app).title[0].value == "Watch trees learn"


def test_a_link_to_a_language_that_is_not_there_says_so():
    app = opened("home", lang="xx")
    assert "lang='xx' must be one of en, de" in app.warning[0].value
    assert app.title[0].value == "Watch trees learn"
