"""Each script of the app travels as one too, for a Streamlit that serves no files."""

import base64

import pytest

from tests.helpers.liveview import message
from ui.component import bundle
from ui.draw_points import CLASSES
from ui.wire import pack

SHOW = """
async ([source, text, data]) => {
  const url = URL.createObjectURL(new Blob([source], { type: "text/javascript" }));
  const { default: mount } = await import(url);
  document.body.replaceChildren();
  const parentElement = document.body.appendChild(document.createElement("div"));
  if (text) data = Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
  mount({ parentElement, data, key: "k", name: "bundled", setTriggerValue: () => {} });
}
"""


@pytest.fixture
def shown(page):
    """Mounts the bundle of a script, with data or with a message of bytes."""

    def show(script, payload=None, data=None):
        text = payload and base64.b64encode(payload).decode()
        del page.errors[:]
        page.evaluate(SHOW, [bundle(script), text, data])
        return page

    yield show
    assert page.errors == []


def test_the_live_view(shown):
    page = shown("main.js", pack(*message(state="paused")))
    page.locator("[data-testid=live][data-frame='3']").wait_for()


def test_the_canvas_to_draw_on(shown):
    meta = {"session": "a", "revision": 0, "most": 9, "classes": list(CLASSES)}
    page = shown("draw.js", pack(meta, {}))
    assert "0 of 9 points" in page.locator(".tc-draw-tally").text_content()


def test_the_gallery(shown):
    item = {"name": "a", "title": "A", "points": [[0, 0, 0]]}
    page = shown("gallery.js", data={"items": [item], "chosen": "a"})
    assert page.get_by_role("radio").is_checked()
