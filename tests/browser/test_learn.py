"""Lessons that the visitor's browser learns, and those that it leaves to the server."""

import re

import pytest

from tests.helpers.browser import in_view

STRIP = "[data-testid=over-strip]"


def played(page, answer, said):
    """Answer the first question of a lesson, and see; gives the sentence of its verdict."""
    page.get_by_text(answer, exact=True).click()
    page.get_by_role("button", name="Play and see").click()
    page.get_by_role("button", name="Pause", exact=True).wait_for()
    page.get_by_text(re.compile(said)).wait_for()
    return page.get_by_text(re.compile(said)).inner_text()


SELDOM = "() => { requestAnimationFrame = (f) => setTimeout(() => f(performance.now()), 3000); }"
"""A picture counts half a second at most: the run is not over before Pause has been heard."""


@pytest.mark.parametrize(
    ("lesson", "answer", "said"),
    [
        (3, "Never", "In 101 measurements, the loss was 0 times above its bound"),
        (9, "It rises, and then falls", "Test accuracy was .* at depth .* at the end"),
    ],
)
def test_the_browser_learns_what_the_server_learns_without_a_wire(visit, lesson, answer, said):
    page = visit("learn?lesson=1").page
    page.get_by_text("Choose an answer first").wait_for()
    page.add_init_script("delete globalThis.WebAssembly")
    wires = []
    page.on("websocket", lambda wire: wires.append(wire.url.rpartition("/live/")[1]))
    page.goto(page.url.replace("lesson=1", f"lesson={lesson}"))
    by_server = played(page, answer, said)
    assert "/live/" in wires, "who cannot learn hears by a wire"
    page = visit(f"learn?lesson={lesson}").page
    wires.clear()
    page.on("websocket", lambda wire: wires.append(wire.url.rpartition("/live/")[1]))
    assert played(page, answer, said) == by_server
    assert "/live/" not in wires
    # Back and forth, as often as one likes; then once more from the beginning.
    slider = page.get_by_role("slider", name="Position of the clock")
    slider.press("PageDown")
    page.locator(f"{STRIP}[data-state=paused][data-share^='0.9']").wait_for()
    slider.press("End")
    page.locator(f"{STRIP}[data-state=finished]").wait_for()
    page.evaluate(SELDOM)
    page.get_by_role("button", name="Play again").click()
    page.locator(f"{STRIP}[data-state=running]:not([data-share='0'])").wait_for()
    page.get_by_role("button", name="Pause", exact=True).click()
    page.locator(f"{STRIP}[data-state=paused]").wait_for()
    page.get_by_role("button", name="Play again").wait_for()


def test_the_lesson_that_is_open_is_in_view(visit):
    """On a telephone the row of lessons is wider than the screen, and Next stands far below."""
    page = visit("learn?lesson=7", width=390, height=844).page
    in_view(page, page.get_by_role("radio", name="7 · Start"))
    page.get_by_role("button", name="Next").click()
    in_view(page, page.get_by_role("heading", name="One after another, or all together"))
    in_view(page, page.get_by_role("radio", name="8 · Stripes"), across=True)


def test_the_runs_stand_beside_a_lesson_s_last_words(visit):
    page = visit("learn?lesson=1", height=700).page
    page.get_by_text("They will do about equally well", exact=True).click()
    page.get_by_role("button", name="Play and see").click()
    page.get_by_role("button", name="Answer", exact=True).wait_for()
    page.get_by_role("button", name="Next").scroll_into_view_if_needed()
    page.mouse.move(300, 400)
    page.mouse.wheel(0, 3000)
    in_view(page, page.locator(".tc-map-panel canvas").first)


@pytest.mark.parametrize("lesson", [2, 3])
def test_on_a_telephone_the_map_stays_in_view_while_one_answers(visit, lesson):
    page = visit(f"learn?lesson={lesson}", width=390, height=844).page
    answers = page.locator(".stRadio [role=radiogroup] label")
    for answer in (answers.first, answers.last):
        answer.scroll_into_view_if_needed()
        in_view(page, answer)
        in_view(page, page.locator(".tc-map-panel canvas").first)
    answers.last.click()
    page.get_by_role("button", name="Play and see").click()
    in_view(page, page.locator(STRIP))
