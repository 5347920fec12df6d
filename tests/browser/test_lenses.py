"""What the colours of the live view mean: lenses, legends, images, numbers as targets."""

import numpy as np
import pytest

from tests.helpers.browser import drawn
from tests.helpers.liveview import (
    data,
    digits,
    menu,
    message,
    picture,
    run_of,
    send,
    show,
    spirals,
)
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


def test_a_method_without_a_bound_offers_no_lens_of_it(live):
    train, held = split(generate("moons", 150), 0.25, 0)
    show(live, run_of(train, held, feature_plane(train, 0, 1), "axis", depth=3), "axis")
    for lens, key in (("region", "gap"), ("point", "bound")):
        assert live.locator(f"select[data-lens={lens}] option[value={key}]").is_disabled()
    assert menu(live).get_by_label("Margins").is_disabled()


SHOWN = """
(words) => window.root.querySelector(".tc-chart canvas").ariaLabel?.startsWith(words)
"""


def test_the_first_chart_is_called_what_it_shows(live):
    heads = live.locator(".tc-curves-panel .tc-head:visible")
    chart = live.locator(".tc-chart canvas").first
    show(live, spirals(), "bounded")
    assert heads.first.inner_text().startswith("Bound and loss")
    live.wait_for_function(SHOWN, arg="Bound and loss at")
    train, held = split(generate("moons", 150), 0.25, 0)
    show(live, run_of(train, held, feature_plane(train, 0, 1), "axis", depth=3), "greedy")
    assert heads.first.inner_text().startswith("Loss")
    assert heads.count() == 3
    live.wait_for_function(SHOWN, arg="Loss at")
    assert "bound" not in chart.get_attribute("aria-label")


def test_a_choice_of_lens_outlives_a_method_that_cannot_show_it(live):
    show(live, spirals(), "with")
    menu(live).locator("select[data-lens=region]").select_option("gap")
    menu(live).get_by_label("Margins").check()
    train, held = split(generate("moons", 150), 0.25, 0)
    show(live, run_of(train, held, feature_plane(train, 0, 1), "axis", depth=3), "without")
    assert menu(live).locator("select[data-lens=region]").input_value() == "class"
    assert not menu(live).get_by_label("Margins").is_checked()
    show(live, spirals(), "again")
    assert menu(live).locator("select[data-lens=region]").input_value() == "gap"
    assert menu(live).get_by_label("Margins").is_checked()


def test_the_page_says_the_lens_while_it_has_heard_of_all_that_was_chosen(live):
    show(live, spirals(), "told")
    usual = {"region": "class", "point": "class", "side": "both", "margins": False, "flips": False}
    side = menu(live).locator("select[data-lens=side]")

    def reported(link=1, **lens):
        live.evaluate("told => window.root.view.takeLens(told)", {"link": link, **usual, **lens})

    reported(region="gap")
    reported(region="gap", flips=True)  # chosen in the mount before this one, and heard of since
    assert menu(live).locator("select[data-lens=region]").input_value() == "gap"
    assert menu(live).get_by_label("Moves").is_checked()
    side.select_option("test")
    reported(region="gap", flips=True)
    assert side.input_value() == "test", "which the page has not heard of"
    reported(region="gap", flips=True, side="test")
    reported(region="gap", side="test")
    assert not menu(live).get_by_label("Moves").is_checked()
    side.select_option("train")
    reported(link=2)
    assert side.input_value() == "both", "another link has come"


def test_charts_are_told_in_words(live):
    show(live, spirals(), "words")
    event = spirals()[1].history[-1]
    label = live.locator(".tc-chart canvas").first.get_attribute("aria-label")
    assert f"bound {event.bound:.2f}" in label
    assert f"loss {event.loss:.2f}" in label


SAID = """
(words) => window.root.querySelector(".tc-chart canvas").ariaLabel?.includes(words)
"""


