"""Thresholds, leaves and shares are written with as many digits as tell them apart."""

from datetime import datetime
from itertools import pairwise

import numpy as np
import pytest

from tests.helpers.cases import case
from tests.helpers.documents import random_map
from tests.helpers.strategies import random_tree
from treecore.base.units import limit_in, shortest
from treecore.core.routing import apply
from treecore.data.readers.cells import NumberForm
from treecore.data.readers.columns import DateColumn, NumberColumn
from treecore.export import FORMATS
from treecore.export.written import cut_text, share_text
from treecore.persistence import Document


def test_a_threshold_reads_back_to_the_same_float32_number_unless_it_is_a_short_decimal(rng):
    bits = rng.integers(0, 2**32, 3000, dtype=np.uint32).view(np.float32)
    values = [*bits[np.isfinite(bits)], *rng.normal(size=1000), *np.arange(2e7, 2e7 + 99), 1.7e9]
    for value in np.array(values, np.float32):
        read = np.float32(float(shortest(value)))
        assert read == value or abs(read - value) <= np.spacing(abs(value))
        if read != value:
            assert len(shortest(value).lstrip("-0.").replace(".", "")) <= 6


@pytest.mark.parametrize("step", [0.1, 0.01, 1, 1000, 1e-5])
def test_written_thresholds_part_the_values_they_lie_between_as_the_tree_does(step):
    for start in (0, 52.5, 20_240_101, 1.7e9, -3e5):
        values = np.round(start + step * np.arange(60), 6)
        single = values.astype(np.float32)
        for a, b in pairwise(single):
            if a == b:
                continue
            threshold = np.float32((float(a) + float(b)) / 2)
            if threshold == b:  # rounded up: no trainer leaves it so
                continue
            with case(threshold=threshold):
                text = float(shortest(threshold))
                apart = (single < a) | (single > b)
                assert np.array_equal(values[apart] > text, single[apart] > threshold)
                assert not (b > threshold and values[single == b].min() <= text)


@pytest.mark.parametrize(
    ("value", "unit", "text"),
    [
        (np.float32(4.8) / 2 + np.float32(4.9) / 2, "", "4.85"),
        (1_700_013_600, "", "1700013600"),
        (-0.0, "", "0"),
        (1e-9, "kg", "1e-09\N{NO-BREAK SPACE}kg"),
        (19_727.5, "date", "2024-01-05"),
        (19_728.0, "date", "2024-01-06"),
        (8.5, "time", "08:30"),
        (12 + 30.5 / 3600, "time", "12:00:30.5"),
        (23.75 + 1 / 3600, "time", "23:45:01"),
        (-1.25, "time", "\N{MINUS SIGN}01:15"),
    ],
)
def test_limits_are_written_in_their_units(value, unit, text):
    assert limit_in(value, unit) == text


def test_moments_part_whole_minutes_as_the_tree_does(rng):
    for threshold in rng.uniform(-9e3, 3e4, 200).astype(np.float32):
        moment = datetime.fromisoformat(limit_in(threshold, "moment"))
        days = (moment - datetime(1970, 1, 1)).total_seconds() / 86_400
        minutes = np.floor(float(threshold) * 1440) + np.arange(-9, 10)
        assert np.array_equal(
            minutes / 1440 > days + 1e-9, (minutes / 1440).astype(np.float32) > threshold
        )


@pytest.mark.parametrize(
    ("share", "text"),
    [(1.0, "100%"), (0.996, "99.6%"), (0.9999999, ">99.99%"), (0.5, "50%"), (0.0, "0%"),
     (0.001, "0.1%"), (1e-9, "<0.01%")],
)  # fmt: skip
def test_only_all_are_100_percent(share, text):
    assert share_text(share) == text


def test_a_cut_on_a_spline_is_told_as_one_on_its_feature(rng):
    spline = random_map(rng, 2, 6, "spline")
    tree = random_tree(rng, 1, n_features=6, n_classes=2, share_axis=1.0)
    tree = tree._replace(threshold=np.abs(tree.threshold), missing=np.zeros_like(tree.missing))
    tree = tree._replace(missing_left=tree.feature >= 0)
    document = Document(tree, ("a", "b"), ("x", "y"), feature_map=spline)
    name, _, limit = cut_text(document, int(tree.feature[0]), tree.threshold[0]).split()
    feature = ("a", "b").index(name)
    X = np.zeros((2, 2), np.float32)
    X[:, feature] = np.float32(limit), np.nextafter(np.float32(limit), np.float32(np.inf))
    assert (apply(tree, spline(X)) == [~tree.left[0], ~tree.right[0]]).all()


@pytest.mark.parametrize("name", ["text", "dot"])
def test_large_thresholds_and_leaves_of_a_model_are_told_apart(name):
    tree = random_tree(np.random.default_rng(0), 3, n_features=1, n_classes=1, share_axis=1.0)
    edges = np.array([1.7e9, 1.7e9 + 128, 1.7e9 + 256], np.float32)
    tree = tree._replace(
        threshold=edges, values=np.array([[1e7], [1e7 + 1], [1e7 + 2], [5]], np.float32)
    )
    document = Document(tree, ("t",), output_names=("y",))
    text = FORMATS[name].write(document).decode()
    for number in (*map(shortest, edges), "10000000", "10000001", "10000002"):
        assert number in text
    for form, date in (("%Y-%m-%d", "2016-07-18"), ("%Y%m%d", "20160718")):
        dated = Document(tree._replace(threshold=edges / 1e5), ("t",), output_names=("y",),
                         columns=(DateColumn("t", form),))  # fmt: skip
        assert f"t > {date}" in FORMATS[name].write(dated).decode()


def test_a_unit_that_ends_as_a_set_does_makes_no_set_of_a_threshold():
    tree = random_tree(np.random.default_rng(0), 1, n_features=1, n_classes=2, share_axis=1.0)
    column = NumberColumn("t", NumberForm(unit="{kg}"))
    document = Document(tree, ("t",), ("x", "y"), columns=(column,))
    text = FORMATS["text"].write(document).decode()
    for said in ("{kg}\n", "├── ≤ ", "└── > "):
        assert said in text
