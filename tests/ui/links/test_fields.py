"""Fields of a link: what one writes it reads back, and links of old stay what they were."""

from types import SimpleNamespace
from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from treecore import RunConfig
from ui.lab.link import FIELDS as OF_COMPARE
from ui.lab.link import Limit, comparison_params, read_comparison
from ui.links.data import LOSS, SEED, TEST, WEIGHTS, data_params, read_data
from ui.links.fields import (
    Places,
    Reading,
    Text,
    Words,
    number_field,
    read_parts,
    write_parts,
)
from ui.links.view import PLANE, lens_fields
from ui.step.link import FIELDS as OF_STEP

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


def test_words_are_kept_in_one_order_and_cleared_by_the_next_link():
    words, reading = Words("hide", "hidden", ("data", "map", "more")), Reading()
    words.read({"hide": ["more,data,chairs", "map"]}, reading)
    assert reading.state == {"hidden": ("data", "map", "more")}
    assert "'chairs' must be among" in reading.problems[0]
    assert words.write(reading.state) == {"hide": "data,map,more"}
    words.read({}, reading)
    assert words.write(reading.state) == {}
    nothing = Reading()
    Words("over", "over", ()).read({"over": ["x"]}, nothing)
    assert nothing.problems == ["over: 'x' is not here"]


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


def test_text_is_one_line_of_so_many_letters_and_is_cleared():
    words, reading = Text("title", "named", 9), Reading()
    words.read({"title": ["no", " two \n words more"]}, reading)
    assert reading.state == {"named": "two words"}
    assert words.write(reading.state) == {"title": "two words"}
    words.read({}, reading)
    assert reading.state == {"named": ""}
    assert words.write(reading.state) == {}


def test_places_are_read_as_they_are_written_and_what_is_none_is_told():
    plain, valued = Places("fixed", "f"), Places("moved", "m", "asked", valued=True)
    reading = Reading()
    read_parts((plain, valued), {"fixed": ["3,0"], "moved": ["1~0.5,4~-2e9"]}, reading)
    assert reading.state == {"f": [3, 0], "asked": {1: 0.5, 4: -2e9}}
    assert write_parts((plain, valued), {"f": [3, 0], "m": {1: 0.5, 4: -2e9}}) == {
        "fixed": "3,0",
        "moved": "1~0.5,4~-2e+09",
    }
    assert not reading.problems
    wrong = {"fixed": ["x,1~2,-1,5"], "moved": ["1~nan,2~,²~1,123456789~1,7~1"]}
    read_parts((plain, valued), wrong, reading)
    assert reading.state == {"f": [5], "asked": {7: 1.0}}
    assert len(reading.problems) == 7
    assert write_parts((plain, valued), {"f": [], "m": {}}) == {}


def test_a_problem_is_told_once_and_a_huge_number_as_it_was_written():
    reading = Reading()
    reading.closest("forest ", "x", ["elm"])
    reading.closest("forest ", "x", ["elm"])
    read_parts((number_field("seed", "s", 0, 0, 9),), {"seed": ["1e99"]}, reading)
    assert reading.state == {"s": 9}
    assert reading.sentence().count("there is no forest 'x'") == 1
    assert "seed='1e99'" in reading.sentence()


def test_of_a_parameter_given_twice_the_last_counts_and_it_is_told():
    parts = (number_field("seed", "s", 0, 0, 9), Text("title", "t", 20), Places("fixed", "f"))
    given = {"seed": ["1", "x", "3"], "title": ["a", "b"], "fixed": ["0", "0"], "v": ["1", "2"]}
    reading = Reading()
    read_parts(parts, given, reading)
    reading.strangers(given, [part.name for part in parts])
    assert reading.state == {"s": 3, "t": "b", "f": [0]}
    reported = reading.sentence()
    assert "it gives seed 3 times" in reported
    assert "it gives title 2 times" in reported
    assert "it gives v 2 times" in reported
    assert "fixed" not in reported


def test_what_is_cut_or_moved_to_the_nearest_step_is_told():
    reading = Reading()
    steps = number_field("nu", "n", 10.0, 1.0, 100.0, steps=(1.0, 10.0, 100.0))
    read_parts((Text("title", "t", 9), steps), {"title": ["x" * 3000], "nu": ["2.5"]}, reading)
    assert reading.state == {"t": "x" * 9, "n": 1.0}
    assert "title has 3,000 letters (using the first 9)" in reading.sentence()
    assert "nu=2.5 must be one of 1, 10, 100 (using 1)" in reading.sentence()


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
