"""A page in one file that learns by itself, opened from disk: no server, no network."""

import dataclasses
import re

import numpy as np
import pytest

from treecore import RunConfig, Trainer
from treecore.data.generators import generate
from treecore.viewer.messages.planes import usual_plane
from treecore.viewer.pages.page import page_html
from treecore.viewer.pages.recorded import record

CONFIG = RunConfig("sgd", depth=4, epochs=20, seed=1)
ONE = "learnings[0]"
BEGUN = f"() => globalThis.learnings && {ONE}.view.frame"
FINISHED = f"() => globalThis.learnings?.[0].finished && {ONE}.view.meta.state === 'finished'"
WATCH = f"""() => {{
  globalThis.bare = 0; // pictures of a tree of which nobody knows where its rows are
  const look = () => {{
    globalThis.bare += !{ONE}.view.frame.detail?.counts;
    requestAnimationFrame(look);
  }};
  look();
}}"""
RECORDED = "() => document.querySelector('.run > div')?.shadowRoot.querySelector('.tc')?.view.frame"


@pytest.fixture(scope="module")
def train():
    return generate("checkerboard", 200, 0.1, 0)


def learnt(config, train):
    trainer = Trainer(config, train.X, train.y, validation=None)
    while not trainer.finished:
        event = trainer.step()
    return trainer, event


@pytest.fixture(scope="module")
def pages(train):
    """The page of SGD, and that of two runs side by side, each a file's text."""
    runs = [
        record(Trainer(config, train.X, train.y), train, live=True)
        for config in (CONFIG, RunConfig("annealed", depth=3, rounds=4, seed=1))
    ]
    return page_html("one", runs[:1]), page_html("two", runs)


def weights(page):
    numbers = page.evaluate(f"[...{ONE}.engine.array({ONE}.image.calls.picture[1][0][0])]")
    return np.array(numbers, dtype=np.float32)


def assert_equals(page, config, train):
    """The page has learnt what a trainer learns, and shows its figures."""
    trainer, event = learnt(config, train)
    np.testing.assert_allclose(weights(page), trainer.learner.joint.W.reshape(-1), atol=1e-5)
    curves = np.array(page.evaluate(f"[...{ONE}.view.curves]")).reshape(-1, 8)
    assert curves[-1][0] == event.done
    np.testing.assert_allclose(curves[-1][[1, 2]], [event.bound, event.loss], atol=1e-5)
    np.testing.assert_allclose(curves[-1][4], event.accuracy, atol=1e-7)
    return curves


def test_it_plays_to_the_tree_of_the_trainer_and_can_be_changed(from_disk, pages, train):
    page = from_disk(pages[0])
    page.wait_for_function(BEGUN)
    assert page.evaluate(f"{ONE}.view.meta.state") == "paused"
    page.locator("[name=pace]").select_option("4")
    page.get_by_role("button", name="Step").click()
    page.wait_for_function(f"() => {ONE}.epoch === 1 && {ONE}.view.meta.state === 'paused'")
    page.evaluate(WATCH)
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(FINISHED)
    assert page.evaluate("globalThis.bare") == 0, "rows by leaf are told all along"
    curves = assert_equals(page, CONFIG, train)
    assert curves[-1][4] > curves[1][4] + 0.05
    assert list(curves[:, 0]) == list(range(21))
    # Another seed and depth, and a nu that is there from the start.
    page.locator("[name=seed]").select_option("3")
    page.locator("[name=depth]").select_option("5")
    page.locator("[name=nu]").fill("5")
    page.get_by_role("button", name="Reset").click()
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(FINISHED)
    assert_equals(page, CONFIG.replace(seed=3, depth=5, nu=5.0), train)
    # Looking back asks nobody; a number out of range is refused by the browser.
    page.evaluate(f"{ONE}.view.scrub(2)")
    asked = f"{ONE}.view.player.frames.findLast((one) => one.epoch <= 2)"  # a slow tab has few
    page.wait_for_function(f"() => {ONE}.view.frame === {asked}")
    page.locator("[name=eta]").fill("-1")
    page.locator("[name=eta]").blur()
    assert page.evaluate(f"{ONE}.values.eta") == 0.1


