"""The main job in a real browser: play a run, watch it move, pause it, take the tree home."""

import re

import numpy as np
import pytest
from PIL import Image

from tests.helpers.browser import at_rest
from tests.helpers.liveview import menu
from tests.helpers.pictures import checked_picture
from tests.helpers.wait import until
from treecore import predict
from treecore.data.dataset import split
from treecore.data.generators import generate
from treecore.export import FORMATS
from treecore.persistence import from_json, to_json
from treecore.viewer.palette import PALETTE

ENDLESS = "lab?data=spirals&run=sgd~epochs~100000&clock=share"
"""A run that is not over before somebody has looked at it."""


def ready(screen):
    """The page, once its run can be played."""
    screen.wait_for("paused")
    return screen


def play(screen):
    screen.press("Play")
    screen.wait_for("running")
    until(lambda: screen.number("epoch") > 0, "for the first picture")


def tree_of(screen):
    """The present tree, downloaded and read back."""
    return from_json(screen.download("Tree as JSON").read_bytes())


@pytest.fixture
def screen(visit):
    return ready(visit("lab?data=spirals&run=sgd&clock=share"))


def test_a_run_plays_a_pause_holds_it_and_its_tree_goes_home(visit):
    screen = ready(visit(ENDLESS))
    screen.root.evaluate("element => { element.dataset.mark = 'same' }")
    before = screen.picture()
    play(screen)
    until(lambda: screen.number("curve-points") >= 5, "for the curves to grow")
    until(lambda: screen.picture() != before, "for the boundaries to move")
    assert screen.said("mark") == "same", "nothing was mounted anew"

    screen.press("Pause")
    screen.wait_for("paused")
    epoch, frame = screen.number("epoch"), screen.said("frame")
    screen.stays()
    assert (screen.number("epoch"), screen.said("frame")) == (epoch, frame)

    document = tree_of(screen)
    metrics = document.training["metrics"]
    assert metrics["done"] == pytest.approx(epoch, abs=1e-6)
    train, held = split(generate("spirals", 500, seed=0), 0.25, 0)  # the page's own rows
    assert np.mean(predict(document.tree, train.X) == train.y) == metrics["accuracy"]
    assert np.mean(predict(document.tree, held.X) == held.y) == metrics["validation_accuracy"]
    again = from_json(to_json(document))
    np.testing.assert_array_equal(predict(again.tree, held.X), predict(document.tree, held.X))


@pytest.mark.slow
def test_a_tree_goes_home_as_a_program_and_a_page_chosen_meanwhile_is_drawn(screen):
    document = tree_of(screen)
    screen.more()
    screen.press("Export")
    box = screen.page.get_by_role("combobox", name="For other programs")
    for name in ("C", "ONNX"):
        form = next(form for form in FORMATS.values() if form.title == name)
        if not form.available:
            continue
        box.click()
        screen.page.get_by_role("option", name=name, exact=True).click()
        screen.page.get_by_text(f"{name}: {form.sentence}").wait_for()
        assert screen.download("Save").read_bytes() == form.write(document)

    screen.page.get_by_role("button", name="SVG", exact=True).wait_for()  # exports are still open
    at_rest(screen.page)
    screen.page.get_by_role("link", name="Library").first.click()
    screen.page.get_by_role("heading", name="Library").wait_for()


def test_a_tree_goes_home_while_it_learns(visit):
    """Each run of the page makes Streamlit tidy up, and while it learns there are ten a second."""
    screen = ready(visit(ENDLESS))
    play(screen)
    epochs = [tree_of(screen).training["metrics"]["done"] for _ in range(3)]
    assert epochs[0] < epochs[1] < epochs[2], "each is the tree of its moment"
    assert screen.said("state") == "running"


def test_a_finished_run_has_learnt_the_spirals_and_goes_home_as_all_there_is(screen):
    screen.more()
    screen.page.get_by_role("radio", name="Unlimited").click()
    screen.press("Play")
    screen.wait_for("finished")
    metrics = tree_of(screen).training["metrics"]
    screen.press("Export")
    assert metrics["done"] == 100
    assert metrics["accuracy"] > 0.95, "two spirals are learnt"
    assert 0 < metrics["loss"] <= metrics["bound"]
    assert screen.download("HTML page").read_text(encoding="utf-8").count('class="run"') == 1
    texts = checked_picture(screen.download("SVG").read_text(encoding="utf-8"), 3)
    units = ("nats", "% of examples", "count")
    assert [text for text in texts if text in units] == [*units], "a heading says its unit once"
    for head in ("Bound and loss", "Accuracy", "Active leaves"):
        assert texts.count(head) == 1
    said = "|".join(texts)
    for words in ("Spirals, Non-greedy SGD", "Epoch 100", "misclassified", "Bound", "inactive"):
        assert words in said
    assert f"training {metrics['accuracy']:.1%}".replace("%", " %") in said
    with Image.open(screen.download("PNG")) as pixels:
        colours = pixels.convert("RGB").getcolors(2**24)
    back, classes = "#ffffff", PALETTE["classes"]["light"][:2]
    known = {"#{:02x}{:02x}{:02x}".format(*colour) for _, colour in colours}
    assert known >= {back, *classes}, "page and both classes"
    program = screen.page.locator("[data-testid=stPopoverBody] [data-testid=stCode]")
    assert "RunConfig('sgd', seed=0)" in program.inner_text()


