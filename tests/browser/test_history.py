"""The browser's own buttons: back leads to what was before, and never to a wrong page's words."""

from tests.helpers.browser import at_rest, drawn
from tests.helpers.wait import until


def test_back_on_a_page_undoes_and_a_lesson_is_one_step_away(visit):
    page = visit("learn?lesson=3").page
    page.get_by_role("link", name="Explore further").wait_for()
    at_rest(page)
    page.get_by_role("link", name="Explore further").click()
    page.wait_for_url("**/lab?v=1**depth=3**run=sgd**")
    page.locator("[data-run][data-state]").wait_for()
    at_rest(page)
    deep = page.get_by_role("slider", name="Depth, at most")
    deep.press("ArrowRight")
    page.wait_for_url("**depth=4**")
    at_rest(page)
    page.go_back()
    until(lambda: "depth=3" in page.url, "for the address of before")
    page.locator("[data-testid=stSliderThumbValue]", has_text="3").first.wait_for()
    at_rest(page)
    page.go_back()
    page.wait_for_url("**/learn**lesson=3**")
    page.get_by_role("link", name="Explore further").wait_for()


class HeldBack:
    """What a page asks its server, whose answers wait from :meth:`hold` to :meth:`let_go`."""

    def __init__(self, page):
        self.requested, self.answers, self._held = [], 0, None
        page.route_web_socket("**/_stcore/stream", self._join)

    def _join(self, browser):
        server = browser.connect_to_server()

        def ask(message):
            self.requested.append(message)
            server.send(message)

        def answer(message):
            later = (browser.send, message)
            browser.send(message) if self._held is None else self._held.append(later)
            self.answers += self._held is not None

        browser.on_message(ask)
        server.on_message(answer)

    def hold(self):
        self._held, self.answers = [], 0
        del self.requested[:]

    def let_go(self):
        answers, self._held = self._held, None
        for send, message in answers:
            send(message)


def test_a_run_that_begins_while_home_is_on_its_way_does_not_call_train_back(visit):
    screen = visit()
    page = screen.page
    server = HeldBack(page)
    page.reload()
    page.get_by_role("link", name="Watch one tree").first.click()
    screen.wait_for("paused")
    at_rest(page)
    server.hold()
    page.go_back()
    until(lambda: drawn(page, 1) or server.requested, "for Home to be asked for")
    screen.press("Play")
    screen.wait_for("running")
    drawn(page)
    assert len(server.requested) == 1, "the Lab was asked for once more"
    server.let_go()
    page.get_by_role("link", name="Begin with a lesson").wait_for()


def test_a_run_that_begins_late_does_not_undo_the_step_back(visit, served):
    page = visit().page
    server = HeldBack(page)
    page.reload()
    page.get_by_role("link", name="Watch one tree").first.click()
    page.locator("[data-run][data-state]").wait_for()
    at_rest(page)
    server.hold()
    page.get_by_role("slider", name="Depth, at most").press("ArrowRight")
    until(lambda: drawn(page, 1) or server.answers, "for the Lab to begin")
    page.go_back()
    until(lambda: page.url == f"{served.address}/", "for the address of Home")
    server.let_go()
    page.get_by_role("link", name="Begin with a lesson").wait_for()
    at_rest(page)
    assert page.get_by_test_id("stAlert").count() == 0
    page.go_forward()
    page.locator("[data-run][data-state]").wait_for()
    assert "/lab?v=1" in page.url


def test_back_leaves_a_page_whose_address_was_typed(visit, served):
    page = visit().page
    page.get_by_role("link", name="Begin with a lesson").wait_for()
    page.goto(f"{served.address}/train")
    page.wait_for_url("**/lab?v=1**")
    page.locator("[data-run][data-state]").wait_for()
    at_rest(page)
    page.go_back()
    page.get_by_role("link", name="Begin with a lesson").wait_for()
    assert page.url == f"{served.address}/"