def test_a_bound_that_falls_while_the_loss_rises_is_told(live):
    meta, parts = message("parted")
    parts["curves"][:, 1] = [4, 3, 2, 1]  # the bound
    parts["curves"][:, 2] = [0.1, 0.2, 0.1, 0.3]  # the loss
    send(live, (meta, parts))
    live.wait_for_function("() => window.root.dataset.run === 'parted'")
    chart = live.locator(".tc-chart canvas").first
    live.wait_for_function(SAID, arg="loss rose")
    meta, parts = message("together")
    parts["curves"][:, 1] = [4, 3, 2, 1]
    parts["curves"][:, 2] = [0.4, 0.3, 0.2, 0.1]
    send(live, (meta, parts))
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
    send(live, (meta, parts))
    live.wait_for_function("() => window.root.dataset.run === 'numbers'")
    drawn(live)
    assert live.get_by_text("Explained variance R²").is_visible()
    assert live.get_by_text("Accuracy").is_hidden()
    live.set_viewport_size({"width": 1280, "height": 1000})  # gaps have their place there
    assert "price" in live.locator(".tc-legend").inner_text()
    assert live.locator(".tc-gaps-panel .tc-sub").all_inner_texts() == ["sd²", "training examples"]
    live.get_by_role("treeitem").first.focus()
    live.keyboard.press("End")
    live.keyboard.press("Enter")
    assert "predicts" in live.get_by_role("complementary", name="Selection").inner_text()


# Gaps of single examples ----------------------------------------------------------------------


GAPS = """
async () => {
  const { gapBins } = await import("/charts/gapbins.js");
  const { view } = window.root;
  const found = gapBins(view.frame, view.points, view.meta);
  return [Array.from(found.counts), found.n, found.sum];
}
"""


@pytest.mark.parametrize("make", [spirals, digits])
def test_gaps_are_bound_less_loss_and_a_bar_lights_up_its_points(live, make):
    live.set_viewport_size({"width": 1280, "height": 1000})  # gaps have their place there
    stage, status, _ = run = make()
    meta, arrays = show(live, run, f"gaps-{make.__name__}")
    last = len(meta["frames"]) - 1
    gap = (arrays[f"f{last}.bound"] - arrays[f"f{last}.loss"])[arrays["held"] == 0]
    counts, n, total = live.evaluate(GAPS)
    assert n == len(gap)
    some = f"{n} of {stage._train.n_samples} " if n < stage._train.n_samples else ""
    said = live.locator(".tc-gaps-panel .tc-sub").all_inner_texts()
    assert said == ["nats", f"{some}training examples"]
    assert counts[0] == (gap <= 1e-5).sum()
    ends = np.linspace(0, 2 * np.log(len(meta["classes"])), 25)[1:-1]
    bins = np.digitize(gap[gap > 1e-5], ends)
    far = np.abs(np.subtract.outer(gap[gap > 1e-5], ends)).min() > 1e-6
    assert far, "no gap lies on the edge of a bar"
    inner = np.bincount(bins, minlength=24)
    inner[-1] -= (gap >= 2 * np.log(len(meta["classes"]))).sum()
    assert counts[1:25] == inner.tolist()
    event = status.history[-1]
    if not some:
        assert total / n == pytest.approx(event.bound - event.loss, rel=1e-3)
    label = live.locator(".tc-gaps canvas").get_attribute("aria-label")
    assert f"{counts[0]} of {n} have no gap" in label
    bar = int(np.flatnonzero(counts[1:])[0]) + 1
    before = picture(live, "map")
    x, y = live.evaluate("(bar) => window.root.view.gaps.placeOf(bar)", bar)
    live.locator(".tc-gaps canvas").hover(position={"x": x, "y": y})
    drawn(live)
    assert live.evaluate("() => window.root.view.marks.hover.gap") == bar
    assert picture(live, "map") != before
    live.mouse.move(2, 2)
    live.locator(".tc-gaps canvas").focus()
    for _ in range(bar + 1):
        live.keyboard.press("ArrowRight")
    live.keyboard.press("Enter")
    assert data(live)["pinned"] == f"gap {bar}"
    card = live.get_by_role("complementary", name="Selection").inner_text()
    assert f"{counts[bar]} of {n}" in card
    live.keyboard.press("Escape")
    assert data(live)["pinned"] == ""


def test_gaps_follow_the_frame_and_are_hidden_without_a_bound(live):
    live.set_viewport_size({"width": 1280, "height": 1000})  # gaps have their place there
    show(live, spirals(), "follow")
    panel = live.locator(".tc-gaps-panel")
    assert panel.is_visible()
    before = picture(live, "gaps")
    live.evaluate("() => window.root.view.scrub(0)")
    drawn(live)
    assert picture(live, "gaps") != before
    train, held = split(generate("moons", 150), 0.25, 0)
    show(live, run_of(train, held, feature_plane(train, 0, 1), "axis", depth=3), "boundless")
    assert panel.is_hidden()
