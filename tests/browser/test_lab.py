"""The comparison in a real browser: it plays, the table fills, a tree is better for reasons."""

import pytest

from tests.helpers.browser import at_rest, drawn, in_view
from tests.helpers.pictures import checked_picture
from tests.helpers.wait import until


def ready(screen, state="paused"):
    """The page, once its clock is in that state."""
    screen.page.locator(f"[data-testid=over-strip][data-state={state}]").wait_for()
    return screen


def share(screen):
    """Position of the clock."""
    return float(screen.page.get_by_test_id("over-strip").get_attribute("data-share"))


def cells(screen):
    rows = screen.page.locator("[data-testid=over-table] tbody tr")
    return [row.locator("td span").all_inner_texts() for row in rows.all()]


def play_to_the_end(screen, speed):
    screen.more()
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
    screen.more()
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

    screen.press("Where do they differ?")
    page.get_by_text("They agree on").wait_for()
    page.locator(".js-plotly-plot .scatterlayer").wait_for()


@pytest.mark.slow
def test_trees_are_taken_home(screen):
    page = screen.page
    play_to_the_end(screen, "Unlimited")
    screen.press("Export")
    page.get_by_role("button", name="SVG", exact=True).nth(1).wait_for()
    texts = checked_picture(screen.download("SVG").read_text(encoding="utf-8"), 0)
    assert "Non-greedy SGD" in "|".join(texts)
    assert screen.download("HTML page").read_text(encoding="utf-8").count('class="run"') == 2


def test_a_line_under_the_pointer_lights_its_learner_and_a_card_its_lines(screen):
    page = screen.page
    play_to_the_end(screen, "Unlimited")
    cards = page.get_by_test_id("live")
    lit = page.locator(".tc-lit")
    leaves, loss = (page.locator(".over-panel canvas").nth(i) for i in range(2))
    plain = leaves.screenshot()
    at_rest(page)

    def swept(chart, share):
        """The pointer goes down a chart until a learner is lit."""
        box = chart.bounding_box()
        for y in range(4, int(box["height"]) - 4, 4):
            page.mouse.move(box["x"] + share * box["width"], box["y"] + y)
            drawn(page)
            if lit.count():
                return lit.evaluate("root => root.getAttribute('aria-label')")
        raise AssertionError("no line is found")

    assert swept(loss, 0.5) in [card.get_attribute("aria-label") for card in cards.all()]
    assert leaves.screenshot() != plain, "the same moment is marked, and the other line is faint"
    page.mouse.move(2, 2)
    until(lambda: lit.count() == 0 and leaves.screenshot() == plain, "for all to be as before")
    before = loss.screenshot()
    assert swept(leaves, 0.12).startswith("I ·"), "only a greedy tree grows from one leaf"
    assert loss.screenshot() != before

    page.mouse.move(2, 2)
    cards.nth(1).locator("canvas").first.focus()
    until(lambda: lit.count() == 1 and loss.screenshot() != before, "for faint lines of the other")
    assert lit.get_attribute("aria-label").startswith("II ·")


def test_the_limit_is_dragged_in_the_chart_or_moved_with_the_arrow_keys(visit):
    page = ready(visit("lab?data=spirals&run=axis&run=sgd&fair=leaves&most=16")).page
    line = page.get_by_role("slider", name="Leaf limit")
    at_rest(page)
    assert line.get_attribute("aria-valuetext") == "at most 16 leaves"
    box = line.bounding_box()
    page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 20)
    page.mouse.down()
    page.mouse.move(box["x"] - 40, box["y"] + 20, steps=4)
    assert line.get_attribute("aria-valuenow") == "8"
    assert "most=16" in page.url, "nothing is learnt before it is let go"
    page.mouse.up()
    page.wait_for_url("**most=8**")
    page.get_by_role("slider", name="Leaves, at most").and_(
        page.locator("[aria-valuetext='8']")
    ).wait_for()
    at_rest(page)
    line.press("ArrowRight")
    line.press("ArrowRight")
    page.wait_for_url("**most=32**")
    at_rest(page)
    assert line.get_attribute("aria-valuenow") == "32"
    assert line.evaluate("slider => slider.matches(':focus')"), "and goes on from there"


