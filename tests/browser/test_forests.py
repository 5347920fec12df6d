"""The page Forests in a real browser: the error falls, one looks back, a member is opened."""

from __future__ import annotations

import json

import pytest

from tests.helpers.browser import at_rest
from tests.helpers.contrast import pale
from tests.helpers.wait import until

RACE = "forests?data=spirals&noise=30&run=boosted-cart~n_trees~12&run=hinge-ferns~batches~100"


@pytest.fixture
def played(visit):
    """``played(**settings)`` is the page at the end of a race."""

    def play(**settings):
        screen = visit(RACE, **settings)
        screen.page.get_by_text("to come").first.wait_for()
        screen.press("Play")
        screen.page.get_by_text("12 trees in").wait_for()
        screen.page.get_by_text("100 mini-batches in").wait_for()
        screen.page.get_by_role("slider", name="Trees").wait_for()
        return screen

    return play


def chart(screen, name):
    """A figure's lines: their names and heights."""
    plot = screen.page.locator(f".st-key-{name} .js-plotly-plot").last
    return plot.evaluate("e => (e._fullData || []).map(t => [t.name, Array.from(t.y || [])])")


def whole_curve(screen, n_trees):
    """The errors of the first forest on held-out rows, once those of all trees are drawn."""
    held = dict(chart(screen, "forest_errors")).get("I · Boosted CART", [])
    return held if len(held) == n_trees else None


def forest_map(screen):
    """The picture behind the points."""
    plot = screen.page.locator(".st-key-forest_map .js-plotly-plot").last
    return until(lambda: plot.evaluate("e => e.layout?.images?.[0]?.source"), "for the map")


def test_the_error_falls_one_looks_back_and_opens_a_member(played):
    screen = played(color_scheme="dark")
    page = screen.page
    held = until(lambda: whole_curve(screen, 12), "for the errors of all trees")
    assert held[-1] < 0.7 * held[0], "the error has fallen"
    assert page.locator(".st-key-forest_losses .js-plotly-plot").count() == 1
    last = forest_map(screen)
    slider = page.get_by_role("slider", name="Trees")
    slider.focus()
    slider.press("PageDown")
    slider.press("Home")
    page.wait_for_url("**at=1**")
    page.get_by_text("a forest of one tree").wait_for()
    until(lambda: forest_map(screen) != last, "for the map of the first tree")
    first = forest_map(screen)
    slider.press("End")
    page.get_by_text("one of 12 trees").wait_for()
    page.get_by_role("spinbutton", name="A tree of I").fill("7")
    page.keyboard.press("Enter")
    page.wait_for_url("**member=7**")
    page.get_by_role("radio", name="One member").click()
    page.wait_for_url("**lens=member**")
    until(lambda: forest_map(screen) not in (first, last), "for the map of one member")
    file = screen.download("Forest as JSON")
    assert len(json.loads(file.read_text(encoding="utf-8"))["trees"]) == 12
    at_rest(page)
    until(lambda: pale(page) == [], "for text that stands out in the dark")


@pytest.mark.slow
def test_nothing_is_wider_than_a_telephone_and_text_stands_out(played):
    screen = played(width=390, height=844)
    at_rest(screen.page)
    assert screen.overflow() <= 0
    until(lambda: pale(screen.page) == [], "for text that stands out")
