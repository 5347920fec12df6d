"""The page *One step* in Streamlit's own harness: every button, every tab, bad data."""

from __future__ import annotations

import json
import re

import numpy as np
import pytest

from tests.helpers import harness
from tests.helpers.harness import showing, upload
from tests.helpers.steps import (
    example,
    figures,
    maps,
    opened,
    press,
    promised,
    run,
    tables,
    text,
)
from treecore.data.dataset import Dataset
from treecore.persistence import from_json
from ui.drawing.map_figure import divide
from ui.jobs.chosen_data import ChosenData
from ui.step.session import Walk, begin

TABS = ["One example", "TAO", "OC1"]


def test_every_button_of_an_example_does_what_it_says():
    page = opened()
    first = example(page)
    press(page, "step_next")
    second = example(page)
    assert second != first
    press(page, "step_previous")
    assert example(page) == first
    before = figures(page)
    press(page, "step_apply")
    assert example(page) == second
    assert "1 step applied" in text(page)
    press(page, "step_undo")
    assert example(page) == first
    assert figures(page) == before, "undone, the same step promises the same"
    press(page, "step_hardest")
    assert "greatest bound" in text(page)
    press(page, "step_next_turning")
    assert "The step turns split" in text(page)


@pytest.mark.parametrize("data", ["moons", "hill", "digits"])
def test_terms_of_formulas_mark_what_the_figures_show(data):
    page = opened(data)
    traces = [
        trace
        for chart in page.get("plotly_chart")
        for trace in json.loads(chart.proto.spec)["data"]
    ]
    parts = {trace["meta"] for trace in traces if "meta" in trace}
    shown = {part.split(".")[0] for part in parts}
    places = harness.reported(page, "formulas")
    assert len(places) == 4, "the way, the value, the search, the update"
    terms = [term for one in places for line in (*one["lines"], one["nodes"]) for term in line]
    marked = {mark for term in terms for mark in term["marks"]}
    nodes = {mark.split(".")[0] for mark in marked}
    assert {"example", "split0"} <= nodes <= shown | {"arrow"}
    assert {mark for mark in marked if mark.endswith(("before", "after"))} <= parts
    assert all(bool(term["marks"]) <= bool(term["says"]) for term in terms)
    assert any("map" in term["says"] for term in terms) == (data != "digits"), "which has none"
    (rows,) = [one["points"]["values"] for one in places if one["points"]]
    (values,) = [trace for trace in traces if trace.get("meta") == "values"]
    assert len(rows) == len(values["y"])


@pytest.mark.parametrize(("start", "inference"), [("axis", "fast"), ("co2", "exact")])
def test_an_applied_step_does_what_it_has_promised(start, inference):
    page = opened("moons", step_start=start, step_inference=inference, step_depth=4)
    bound, loss = promised(page)
    assert loss <= bound
    press(page, "step_apply")
    found = figures(page)
    assert (found["Mean bound"], found["Mean loss"]) == pytest.approx((bound, loss), abs=6e-4)


@pytest.mark.parametrize(
    ("tab", "method", "apply"),
    [("One example", "sgd", "step_apply"), ("TAO", "tao", "step_tao_apply")],
)
def test_the_tree_with_the_steps_applied_is_taken_home(tab, method, apply):
    page = opened("moons", tab)

    def taken():
        press(page, f"step_{method}_download")
        ((_meta, file),) = harness.sent(page, "save")
        return from_json(file["content"].tobytes())

    before = taken()
    press(page, apply)
    after = taken()
    assert (before.training["steps"], after.training["steps"]) == (0, 1)
    assert before.training["method"] == method
    assert before.feature_names == ("x1", "x2")
    assert not np.array_equal(before.tree.weights, after.tree.weights)


def test_leaves_assigned_anew_tighten_the_bound_and_cost_nothing():
    page = opened(step_method="stable-sgd")
    for _ in range(3):
        press(page, "step_apply")
    before = figures(page)
    press(page, "step_reassign")
    after = figures(page)
    assert after["Mean bound"] < before["Mean bound"]
    assert after["Mean loss"] == before["Mean loss"]


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


