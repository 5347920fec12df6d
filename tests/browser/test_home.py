"""The first page and the lessons in a real browser: the loop moves, a lesson is played."""

from __future__ import annotations

import pytest

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser


@pytest.fixture
def opened(chromium):
    """``open(address, **settings)`` gives a page; no page may complain."""
    complaints, contexts = [], []

    def hear(message):
        # Below a page's address Streamlit looks for its server, misses it, and goes one up.
        if message.type == "error" and "/_stcore/" not in message.location.get("url", ""):
            complaints.append(message.text)

    def open_(address, width=1280, height=900, **settings):
        context = chromium.new_context(viewport={"width": width, "height": height}, **settings)
        contexts.append(context)
        page = context.new_page()
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on("console", hear)
        page.goto(address)
        return page

    yield open_
    for context in contexts:
        context.close()
    assert complaints == []


def loop(page):
    """The picture, once the run is in it."""
    root = page.locator("[data-testid=home][data-at]")
    root.wait_for(timeout=60_000)
    return root


def at(root):
    return int(root.get_attribute("data-at"))


def test_the_loop_moves_until_it_is_paused(opened, address):
    page = opened(address)
    root = loop(page)
    picture = root.locator("canvas")
    before = picture.screenshot()
    page.wait_for_timeout(700)
    assert picture.screenshot() != before
    page.get_by_role("button", name="Pause the picture").click()
    still = at(root)
    page.wait_for_timeout(700)
    assert at(root) == still
    page.get_by_role("button", name="Play the picture").click()
    page.wait_for_timeout(700)
    assert at(root) != still


def test_who_asked_for_less_motion_sees_the_finished_tree(opened, address):
    page = opened(address, reduced_motion="reduce")
    root = loop(page)
    first = at(root)
    assert first > 100, "the last tree"
    page.wait_for_timeout(700)
    assert at(root) == first
    page.get_by_role("button", name="Play the picture").wait_for()


def test_a_door_leads_to_the_lessons_and_one_is_played_on_a_telephone(opened, address):
    page = opened(address, width=390, height=844)
    page.get_by_role("link", name="Begin with the first lesson").click()
    page.wait_for_url("**/learn**")
    page.get_by_text("leaves awake").first.wait_for(timeout=60_000)
    wide = page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390, "nothing hangs over the side"
    play = page.get_by_role("button", name="Play to see")
    assert play.is_disabled()
    page.get_by_text("Tree II, which cuts at any angle").click()
    play.click()
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    page.get_by_text("On points they have not seen").wait_for(timeout=60_000)
    page.get_by_role("button", name="Next").click()
    page.get_by_role("heading", name="Why greedy is not enough").wait_for()


def test_a_word_explains_itself_within_the_screen(opened, address):
    page = opened(f"{address}/learn?lesson=1", width=390, height=844)
    word = page.locator(".lesson .term").nth(3)
    word.wait_for(timeout=60_000)
    tip = word.locator(".tip")
    assert not tip.is_visible()
    word.focus()
    assert tip.is_visible()
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
