"""A page of the app as a visitor sees it."""

from pathlib import Path

from tests.helpers.browser import at_rest, drawn
from tests.helpers.wait import until

STAYS = 40
"""Pictures after which what has not changed is believed to stay: at 60 a second, two thirds of a
second, in which a page that still ran would have ticked several times."""


class Screen:
    """A tab, and what its browser complains of."""

    def __init__(self, page):
        self.page = page
        self.complaints: list[str] = []
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("console", self._hear)
        self.root = page.locator("[data-run][data-state]")  # of the live view, where there is one

    def _hear(self, message) -> None:
        # Below a page's address Streamlit looks for its server, misses it, and goes one up.
        if message.type == "error" and "/_stcore/" not in message.location.get("url", ""):
            self.complaints.append(message.text)

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name, exact=True).click()

    def more(self) -> None:
        """Show everything that the Lab has beside its first screen."""
        button = self.page.get_by_test_id("stExpandSidebarButton")
        if button.is_visible():
            button.click()

    def pick(self, dot) -> None:
        """Click on a dot of a plot that is drawn and lies still."""
        dot.wait_for()
        at_rest(self.page)
        dot.click(force=True)  # what takes the click lies over it

    def overflow(self) -> int:
        """Pixels by which the page is wider than its window."""
        return self.page.evaluate(
            """() => Math.max(...[document.documentElement,
              ...document.querySelectorAll("[data-testid=stMain]")].map((part) =>
                part.scrollWidth - part.clientWidth))"""
        )

    def stays(self) -> None:
        """Wait for as long as shows that something does not change."""
        drawn(self.page, STAYS)

    def download(self, name: str) -> Path:
        """The file behind a button, the last one of that name."""
        button = self.page.get_by_role("button", name=name, exact=True).last
        at_rest(self.page)
        with self.page.expect_download() as download:
            button.click()
        return download.value.path()

    # The live view ------------------------------------------------------------------------------

    def said(self, name: str) -> str:
        return self.root.get_attribute(f"data-{name}")

    def number(self, name: str) -> float:
        return float(self.said(name))

    def wait_for(self, state: str) -> None:
        self.page.locator(f"[data-run][data-state={state}]").wait_for()

    def picture(self) -> bytes:
        """The map's pixels."""
        return self.root.locator("canvas").first.screenshot()

    def take_in(self, pictures: int) -> None:
        """Wait until the map has changed so many times more."""
        goal = self.number("pictures") + pictures
        until(lambda: self.number("pictures") >= goal, "for pictures")
