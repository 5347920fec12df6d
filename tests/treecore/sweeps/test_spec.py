"""The file of a sweep: what is refused, in one sentence, and which candidates it means."""

import numpy as np
import pytest

from tests.helpers.sweeps import small
from treecore.sweeps import SweepError, read_spec


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"dta": {}}, "the sweep has no 'dta'"),
        ({"data": {}}, "needs a name"),
        ({"data": {"name": "sample:xor", "test": 1.5}}, "test=1.5 must be a share"),
        ({"data": {"name": "sample:xor", "validation": True}}, "validation=True must be a share"),
        ({"data": {"name": "sample:xor", "task": "guess"}}, "task='guess' must be one of"),
        ({"data": {"name": "sample:xor", "sise": 3}}, "has no 'sise'"),
        ({"search": {"kind": "best"}}, "kind='best' must be one of"),
        ({"search": {"kind": "grid", "count": 3}}, "of kind 'grid' has no 'count'"),
        ({"search": {"kind": "random"}}, "needs count"),
        ({"search": {"kind": "halving", "keep": 1}}, "keep=1 must be a whole number from 2"),
        ({"search": {"seeds": [0, 0]}}, "a seed twice"),
        ({"final": {"seeds": [-1]}}, "seed=-1 must be"),
        ({"final": {"seeds": []}}, "an empty list"),
        ({"methods": []}, "must be a list"),
        ({"methods": [{"depth": 3}]}, "number 1 needs a method"),
        ({"methods": [{"method": "best"}]}, "there is no method 'best'"),
        ({"methods": [{"method": "axis", "nu": 3}]}, "the method axis has no 'nu'"),
        ({"methods": [{"method": "sgd", "nu": [1, -3]}]}, "nu=-3 must be between"),
        ({"methods": [{"method": "sgd", "seed": 3}]}, "seed is set for all runs alike"),
        ({"methods": [{"method": "sgd", "loss": "cubic"}]}, "loss='cubic' must be one of"),
        ({"methods": [{"method": "sgd", "nu": {"low": 1, "high": 2}}]}, "cannot be tried"),
        (
            {
                "search": {"kind": "random", "count": 2},
                "methods": [{"method": "sgd", "nu": {"low": 2, "high": 1}}],
            },
            "must go from low to a greater high",
        ),
    ],
)
def test_a_bad_spec_gets_one_sentence(change, sentence):
    with pytest.raises(SweepError) as caught:
        small(**change)
    assert sentence in str(caught.value)


def test_files_that_are_no_specs_get_one_sentence(tmp_path):
    with pytest.raises(SweepError, match="cannot be read"):
        read_spec(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("[data\n")
    with pytest.raises(SweepError, match="is not TOML"):
        read_spec(tmp_path / "bad.toml")
    (tmp_path / "text.toml").write_text('data = 3\nmethods = "sgd"\n')
    with pytest.raises(SweepError):
        read_spec(tmp_path / "text.toml")


def test_a_grid_is_every_combination_once():
    found = small(methods=[{"method": ["sgd", "stable-sgd"], "nu": [1, 1.0, 5], "depth": [2, 3]}])
    configs = found.candidates("classification")
    assert len(configs) == 2 * 2 * 2
    assert {(c.method, c.settings.nu, c.settings.depth) for c in configs} == {
        (m, nu, d) for m in ("sgd", "stable-sgd") for nu in (1, 5) for d in (2, 3)
    }
    assert {c.loss for c in found.candidates("regression")} == {"squared"}


def test_drawn_candidates_lie_in_their_ranges_and_follow_the_seed():
    methods = [
        {"method": "sgd", "nu": {"low": 0.1, "high": 1000}, "depth": {"low": 2, "high": 9}},
        {"method": "axis", "depth": [3]},
    ]
    a, b, other = (
        small(search={"kind": "random", "count": 60, "seed": seed}, methods=methods)
        .candidates("classification")
        for seed in (0, 0, 1)
    )  # fmt: skip
    assert a == b != other
    drawn = [c.settings for c in a if c.method == "sgd"]
    assert all(0.1 <= s.nu <= 1000 and 2 <= s.depth <= 9 for s in drawn)
    # Ratios are drawn evenly: about half of the numbers are below the geometric mean.
    assert 0.2 < np.mean([s.nu < 10 for s in drawn]) < 0.8
    few = small(search={"kind": "random", "count": 60}, methods=[{"method": "axis", "depth": [3]}])
    assert len(few.candidates("classification")) == 1
