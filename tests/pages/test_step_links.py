"""What is looked at on the page *One step* is in its link."""

from __future__ import annotations

from tests.helpers.harness import link, showing
from tests.helpers.steps import example, from_link, press, run


def test_the_page_is_in_its_link():
    page = from_link(data="moons", depth="2", nu="50", passes="3")
    assert not page.warning
    assert page.slider(key="step_depth").value == 2
    assert page.select_slider(key="step_nu").value == 50
    page.slider(key="step_passes").set_value(5)
    run(page)
    assert "".join(page.query_params["passes"]) == "5"
    assert "".join(page.query_params["nu"]) == "50"
    page.query_params["depth"] = "1000000000"
    run(page)
    assert len(page.warning) == 1
    assert page.slider(key="step_depth").value == 4


def test_the_chosen_example_is_in_the_link():
    page = from_link(data="moons")
    assert "example" not in page.query_params
    press(page, "step_hardest")
    row = example(page)
    assert link(page)["example"] == str(row)
    other = from_link(**link(page))
    assert not other.warning
    assert example(other) == row
    press(other, "step_next")
    assert example(other) != row, "the link has been followed once"


def test_an_example_that_is_not_there_is_told():
    page = from_link(data="moons", example="99999")
    (reported,) = page.warning
    assert "99999" in reported.value
    assert example(page) == 374, "the last one"
    assert len(from_link(data="moons", example="me").warning) == 1


def test_node_and_coefficient_are_in_the_link():
    page = from_link(data="moons", tab="TAO", node="2")
    assert showing(page.selectbox, "step_node").value == 2
    assert link(page)["node"] == "2"
    page = from_link(data="moons", tab="OC1", oc1_node="1", coefficient="2")
    assert showing(page.selectbox, "step_oc1_node").value == 1
    assert showing(page.selectbox, "step_coefficient").value == 2
    page = from_link(data="moons", tab="OC1", oc1_node="77", coefficient="99")
    assert showing(page.selectbox, "step_oc1_node").value == 0
    assert showing(page.selectbox, "step_coefficient").value == 0
    assert [one.value for one in page.warning] == [
        "There is no split 77 in this tree, and split 0 is shown.",
        "There is no coefficient 99: there are 3, and the first one is shown.",
    ]


def test_a_split_turned_by_hand_is_in_the_link():
    page = from_link(data="moons", tab="By hand", split="2", angle="30", shift="-10")
    assert showing(page.selectbox, "step_hand_node").value == 2
    assert showing(page.slider, "step_angle").value == 30
    assert showing(page.slider, "step_offset").value == -10
    query = link(page)
    assert (query["split"], query["angle"], query["shift"]) == ("2", "30", "-10")
    assert len(from_link(data="moons", tab="By hand", angle="700").warning) == 1
