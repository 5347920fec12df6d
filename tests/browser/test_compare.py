"""The comparison in a real browser: it plays, the table fills, a tree is better for reasons."""

from __future__ import annotations

import pytest

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser


class Screen:
    """The page Compare as a visitor sees it."""

    def __init__(self, page, address, query=""):
        self.page = page
        self.complaints = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)
        page.goto(f"{address}/compare{query}")
        self.strip = page.locator("[data-testid=over-strip]")
        self.board = page.locator("[data-testid=over-charts-table]")
        self.wait_for("paused", 60)

    def _hear(self, message):
        # Below a page's address Streamlit looks for its server, misses it, and goes one up.
        if message.type == "error" and "/_stcore/" not in message.location.get("url", ""):
            self.complaints.append(message.text)

    def wait_for(self, state, seconds=40):
        self.page.locator(f"[data-testid=over-strip][data-state={state}]").wait_for(
            timeout=1000 * seconds
        )

    def press(self, name):
        self.page.get_by_role("button", name=name, exact=True).click()

    def share(self):
        return float(self.strip.get_attribute("data-share"))

    def cells(self):
        rows = self.board.locator("tbody tr")
        return [
            [cell.inner_text() for cell in rows.nth(i).locator("td span").all()]
            for i in range(rows.count())
        ]


@pytest.fixture
def screen(chromium, address):
    context = chromium.new_context(viewport={"width": 1280, "height": 1000})
    screen = Screen(context.new_page(), address)
    yield screen
    context.close()
    assert screen.complaints == []


def test_the_first_visitor_of_a_server_may_come_by_a_link(screen):
    """First in this file: the server is fresh. The menu is the one that app.py has made."""
    assert screen.page.get_by_role("link", name="Train").is_visible()
    assert screen.page.get_by_role("link", name="Compare").is_visible()
    assert screen.page.get_by_role("link", name="app", exact=True).count() == 0


def test_it_plays_the_table_fills_and_why_shows_points(screen):
    views = screen.page.get_by_test_id("live")
    pictures = [views.nth(i).locator("canvas").first for i in range(2)]
    for picture in pictures:
        picture.wait_for()
    before = [picture.screenshot() for picture in pictures]
    marked = screen.board
    marked.evaluate("element => { element.dataset.mark = 'same' }")
    first = screen.cells()
    screen.page.get_by_role("radio", name="Fast").click()
    screen.wait_for("paused")
    screen.press("Play")
    screen.wait_for("running")
    screen.wait_for("finished")
    after = [picture.screenshot() for picture in pictures]
    assert all(old != new for old, new in zip(before, after)), "both trees have learnt"
    assert screen.share() == 1.0
    last = screen.cells()
    assert last != first
    assert all(cell not in ("", "–") for row in last for cell in row)
    assert marked.get_attribute("data-mark") == "same", "nothing was mounted anew"
    accuracy = [float(row[0].removesuffix(" %")) for row in last]
    assert accuracy[1] > accuracy[0], "spirals are what slanted splits are for"

    screen.press("Why is this one better here?")
    screen.page.get_by_text("held-out points,").wait_for()
    screen.page.get_by_text("Follow the point").wait_for()
    screen.page.locator(".js-plotly-plot .scatterlayer").wait_for()
    screen.page.get_by_text("which is wrong").wait_for()  # one, or this complains


def test_seeds_become_small_maps_and_trees_are_taken_home(screen):
    page = screen.page
    page.get_by_role("radio", name="Unlimited").click()
    screen.press("Play")
    screen.wait_for("finished")
    seeds = page.get_by_label("Seeds", exact=True)
    seeds.fill("2")
    seeds.press("Enter")
    screen.press("Run over seeds")
    maps = page.locator(".tc-small img")
    maps.nth(3).wait_for(timeout=60_000)
    assert maps.count() == 4, "a map a method and seed"
    page.locator("[data-testid=stProgress]").wait_for(state="detached")
    sizes = maps.evaluate_all("all => all.map(image => image.naturalWidth)")
    assert sizes == [96] * 4, "every picture can be read"
    assert "seed 1" in page.locator(".tc-small figcaption").nth(1).inner_text()

    screen.press("Export")
    second = page.get_by_role("button", name="SVG", exact=True).nth(1)
    second.wait_for()
    page.wait_for_timeout(1000)  # a click that comes while Streamlit runs the page may be lost
    with page.expect_download() as download:
        second.click()
    assert download.value.suggested_filename.startswith("II-")
    assert "Non-greedy SGD" in download.value.path().read_text(encoding="utf-8")
    program = page.locator("[data-testid=stPopoverBody] [data-testid=stCode]").inner_text()
    assert "'II': RunConfig('sgd'" in program


def test_a_class_sees_the_runs_and_not_the_controls(chromium, address):
    context = chromium.new_context(viewport={"width": 1280, "height": 800})
    screen = Screen(context.new_page(), address, "?hide=data,method,settings,map&data=moons")
    page = screen.page
    assert page.get_by_role("button", name="Play", exact=True).is_visible()
    for hidden in ("Depth", "Seed", "Method I"):
        assert not page.get_by_text(hidden, exact=True).first.is_visible()
    assert not page.get_by_test_id("stSidebar").is_visible()
    assert "hide=data" in page.url
    context.close()


def test_the_hand_is_moved_with_the_keyboard_and_stays(screen):
    screen.page.get_by_role("radio", name="Unlimited").click()
    screen.press("Play")
    screen.wait_for("finished")
    slider = screen.page.get_by_role("slider", name="Where the clock stands")
    slider.focus()
    for _ in range(3):
        slider.press("PageDown")
    screen.wait_for("paused")
    screen.page.wait_for_timeout(1500)
    assert screen.share() == pytest.approx(0.7, abs=0.02)
    assert float(slider.input_value()) == pytest.approx(0.7, abs=0.02)


def test_a_pause_holds_everything(screen):
    screen.press("Play")
    screen.wait_for("running")
    screen.page.wait_for_timeout(2000)
    screen.press("Pause")
    screen.wait_for("paused")
    share = screen.share()
    assert 0 < share < 1
    screen.page.wait_for_timeout(700)
    assert screen.share() == share


def test_a_copied_link_opens_the_same_comparison_elsewhere(screen, chromium, address):
    screen.page.get_by_role("radio", name="3", exact=True).click()
    screen.page.wait_for_url("**run=tao**")
    query = screen.page.url.split("/compare")[1]
    other = Screen(chromium.new_page(), address, query)
    methods = [cell.inner_text() for cell in other.board.locator("tbody th span").all()]
    assert len(methods) == 3
    assert "TAO" in methods[2]
    assert other.page.url.split("/compare")[1] == query
    assert other.complaints == []
    other.page.close()


def test_nothing_is_wider_than_a_telephone(chromium, address):
    context = chromium.new_context(viewport={"width": 390, "height": 844})
    screen = Screen(context.new_page(), address)
    wide = screen.page.evaluate("document.documentElement.scrollWidth")
    assert wide <= 390
    main = "[...document.querySelectorAll('[data-testid=stMain]')].map(e => e.scrollWidth)"
    assert max(screen.page.evaluate(main)) <= 390
    context.close()
