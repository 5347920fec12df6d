"""Text that can be read: contrast with what is behind it, measured in a real browser."""

from __future__ import annotations

import pytest

from tests.helpers.browser import CHROMIUM_FLAGS, at_rest, chromium_path, serving

sync_api = pytest.importorskip("playwright.sync_api")
pytestmark = pytest.mark.browser

PALE = r"""
() => {
  const probe = document.createElement("canvas").getContext("2d", { willReadFrequently: true });
  const rgba = (text) => {
    probe.clearRect(0, 0, 1, 1);
    probe.fillStyle = text;
    probe.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = probe.getImageData(0, 0, 1, 1).data;
    return [r, g, b, a / 255];
  };
  const over = (top, under) => [0, 1, 2].map((i) => top[i] * top[3] + under[i] * (1 - top[3]));
  const light = (c) => {
    const [r, g, b] = c.map((v) => (v <= 10 ? v / 3294.6 : ((v / 255 + 0.055) / 1.055) ** 2.4));
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const above = (e) => e.parentElement || e.getRootNode().host || null;
  const found = [];
  const visit = (root) => {
    for (const e of root.querySelectorAll("*")) {
      if (e.shadowRoot) visit(e.shadowRoot);
      const own = [...e.childNodes].some((n) => n.nodeType === 3 && n.textContent.trim());
      const { width, height } = e.getBoundingClientRect();
      const style = getComputedStyle(e);
      if (!own || width < 2 || height < 2 || style.visibility === "hidden") continue;
      // Pictures made of letters need no more than 3; numbers in a drawing lie on other drawings;
      // the value of a slider hangs above its thumb, whose colour is not behind it.
      const axes = e.closest("[class*=axislayer], [class*=title], .cbaxis, .legend");
      const drawn = e.closest(".js-plotly-plot") && !axes;
      if (drawn || e.closest("[data-testid=stSlider], [role=slider]")) continue;
      if (e.dataset.testid === "stIconMaterial") continue;
      const chain = [];
      for (let at = e; at; at = above(at)) chain.push(at);
      if (chain.some((n) => n.disabled || n.ariaDisabled === "true")) continue;
      let back = [255, 255, 255];
      for (const n of [...chain].reverse()) {
        back = over(rgba(getComputedStyle(n).backgroundColor), back);
      }
      const drawing = e instanceof SVGElement;
      const ink = rgba(drawing ? style.fill : style.color);
      for (const n of chain) ink[3] *= +getComputedStyle(n).opacity;
      if (drawing) ink[3] *= +style.fillOpacity;
      const [low, high] = [light(over(ink, back)), light(back)].sort((a, b) => a - b);
      const ratio = (high + 0.05) / (low + 0.05);
      if (ink[3] < 0.05 || ratio >= 4.5) continue;
      found.push(`${ratio.toFixed(2)} ${e.textContent.slice(0, 40)}`);
    }
  };
  visit(document);
  return found;
}
"""


@pytest.fixture(scope="module")
def chromium():
    path = chromium_path()
    with serving() as (address, _), sync_api.sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=path, args=CHROMIUM_FLAGS)
        yield browser, address
        browser.close()


PLACES = {
    "": "Six short lessons",
    "learn": "Choose an answer first",
    "train?foo=1": "nothing on this page is called",
    "compare": "One run may be luck",
    "forests": "what the trees will learn from",
    "step": "Every leaf as a danger",
    "experiments?tab=Sweeps&foo=1": "nothing on this page is called",
}
"""Pages, and words that are there once they are."""


@pytest.mark.parametrize("place", PLACES)
def test_text_stands_out_and_a_change_of_theme_keeps_it_so(chromium, place):
    browser, address = chromium
    page = browser.new_page(viewport={"width": 1280, "height": 720}, color_scheme="light")
    page.goto(f"{address}/{place}")
    page.get_by_text(PLACES[place]).first.wait_for(timeout=90_000)
    at_rest(page)
    assert page.evaluate("document.body.innerText.length") > 100
    assert page.evaluate(PALE) == []
    page.emulate_media(color_scheme="dark")  # in the midst of it, without a new run of the page
    page.wait_for_timeout(1000)
    at_rest(page)
    assert page.evaluate(PALE) == []
    page.close()
