"""The first page and the lessons in a real browser: the loop moves, a lesson is played."""

from __future__ import annotations

from tests.helpers.wait import SECONDS, until


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
    page.get_by_text("a single leaf").first.wait_for()
    assert screen.overflow() <= 0, "nothing hangs over the side"
    play = page.get_by_role("button", name="Play to see")
    assert play.is_disabled()
    page.get_by_text("Tree II, which cuts at any angle").click()
    play.click()
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    page.get_by_text("Right on unseen points – I").wait_for()
    page.get_by_role("button", name="Next", exact=True).click()
    page.get_by_role("heading", name="Four corners").wait_for()


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


def test_answers_outlive_the_tab_and_can_be_forgotten(chromium, served):
    context = chromium.new_context()
    context.set_default_timeout(1000 * SECONDS)
    kept = "localStorage.getItem('treecore.answers')"
    try:
        page = context.new_page()
        page.goto(f"{served.address}/learn?lesson=1")
        page.get_by_text("Tree II, which cuts at any angle").click()
        page.get_by_role("button", name="Play to see").click()
        page.wait_for_function(f"() => ({kept} ?? '').includes('angles')")
        page.close()

        later = context.new_page()
        later.goto(f"{served.address}/learn?lesson=1")
        later.get_by_text("Your answer is recorded").wait_for()
        chosen = later.locator(".stRadio input:checked")
        assert chosen.count() == 1
        assert chosen.is_disabled()
        later.get_by_role("button", name="My answers").click()
        later.get_by_role("button", name="Forget my answers").click()
        later.get_by_text("Choose an answer first").wait_for()
        later.wait_for_function(f"() => {kept} === null")
    finally:
        context.close()
