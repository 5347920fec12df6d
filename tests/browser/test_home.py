"""The first page and the lessons in a real browser: the loop moves, a lesson is played."""

from __future__ import annotations

from tests.helpers.wait import until


def loop(screen):
    """The picture, once the run is in it."""
    root = screen.page.locator("[data-testid=home][data-at]")
    root.wait_for()
    return root


def at(root):
    return int(root.get_attribute("data-at"))


def test_the_loop_moves_until_it_is_paused(visit):
    screen = visit()
    root = loop(screen)
    picture = root.locator("canvas")
    before = picture.screenshot()
    until(lambda: picture.screenshot() != before, "for another picture")
    until(lambda: at(root) < 60, "for the beginning, since it rests at the end")
    screen.press("Pause the picture")
    still = at(root)
    screen.stays()
    assert at(root) == still
    screen.press("Play the picture")
    until(lambda: at(root) != still, "for the loop to go on")


def test_who_asked_for_less_motion_sees_the_finished_tree(visit):
    screen = visit(reduced_motion="reduce")
    root = loop(screen)
    first = at(root)
    assert first > 100, "the last tree"
    screen.stays()
    assert at(root) == first
    screen.page.get_by_role("button", name="Play the picture").wait_for()


def test_a_door_leads_to_the_lessons_and_one_is_played_on_a_telephone(visit):
    screen = visit(width=390, height=844)
    page = screen.page
    page.get_by_role("link", name="Begin with the first lesson").click()
    page.wait_for_url("**/learn**")
    page.get_by_text("leaves awake").first.wait_for()
    assert screen.overflow() <= 0, "nothing hangs over the side"
    play = page.get_by_role("button", name="Play to see")
    assert play.is_disabled()
    page.get_by_text("Tree II, which cuts at any angle").click()
    play.click()
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    page.get_by_text("On points they have not seen").wait_for()
    page.get_by_role("button", name="Next").click()
    page.get_by_role("heading", name="Why greedy is not enough").wait_for()


def test_a_word_explains_itself_within_the_screen(visit):
    page = visit("learn?lesson=1", width=390, height=844).page
    word = page.locator(".lesson .term").nth(3)
    word.wait_for()
    tip = word.locator(".tip")
    assert not tip.is_visible()
    word.focus()
    tip.wait_for()
    box = tip.bounding_box()
    assert box["x"] >= 0
    assert box["x"] + box["width"] <= 390
