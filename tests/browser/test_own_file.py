"""A stranger's file in a real browser: its names are text, nothing of them is fetched or run."""

import pytest

from tests.helpers import hostile
from tests.helpers.browser import at_rest
from tests.helpers.wait import until

RUN = """() => ({
  alerts: window.alerts,
  bad: [...document.querySelectorAll("*")].filter((element) =>
    element.hasAttribute("onerror") || element.matches("script:not([src]):not([type])") &&
    element.textContent.includes("alert(1)") || element.matches('img[src*="elsewhere"]')).length,
})"""


def test_names_of_a_file_are_neither_run_nor_fetched(visit):
    screen = visit("lab?data=upload&run=sgd")
    requested: list[str] = []
    screen.page.on("request", lambda request: requested.append(request.url))
    screen.page.evaluate("() => { window.alerts = 0; window.alert = () => { window.alerts += 1 } }")
    chooser = screen.page.locator("[data-testid=stFileUploader] input[type=file]").first
    chooser.set_input_files(
        {"name": hostile.FILE, "mimeType": "text/csv", "buffer": hostile.table()}
    )
    screen.page.get_by_text("60 rows,").wait_for()
    screen.press("Check the columns")
    screen.page.get_by_text("60 rows", exact=True).wait_for()
    at_rest(screen.page)
    screen.page.keyboard.press("Escape")
    screen.page.get_by_role("dialog").wait_for(state="detached")
    screen.root.first.hover()
    box = screen.root.locator("canvas").first.bounding_box()
    for share in (0.3, 0.5, 0.7):  # tooltips of points and regions
        screen.page.mouse.move(box["x"] + share * box["width"], box["y"] + share * box["height"])
    at_rest(screen.page)
    assert screen.page.evaluate(RUN) == {"alerts": 0, "bad": 0}
    assert not [url for url in requested if "elsewhere" in url]


@pytest.mark.slow
def test_a_kind_is_overruled_by_keys_and_learnt_from(visit):
    screen = visit("lab?data=upload&run=sgd")
    rows = "".join(f"{i % 3},{i * 7 % 11},{'uv'[i % 2]}\n" for i in range(60))
    chooser = screen.page.locator("[data-testid=stFileUploader] input[type=file]").first
    table = f"size,age,class\n{rows}".encode()
    chooser.set_input_files({"name": "mine.csv", "mimeType": "text/csv", "buffer": table})
    screen.page.get_by_text("60 rows, 2 features").wait_for()
    screen.press("Check the columns")
    screen.page.get_by_test_id("glide-cell-1-0").first.wait_for(state="attached")  # the first kind
    at_rest(screen.page)
    box = screen.page.get_by_role("dialog").locator("canvas").first.bounding_box()
    screen.page.mouse.click(box["x"] + 20, box["y"] + 52)  # the first column's name
    for key in ("ArrowRight", "Enter"):
        screen.page.keyboard.press(key)
    screen.page.keyboard.type("words")
    screen.page.keyboard.press("Enter")
    screen.page.get_by_text("60 rows, 4 features").wait_for(state="attached")
    at_rest(screen.page)
    screen.page.keyboard.press("Escape")
    screen.page.get_by_role("dialog").wait_for(state="detached")
    screen.wait_for("paused")
    screen.press("Play")
    until(lambda: screen.number("epoch") > 0, "for the first picture")
