"""The page *One step* in Streamlit's own harness: every button, every tab, bad data."""

from __future__ import annotations

import re

import numpy as np
import pytest

from tests.helpers.steps import example, figures, opened, press, run, tables, text
from treecore import warm_up
from treecore.datasets import Dataset
from ui.data import UPLOAD, ChosenData
from ui.step_map import divide
from ui.step_walk import Walk, begin


@pytest.fixture(scope="module", autouse=True)
def compiled():
    warm_up()


@pytest.mark.parametrize("method", ["sgd", "stable-sgd"])
def test_every_button_of_an_example_does_what_it_says(method):
    page = opened(step_method=method)
    first = example(page)
    press(page, "step_next")
    second = example(page)
    assert second != first
    press(page, "step_previous")
    assert example(page) == first
    promised = figures(page)["Mean bound"]
    press(page, "step_apply")
    assert example(page) == second
    assert "1 step applied" in text(page)
    press(page, "step_undo")
    assert example(page) == first
    assert figures(page)["Mean bound"] == promised, "undone, the same step promises the same"
    press(page, "step_hardest")
    assert "greatest bound" in text(page)
    press(page, "step_next_turning")
    assert "The step turns split" in text(page)
    if method == "stable-sgd":
        press(page, "step_reassign")


def test_the_numbers_on_the_page_agree_with_each_other():
    page = opened(step_inference="exact", step_passes=1)
    press(page, "step_hardest")
    leaves, looks = tables(page)[:2]
    assert (leaves["v"].diff().dropna() <= 0).all()
    np.testing.assert_allclose(leaves["v"], leaves["loss"] - leaves["penalty"], rtol=1e-5)
    dropped = looks[looks["what happened"].str.startswith("dropped")]
    assert (dropped["U − penalty"] <= dropped["best so far"]).all()
    taken = looks[looks["what happened"].str.startswith(("taken", "its own"))]
    assert taken["U − penalty"].max() == pytest.approx(leaves["v"].max())
    assert looks["score s"].notna().sum() == figures(page)["Inner products"]


@pytest.mark.parametrize("inference", ["exact", "fast"])
@pytest.mark.parametrize("start", ["axis", "co2"])
def test_starts_and_bounds(start, inference):
    page = opened("moons", step_start=start, step_inference=inference, step_depth=4)
    press(page, "step_apply")


def test_longer_weights_tighten_the_bound():
    page = opened()
    slider = page.select_slider(key="step_factor")
    found = []
    for factor in (slider.options[0], slider.options[-1]):
        page.select_slider(key="step_factor").set_value(float(factor))
        run(page)
        shown = [float(m.value.rstrip("%")) for m in page.metric if m.label == "Mean bound"]
        found.append(shown[-1])
    assert found[1] < found[0]


@pytest.mark.parametrize("dataset", ["iris", "digits", "breast_cancer"])
@pytest.mark.parametrize("tab", ["One example", "TAO", "OC1"])
def test_more_than_two_features_say_that_there_is_no_map(dataset, tab):
    page = opened(dataset, tab)
    assert any("map" in caption.value for caption in page.caption)


@pytest.mark.parametrize("start", ["axis", "random"])
def test_tao_goes_from_node_to_node_and_never_errs_more(start):
    page = opened("spirals", "TAO", step_tao_start=start)
    errors = []
    for _ in range(9):  # a round of seven splits, and on
        errors.append(figures(page)["Whole tree's error"])
        press(page, "step_tao_apply")
    assert errors == sorted(errors, reverse=True)
    page.selectbox(key="step_node").set_value(2)
    run(page)
    press(page, "step_tao_apply")
    assert page.selectbox(key="step_node").value == 1
    press(page, "step_tao_undo")
    assert page.selectbox(key="step_node").value == 2
    page.selectbox(key="step_node").set_value(0)
    run(page)
    assert "**Split 0**" in text(page)
    page.select_slider(key="step_C").set_value(0.01)
    run(page)


@pytest.mark.parametrize("criterion", ["entropy", "gini"])
@pytest.mark.parametrize("start", ["axis", "random"])
def test_oc1_climbs_coefficient_by_coefficient(start, criterion):
    page = opened("spirals", "OC1", step_oc1_start=start, step_criterion=criterion)
    impurities = []
    for _ in range(5):
        impurities.append(figures(page)["Impurity now"])
        press(page, "step_oc1_apply")
    assert impurities == sorted(impurities, reverse=True)
    assert start == "axis" or impurities[-1] < impurities[0]
    press(page, "step_oc1_next")
    press(page, "step_oc1_undo")
    assert figures(page)["Impurity now"] == impurities[-1], "back where the last move was applied"
    before = page.selectbox(key="step_coefficient").value
    press(page, "step_oc1_next")
    assert page.selectbox(key="step_coefficient").value == (before + 1) % 3
    page.selectbox(key="step_oc1_node").set_value(1)
    run(page)


def test_every_control_explains_itself():
    for tab in ("One example", "TAO", "OC1"):
        page = opened(tab=tab)
        for kind in ("slider", "select_slider", "selectbox", "button", "button_group", "metric"):
            for widget in page.get(kind):
                assert widget.proto.help, widget.label


