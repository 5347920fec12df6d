"""Links: what a page shows goes there and back, and what a link says wrongly is told."""

from dataclasses import replace
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treecore import RunConfig
from treecore.data.generators import GENERATORS
from treecore.training.registry import TREES
from ui.jobs.chosen_data import ChosenData
from ui.lab.choices import Limit, place
from ui.lab.link import comparison_params, read_comparison
from ui.links.fields import Reading
from ui.links.runs import read_run, run_text, settings_state
from ui.step.link import GONE, to_lab
from ui.widgets.method_settings import DEEPEST_SHOWN


def as_query(params):
    """Parameters as a browser brings them back."""
    return {name: value if isinstance(value, list) else [value] for name, value in params.items()}


@st.composite
def configs(draw):
    name = draw(st.sampled_from(list(TREES)))
    given = {}
    for known in TREES[name].settings.definitions():
        if known.choices:
            values = st.sampled_from(known.choices)
        elif isinstance(known.default, int):
            high = min(known.high, DEEPEST_SHOWN) if known.name == "depth" else known.high
            values = st.integers(int(known.low), int(high))
        else:
            values = st.floats(known.low, known.high)
        given[known.name] = draw(st.one_of(st.just(known.default), values))
    if name == "axis" and given["leaf"] == "linear":  # which has no place for these
        given |= {"max_features": 0, "significance": 0.0}
    return RunConfig(name, **given)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("axis~leaf~linear~max_features~1", "all features compete"),
        ("annealed~filters~8", "'filters' no longer exists: trees read the features as they are"),
    ],
)
def test_settings_that_exclude_one_another_are_the_usual_ones_and_told(text, words):
    reading = Reading()
    assert read_run(text, reading) == RunConfig(text.split("~")[0])
    assert words in " ".join(reading.problems)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("sgd~nu~many", "nu='many'"),
        ("sgd~nu~-4", "between 0.01"),
        ("sgd~nu~nan", "nu='nan'"),
        ("sgd~start~warm", "start='warm'"),
        ("sgd~speed~9", "no setting 'speed'"),
        ("sgd~nu", "names of settings with values"),
        ("sgd~depth~14", "between 1 and 12"),
        ("axis~depth~2.5", "whole number"),
        ("sgd.oc1", "cannot use trees by 'oc1'"),
    ],
)
def test_a_wrong_setting_is_told_and_the_nearest_one_taken(text, words):
    reading = Reading()
    config = read_run(text, reading)
    name, *parts = text.split("~")
    name = name.partition(".")[0]
    for known in TREES[name].settings.definitions():
        low_high = replace(known, high=12) if known.name == "depth" else known
        said = dict(zip(parts[::2], parts[1::2], strict=False)).get(known.name, known.default)
        assert getattr(config.settings, known.name) == low_high.nearest(said)
    assert len(reading.problems) == 1
    assert words in reading.problems[0]


@given(configs())
def test_a_link_of_the_page_of_one_run_of_before_says_the_same(config):
    """Its run carried the depth, where that was not the usual one."""
    reading = read_comparison({"data": ["moons"], "run": [run_text(config)]})
    assert not reading.problems
    assert (reading.state["lab_n"], reading.state["lab_fair"]) == (1, "depth")
    expected = settings_state(config, place(0)) | {f"{place(0)}method": config.method}
    if "depth" in config.as_dict():
        assert reading.state["lab_depth"] == expected.pop(f"{place(0)}{config.method}_depth")
    assert expected.items() <= reading.state.items()


