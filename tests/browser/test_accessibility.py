"""Pages for everyone: what axe-core finds, and text that can be read, in both themes."""

from __future__ import annotations

import pytest

from tests.helpers.axe import violations
from tests.helpers.browser import at_rest
from tests.helpers.contrast import pale
from tests.helpers.wait import until

PLACES = {
    "": "Ten short lessons",
    "learn": "Choose an answer first",
    "train?foo=1": "nothing on this page is called",
    "compare": "One run may be luck",
    "forests": "what the trees will learn from",
    "step": "Every leaf as a danger",
    "experiments?tab=Sweeps&foo=1": "nothing on this page is called",
}
"""Pages, and words that are there once they are."""

BACKGROUND = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"


OF_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules that another theme can break: it changes colours, and nothing else."""


@pytest.mark.parametrize("place", PLACES)
def test_a_page_is_for_everyone_and_a_change_of_theme_keeps_it_so(visit, place):
    page = visit(place, height=720, color_scheme="light").page
    page.get_by_text(PLACES[place]).first.wait_for()
    at_rest(page)
    assert page.evaluate("document.body.innerText.length") > 100
    until(lambda: pale(page) == [], "for text that stands out")
    light = page.evaluate(BACKGROUND)
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")  # in the midst of it, without a new run of the page
    page.wait_for_function(f"(light) => ({BACKGROUND})() !== light", arg=light)
    at_rest(page)
    # A component hears of the theme by a message of its own, after the page has it.
    until(lambda: pale(page) == [], "for text that stands out in the dark")
    assert violations(page, *OF_COLOURS) == []
