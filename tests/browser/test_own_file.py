"""A stranger's file in a real browser: its names are text, nothing of them is fetched or run."""

from tests.helpers import hostile
from tests.helpers.browser import at_rest

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
