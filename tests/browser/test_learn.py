"""Lessons that the visitor's browser learns, and those that it leaves to the server."""

import re

SAID = re.compile("In 101 measurements, the loss was 0 times above its bound")
STRIP = "[data-testid=over-strip]"


def played(page):
    """Answer the first question of lesson 3, and see; gives the sentence of its verdict."""
    page.get_by_text("Never", exact=True).click()
    page.get_by_role("button", name="Play and see").click()
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    page.get_by_text(SAID).wait_for()
    return page.get_by_text(SAID).inner_text()


def test_the_browser_learns_what_the_server_learns_without_a_wire(visit):
    page = visit("learn?lesson=1").page
    page.get_by_text("Choose an answer first").wait_for()
    page.add_init_script("delete globalThis.WebAssembly")
    wires = []
    page.on("websocket", lambda wire: wires.append(wire.url.rpartition("/live/")[1]))
    page.goto(page.url.replace("lesson=1", "lesson=3"))
    by_server = played(page)
    assert "/live/" in wires, "who cannot learn hears by a wire"
    page = visit("learn?lesson=3").page
    wires.clear()
    page.on("websocket", lambda wire: wires.append(wire.url.rpartition("/live/")[1]))
    assert played(page) == by_server
    assert "/live/" not in wires
    # Back and forth, as often as one likes; then once more from the beginning.
    slider = page.get_by_role("slider", name="Position of the clock")
    slider.press("PageDown")
    page.locator(f"{STRIP}[data-state=paused][data-share^='0.9']").wait_for()
    slider.press("End")
    page.locator(f"{STRIP}[data-state=finished]").wait_for()
    page.get_by_role("button", name="Play again").click()
    page.locator(f"{STRIP}[data-state=running]:not([data-share='0'])").wait_for()
    page.get_by_role("button", name="Pause", exact=True).click()
    page.locator(f"{STRIP}[data-state=paused]").wait_for()
    page.get_by_role("button", name="Play again").wait_for()
