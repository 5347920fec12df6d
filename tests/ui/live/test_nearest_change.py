"""What is told of a clicked point: the nearest one that the tree answers as is wanted."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from tests.helpers.cases import case
from tests.helpers.liveview import digits, run_of, spirals
from treecore.core.routing import apply, leaf_labels, predict_values
from treecore.data.dataset import Dataset, split
from treecore.inspection.counterfactual import counterfactual, units_and_range
from treecore.viewer.messages.message import DETAIL_SECONDS
from treecore.viewer.messages.planes import feature_plane
from ui.live import nearest_change
from ui.live.nearest_change import LESS, OTHERWISE, NearestChange

NOTHING_HEARD = [-1, -1]


def told_of(run, **question):
    """The answer to a view that asks, or None."""
    stage, status, _trainer = run
    nearest = NearestChange(stage, stage._train, stage._plane)
    news = nearest.news(replace(status, **question.pop("status", {})), question)
    return None if news is None else (news[0]["change"], news[1])


def test_the_arrow_leads_to_the_nearest_point_of_another_answer():
    stage, status, _ = run = spirals()
    tree, train = status.frames[-1].tree, stage._train
    labels, names = leaf_labels(tree), train.class_names
    for point in (0, 7, 100):
        with case(point=point):
            answer, arrays = told_of(run, change=[point, OTHERWISE, *NOTHING_HEARD])
            x = stage._shown_points.X[point].astype(np.float64)
            here = labels[apply(tree, x[None])[0]]
            scale, low, high = units_and_range(train.X)
            bounds = np.minimum(low, x), np.maximum(high, x)
            nearest = counterfactual(tree, x, labels != here, scale=scale, bounds=bounds)
            np.testing.assert_allclose(answer["to"], nearest.x, rtol=1e-6)
            assert answer["flat"], "two features: the map shows all that changes"
            assert f"say {names[labels[nearest.leaf]]}," in answer["sentence"]
            assert labels[apply(tree, nearest.x[None])[0]] != here
            assert arrays == {}


def test_a_class_may_be_wanted_and_so_may_the_present_one():
    stage, status, _ = run = digits()
    tree = status.frames[-1].tree
    label = leaf_labels(tree)
    here = label[apply(tree, stage._shown_points.X[3][None])[0]]
    for wanted in range(10):
        with case(wanted=wanted):
            answer, arrays = told_of(run, change=[3, wanted, *NOTHING_HEARD])
            if wanted == here:
                assert answer["sentence"] == "Nothing has to change: the tree says so already."
            elif wanted not in label:
                assert answer["sentence"].startswith("No leaf of the tree says")
            else:
                assert not answer["flat"], "more pixels change than the map's plane has"
                assert set(arrays) == {"change.before", "change.after"}
                assert arrays["change.before"].shape == (64,)
                assert "other features by less" in answer["sentence"]


def test_a_number_may_be_more_or_less():
    rng = np.random.default_rng(0)
    x = np.sort(rng.uniform(-2, 2, 200))
    table = Dataset("wave", x[:, None], np.sin(2 * x), ("x",), ())
    train, held = split(table, 0.25, 0)
    run = run_of(train, held, feature_plane(train, 0, 0), "axis", depth=4, loss="squared")
    stage, status, _ = run
    tree = status.frames[-1].tree
    before = predict_values(tree, stage._shown_points.X[5][None])[0, 0]
    for wanted, sign in ((OTHERWISE, 1), (LESS, -1)):
        answer, _arrays = told_of(run, change=[5, wanted, *NOTHING_HEARD])
        x, height = answer["to"]
        after = predict_values(tree, np.array([[x]]))[0, 0]
        assert sign * (after - before) >= nearest_change.STEP * train.y.std()
        assert height == pytest.approx(after), "the arrow ends on the step it leads to"


def test_it_is_told_once_for_every_tree_and_seldom_while_the_run_goes_on():
    _stage, status, _ = run = spirals()
    newest = status.frames[-1]
    requested = {"change": [4, OTHERWISE, newest.number, newest.time]}
    assert told_of(run, **requested) is None
    running = {"state": "running"}
    requested = {"change": [4, OTHERWISE, newest.number - 1, newest.time - 0.5 * DETAIL_SECONDS]}
    assert told_of(run, **requested, status=running) is None
    assert told_of(run, **requested) is not None
    requested = {"change": [4, OTHERWISE, newest.number - 1, newest.time - 2 * DETAIL_SECONDS]}
    assert told_of(run, **requested, status=running) is not None


def test_of_a_large_tree_it_is_told_when_the_run_rests(monkeypatch):
    monkeypatch.setattr(nearest_change, "WHILE_RUNNING", 3)
    run = spirals()
    requested = {"change": [4, OTHERWISE, *NOTHING_HEARD]}
    assert told_of(run, **requested, status={"state": "running"}) is None
    assert told_of(run, **requested) is not None


@pytest.mark.parametrize(
    "question",
    [
        None,
        "x",
        [4, -1],
        [4.5, -1, -1, -1],
        [-1, -1, -1, -1],
        [10**6, -1, -1, -1],
        [float("nan"), -1, -1, -1],
        [4, None, -1, -1],
        [4, float("inf"), -1, -1],
    ],
)
def test_questions_that_make_no_sense_are_passed_over(question):
    assert told_of(spirals(), change=question) is None
