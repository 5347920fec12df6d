"""The browser's own buttons: back leads to what was before, and never to a wrong page's words."""

from __future__ import annotations

from tests.helpers.browser import at_rest, drawn
from tests.helpers.wait import until


def test_back_from_train_is_home_and_forward_is_train(visit):
    page = visit().page
    page.get_by_role("link", name="Begin with the first lesson").wait_for()
    page.get_by_role("link", name="Train", exact=True).first.click()
    page.wait_for_url("**/train?v=1**")
    page.locator("[data-run][data-state]").wait_for()
    at_rest(page)
    address = page.url
    page.go_back()
    page.get_by_role("link", name="Begin with the first lesson").wait_for()
    at_rest(page)
    assert page.url.endswith("/")
    assert page.get_by_test_id("stAlert").count() == 0
    page.go_forward()
    page.locator("[data-run][data-state]").wait_for()
    until(lambda: page.url == address, "for the address that was left")


def test_back_on_a_page_undoes_and_a_lesson_is_one_step_away(visit):
    page = visit("learn?lesson=3").page
    page.get_by_role("link", name="Go on by yourself").wait_for()
    at_rest(page)
    page.get_by_role("link", name="Go on by yourself").click()
    page.wait_for_url("**/train?v=1**run=sgd~depth~3**")
    page.locator("[data-run][data-state]").wait_for()
    at_rest(page)
    deep = page.get_by_role("slider", name="Depth")
    deep.press("ArrowRight")
    page.wait_for_url("**run=sgd~depth~4**")
    at_rest(page)
    page.go_back()
    until(lambda: "sgd~depth~3" in page.url, "for the address of before")
    page.locator("[data-testid=stSliderThumbValue]", has_text="3").first.wait_for()
    at_rest(page)
    page.go_back()
    page.wait_for_url("**/learn**lesson=3**")
    page.get_by_role("link", name="Go on by yourself").wait_for()


def test_a_run_that_begins_while_home_is_on_its_way_does_not_call_train_back(visit):
    screen = visit()
    page = screen.page
    asked, held = [], None  # where somebody holds them, the server's answers wait

    def join(browser):
        server = browser.connect_to_server()

        def ask(message):
            asked.append(message)
            server.send(message)

        def answer(message):
            later = (browser.send, message)
            browser.send(message) if held is None else held.append(later)

        browser.on_message(ask)
        server.on_message(answer)

    page.route_web_socket("**/_stcore/stream", join)
    page.reload()
    page.get_by_role("link", name="Train", exact=True).first.click()
    screen.wait_for("paused")
    at_rest(page)
    held = []
    del asked[:]
    page.go_back()
    until(lambda: drawn(page, 1) or asked, "for Home to be asked for")
    screen.press("Play")
    screen.wait_for("running")
    drawn(page)
    assert len(asked) == 1, "Train was asked for once more"
    answers, held = held, None
    for send, message in answers:
        send(message)
    page.get_by_role("link", name="Begin with the first lesson").wait_for()
