"""A run as one file, opened from disk: no server, no network."""

import dataclasses

from treecore import RunConfig, Trainer
from treecore.data.generators import generate
from treecore.viewer.pages.page import page_html
from treecore.viewer.pages.recorded import record

VIEWS = "[...document.querySelectorAll('.run > div')].map((d) => d.shadowRoot.querySelector('.tc'))"


def test_two_runs_in_one_file_are_scrubbed_together_and_asked(from_disk):
    name = "</script><b>A"
    train = dataclasses.replace(
        generate("spirals", 100, 0.1, 0), name=name, class_names=(name, "B")
    )
    runs = []
    for config in (RunConfig("sgd", depth=3, epochs=8), RunConfig("axis", depth=4)):
        trainer = Trainer(config, train.X, train.y, n_classes=2, validation=None)
        runs.append(record(trainer, train))
    page = from_disk(page_html(f"{name} twice", runs))
    page.wait_for_function(f"() => {VIEWS}.length === 2 && {VIEWS}.every((v) => v?.view.frame)")
    assert page.title() == f"{name} twice"
    page.wait_for_selector("#unseen", state="detached")
    assert page.locator("h1").first.inner_text().startswith(f"I · {name}")
    entire = page.evaluate(f"{VIEWS}.map((v) => v.view.frame.epoch)")
    assert entire == [8, 4]
    assert page.evaluate(f"{VIEWS}.map((v) => v.dataset.dark)") == ["1", "1"]
    # Half of the one is half of the other, though they count other things.
    slider = page.locator(".tc-slider").first
    slider.evaluate("(s) => { s.value = 4; s.dispatchEvent(new Event('input')); }")
    # Both are parked at once, and drawn at the browser's next frame.
    page.wait_for_function(
        f"() => {VIEWS}.every((v, i) => v.dataset.mode === 'parked'"
        " && Math.abs(v.view.frame.epoch - [4, 2][i]) < 0.2)"
    )
    # A point is followed, and a lens laid over the map.
    page.evaluate(f"{VIEWS}[0].view.pin({{ split: -1, leaf: -1, point: 3, gap: -1 }})")
    assert "Point 3" in page.locator(".tc-card").first.inner_text()
    page.evaluate(f"{VIEWS}[0].view.setLens({{ point: 'loss' }})")
    page.keyboard.press("Escape")  # the card may lie over the button
    page.get_by_role("button", name="End").first.click()
    page.wait_for_function(f"() => {VIEWS}.every((v) => v.dataset.mode === 'live')")
