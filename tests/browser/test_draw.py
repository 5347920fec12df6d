"""The canvas to draw on, mounted alone in a real Chromium and driven by pointer and keys."""

import base64
import secrets

import numpy as np
import pytest

from treecore.viewer.messages.wire import pack
from ui.widgets.data.points import CLASSES, read_points

MOUNT = """
async (source) => {
  sessionStorage.clear();
  const { default: draw } = await import(source);
  window.reports = [];
  const setTriggerValue = (name, value) => window.reports.push(value);
  window.mount = () => {
    document.body.replaceChildren(); // what the browser shows of a script, too
    const host = document.body.appendChild(document.createElement("div"));
    host.className = "host";
    host.style.width = "250px";
    const parentElement = host.attachShadow({ mode: "open" });
    window.send = (text) => {
      const data = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
      draw({ parentElement, data, setTriggerValue });
      window.view = parentElement.querySelector("[data-testid=draw]").view;
    };
  };
  window.mount();
}
"""


def message(points=(), revision=0, session="a", most=2000):
    points = np.reshape(points, (-1, 3))
    meta = {"session": session, "revision": revision, "most": most, "classes": list(CLASSES)}
    arrays = {"xy": points[:, :2].astype("f4"), "label": points[:, 2].astype("u1")}
    return base64.b64encode(pack(meta, arrays)).decode()


class Hand:
    """A visitor's hand, on a page whose clock stands still but for :meth:`wait`."""

    def __init__(self, page):
        self.page = page
        self.canvas = page.locator(".tc-draw-plate canvas")

    def wait(self, milliseconds=50):
        self.page.clock.run_for(milliseconds)

    def send(self, *args, **kwargs):
        self.page.evaluate("(text) => window.send(text)", message(*args, **kwargs))

    def points(self):
        return self.page.evaluate("() => window.view.drawing.points")

    def at(self, x, y):
        self.wait()
        box = self.canvas.bounding_box()
        half = self.page.evaluate("() => window.view.half")
        scale = box["width"] / (2 * half)
        return box["x"] + (x + half) * scale, box["y"] + (half - y) * scale

    def click(self, x, y, button="left"):
        self.page.mouse.click(*self.at(x, y), button=button)

    def drag(self, start, end):
        self.page.mouse.move(*self.at(*start))
        self.page.mouse.down()
        self.page.mouse.move(*self.at(*end), steps=4)
        self.page.mouse.up()

    def press(self, name):
        self.wait()
        self.page.get_by_role("button", name=name, exact=True).click()

    def disabled(self, name):
        self.wait()
        return self.page.get_by_role("button", name=name, exact=True).is_disabled()

    def reports(self):
        """What has been reported once the hand has rested."""
        self.wait(2000)
        return self.page.evaluate("() => window.reports")


@pytest.fixture(scope="module")
def still(page):
    """The page, with a clock that goes when it is told to."""
    page.clock.install(time=0)
    page.clock.pause_at(1000)
    return page


@pytest.fixture
def hand(still):
    page = still
    # Another address is another module, which remembers nothing.
    page.evaluate(MOUNT, f"/draw/draw.js?{secrets.token_hex(4)}")
    hand = Hand(page)
    hand.send()
    hand.canvas.wait_for()
    yield hand
    assert page.errors == []


def test_clicks_add_drags_move_right_clicks_erase_and_buttons_do_undo_and_do_again(hand):
    hand.click(-0.5, 0.5)
    hand.page.get_by_role("radio", name="Class C").check()
    hand.click(0.5, -0.5)
    points = hand.points()
    assert [p[2] for p in points] == [0, 2]
    np.testing.assert_allclose([p[:2] for p in points], [[-0.5, 0.5], [0.5, -0.5]], atol=0.01)
    hand.drag((0.5, -0.5), (0.9, 0.1))
    np.testing.assert_allclose(hand.points()[1][:2], [0.9, 0.1], atol=0.01)
    hand.click(-0.5, 0.5, button="right")
    left = hand.points()
    assert [p[2] for p in left] == [2]
    hand.press("Clear")
    assert hand.points() == []
    hand.press("Undo")
    assert hand.points() == left
    hand.press("Redo")
    assert hand.points() == []


def test_a_point_is_seen_in_the_colour_of_its_class(hand):
    hand.send([[0.5, 0.5, 1]], revision=1)
    hand.wait()
    seen, expected = hand.page.evaluate(
        """() => {
          const [x, y] = window.view.placed([0.5, 0.5]).map((at) => at * devicePixelRatio);
          const pen = window.view.canvas.getContext("2d");
          const seen = [...pen.getImageData(x, y, 1, 1).data];
          pen.fillStyle = window.view.theme.of(1);
          pen.fillRect(0, 0, 1, 1);
          return [seen, [...pen.getImageData(0, 0, 1, 1).data]];
        }"""
    )
    assert seen == expected


def test_what_is_reported_once_the_hand_rests_is_what_the_server_reads(hand):
    for x in (-0.4, 0, 0.4):
        hand.click(x, 0.2)
    reports = hand.reports()
    assert len(reports) == 1, "one report for several clicks"
    points = read_points(reports[0])
    np.testing.assert_array_equal(points.X, [p[:2] for p in hand.points()])


def test_keys_alone_draw(hand):
    hand.canvas.focus()
    keys = hand.page.keyboard
    keys.press("ArrowRight")  # shows the cursor
    keys.press("1")
    for _ in range(10):
        keys.press("ArrowRight")
    keys.press("ArrowUp")
    keys.press("6")
    keys.press("Shift+ArrowLeft")
    keys.press("Enter")
    points = hand.points()
    assert [p[2] for p in points] == [0, 5, 5]
    np.testing.assert_allclose([p[:2] for p in points], [[0, 0], [0.5, 0.05], [0.49, 0.05]])
    keys.press("7")
    assert len(hand.points()) == 3, "there are six classes"
    keys.press("Delete")
    assert hand.points() == points[:2]
    keys.press("Control+z")
    assert hand.points() == points
    keys.press("Control+Shift+z")
    assert hand.points() == points[:2]
    said = hand.page.locator("[data-testid=draw] .tc-said")
    assert said.text_content() == "2 points"


def test_points_of_the_server_take_the_place_of_others_and_that_can_be_undone(hand):
    hand.click(0, 0)
    own = hand.points()
    hand.send([[0.1, 0.2, 0], [2.5, 0.2, 1]], revision=1)
    assert hand.points() == [[0.1, 0.2, 0], [2.5, 0.2, 1]]
    assert hand.page.evaluate("() => window.view.half") == 2.5
    assert hand.reports() == [], "what was here before is not sent any more"
    hand.send([], revision=1)
    assert len(hand.points()) == 2, "an answer to an older report changes nothing"
    hand.press("Undo")
    assert hand.points() == own
    assert len(hand.reports()) == 1


def test_a_drawing_outlives_its_page_and_a_new_session(hand):
    hand.click(0, 0)
    hand.click(0.5, 0.5)
    own = hand.points()
    hand.page.evaluate("() => window.mount()")  # before it was sent
    hand.send()
    assert hand.points() == own
    reports = hand.reports()
    assert len(reports) == 1
    hand.page.evaluate("() => window.mount()")
    hand.send(session="b")
    assert hand.points() == own
    assert len(hand.reports()) == 2, "a session that has nothing is told"
    hand.send([[1, 1, 1]], session="c")
    assert hand.points() == [[1, 1, 1]], "one that has something knows better"
