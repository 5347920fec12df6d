"""Fields of a link: what one writes it reads back, and links of old stay what they were."""

from types import SimpleNamespace
from urllib.parse import parse_qs

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treecore import RunConfig
from treecore.data import Source
from treecore.data import read_parts as read_rows
from ui.lab.choices import Limit
from ui.lab.link import FIELDS as OF_COMPARE
from ui.lab.link import comparison_params, read_comparison
from ui.links.data import LOSS, SEED, TEST, WEIGHTS, data_params, read_data, source_params
from ui.links.fields import Places, Reading, Text, Words, number_field, read_parts, write_parts
from ui.links.view import PLANE, lens_fields
from ui.step.link import FIELDS as OF_STEP
from ui.widgets.data.gallery import gallery_data

ALL = [*OF_COMPARE, *OF_STEP, LOSS, WEIGHTS, PLANE, TEST, SEED]
ALL += lens_fields()[:3]


def values_of(field):
    known = field.setting
    if field.steps or field.values:
        return st.sampled_from(field.steps or field.values)
    if isinstance(known.default, int):
        return st.integers(int(known.low), int(known.high))
    return st.floats(known.low, known.high).map(lambda value: float(f"{value:g}"))


@pytest.mark.parametrize("field", ALL, ids=lambda field: field.key)
def test_a_field_reads_back_what_it_writes(field):
    @given(values_of(field))
    def check(value):
        params = field.write({field.key: value})
        reading = Reading()
        field.read({name: [text] for name, text in params.items()}, reading)
        assert not reading.problems
        usual = field.values[0] if field.values else field.setting.default
        assert reading.state.get(field.requested or field.key, usual) == value

    check()


@pytest.mark.parametrize("field", ALL, ids=lambda field: field.key)
def test_nothing_is_read_from_nothing_and_nonsense_becomes_something_valid(field):
    reading = Reading()
    field.read({}, reading)
    assert (reading.state, reading.problems) == ({}, [])
    field.read({field.name: ["<nonsense>"]}, reading)
    assert len(reading.problems) == 1
    assert repr("<nonsense>") in reading.problems[0]
    value = reading.state[field.requested or field.key]
    if field.values or field.steps:
        assert value in (field.values or field.steps)
    else:
        assert field.setting.allows(value)


STEPS = number_field("p", "t", 10.0, 1.0, 100.0, steps=(1.0, 10.0, 100.0))
DIGIT = number_field("p", "t", 0, 0, 9)
GROUPS = Words("p", "t", ("data", "map", "more"))


@pytest.mark.parametrize(
    ("part", "given", "state", "reported"),
    [
        (Text("p", "t", 9), ["no", " two \n words "], "two words", ["it gives p 2 times"]),
        (Text("p", "t", 9), ["x" * 3000], "x" * 9, ["p has 3,000 letters (using the first 9)"]),
        (DIGIT, ["1e99"], 9, ["p='1e99'"]),
        (DIGIT, ["1", "x", "3"], 3, ["it gives p 3 times"]),
        (STEPS, ["2.5"], 1.0, ["p=2.5 must be one of 1, 10, 100 (using 1)"]),
        (GROUPS, ["more,data,chairs", "map"], ("data", "map", "more"), ["'chairs' must be among"]),
        (Words("p", "t", ()), ["x"], (), ["p: 'x' is not here"]),
        (Places("p", "t"), ["0", "0"], [0], []),
        (Places("p", "t"), ["x,1~2,-1,5"], [5], ["'x'", "'1~2'", "'-1'"]),
    ],
)
def test_a_part_is_read_as_near_as_can_be_and_what_is_wrong_is_told(part, given, state, reported):
    reading = Reading()
    read_parts((part,), {"p": given, "v": ["2", "1"]}, reading)
    reading.strangers({"p": given, "v": ["2", "1"]}, ["p"])
    assert reading.state == {"t": state}
    for words in ("it gives v 2 times", *reported):
        assert any(words in one for one in reading.problems), words
    assert len(reading.problems) == 1 + len(reported)
    written = {name: [text] for name, text in write_parts((part,), reading.state).items()}
    again = Reading()
    read_parts((part,), written, again)
    assert again.state.get("t", state) == state
    assert not again.problems


ROWS = SimpleNamespace(
    key=("moons", 0.2, 300, 25, 7), train=SimpleNamespace(name="moons", task="classification")
)


def text_of(params):
    pairs = ((n, v) for n, vs in params.items() for v in (vs if isinstance(vs, list) else [vs]))
    return "&".join(f"{name}={value}" for name, value in pairs)