@given(
    st.lists(configs(), min_size=1, max_size=3),
    st.sampled_from(["time", "share"]),
    st.sampled_from([name for name, known in GENERATORS.items() if known.n_classes]),
    st.tuples(*map(st.integers, (0, 50, 0, 0), (20, 5000, 12, 2**32 - 1))),
)
def test_a_comparison_goes_there_and_back(found, clock, name, drawn):
    noise, size, share, seed = drawn
    data = ChosenData(None, None, (name, noise / 20, size, 5 * share, seed))
    data = replace(data, train=type("Rows", (), {"name": name}))
    limit = Limit("depth", 5)
    reading = read_comparison(as_query(comparison_params(data, limit, clock, found)))
    assert not reading.problems
    state = reading.state
    of_data = {f"size_{name}": size, f"noise_{name}": 5 * noise, "test_share": 5 * share}
    assert (of_data | {"dataset": name, "seed": seed}).items() <= state.items()
    assert state["lab_depth"] == limit.most
    assert state.get("lab_clock", "time") == clock
    assert state["lab_n"] == len(found)
    for number, config in enumerate(found):
        method = state[f"{place(number)}method"]
        own = {
            known.name: state[f"{place(number)}{method}_{known.name}"]
            for known in TREES[method].settings.definitions()
            if known.name != "depth"
        }
        assert RunConfig(method, **own) == config.replace(depth=RunConfig(method).depth)


@pytest.mark.parametrize(
    ("query", "state", "words"),
    [
        (
            "data=nope&depth=1000000000&nu=-5&run=zzz&foo=1",
            {"lab_depth": 12, "lab0_sgd_nu": 0.01},
            5,
        ),
        ("data=Spiral&run=tao2", {"dataset": "spirals", "lab0_method": "tao"}, 2),
        ("data=moons&size=1&noise=999&test=-3", {"size_moons": 50, "noise_moons": 100}, 3),
        ("v=0&depth=3&seed=7", {"lab_depth": 3, "seed": 7}, 1),
        ("depth=3&nu=5", {"lab_depth": 3, "lab0_sgd_nu": 5.0}, 0),
        ("run=random-forest&by=seconds&member=3", {"lab0_method": "random-forest"}, 1),
    ],
)
def test_nonsense_opens_with_the_nearest_and_is_told(query, state, words):
    reading = read_comparison(parse_qs(query))
    assert state.items() <= reading.state.items()
    assert len(reading.problems) == words
    assert bool(reading.sentence()) == bool(words)


def test_links_without_a_clock_are_of_when_learning_time_was_the_usual_one():
    for n, clock in ((2, "time"), (1, "share")):
        assert read_comparison({"run": ["axis"] * n}).state["lab_clock"] == clock


@pytest.mark.parametrize(
    ("query", "state", "gone"),
    [
        ("", {"dataset": "xor", "lab0_method": "sgd", "lab0_sgd_nu": 5.0, "lab_depth": 3}, ()),
        (
            "data=moons&method=stable-sgd&nu=50&depth=2&example=17",
            {"dataset": "moons", "lab0_method": "stable-sgd", "lab_depth": 2, "slow_at": 17},
            (),
        ),
        ("tab=TAO&C=100&node=2", {"lab0_method": "tao", "lab0_tao_C": 100.0, "slow_at": 2}, ()),
        (
            "data=moons&tab=OC1&criterion=gini&oc1_node=1&coefficient=2&passes=12",
            {"lab0_method": "oc1", "lab0_oc1_criterion": "gini", "slow_at": 1},
            ("coefficient", "passes"),
        ),
        ("tab=By+hand&angle=-30&split=2", {"slow_hand": True, "slow_angle": -30, "slow_at": 2}, ()),
    ],
)
def test_a_link_to_one_step_shows_it_in_slow_motion_and_says_what_is_gone(query, state, gone):
    given = {name: values[-1] for name, values in parse_qs(query).items()}
    reading = read_comparison(as_query(to_lab(given)))
    assert state.items() <= reading.state.items()
    assert (reading.state["slow_learner"], reading.state["lab_n"]) == (1, 1)
    assert reading.state["lab_fair"] == "depth"
    said = reading.sentence()
    assert bool(said) == bool(gone)
    assert all((name in said) == (name in gone) for name in GONE)