def test_two_learners_go_along(from_disk, pages):
    page = from_disk(pages[1])
    page.wait_for_function("() => globalThis.learnings?.length === 2")
    page.get_by_role("button", name="Play").last.click()
    page.wait_for_function("() => learnings.every((one) => one.epoch > 0.2)")
    page.get_by_role("button", name="Reset").first.click()
    assert page.evaluate("learnings.map((one) => one.epoch)") == [0, 0]
    assert page.get_by_role("status").first.inner_text() == ""
    page.get_by_role("button", name="Play").first.click()
    page.wait_for_function("() => learnings.every((one) => one.finished)")
    shares = page.evaluate("learnings.map((one) => one.history.at(-1)[4])")
    said = page.get_by_role("status").first.inner_text()
    assert re.match("Training accuracy: II? · Checkerboard, ", said)
    for share in shares:
        assert f"{100 * share:.1f} %" in said
    assert said.endswith(("is ahead.", "Too close to call."))


PLACE = f"{ONE}.view.map.placeOf"


def test_points_are_moved_and_added_while_it_learns(from_disk, pages, train):
    page = from_disk(pages[0])
    page.wait_for_function(BEGUN)
    page.locator("[name=pace]").select_option("0.25")
    page.locator("[name=pen]").select_option(label=f"Point: {train.class_names[1]}")
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(f"() => {ONE}.epoch > 0")
    box = page.locator(".tc-map").bounding_box()

    def window(place):
        return box["x"] + place[0], box["y"] + place[1]

    def points():
        return page.evaluate(f"{ONE}.drawn")

    before, epoch = points(), page.evaluate(f"{ONE}.epoch")
    start = page.evaluate(f"{PLACE}(7)")
    page.mouse.move(*window(start))
    page.mouse.down()
    page.mouse.move(*window([start[0] + 40, start[1] + 10]), steps=4)
    page.mouse.up()
    page.wait_for_function(f"(x) => {ONE}.drawn.some((one, i) => one[0] !== x[i][0])", arg=before)
    after = points()
    [moved] = [i for i, one in enumerate(before) if one != after[i]]
    np.testing.assert_allclose(page.evaluate(f"{PLACE}({moved})")[0], start[0] + 40, atol=1)
    page.wait_for_function(f"(epoch) => {ONE}.epoch > epoch", arg=epoch)
    # An own point, which the present pass takes last.
    free = page.evaluate(
        f"""() => {{
          const all = {ONE}.drawn.map((_, i) => {PLACE}(i));
          const far = ([x, y]) => Math.min(...all.map(([a, b]) => Math.hypot(a - x, b - y)));
          const found = [];
          for (let x = 70; x < 300; x += 5) for (let y = 50; y < 300; y += 5) found.push([x, y]);
          return found.reduce((best, one) => (far(one) > far(best) ? one : best));
        }}"""
    )
    page.mouse.click(*window(free))
    page.wait_for_function(f"(n) => {ONE}.drawn.length === n", arg=len(before) + 1)
    assert points()[-1][2] == 1
    page.wait_for_function(f"() => {ONE}.view.frame?.at.length === {len(before) + 1}")
    # By keys: the cursor takes the point there along.
    page.mouse.move(0, 0)
    page.locator(".tc-easel").focus()
    page.evaluate(f"{ONE}.easel.cursor = {ONE}.easel.drawing.points.at(-1).slice(0, 2)")
    there = points()[-1][0]
    page.keyboard.press("m")
    page.keyboard.press("ArrowRight")
    page.wait_for_function(f"(x) => {ONE}.drawn.at(-1)[0] > x", arg=there)
    assert len(re.findall(r"\.\d\d", page.evaluate(f"{ONE}.view.parts.said.textContent"))) == 2
    for _ in range(3):
        page.get_by_role("button", name="Undo").click()
    page.wait_for_function(f"(x) => String({ONE}.drawn) === String(x)", arg=before)
    page.locator("[name=pace]").select_option("4")
    page.wait_for_function(FINISHED)
    # What was drawn stays for another start, and what was taken back is as it was.
    page.get_by_role("button", name="Reset").click()
    page.get_by_role("button", name="Play").click()
    page.wait_for_function(FINISHED)
    assert_equals(page, CONFIG, train)


