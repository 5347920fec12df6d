"""Pages for everyone: what axe-core finds, and text that can be read, in both themes."""

import re
from collections import defaultdict

import pytest

from tests.helpers.axe import violations
from tests.helpers.browser import at_rest
from tests.helpers.contrast import pale
from tests.helpers.controls import small, touch, unmarked
from tests.helpers.wait import until

PLACES = {
    "": "In Python",
    "learn": "Choose an answer first",
    "learn?lesson=5": "Choose an answer first",
    "lab?foo=1&run=sgd&data=spirals": "this page has nothing called",
    "lab": "One run may be luck",
    "lab?data=moons&run=random-forest&run=hinge-forest": "One draw shows little",
    "inspect?data=wine": "Calibration",
    "lab?data=xor&run=sgd&slow=1": "follows the solid path",
    "library?tab=Sweeps&foo=1": "this page has nothing called",
}
"""Pages, and words that are there once they are."""

UNLIKE = ("", "lab?foo=1&run=sgd&data=spirals", "lab", "learn")
"""Of them, those whose parts the others are made of as well."""

BACKGROUND = "() => getComputedStyle(document.querySelector('[data-testid=stApp]')).backgroundColor"

OF_COLOURS = ("color-contrast", "link-in-text-block")
"""The rules that another theme can break: it changes colours, and nothing else."""


@pytest.mark.parametrize(
    "place", [pytest.param(one, marks=() if one in UNLIKE else pytest.mark.slow) for one in PLACES]
)
def test_a_page_is_for_everyone_and_a_change_of_theme_keeps_it_so(visit, place):
    page = visit(place, height=720, color_scheme="light").page
    page.get_by_text(PLACES[place]).first.wait_for()
    at_rest(page)
    assert page.evaluate("document.body.innerText.length") > 100
    until(lambda: pale(page) == [], "for text that stands out")
    light = page.evaluate(BACKGROUND)
    figures, tables = page.get_by_test_id("stPlotlyChart"), page.locator("details.numbers")
    # What draws figures is loaded after the page's text.
    until(lambda: tables.count() == figures.count(), "for a table of each figure")
    assert violations(page) == []
    page.emulate_media(color_scheme="dark")  # in the midst of it, without a new run of the page
    page.wait_for_function(f"(light) => ({BACKGROUND})() !== light", arg=light)
    at_rest(page)
    # A component hears of the theme by a message of its own, after the page has it.
    until(lambda: pale(page) == [], "for text that stands out in the dark")
    assert violations(page, *OF_COLOURS) == []
    assert unmarked(page) == [], "the keyboard's focus is seen on every control"
    touch(page)
    at_rest(page)
    assert small(page) == [], "a thumb finds every control"


# On other screens -----------------------------------------------------------------------------


@pytest.mark.slow
@pytest.mark.parametrize(
    ("place", "hand"),
    [("lab?data=spirals&run=axis&run=sgd&depth=3", "hand"), ("learn?lesson=5", "lesson_hand")],
)
def test_at_a_zoom_of_two_runs_that_are_compared_stay_in_sight_with_what_plays_them(
    visit, place, hand
):
    screen = visit(place, width=640, height=400)
    screen.page.locator("[data-testid=over-strip][data-state=paused]").wait_for()
    at_rest(screen.page)
    maps = screen.page.locator("[data-run] .tc-map canvas")
    maps.first.evaluate("picture => picture.scrollIntoView({ block: 'nearest' })")
    header = screen.page.get_by_test_id("stHeader").bounding_box()
    strip = screen.page.locator(f".st-key-{hand}").bounding_box()
    first, second = (maps.nth(i).bounding_box() for i in range(2))
    assert strip["y"] >= header["y"] + header["height"]
    assert first["y"] >= strip["y"] + strip["height"], "one does not hide the other"
    assert first["y"] + first["height"] <= 400
    assert second["y"] == first["y"]
    assert second["x"] >= first["x"] + first["width"]
    assert screen.overflow() <= 0


def test_what_is_chosen_is_seen_where_a_system_has_colours_of_its_own(visit):
    page = visit("lab", forced_colors="active").page
    look = "one => getComputedStyle(one).backgroundColor + getComputedStyle(one).outlineStyle"
    for pair in {
        ".tc-tile:has(:checked)": ".tc-tile:not(:has(:checked))",
        "button[aria-checked=true]": "button[aria-checked=false]",
        ":has(> [data-testid=stSliderThumbValue])": "[data-testid=stApp]",
    }.items():
        until(lambda pair=pair: len({page.locator(it).first.evaluate(look) for it in pair}) == 2)


# With the keyboard alone -----------------------------------------------------------------------