@pytest.mark.parametrize("tab", TABS)
def test_more_than_two_features_say_that_there_is_no_map(tab):
    for dataset, reported in (("iris", "4 features"), ("digits", "64 ")):
        page = opened(dataset, tab)
        assert maps(page) == 0
        assert any(reported in c.value and "map" in c.value for c in page.caption), dataset


@pytest.mark.parametrize("start", ["axis", "random"])
def test_tao_goes_from_node_to_node_and_never_errs_more(start):
    page = opened("spirals", "TAO", step_tao_start=start, step_depth=2)
    splits = [int(option) for option in showing(page.selectbox, "step_node").options]
    errors, visited = [], []
    for _ in range(len(splits) + 1):  # a round, and on
        errors.append(figures(page)["Whole tree's error"])
        visited.append(showing(page.selectbox, "step_node").value)
        press(page, "step_tao_apply")
    assert errors == sorted(errors, reverse=True)
    started = splits.index(visited[0])  # those before it do not get better
    assert visited == [*splits[started:], *splits][: len(visited)], "behind the root it begins anew"
    assert splits[-1] == 0, "the root comes last"


def test_tao_begins_with_a_split_that_gets_better():
    page = opened("spirals", "TAO")
    now = figures(page)
    assert now["Sent astray, learnt split"] < now["Sent astray, old split"]
    assert page.success


def test_any_node_of_tao_can_be_looked_at_and_left_again():
    page = opened("spirals", "TAO")
    showing(page.selectbox, "step_node").set_value(2)
    run(page)
    before = figures(page)
    press(page, "step_tao_apply")
    assert showing(page.selectbox, "step_node").value == 1
    press(page, "step_tao_undo")
    assert showing(page.selectbox, "step_node").value == 2
    assert figures(page) == before
    showing(page.selectbox, "step_node").set_value(0)
    run(page)
    assert "**Split 0**" in text(page)
    page.select_slider(key="step_C").set_value(0.01)
    run(page)
    assert figures(page)["Sent astray, learnt split"] >= 0
    assert page.success or page.warning, "it says whether the split is accepted"


@pytest.mark.parametrize(("start", "criterion"), [("axis", "entropy"), ("random", "gini")])
def test_oc1_climbs_coefficient_by_coefficient(start, criterion):
    page = opened("spirals", "OC1", step_oc1_start=start, step_criterion=criterion)
    impurities = []
    for _ in range(4):
        now = figures(page)
        impurities.append(now["Impurity now"])
        press(page, "step_oc1_apply")
        if now["Impurity at best"] < now["Impurity now"]:
            assert figures(page)["Impurity now"] == now["Impurity at best"]
    assert impurities == sorted(impurities, reverse=True)
    assert start == "axis" or impurities[-1] < impurities[0]
    press(page, "step_oc1_next")
    press(page, "step_oc1_undo")
    assert figures(page)["Impurity now"] == impurities[-1], "back where the last move was applied"
    before = showing(page.selectbox, "step_coefficient").value
    press(page, "step_oc1_next")
    assert showing(page.selectbox, "step_coefficient").value == (before + 1) % 3


def test_every_node_of_oc1_has_its_own_examples():
    page = opened("spirals", "OC1")
    everybody = figures(page)["Examples here"]
    assert everybody == 375
    showing(page.selectbox, "step_oc1_node").set_value(1)
    run(page)
    assert 0 < figures(page)["Examples here"] < everybody


@pytest.mark.parametrize("tab", TABS)
def test_every_control_explains_itself(tab):
    page = opened(tab=tab)
    for kind in ("slider", "select_slider", "selectbox", "button", "button_group", "metric"):
        for widget in page.get(kind):
            assert widget.proto.help, widget.label
    assert page.metric
    assert page.button


