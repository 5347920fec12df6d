"""The comparison in a real browser: it plays, the table fills, a tree is better for reasons."""

from __future__ import annotations

import pytest

from tests.helpers.browser import at_rest
from tests.helpers.pictures import checked_picture
from tests.helpers.wait import until


def ready(screen, state="paused"):
    """The page, once its clock is in that state."""
    screen.page.locator(f"[data-testid=over-strip][data-state={state}]").wait_for()
    return screen


def share(screen):
    """Where the clock stands."""
    return float(screen.page.get_by_test_id("over-strip").get_attribute("data-share"))


def cells(screen):
    rows = screen.page.locator("[data-testid=over-table] tbody tr")
    return [row.locator("td span").all_inner_texts() for row in rows.all()]


def more(screen):
    """Everything that the Lab has beside its first screen."""
    button = screen.page.get_by_test_id("stExpandSidebarButton")
    if button.is_visible():
        button.click()


def play_to_the_end(screen, speed):
    more(screen)
    screen.page.get_by_role("radio", name=speed).click()
    screen.press("Play")
    ready(screen, "finished")


@pytest.fixture
def screen(visit):
    return ready(visit("lab?data=spirals&run=axis&run=sgd&clock=time", height=1000))


def test_the_first_visitor_of_a_server_may_come_by_a_link(first_visitor):
    """Only that one comes before any page is known to the server."""
    page = ready(first_visitor, "finished").page
    assert page.get_by_role("link", name="Lab").is_visible()
    assert page.get_by_role("link", name="Learn").is_visible()
    assert page.get_by_role("link", name="app", exact=True).count() == 0
    assert first_visitor.complaints == []


def test_it_plays_the_table_fills_and_why_shows_points(screen):
    page = screen.page
    views = page.get_by_test_id("live")
    pictures = [views.nth(i).locator("canvas").first for i in range(2)]
    before = [picture.screenshot() for picture in pictures]
    first = cells(screen)
    more(screen)
    page.get_by_role("radio", name="Fast").click()
    screen.press("Play")
    until(lambda: share(screen) > 0, "for the clock to go")
    board = page.get_by_test_id("over-table")
    board.evaluate("element => { element.dataset.mark = 'same' }")
    ready(screen, "finished")
    for picture, old in zip(pictures, before, strict=True):
        until(lambda p=picture, o=old: p.screenshot() != o, "for a tree that has learnt")
    assert share(screen) == 1.0
    until(lambda: all(cell not in ("", "–") for row in cells(screen) for cell in row))
    last = cells(screen)
    assert last != first
    assert board.get_attribute("data-mark") == "same", "nothing was mounted anew"
    accuracy = [float(row[0].removesuffix("\u00a0%")) for row in last]
    assert accuracy[1] > accuracy[0], "spirals are what slanted splits are for"

    screen.press("Show the points")
    page.get_by_text("held-out points,").wait_for()
    page.get_by_text("Follow the point").wait_for()
    page.locator(".js-plotly-plot .scatterlayer").wait_for()
    page.get_by_text("which is wrong").wait_for()  # one, or this complains


@pytest.mark.slow
def test_seeds_become_small_maps_and_trees_are_taken_home(screen):
    page = screen.page
    play_to_the_end(screen, "Unlimited")
    seeds = page.get_by_label("Seeds", exact=True)
    seeds.fill("2")
    seeds.press("Enter")
    screen.press("Run over seeds")
    maps = page.locator(".tc-small img")
    maps.nth(3).wait_for()
    assert maps.count() == 4, "a map a method and seed"
    page.locator("[data-testid=stProgress]").wait_for(state="detached")
    sizes = maps.evaluate_all("all => all.map(image => image.naturalWidth)")
    assert sizes == [96] * 4, "every picture can be read"
    assert "seed 1" in page.locator(".tc-small figcaption").nth(1).inner_text()

    screen.press("Export")
    page.get_by_role("button", name="SVG", exact=True).nth(1).wait_for()
    texts = checked_picture(screen.download("SVG").read_text(encoding="utf-8"), 0)
    assert "Non-greedy SGD" in "|".join(texts)
    assert screen.download("HTML page").read_text(encoding="utf-8").count('class="run"') == 2
    program = page.locator("[data-testid=stPopoverBody] [data-testid=stCode]").inner_text()
    assert "'II': RunConfig('sgd'" in program


@pytest.mark.slow
def test_a_class_sees_the_runs_and_not_the_controls(visit):
    screen = ready(visit("lab?hide=data,method,settings,map,speed&data=moons&run=axis&run=sgd"))
    page = screen.page
    at_rest(page)
    assert page.get_by_role("button", name="Play", exact=True).is_visible()
    for hidden in ("Depth, at most", "Seed", "Learner I"):
        assert not page.get_by_text(hidden, exact=True).first.is_visible()
    assert not page.get_by_test_id("stSidebar").is_visible()
    assert "hide=data" in page.url


@pytest.mark.slow
def test_a_pause_holds_everything_and_the_hand_is_moved_with_the_keyboard(screen):
    more(screen)
    screen.page.get_by_role("radio", name="Slow").click()
    screen.press("Play")
    until(lambda: share(screen) > 0, "for the clock to go")
    screen.press("Pause")
    ready(screen)
    screen.stays()  # until the hand is where the server's clock has stopped
    held = share(screen)
    assert 0 < held < 1
    screen.stays()
    assert share(screen) == held

    play_to_the_end(screen, "Unlimited")
    slider = screen.page.get_by_role("slider", name="Where the clock stands")
    slider.focus()
    for _ in range(3):
        slider.press("PageDown")
    until(lambda: share(screen) == pytest.approx(0.7, abs=0.02), "for the hand to be there")
    ready(screen)
    screen.stays()
    assert share(screen) == pytest.approx(0.7, abs=0.02)
    assert float(slider.input_value()) == pytest.approx(0.7, abs=0.02)


@pytest.mark.slow
def test_a_copied_link_opens_the_same_comparison_elsewhere(screen, visit):
    screen.press("Add a third")
    screen.page.wait_for_url("**run=oc1**")
    query = screen.page.url.split("/lab")[1]
    page = ready(visit(f"lab{query}")).page
    page.locator("[data-testid=over-table] tbody th").nth(2).wait_for()
    methods = page.locator("[data-testid=over-table] tbody th span").all_inner_texts()
    assert len(methods) == 3
    assert "OC1" in methods[2]
    at_rest(page)
    assert page.url.split("/lab")[1] == query


def test_nothing_is_wider_than_a_telephone(visit):
    screen = ready(visit("lab", width=390, height=844), "finished")
    at_rest(screen.page)
    assert screen.overflow() <= 0
