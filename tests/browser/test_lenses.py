"""What the colours of the live view mean: lenses, legends, images, numbers as targets."""

import numpy as np
import pytest

from tests.helpers.browser import drawn
from tests.helpers.liveview import data, digits, menu, message, picture, run_of, sent, show, spirals
from treecore.data.dataset import split
from treecore.data.generators import generate
from treecore.viewer.messages.planes import feature_plane

BOXES = """
() => ["map", "legend", "note", "curves-panel", "tree"].map((name) => {
  const from = window.root.getBoundingClientRect();
  const box = window.root.querySelector(`.tc-${name}`).getBoundingClientRect();
  const place = [box.x - from.x, box.y - from.y, box.width, box.height];
  return [name, ...place.map((v) => v.toFixed(2))];
})
"""


def boundless():
    """A run of a method without a bound."""
    train, held = split(generate("moons", 150), 0.25, 0)
    return run_of(train, held, feature_plane(train, 0, 1), "axis", depth=3)


@pytest.mark.parametrize(("width", "scheme"), [(390, "light"), (1280, "dark")])
def test_every_lens_has_a_legend_with_units_and_nothing_jumps(live, width, scheme):
    live.set_viewport_size({"width": width, "height": 900})
    dark = {"--st-background-color": "#12181d", "--st-text-color": "#e6edf2"}
    live.evaluate(
        """(style) => {
          const { host } = document.querySelector(".host").shadowRoot;
          for (const [name, value] of Object.entries(style)) host.style.setProperty(name, value);
        }""",
        dark if scheme == "dark" else {},
    )
    show(live, spirals(), f"lens-{width}-{scheme}")
    assert data(live)["dark"] == ("1" if scheme == "dark" else "0")
    boxes = live.evaluate(BOXES)
    legend = live.locator(".tc-legend")
    seen = [picture(live, "map")]
    units = {"confidence": "% probability", "loss": "nats", "gap": "nats", "leaf": "leaf"}
    for key, unit in units.items():
        menu(live).locator("select[data-lens=region]").select_option(key)
        drawn(live)
        assert unit in legend.inner_text()
        seen.append(picture(live, "map"))
        assert live.evaluate(BOXES) == boxes
    for key, unit in {"loss": "nats", "bound": "nats"}.items():
        menu(live).locator("select[data-lens=point]").select_option(key)
        drawn(live)
        assert f"Points: {key}, {unit}" in legend.inner_text()
        seen.append(picture(live, "map"))
    for side in ("train", "test"):
        menu(live).locator("select[data-lens=side]").select_option(side)
        drawn(live)
        seen.append(picture(live, "map"))
    menu(live).get_by_label("Margins").check()
    drawn(live)
    seen.append(picture(live, "map"))
    assert live.evaluate(BOXES) == boxes
    assert len(set(seen)) == len(seen), "every lens shows something else"
    overflow = live.evaluate("() => document.documentElement.scrollWidth - window.innerWidth")
    assert overflow <= 0


def test_a_choice_of_lens_outlives_a_method_that_cannot_show_it(live):
    show(live, spirals(), "with")
    menu(live).locator("select[data-lens=region]").select_option("gap")
    menu(live).get_by_label("Margins").check()
    show(live, boundless(), "without")
    assert menu(live).locator("select[data-lens=region]").input_value() == "class"
    for lens, key in (("region", "gap"), ("point", "bound")):
        assert live.locator(f"select[data-lens={lens}] option[value={key}]").is_disabled()
    for layer in ("Margins", "Moves"):
        assert menu(live).get_by_label(layer).is_disabled()
    assert not menu(live).get_by_label("Margins").is_checked()
    show(live, spirals(), "again")
    assert menu(live).locator("select[data-lens=region]").input_value() == "gap"
    assert menu(live).get_by_label("Margins").is_checked()


SAID = """
(words) => window.root.querySelector(".tc-chart canvas").ariaLabel?.includes(words)
"""


def test_charts_are_told_in_words_also_where_the_bound_falls_while_the_loss_rises(live):
    show(live, spirals(), "words")
    event, chart = spirals()[1].history[-1], live.locator(".tc-chart canvas").first
    live.wait_for_function(SAID, arg=f"bound {event.bound:.2f}")
    assert f"loss {event.loss:.2f}" in chart.get_attribute("aria-label")
    meta, parts = message("parted")
    parts["curves"][:, 1] = [4, 3, 2, 1]  # the bound
    parts["curves"][:, 2] = [0.1, 0.2, 0.1, 0.3]  # the loss
    sent(live, (meta, parts))
    live.wait_for_function(SAID, arg="loss rose")
    meta, parts = message("together")
    parts["curves"][:, 1] = [4, 3, 2, 1]
    parts["curves"][:, 2] = [0.4, 0.3, 0.2, 0.1]
    sent(live, (meta, parts))
    live.wait_for_function(SAID, arg="loss 0.1")
    assert "loss rose" not in chart.get_attribute("aria-label")


def test_hidden_points_are_not_met(live):
    show(live, spirals(), "side")
    menu(live).locator("select[data-lens=side]").select_option("test")
    canvas = live.locator(".tc-map canvas")
    canvas.focus()
    for _ in range(6):
        live.keyboard.press("ArrowRight")
        assert live.evaluate(
            "() => window.root.view.points.held[window.root.view.marks.hover.point]"
        )


# Images and numbers ---------------------------------------------------------------------------


def test_misclassified_images_lead_to_their_way(live):
    _, arrays = show(live, digits(), "digits")
    tiles = live.locator(".tc-miss:visible")
    assert tiles.count() == len(arrays["missed"]) > 0
    tiles.nth(0).click()
    assert data(live)["pinned"] == f"point {arrays['missed'][0]}"
    card = live.get_by_role("complementary", name="Selection")
    assert card.locator("canvas.tc-pixels").count() == 1
    assert tiles.nth(0).get_attribute("aria-pressed") == "true"
    tiles.nth(0).focus()
    live.keyboard.press("ArrowRight")
    live.keyboard.press("Enter")
    assert data(live)["pinned"] == f"point {arrays['missed'][1]}"


def test_numbers_are_shown_on_a_scale_and_explained_by_r2(live):
    meta, parts = message(run="numbers", state="paused")
    parts["target"] = np.linspace(-1, 1, 60).astype("f4")
    parts["counts"] = parts["counts"].sum(axis=1, keepdims=True).astype("u4")
    for i in range(4):
        parts[f"f{i}.value"] = np.linspace(-1, 1, 8).astype("f4")
        del parts[f"f{i}.reach"]
    meta |= {"task": "regression", "classes": [], "range": [-1.0, 1.0], "target": "price"}
    sent(live, (meta, parts))
    assert live.get_by_text("Explained variance R²").is_visible()
    assert live.get_by_text("Accuracy").is_hidden()
    assert "price" in live.locator(".tc-legend").inner_text()
    live.get_by_role("treeitem").first.focus()
    live.keyboard.press("End")
    live.keyboard.press("Enter")
    assert "predicts" in live.get_by_role("complementary", name="Selection").inner_text()
