"""How a run is looked at goes into a link and comes back: the plane, the lenses, the layers."""

from urllib.parse import parse_qs

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers import harness
from treecore.viewer.messages.planes import feature_plane
from ui.lab.link import read_comparison
from ui.links.view import LAYERS, POINTS, REGIONS, SIDES, Lens, lens_of, view_params
from ui.widgets.data.gallery import sample
from ui.widgets.method_settings import COMPONENTS, FEATURES


def lenses(task):
    """Lenses that make sense for a task; the usual words are told as nothing."""
    return st.builds(
        Lens,
        st.sampled_from(["", *REGIONS[task][1:]]),
        st.sampled_from(["", *POINTS[task][1:]]),
        st.sampled_from(SIDES),
        st.sets(st.sampled_from(sorted(LAYERS))).map(lambda found: tuple(sorted(found))),
    )


@given(lenses("classification"))
def test_a_lens_goes_to_the_browser_and_comes_back(lens):
    message = lens.message(3)
    assert message.pop("link") == 3
    assert lens_of(message) == lens


@pytest.mark.parametrize(("task", "data"), [("classification", "moons"), ("regression", "hill")])
def test_a_lens_goes_into_a_link_and_comes_back(task, data):
    plane = feature_plane(sample("iris"), 0, 1)

    @given(lenses(task))
    def check(lens):
        params = view_params(plane, lens)
        assert "plane" not in params
        reading = read_comparison(
            parse_qs("&".join(f"{k}={v}" for k, v in params.items())) | {"data": [data]}
        )
        assert not reading.problems
        assert reading.state["lens"] == lens

    check()


@given(
    st.recursive(
        st.none() | st.booleans() | st.text(),
        lambda x: st.dictionaries(
            st.sampled_from(["region", "point", "side", "margins", "flips"]), x
        ),
    )
)
def test_whatever_a_browser_tells_is_a_lens(reported):
    lens = lens_of(reported)
    assert lens.side in SIDES
    assert lens_of(lens.message(0)) == lens


@pytest.mark.parametrize(
    ("query", "state", "words"),
    [
        ("data=moons&regions=heat&points=bound", {"lens": Lens("", "bound")}, ["regions='heat'"]),
        ("data=hill&regions=confidence", {"lens": Lens()}, ["regions='confidence'"]),
        (
            "data=moons&show=none&layers=moves,x,margins",
            {"lens": Lens("", "", "both", ("margins", "moves"))},
            ["show='none'", "layers: 'x' must be among margins, moves"],
        ),
        ("data=moons&plane=features", {}, ["plane: these data have only one plane"]),
        (
            "data=digits&plane=features&across=70&up=-2",
            {"plane": FEATURES, "across_digits_64": 63, "up_digits_64": 0},
            ["across=70 must be", "up=-2 must be"],
        ),
        ("data=digits&plane=sideways", {"plane": COMPONENTS}, ["plane='sideways'"]),
        ("data=digits&across=3", {"plane": COMPONENTS}, ["need plane=features"]),
        (  # of an earlier version
            "data=digits&plane=used&across=3&up=4",
            {"plane": COMPONENTS},
            ["plane='used'", "need plane=features"],
        ),
    ],
)
def test_nonsense_opens_with_the_nearest_view_and_is_told(query, state, words):
    reading = read_comparison(parse_qs(query))
    assert state.items() <= reading.state.items()
    assert len(reading.problems) == len(words)
    for word in words:
        assert word in reading.sentence()


def train(query):
    """The page that a link opens, as AppTest draws it."""
    return harness.one_tree(**{name: v[-1] for name, v in parse_qs(query).items()})


def test_two_features_go_there_and_back():
    page = train("data=digits&size=200&run=axis&plane=features&across=20&up=44")
    assert not page.warning
    assert page.query_params["plane"] == "features"
    assert page.query_params["across"] == "20"
    assert page.query_params["up"] == "44"
    page.selectbox(key="up_digits_64").select_index(7).run()
    assert page.query_params["up"] == "8"
    page.selectbox(key="plane").select(COMPONENTS).run()
    assert "plane" not in page.query_params
    assert not page.warning
