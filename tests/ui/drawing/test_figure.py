"""Figures are sent as Plotly reads them, without its classes in between."""

import json

import numpy as np
import plotly.graph_objects as go
import plotly.io
import pytest

from ui.drawing.figure import Figure


def sent(figure):
    """What comes out of the JSON that a page is sent."""
    return json.loads(plotly.io.to_json(figure.to_dict(), validate=False))


@pytest.mark.parametrize("kind", ["float64", "float32", "uint8", "int64", "int32"])
@pytest.mark.parametrize("shape", [(6,), (2, 3)])
def test_arrays_are_sent_as_plotly_sends_them(kind, shape):
    array = np.arange(6).reshape(shape).astype(kind)
    ours = sent(Figure().add_scatter(x=array[::-1], marker={"color": array}))["data"]
    plotly_s = go.Figure(
        go.Scatter(x=array[::-1], marker={"color": array}), layout={"template": None}
    )
    assert ours == json.loads(plotly_s.to_json())["data"]


def test_numbers_that_no_typed_array_holds_are_sent_as_they_are():
    large = np.array([0, 2**40])
    figure = Figure().add_scatter(x=large, y=[np.nan, np.float32(0.5)], text=np.array(["a", "b"]))
    assert sent(figure)["data"] == [
        {"type": "scatter", "x": [0, 2**40], "y": [None, 0.5], "text": ["a", "b"]}
    ]


def test_shares_are_sent_as_amounts_which_have_a_space_before_their_sign():
    figure = Figure().add_bar(y=[0.5], hovertemplate="%{x} leaves: %{y:.1%}, %{customdata:.3~g}")
    figure.update_yaxes(tickformat=".3~p").update_xaxes(tickformat=".3f")
    spec = sent(figure)
    assert spec["data"][0]["hovertemplate"] == "%{x} leaves: %{y:$.1%}, %{customdata:.3~g}"
    assert spec["layout"]["yaxis"]["tickformat"] == "$.3~p"
    assert spec["layout"]["xaxis"]["tickformat"] == ".3f"


def test_what_is_set_later_leaves_the_rest_and_none_sets_nothing():
    figure = Figure().add_bar(x=[1], name=None)
    figure.update_layout(legend={"x": 0, "y": 1}).update_layout(legend={"y": 2}, height=90)
    figure.update_xaxes(title="nats", range=np.array([0.0, 1.0])).update_xaxes(showgrid=False)
    spec = sent(figure)
    assert spec["data"] == [{"type": "bar", "x": [1]}]
    assert spec["layout"] == {
        "legend": {"x": 0, "y": 2},
        "height": 90,
        "xaxis": {"title": {"text": "nats"}, "range": [0.0, 1.0], "showgrid": False},
    }