def given(monkeypatch, X, y, n_classes):
    """The page, given these training rows."""
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    train = Dataset("given", X, y, names, tuple("abc"[:n_classes]))
    chosen = ChosenData(train, None, ("given", train, len(y), 0, 0))
    monkeypatch.setattr("ui.data.data_control", lambda **more: chosen)


@pytest.mark.parametrize("tab", ["One example", "TAO", "OC1"])
@pytest.mark.parametrize(
    ("y", "sentence"),
    [
        ([0] * 8, "one class"),
        ([0], "only one training example"),
        ([0, 1] * 4, "single leaf"),  # there is nothing to cut
        ([0, 1], "single leaf"),
    ],
)
def test_data_that_cannot_be_learnt_from_get_a_sentence(monkeypatch, tab, y, sentence):
    given(monkeypatch, np.ones((len(y), 2)), np.array(y, dtype=np.int64), 2)
    page = opened(tab=tab, step_start="axis", seed=0)
    assert sentence in " ".join(part.value for part in page.info)


@pytest.mark.parametrize("tab", ["One example", "TAO", "OC1"])
def test_two_examples_and_a_class_without_any_are_enough(monkeypatch, tab):
    given(monkeypatch, np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([0, 2]), 3)
    page = opened(tab=tab, seed=0)
    press(
        page, {"One example": "step_apply", "TAO": "step_tao_apply", "OC1": "step_oc1_apply"}[tab]
    )


def test_one_feature_has_a_map_of_bands():
    rng = np.random.default_rng(0)
    rows = "".join(f"{v:.3f},{'xy'[int(v > 0)]}\n" for v in rng.standard_normal(60))
    for tab in ("One example", "TAO", "OC1"):
        page = opened(UPLOAD, tab)
        page.file_uploader(key="csv").upload("mine.csv", b"a,class\n" + rows.encode()).run()
        assert not page.exception
        assert not page.error


def test_a_divided_polygon_keeps_its_area():
    rng = np.random.default_rng(0)
    square = np.array([[0.0, 0], [1, 0], [1, 1], [0, 1]])
    for _ in range(200):
        line = np.append(rng.standard_normal(2), 0.6 * rng.standard_normal())
        left, right, segment = divide(square, line)
        assert area(left) + area(right) == pytest.approx(1.0)
        if segment is not None:
            np.testing.assert_allclose(segment @ line[:2], line[2], atol=1e-9)


def area(corners):
    if len(corners) < 3:
        return 0.0
    x, y = corners.T
    return abs(x @ np.roll(y, 1) - y @ np.roll(x, 1)) / 2


def test_a_walk_follows_the_order_and_comes_back():
    walk, order, bounds = Walk(), [4, 2, 0, 1, 3], [0.1, 0.2, 0.9, 0.3, 0.4]
    assert walk.row(order, bounds) == 4
    walk.next()
    assert walk.row(order, bounds) == 2
    walk.to_hardest()
    assert walk.row(order, bounds) == 2
    bounds[2] = 0.0
    assert walk.row(order, bounds) == 4, "whichever is hardest now"
    walk.choose(3)
    walk.apply(3)
    assert walk.row(order, bounds) == 2, "back in the order"
    walk.undo()
    assert walk.row(order, bounds) == 3
    assert walk.visits == []
    walk.undo()  # nothing left to take back
    turning = [True, False, False, False, False]
    assert begin(order, turning).row(order, bounds) == 0
    walk.next_turning(order, turning)
    assert walk.place == 2
    walk.next_turning(order, turning)
    assert walk.place == 7, "the order begins anew"
    walk.next_turning(order, [False] * 5)
    assert walk.place == 8


# Numbers as targets ----------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("dataset", "method"), [("hill", "sgd"), ("quickening", "stable-sgd"), ("diabetes", "sgd")]
)
def test_a_step_of_numbers_brings_the_leaf_nearer(dataset, method):
    page = opened(dataset, step_method=method, loss="squared")
    press(page, "step_hardest")
    assert "squared deviations" in text(page)
    told = next(c.value for c in page.caption if c.value.startswith("The leaf says"))
    numbers = re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?", told)
    before, after, target = map(float, numbers)
    assert abs(after - target) < abs(before - target)
    leaves = tables(page)[-2]
    np.testing.assert_allclose(leaves["v"], leaves["loss"] - leaves["penalty"], atol=1e-4)
    press(page, "step_apply")


@pytest.mark.parametrize("loss", ["squared", "huber"])
def test_tao_of_numbers_never_costs_more(loss):
    page = opened("hill", "TAO", loss=loss)
    costs = []
    for _ in range(8):
        costs.append(figures(page)["Whole tree's error"])
        press(page, "step_tao_apply")
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]
    assert "predicted more closely" in text(page)


@pytest.mark.parametrize(("dataset", "start"), [("hill", "random"), ("quickening", "axis")])
def test_oc1_of_numbers_lowers_the_squared_error(dataset, start):
    page = opened(dataset, "OC1", step_oc1_start=start)
    levels = []
    for _ in range(4):
        levels.append(figures(page)["Impurity now"])
        press(page, "step_oc1_apply")
    assert levels == sorted(levels, reverse=True)
    assert 0 <= levels[-1] <= levels[0] <= 1
    assert not [w for w in page.get("button_group") if w.key == "step_criterion"]