@pytest.mark.parametrize(("method", "n_drawing"), [("axis", 1), ("oc1", 2)])
def test_a_greedy_tree_grows_beside_sgd_and_anew_where_points_are_moved(
    method, n_drawing, from_disk, train
):
    greedy = RunConfig(method, depth=4)
    both = greedy, CONFIG.replace(epochs=2, batch=4)
    runs = [record(Trainer(one, train.X, train.y), train, live=True) for one in both]
    page = from_disk(page_html("both", runs))
    page.wait_for_function("() => globalThis.learnings?.length === 2")
    assert page.locator("[name=seed]").count() == n_drawing, "axis-aligned growth draws nothing"
    page.get_by_role("button", name="Play").first.click()
    page.wait_for_function("() => learnings.every((one) => one.finished)")
    page.wait_for_function(f"() => {ONE}.view.frame?.epoch === 4")

    def assert_grown(X, y):
        tree = learnt(greedy, dataclasses.replace(train, X=X, y=y))[0].model
        names = "split", "children", "leaf", "detail.feature", "detail.threshold"
        frame = page.evaluate(f"[{', '.join(f'[...{ONE}.view.frame.{one}]' for one in names)}]")
        expected = usual_plane(train).splits(tree)[0], np.stack([tree.left, tree.right], axis=1)
        for array, found in zip(expected, frame, strict=False):
            np.testing.assert_allclose(found, array.reshape(-1), atol=1e-5)
        np.testing.assert_array_equal(frame[2], tree.values.argmax(axis=1))
        np.testing.assert_array_equal(frame[3], tree.feature)
        np.testing.assert_allclose(frame[4], tree.threshold, atol=1e-5)

    assert_grown(train.X, train.y)
    assert page.evaluate(f"{ONE}.history.map(([epoch]) => epoch)") == [0, 1, 2, 3, 4]
    page.evaluate(
        """() => {
          const { drawn } = learnings[0];
          const points = [[0.9, -0.9, 0], ...drawn.slice(1), [-0.5, 0.25, 1]];
          learnings.forEach((one) => one.draw(points));
        }"""
    )
    page.wait_for_function(f"() => {ONE}.view.frame?.at.length === {len(train.y) + 1}")
    X = np.array([[0.9, -0.9], *train.X[1:], [-0.5, 0.25]])
    assert_grown(X, np.array([0, *train.y[1:], 1]))
    page.locator("[name=depth]").first.select_option("6")
    assert page.evaluate(f"{ONE}.view.meta.n_epochs") == 6, "the clock goes to the depth"


def test_a_single_leaf_is_drawn(from_disk, train):
    config, X = RunConfig("annealed", rounds=2, start="axis"), np.ones_like(train.X)
    run = record(Trainer(config, X, train.y), dataclasses.replace(train, X=X), live=True)
    from_disk(page_html("one", [run])).wait_for_function(BEGUN)


POLICY = "<head><meta http-equiv='Content-Security-Policy' content=\"script-src 'unsafe-inline'\">"
UNABLE = ("<head>", POLICY, "may not use it"), ('(id="kernels">)[^<]*', r"\1eJw", "is damaged")


@pytest.mark.parametrize(("part", "instead", "told"), UNABLE)
def test_unable_to_learn_it_says_so_and_shows_the_recording(from_disk, pages, part, instead, told):
    page = from_disk(re.sub(part, instead, pages[0]))
    page.wait_for_function(RECORDED)
    page.get_by_text(told).wait_for()
    page.get_by_role("button", name="Replay").click()
    page.wait_for_function(
        "() => document.querySelector('.run > div').shadowRoot.querySelector('.tc')"
        ".dataset.mode === 'live'"
    )


@pytest.mark.parametrize("until", ["</h1>", 'type="module">', "loaded.then"])
def test_a_file_that_was_cut_off_says_so(from_disk, pages, until):
    before, found, _ = pages[0].partition(until)
    from_disk(before + found).get_by_text("file is damaged").wait_for()