FOCUSED = """
() => {
  let at = document.activeElement;
  while (at?.shadowRoot?.activeElement) at = at.shadowRoot.activeElement;
  const group = at.type === "radio" && `input[name="${at.name}"]:checked`;
  return {
    lines: (at.ariaLabel || at.labels?.[0]?.innerText || at.innerText || "").split("\\n"),
    role: at.getAttribute("role"), open: !!group && !document.querySelector(group),
  };
}
"""
MOST_TABS = 99


def tab_to(page, wanted, what) -> None:
    """Go on by the tab key until ``wanted(focused)``."""
    for _ in range(MOST_TABS):
        page.keyboard.press("Tab")
        if wanted(page.evaluate(FOCUSED)):
            return
    raise AssertionError(f"the tab key does not come to {what}")


def press(page, name: str) -> None:
    """Press a button by the keyboard, once it can be."""
    button = page.get_by_role("button", name=name, exact=True)
    button.and_(page.locator(":enabled")).wait_for()
    at_rest(page)
    tab_to(page, lambda focused: name in focused["lines"], name)
    page.keyboard.press("Enter")


def choose(page, choice: str = "") -> None:
    """Answer the next question that has no answer yet; by its first answer where none is named."""
    tab_to(page, lambda focused: focused["open"], "a question without an answer")
    page.keyboard.press("Space")
    while choice not in page.evaluate(FOCUSED)["lines"][0]:
        page.keyboard.press("ArrowDown")


def heard_by_role(page) -> dict[str, list[str]]:
    """Names, or texts, of all that Chromium tells readers of screens, by role."""
    tree = page.context.new_cdp_session(page).send("Accessibility.getFullAXTree")["nodes"]
    known = {node["nodeId"]: node for node in tree}

    def text(node) -> str:
        below = (known[child] for child in node.get("childIds", []) if child in known)
        own = node.get("name", {}).get("value", "")
        return own or " ".join(filter(None, map(text, below)))

    observed = defaultdict(list)
    for node in tree:
        if not node.get("ignored"):
            observed[node["role"]["value"]].append(text(node))
    return observed


def test_the_first_lesson_is_done_with_the_keyboard_alone(visit):
    page = visit("learn?lesson=1").page
    page.get_by_text("Choose an answer first").wait_for()
    at_rest(page)
    choose(page, "Tree II")
    press(page, "Play and see")
    page.get_by_role("button", name="Answer", exact=True).wait_for()
    at_rest(page)
    choose(page)
    press(page, "Answer")
    press(page, "Try it elsewhere")
    question = page.get_by_role("group", name="The question", include_hidden=True)
    question.and_(page.locator(":focus")).wait_for(state="attached")
    page.get_by_text("Choose an answer first").wait_for()
    at_rest(page)
    choose(page)
    press(page, "Play and see")
    page.get_by_text("1 of 12 lessons answered").wait_for()
    at_rest(page)
    assert violations(page) == []


@pytest.mark.slow
def test_a_comparison_is_made_and_heard_with_the_keyboard_alone(visit):
    page = visit("lab?data=spirals&run=axis&run=sgd&depth=3", height=1000).page
    page.locator("[data-testid=over-strip][data-state=paused]").wait_for()
    at_rest(page)
    press(page, "Play")
    first = page.locator("[data-run]").first
    until(lambda: float(first.get_attribute("data-epoch")) >= 1, "for a split of the greedy tree")
    assert "Pause" in page.evaluate(FOCUSED)["lines"], "from Play the focus goes on to Pause"
    page.keyboard.press("Enter")
    page.locator("[data-testid=over-strip][data-state=paused]").wait_for()
    greedy = page.get_by_role("group", name=re.compile("^I · "))
    reported = greedy.get_by_role("status").filter(has_text="test accuracy")
    until(lambda: "level" in reported.inner_text(), "for a sentence about the tree at rest")
    tree = greedy.get_by_role("tree")
    until(lambda: tree.get_by_role("treeitem").count() >= 3, "for all nodes of the tree")
    tab_to(page, lambda focused: focused["role"] == "application", "the map")
    page.keyboard.press("PageDown")
    assert page.evaluate(FOCUSED)["role"] == "treeitem"
    page.keyboard.press("ArrowRight")
    name, said = page.evaluate(FOCUSED)["lines"][0].split(",", 1)
    assert said.startswith(" depth 1: ")
    page.keyboard.press("Enter")
    card = page.get_by_role("complementary", name="Selection")
    assert card.get_by_role("heading").inner_text().startswith(name)
    page.keyboard.press("Escape")
    card.wait_for(state="hidden")
    figures = page.get_by_role("region", name="Figures of the trees on the screen")
    assert figures.get_by_role("rowheader").all_inner_texts()[0].startswith("I · ")
    assert violations(page) == []
    observed = heard_by_role(page)
    assert said.strip() in {name.split(",", 1)[-1].strip() for name in observed["treeitem"]}
    assert len(observed["tree"]) == 2, "one a run"
    assert any("test accuracy" in name for name in observed["status"])
