"""Every page in German: it is drawn, and none of what is marked is left in English."""

import pytest

from tests.helpers.harness import choose, link, opened, run
from ui.language.catalogue import catalogue
from ui.shell.router import PAGES

IN_BOTH = ("body", "label", "help", "value", "placeholder")
"""What elements say, by the names that the harness has for it."""


def said(app) -> set[str]:
    """All whole texts of a page's elements."""
    found = set()
    kinds = ("title", "header", "subheader", "markdown", "caption", "info", "warning", "button")
    kinds += ("selectbox", "slider", "number_input", "toggle", "text_input", "button_group")
    kinds += ("metric",)
    for kind in kinds:
        for element in app.get(kind):
            texts = [getattr(element.proto, name, "") for name in IN_BOTH]
            found |= {text for text in texts if isinstance(text, str)}
            found |= set(map(str, getattr(element, "options", ())))
    return found


def english() -> set[str]:
    """Messages that are others in German."""
    return {
        message.id
        for message in catalogue("de")
        if isinstance(message.id, str) and message.id != message.string and " " in message.id
    }


@pytest.mark.parametrize("page", PAGES)
def test_a_page_says_in_german_what_is_marked(page):
    assert said(opened(page, lang="de")) & english() == set()


@pytest.mark.parametrize(
    ("tab", "heads"),
    [
        ("One example", set()),
        ("What would change it", set()),
        ("What it asks", {"nach rechts, wenn", "Merkmale"}),
        ("Pruning", set()),
        ("Two trees", {"Genauigkeit", "benutzte Merkmale"}),
    ],
)
def test_a_tab_of_the_tree_is_german_and_its_link_has_the_english_name(tab, heads):
    app = opened("inspect", {"dataset": "iris"}, lang="de", tab=tab, depth="3")
    assert app.header, "the tab is open"
    assert said(app) & english() == set()
    assert heads <= {name for table in app.dataframe for name in table.value.columns}
    assert link(app)["tab"] == tab


def test_a_language_can_be_changed_back_at_once():
    app = opened("home")
    choose(app, "language_choice_en", "de")
    app.query_params["lang"] = "de"  # the address has come to name it
    app.button_group(key="language_choice_de").set_value("en")
    assert run(app).title[0].value == "Watch decision trees learn"


def test_a_link_to_a_language_or_a_size_that_is_not_there_says_so():
    app = opened("home", lang="xx", projector="x")
    (warning,) = app.warning
    assert "lang='xx' must be one of en, de" in warning.value
    assert "projector='x' must be one of 1, 0" in warning.value
    assert app.title[0].value == "Watch decision trees learn"
