"""The page Forests in a real browser: the error falls, one looks back, a member is opened."""

from __future__ import annotations

import json

import pytest

from tests.browser.test_contrast import PALE

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

RACE = "?data=spirals&noise=30&run=boosted-cart~n_trees~30&run=hinge-ferns~batches~400"


class Screen:
    """The page as a visitor sees it."""

    def __init__(self, page, address, query=RACE):
        self.page = page
        self.complaints = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)
        page.goto(f"{address}/forests{query}")
        page.get_by_text("to come").first.wait_for(timeout=120_000)

    def _hear(self, message):
        # Below a page's address Streamlit looks for its server, misses it, and goes one up.
        if message.type == "error" and "/_stcore/" not in message.location.get("url", ""):
            self.complaints.append(message.text)

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def play(self):
        self.press("Play")
        self.page.get_by_text("30 trees in").wait_for(timeout=60_000)
        self.page.get_by_text("400 mini-batches in").wait_for(timeout=60_000)
        self.page.get_by_role("slider", name="Trees").wait_for(timeout=20_000)

    def chart(self, name):
        """A figure's lines: their names and heights."""
        plot = self.page.locator(f".st-key-{name} .js-plotly-plot").last
        plot.wait_for()
        return plot.evaluate("e => e._fullData.map(t => [t.name, Array.from(t.y || [])])")

    def map(self):
        """The picture behind the points."""
        plot = self.page.locator(".st-key-forest_map .js-plotly-plot").last
        plot.wait_for()
        return plot.evaluate("e => e.layout.images[0].source")


@pytest.fixture(params=["light", "dark"])
def screen(request, chromium, address):
    context = chromium.new_context(
        viewport={"width": 1280, "height": 900}, color_scheme=request.param
    )
    screen = Screen(context.new_page(), address)
    yield screen
    context.close()
    assert screen.complaints == []


def test_the_error_falls_one_looks_back_and_opens_a_member(screen):
    screen.play()
    held = dict(screen.chart("forest_errors"))["I · Boosted CART"]
    assert len(held) == 30
    assert held[-1] < 0.5 * held[0], "the error has fallen"
    assert screen.page.locator(".st-key-forest_losses .js-plotly-plot").count() == 1
    assert screen.page.evaluate(PALE) == []
    last = screen.map()
    slider = screen.page.get_by_role("slider", name="Trees")
    slider.focus()
    for _ in range(6):
        slider.press("PageDown")
    slider.press("Home")
    screen.page.wait_for_url("**at=1**")
    screen.page.get_by_text("a forest of one tree").wait_for()
    first = screen.map()
    assert first != last, "the map is that of the first tree"
    slider.press("End")
    screen.page.get_by_text("one of 30 trees").wait_for()
    screen.page.get_by_role("spinbutton", name="A tree of I").fill("7")
    screen.page.keyboard.press("Enter")
    screen.page.wait_for_url("**member=7**")
    screen.page.get_by_role("radio", name="One member").click()
    screen.page.wait_for_url("**lens=member**")
    screen.page.wait_for_timeout(1500)
    assert screen.map() not in (first, last)
    with screen.page.expect_download() as download:
        screen.press("Forest as JSON")
    with open(download.value.path(), encoding="utf-8") as file:
        assert len(json.load(file)["trees"]) == 30


def test_nothing_is_wider_than_a_telephone(chromium, address):
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    screen = Screen(context.new_page(), address)
    screen.play()
    main = "[...document.querySelectorAll('[data-testid=stMain]')].map(e => e.scrollWidth)"
    assert max(screen.page.evaluate(main)) <= 390
    context.close()
    assert screen.complaints == []
