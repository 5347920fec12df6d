"""A stranger's file in a real browser: its names are text, nothing of them is fetched or run."""

import pytest

from tests.helpers import hostile
from tests.helpers.browser import at_rest
from tests.helpers.pictures import checked_picture
from tests.helpers.wait import until

RUN = """() => ({
  alerts: window.alerts,
  bad: [...document.querySelectorAll("*")].filter((element) =>
    element.hasAttribute("onerror") || element.matches("script:not([src]):not([type])") &&
    element.textContent.includes("alert(1)") || element.matches('img[src*="elsewhere"]')).length,
})"""


def upload(screen, name, table):
    """Choose a table of 60 rows."""
    chooser = screen.page.locator("[data-testid=stFileUploader] input[type=file]").first
    chooser.set_input_files({"name": name, "mimeType": "text/csv", "buffer": table})
    screen.page.get_by_text("60 rows,").wait_for()


def test_names_of_a_file_are_neither_run_nor_fetched(visit):
    screen = visit("lab?data=upload&run=sgd")
    requested: list[str] = []
    screen.page.on("request", lambda request: requested.append(request.url))
    screen.page.evaluate("() => { window.alerts = 0; window.alert = () => { window.alerts += 1 } }")
    upload(screen, hostile.FILE, hostile.table())
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


def test_the_map_of_one_feature_has_no_numbers_at_its_idle_side(visit):
    screen = visit("lab?data=upload&run=axis")
    upload(screen, "one.csv", b"length,class\n" + b"10,a\n20,b\n30,a\n" * 20)
    screen.press("Step")
    screen.page.locator("[data-epoch='1'][data-state=paused]").wait_for()
    screen.more()
    screen.press("Export")
    texts = checked_picture(screen.download("SVG").read_text(encoding="utf-8"), 0)
    assert "length" in texts
    assert "0.000" not in "|".join(texts), "all points lie at 0 there"


@pytest.mark.parametrize(("n_features", "n_classes"), [(2, 2), (3, 30)])
def test_classes_with_long_names_and_many_leave_room_on_a_telephone(visit, n_features, n_classes):
    lines = [",".join("abc"[:n_features]) + ",class"]
    for i in range(60):
        row = [f"{i * i % p}" for p in (53, 47, 43)[:n_features]]
        lines.append(",".join([*row, f"versicolor or not {i % n_classes}"]))
    screen = visit("lab?data=upload&run=axis&run=sgd", width=390, height=844)
    upload(screen, "names.csv", "\n".join(lines).encode())
    pictures = screen.page.locator("[data-run] canvas")
    until(lambda: pictures.count() >= 2, "for the trees")
    at_rest(screen.page)
    assert screen.overflow() <= 0
    assert screen.page.locator(".tc-tree-panel canvas").first.bounding_box()["height"] > 100