SEEN = """
() => {
  window.seen = new Set();
  const look = (root) => {
    for (const one of root.querySelectorAll("*")) {
      if (one.shadowRoot) look(one.shadowRoot);
      const { top, bottom, left, right, width, height } = one.getBoundingClientRect();
      const inside = top < innerHeight && bottom > 0 && left < innerWidth && right > 0;
      if (inside && width && height) window.seen.add(one);
    }
  };
  look(document);
}
"""
"""Remembers all that is in view."""

STOP = """
() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  if (at === document.body) return null;
  const seen = [at, ...(at.labels ?? [])].some((one) => window.seen.has(one));
  const name = at.ariaLabel || at.labels?.[0]?.innerText || at.innerText || at.outerHTML;
  const page = at.matches("[data-testid=stMain]"); // which the arrow keys scroll
  return { seen: seen && !page && !at.closest("header"), name };
}
"""
"""What has the focus: its name, and whether it was in view, and not of the navigation."""


def stops(page) -> list[str]:
    """Names of all on the first screen that the tab key comes to, beside the navigation."""
    page.evaluate(SEEN)
    found, known = [], []
    while len(known) < 99:
        page.keyboard.press("Tab")
        stop = page.evaluate(STOP)
        if stop is None or stop["name"] in known[:1]:
            return found
        known.append(stop["name"])
        found += [stop["name"]] if stop["seen"] else []
    raise AssertionError(f"the tab key does not come round: {known}")


@pytest.mark.parametrize(("width", "height", "most"), [(1280, 800, 12), (390, 844, 8)])
@pytest.mark.parametrize(
    ("link", "state"), [("", "finished"), ("?data=xor&run=axis&run=sgd&fair=leaves", "paused")]
)
def test_two_learners_have_a_dozen_controls_on_the_first_screen(
    visit, width, height, most, link, state
):
    """What can be focused beside the navigation; a row of tiles is one."""
    screen = ready(visit(f"lab{link}", width=width, height=height), state)
    at_rest(screen.page)
    assert screen.overflow() <= 0, "nothing hangs over the side"
    found = stops(screen.page)
    assert len(found) <= most, found  # More, which opens the rest, stands in the navigation


def focused(page) -> str:
    return page.evaluate(STOP)["name"]


def test_pictures_are_one_stop_of_the_tab_key_and_so_are_the_buttons_of_learning(visit):
    page = ready(visit("lab"), "finished").page
    at_rest(page)
    page.evaluate(SEEN)
    page.get_by_role("button", name="Replay").focus()
    for name in ("Slow motion", "Reset", "Replay"):
        page.keyboard.press("ArrowRight")
        assert focused(page) == name
    page.keyboard.press("ArrowLeft")
    page.keyboard.press("Tab")
    assert focused(page) == "Position of the clock"
    page.keyboard.press("Shift+Tab")
    assert focused(page) == "Reset", "where it was left"
    page.keyboard.press("Tab")
    page.keyboard.press("Tab")
    begins = ("Map of the points", "Root split", "Map of the points", "Root split", "Leaf limit")
    maps = page.get_by_role("application")
    for number, begin in enumerate(begins):
        assert focused(page).startswith(begin)
        assert maps.nth(1).evaluate("one => one.matches(':focus')") == (number == 2)
        page.keyboard.press("PageDown")
    assert focused(page) == "Leaf limit", "the last one"
    page.keyboard.press("PageUp")
    page.keyboard.press("ArrowRight")
    split = focused(page)
    assert not split.startswith("Root")
    page.keyboard.press("Shift+Tab")
    assert focused(page) == "Position of the clock"
    page.keyboard.press("Tab")
    assert focused(page) == split