def test_a_picture_is_in_the_language_of_the_page(visit):
    screen = ready(visit("lab?data=hill&run=sgd&lang=de"))
    screen.press("Schritt")
    screen.page.locator("[data-epoch='1'][data-state=paused]").wait_for()
    screen.more()
    screen.press("Export")
    texts = checked_picture(screen.download("SVG").read_text(encoding="utf-8"), 0)
    assert "Hügel, Nicht-greedy SGD" in texts
    assert re.search("Training .* %, Test .* %", "|".join(texts))


def test_another_language_is_spoken_at_once_by_what_the_browser_draws_and_by_choices(visit):
    page = ready(visit("lab?data=spirals&run=sgd")).page
    learner = page.get_by_test_id("stSelectbox").locator("input").first
    for language, play, method in (
        ("Deutsch", "Abspielen", "Nicht-greedy SGD"),
        ("English", "Play", "Non-greedy SGD"),
    ):
        page.get_by_text(language, exact=True).click()
        page.get_by_role("button", name=play, exact=True).wait_for()
        until(lambda method=method: learner.input_value() == method, "for the method's name")
        assert page.locator(".tc").count() == 1


def test_a_step_is_one_pass_and_a_reset_the_beginning(screen):
    at_rest(screen.page)
    run, before = screen.said("run"), screen.picture()
    for epoch in (1, 2, 3):
        screen.press("Step")
        screen.page.locator(f"[data-epoch='{epoch}'][data-state=paused]").wait_for()
    assert screen.picture() != before
    screen.press("Reset")
    screen.page.locator("[data-epoch='0'][data-state=paused]").wait_for()
    assert screen.said("run") != run
    until(lambda: screen.picture() == before, "for the tree that it began with")


def test_a_broken_wire_is_told_and_the_run_gone_on_with(visit, served):
    screen = visit()
    page, wires, down = screen.page, [], []

    def pass_on(wire):
        if down:
            wire.close()
        else:
            wire.connect_to_server()
            wires.append(wire)

    page.route_web_socket(re.compile("/live/"), pass_on)
    page.goto(f"{served.address}/{ENDLESS}")
    play(ready(screen))
    run = screen.said("run")
    down.append(True)
    wires[-1].close()
    lost = page.get_by_text("The connection is lost; trying again.")
    lost.wait_for()
    epoch = screen.number("epoch")
    down.clear()
    lost.wait_for(state="detached")
    until(lambda: screen.number("epoch") > epoch, "for the run to go on")
    assert screen.said("run") == run


def test_two_visitors_have_two_runs(visit):
    screen, other = ready(visit(ENDLESS)), ready(visit(ENDLESS))
    play(screen)
    other.stays()
    assert other.said("state") == "paused"
    assert other.number("epoch") == 0
    assert other.said("run") != screen.said("run")


def test_a_copied_link_opens_with_the_same_view(visit, served):
    screen = ready(visit(ENDLESS))
    page = screen.page
    menu(page)
    page.locator("select[data-lens=region]").select_option("gap")
    page.locator("select[data-lens=side]").select_option("test")
    page.get_by_label("Moves").check()
    page.wait_for_url(re.compile("regions=gap.*show=test.*layers=moves"))
    play(screen)
    menu(page).locator("select[data-lens=point]").select_option("bound")
    page.wait_for_url(re.compile("points=bound"))
    link = page.url.removeprefix(f"{served.address}/")
    other = ready(visit(f"{link}&regions=heat")).page
    at_rest(other)
    shown = {
        lens: other.locator(f"select[data-lens={lens}]").input_value()
        for lens in ("region", "point", "side")
    }
    assert shown == {"region": "class", "point": "bound", "side": "test"}
    assert other.get_by_label("Moves").is_checked()
    assert not other.get_by_label("Margins").is_checked()
    reported = other.get_by_test_id("stAlert").inner_text()
    assert "regions='heat' must be one of class, confidence" in reported
    menu(other).locator("select[data-lens=side]").select_option("both")
    other.wait_for_function("() => !location.search.includes('show=')")