def given(monkeypatch, X, y, n_classes):
    """The page, given these training rows."""
    names = tuple(f"x{j}" for j in range(X.shape[1]))
    train = Dataset("given", X, y, names, tuple("abc"[:n_classes]))
    chosen = ChosenData(train, None, ("given", train, len(y), 0, 0))
    monkeypatch.setattr("ui.widgets.data.picker.data_control", lambda **more: chosen)


NOTHING_TO_LEARN = [
    ([0] * 8, "one class"),
    ([0], "only one training example"),
    ([0, 1] * 4, "single leaf"),  # there is nothing to cut
    ([0, 1], "single leaf"),
]


@pytest.mark.parametrize("tab", TABS)
def test_data_that_cannot_be_learnt_from_get_a_sentence(monkeypatch, tab):
    page = opened(tab=tab, step_start="axis", seed=0)
    for y, sentence in NOTHING_TO_LEARN:
        given(monkeypatch, np.ones((len(y), 2)), np.array(y, dtype=np.int64), 2)
        run(page)
        assert sentence in " ".join(part.value for part in page.info)


APPLY = {"One example": "step_apply", "TAO": "step_tao_apply", "OC1": "step_oc1_apply"}


@pytest.mark.parametrize("tab", TABS)
def test_two_examples_and_a_class_without_any_are_enough(monkeypatch, tab):
    given(monkeypatch, np.array([[0.0, 1.0], [2.0, 3.0]]), np.array([0, 2]), 3)
    page = opened(tab=tab, seed=0)
    before = figures(page)
    assert not page.info
    press(page, APPLY[tab])
    cost = {"One example": "Mean bound", "TAO": "Whole tree's error", "OC1": "Impurity now"}[tab]
    assert figures(page)[cost] <= before[cost]
    assert maps(page) == 1


@pytest.mark.parametrize("tab", TABS)
def test_one_feature_has_a_map_of_bands(tab):
    rng = np.random.default_rng(0)
    rows = "".join(f"{v:.3f},{'xy'[int(v > 0)]}\n" for v in rng.standard_normal(60))
    page = upload(opened(tab=tab), b"a,class\n" + rows.encode())
    assert not page.error
    assert maps(page) == 1
    (chart,) = [c.proto.spec for c in page.get("plotly_chart") if "_map" in c.proto.id]
    figure = json.loads(chart)
    assert figure["layout"]["xaxis"]["title"]["text"] == "a"


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
    reported = next(c.value for c in page.caption if c.value.startswith("The leaf says"))
    numbers = re.findall(r"-?\d+(?:\.\d+)?(?:e[-+]?\d+)?", reported)
    before, after, target = map(float, numbers)
    assert abs(after - target) < abs(before - target)
    leaves = tables(page)[-2]
    np.testing.assert_allclose(leaves["v"], leaves["loss"] - leaves["penalty"], atol=1e-4)
    bound, loss = promised(page)
    press(page, "step_apply")
    found = figures(page)
    assert (found["Mean bound"], found["Mean loss"]) == pytest.approx((bound, loss), abs=6e-4)


@pytest.mark.parametrize("loss", ["squared", "huber"])
def test_tao_of_numbers_never_costs_more(loss):
    page = opened("hill", "TAO", loss=loss, step_depth=2, step_tao_start="random")
    costs = []
    for _ in range(4):
        costs.append(figures(page)["Whole tree's error"])
        press(page, "step_tao_apply")
    assert costs == sorted(costs, reverse=True)
    assert costs[-1] < costs[0]
    assert "predicted more closely" in text(page)


@pytest.mark.parametrize(("dataset", "start"), [("hill", "random"), ("quickening", "axis")])
def test_oc1_of_numbers_lowers_the_squared_error(dataset, start):
    page = opened(dataset, "OC1", step_oc1_start=start)
    levels = []
    for _ in range(3):
        levels.append(figures(page)["Impurity now"])
        press(page, "step_oc1_apply")
    assert levels == sorted(levels, reverse=True)
    assert 0 <= levels[-1] <= levels[0] <= 1
    assert not [w for w in page.get("button_group") if w.key == "step_criterion"]