def test_a_link_that_the_keyboard_is_on_is_framed(visit):
    page = visit("lab").page
    link = page.get_by_role("link", name="Learn")
    page.get_by_role("link", name="Home").focus()
    page.keyboard.press("Tab")
    assert link.evaluate("(one) => document.activeElement === one")
    assert link.evaluate("(one) => getComputedStyle(one).outlineStyle") == "solid"


@pytest.mark.parametrize("language", ["en", "de"])
def test_the_method_of_inspect_is_named_whole_on_a_telephone(visit, language):
    page = visit(f"inspect?data=moons&lang={language}", width=390, height=844).page
    names = page.locator("[class*=st-key-which_] input[role=combobox]")
    names.nth(1).wait_for()
    at_rest(page)
    cut = "(all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.value)"
    assert names.evaluate_all(cut) == []


def test_the_tile_of_the_chosen_data_is_in_view(visit):
    """On a telephone the row of tiles is wider than the screen."""
    page = visit("lab?data=diabetes", width=390, height=844).page
    in_view(page, page.get_by_role("radio", name="Diabetes"), across=True)


def test_names_beside_the_open_sidebar_are_whole_before_an_audience(visit):
    screen = visit("lab?projector=1&run=axis&run=sgd&run=oc1", height=800)
    ready(screen)
    screen.more()
    in_view(screen.page, screen.page.get_by_role("heading", name="Learners"))
    at_rest(screen.page)
    row = screen.page.locator(".st-key-learners :is(input, [data-testid=stMarkdownContainer])")
    cut = "(all) => all.filter((e) => e.scrollWidth > e.clientWidth).map((e) => e.outerHTML)"
    assert row.count() > 5
    assert row.evaluate_all(cut) == []


@pytest.mark.parametrize("runs", ["run=tao", "run=axis&run=sgd"])
def test_on_a_telephone_the_words_of_a_step_are_in_view(visit, runs):
    page = visit(f"lab?data=xor&{runs}&slow=1", width=390, height=844).page
    in_view(page, page.get_by_role("button", name="Take the step"))
    in_view(page, page.locator(".st-key-slow p").nth(1))


def test_the_explanation_of_a_tile_goes_once_it_is_chosen(visit):
    """It lies over what the choice brings: the file to upload, or the buttons beside the limit."""
    page = visit("lab?data=iris").page
    tile = page.get_by_role("radio", name="Your own")
    tile.hover()
    page.locator(".tc-tip.open").wait_for()
    tile.click()
    page.get_by_text("Your table").wait_for()
    assert page.locator(".tc-tip.open").count() == 0


def test_the_keyboard_passes_by_what_a_closed_sidebar_holds(screen):
    page = screen.page
    inside = "document.querySelector('[data-testid=stSidebar]').contains(document.activeElement)"
    for _ in range(9):
        page.keyboard.press("Tab")
        assert not page.evaluate(inside)
    page.get_by_test_id("stExpandSidebarButton").click()
    page.get_by_label("Size").first.focus()
    assert page.evaluate(inside)


def test_the_focus_goes_to_what_undoes_a_button_or_takes_its_place(screen):
    page = ready(screen).page

    def pressed(button):
        button.focus()
        page.keyboard.press("Enter")

    def then(selector):
        page.locator(f"{selector}:focus").wait_for()

    pressed(page.get_by_test_id("stExpandSidebarButton"))
    then("[data-testid=stSidebarCollapseButton] button")
    page.keyboard.press("Enter")
    then("[data-testid=stExpandSidebarButton]")
    pressed(page.get_by_role("button", name="Add a third"))
    then("[aria-label='Learner III']")
    pressed(page.get_by_role("button", name="Inspect II", exact=True))
    then(".st-key-inspect_leave button")
    page.keyboard.press("Enter")
    then(".st-key-inspect_0 button")
