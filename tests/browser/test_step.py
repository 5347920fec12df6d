"""The page *One step* in a real browser: by mouse, by keyboard, on a narrow screen."""

from __future__ import annotations

import re

import pytest

from tests.helpers.browser import CHROMIUM_FLAGS, chromium_path, serving

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def page():
    path = chromium_path()
    with serving() as (address, _), sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        complaints = []
        page.on("pageerror", lambda error: complaints.append(str(error)))
        page.on(
            "console",
            lambda message: message.type == "error" and complaints.append(message.text),
        )
        page.goto(address)
        page.get_by_role("link", name="One step").click()
        page.get_by_text("Every leaf as a danger").wait_for(timeout=180_000)
        yield page
        browser.close()
        assert complaints == []


def told(page, pattern):
    """What the first paragraph that begins like this says."""
    return page.get_by_text(re.compile("^" + pattern)).first.inner_text()


def wait_until_told(page, pattern):
    page.get_by_text(re.compile("^" + pattern)).first.wait_for(timeout=20_000)


def test_a_step_is_looked_at_applied_and_taken_back(page):
    first = told(page, r"Example \d+")
    page.get_by_role("button", name="Apply this step").click()
    wait_until_told(page, r"Example \d+.*1 step applied")
    assert told(page, r"Example \d+").split(",")[0] != first.split(",")[0]
    page.get_by_role("button", name="Undo").click()
    wait_until_told(page, first.split(",")[0] + ",")

    dots = page.locator(".js-plotly-plot").first.locator(".scatterlayer .point")
    dots.nth(40).scroll_into_view_if_needed()
    box = dots.nth(40).bounding_box()
    page.mouse.click(box["x"] + box["width"] / 2, box["y"] + box["height"] / 2)
    wait_until_told(page, r"Example \d+.*picked by you")

    page.get_by_role("button", name="Hardest").focus()
    page.keyboard.press("Enter")
    wait_until_told(page, r"Example \d+.*greatest bound")


def test_a_node_is_picked_on_the_drawing_of_the_tree(page):
    page.get_by_role("tab", name="TAO").click()
    wait_until_told(page, r"Split [1-9]")
    page.get_by_text("The ring marks the chosen split").wait_for()
    page.wait_for_timeout(1000)  # until the drawings of the other tab are gone
    tree = page.locator(".js-plotly-plot").nth(1)
    tree.scroll_into_view_if_needed()
    nodes = tree.locator(".scatterlayer .point")
    nodes.first.wait_for()
    root = min((nodes.nth(i).bounding_box() for i in range(nodes.count())), key=lambda b: b["y"])
    page.mouse.click(root["x"] + root["width"] / 2, root["y"] + root["height"] / 2)
    wait_until_told(page, "Split 0")


def test_a_split_is_turned_with_the_keyboard_and_put_back(page):
    page.get_by_role("tab", name="By hand").click()
    page.get_by_text("It is as it was learnt").wait_for()
    angle = page.get_by_role("slider", name="Turned by")
    angle.focus()
    for _ in range(12):
        page.keyboard.press("ArrowRight")
        page.wait_for_timeout(50)
    page.get_by_text(re.compile("examples change sides")).wait_for()
    page.wait_for_url(re.compile(r"angle=\d"))
    page.get_by_role("button", name="Put it back").click()
    page.get_by_text("It is as it was learnt").wait_for()


def test_a_narrow_screen_holds_every_tab(page):
    page.set_viewport_size({"width": 390, "height": 844})
    for name in ("OC1", "TAO", "By hand", "One example"):
        page.get_by_role("tab", name=name).click()
        page.locator(".js-plotly-plot").first.wait_for()
        page.wait_for_timeout(1000)
        main = page.locator("[data-testid=stMain]")
        wide = main.evaluate("part => part.scrollWidth - part.clientWidth")
        assert wide <= 0, f"{name} is {wide} pixels too wide"