def test_links_are_written_as_they_always_were():
    data = "data=moons&size=300&noise=20&test=25&seed=7"
    assert text_of(data_params(ROWS.key)) == data
    configs = [RunConfig("axis", depth=5), RunConfig("tao", depth=5)]
    assert text_of(comparison_params(ROWS, Limit("depth", 5), "share", configs)) == (
        f"{data}&fair=depth&depth=5&clock=share&run=axis&run=tao"
    )
    configs = [RunConfig("samme", base="sgd", n_trees=3), RunConfig("hinge-ferns")]
    assert text_of(comparison_params(ROWS, Limit("depth", 5), "time", configs)) == (
        f"{data}&fair=depth&depth=5&clock=time&run=samme.sgd~n_trees~3&run=hinge-ferns"
    )


def test_places_with_values_are_read_as_they_are_written_and_what_is_none_is_told():
    valued, reading = Places("moved", "m", "asked", valued=True), Reading()
    valued.read({"moved": ["1~0.5,4~-2e9"]}, reading)
    assert reading.state == {"asked": {1: 0.5, 4: -2e9}}
    assert valued.write({"m": {1: 0.5, 4: -2e9}}) == {"moved": "1~0.5,4~-2e+09"}
    assert not reading.problems
    valued.read({"moved": ["1~nan,2~,²~1,123456789~1,7~1"]}, reading)
    assert reading.state == {"asked": {7: 1.0}}
    assert len(reading.problems) == 4
    assert valued.write({"m": {}}) == {}


@pytest.mark.parametrize(
    ("query", "state", "reported"),
    [
        ("size=100", {"dataset": "spirals", "size_spirals": 100}, ""),
        ("noise=x", {"dataset": "spirals", "noise_spirals": 0}, "noise='x'"),
        ("data=iris&noise=3", {"dataset": "iris"}, "noise does not fit data=iris"),
        ("data=upload&size=9", {"dataset": "upload"}, "size does not fit data=upload"),
        ("file=my.csv", {}, "file does not fit data=spirals"),
    ],
)
def test_size_noise_and_file_belong_to_data_that_have_them(query, state, reported):
    reading = Reading()
    read_data(parse_qs(query), reading)
    assert reading.state == state
    assert len(reading.problems) == bool(reported)
    assert reported in reading.sentence()


@pytest.mark.parametrize(
    ("query", "reported"),
    [
        ("data=hill&loss=log", "does not fit data of numbers"),
        ("data=moons&loss=squared", "does not fit data of classes"),
        ("data=hill&loss=cubic", "must be one of log, squared, huber, absolute"),
        ("data=hill&weights=balanced", "does not fit data of numbers"),
        ("data=hill&run=boosted-cart", "boosted-cart does not learn numbers (using sgd)"),
        ("data=moons&weights=heavy", "weights"),
    ],
)
def test_what_errors_count_fits_the_data_or_is_told(query, reported):
    (problem,) = read_comparison(parse_qs(query)).problems
    assert reported in problem


def test_a_method_that_is_like_none_is_the_usual_one_and_its_settings_are_read():
    reading = read_comparison(parse_qs("data=quickening&run=qqqq~depth~3"))
    assert reading.state["lab0_method"] == "sgd"
    assert reading.state["lab_depth"] == 3
    assert reading.state["lab0_sgd_nu"] == RunConfig("sgd").as_dict()["nu"]
    assert "there is no method 'qqqq' (using sgd)" in reading.sentence()
    reading = read_comparison(parse_qs("run=qqqq&run=tao"))
    assert reading.state["lab0_method"] == "axis"
    assert reading.state["lab0_axis_criterion"] == "gini"
    assert "there is no method 'qqqq' (using axis)" in reading.sentence()


def test_a_link_leads_to_the_rows_of_a_saved_run():
    source = Source("sample:moons", size=300, noise=0.2, held_out=0.25, seed=7)
    reading = Reading()
    read_data({name: [text] for name, text in source_params(source).items()}, reading)
    assert not reading.problems
    size, noise, share, seed = (
        reading.state[key] for key in ("size_moons", "noise_moons", "test_share", "seed")
    )
    shown = gallery_data("moons", size, noise / 100, seed, share)
    for mine, theirs in zip((shown.train, shown.held), read_rows(source)):
        np.testing.assert_array_equal(mine.X, theirs.X)
    assert source_params(Source("some.csv")) == {}
