"""Figures with shares as elsewhere, their numbers as a table, and pictures as files."""

import io
import json
from datetime import date, datetime

import numpy as np
import pytest
from PIL import Image
from plotly.graph_objects import Figure
from streamlit.testing.v1 import AppTest

from ui.drawing.figure_table import MOST, figure_table, table_html
from ui.drawing.on_page import LOCALES
from ui.drawing.png import png
from ui.drawing.theme import PERCENT


def test_shares_are_sent_as_amounts_which_have_a_space_before_their_sign():
    def page():
        from plotly.graph_objects import Figure

        from ui.drawing.on_page import show

        said = "%{x} leaves: %{y:.1%}, %{customdata:.3~g}"
        figure = Figure().add_bar(y=[0.5], hovertemplate=said)
        show(figure, "chart", "One bar")

    (chart,) = AppTest.from_function(page).run().get("plotly_chart")
    (trace,) = json.loads(chart.proto.spec)["data"]
    assert trace["hovertemplate"] == "%{x} leaves: %{y:$.1%}, %{customdata:.3~g}"
    assert PERCENT == "$.3~p"
    assert json.loads(chart.proto.config)["locales"] == LOCALES


def test_a_curve_is_told_point_by_point_and_a_break_in_it_is_none():
    figure = Figure()
    figure.add_scatter(x=[0, 1, 2, 3], y=[0.5, np.nan, None, 0.123456], name="loss")
    figure.add_scatter(x=[0, 1], y=[0, 1], mode="lines", hoverinfo="skip")  # an ornament
    figure.update_xaxes(title="epoch").update_yaxes(title="nats")
    heads, rows, n = figure_table(figure)
    assert heads == ("series", "epoch", "nats")
    assert rows == [("loss", "0", "0.5"), ("loss", "1", "–"), ("loss", "3", "0.1235")]
    assert n == 3


def test_words_on_an_axis_stand_in_the_table_and_markup_is_none():
    figure = Figure()
    figure.add_bar(x=[0, 1], y=[0.25, 0.75], name="<b>after</b>")
    figure.update_xaxes(tickvals=[0, 1], ticktext=["<b>A &amp; B</b> ←", "C"])
    _, rows, _ = figure_table(figure)
    assert rows == [("after", "A & B ←", "0.25"), ("after", "C", "0.75")]
    hostile = Figure().add_scatter(x=[1], y=[1], name="&lt;script&gt;x&lt;/script&gt;")
    assert "&lt;script&gt;x" in table_html(hostile, "<i>")
    assert "<i>" not in table_html(hostile, "<i>")


def test_dates_on_an_axis_stand_in_the_table():
    figure = Figure().add_scatter(x=[date(2026, 1, 31), datetime(2026, 1, 31, 9, 5)], y=[0, 1])
    _, rows, _ = figure_table(figure)
    assert rows == [("2026-01-31", "0"), ("2026-01-31 09:05", "1")]


def test_nodes_are_told_by_their_words_where_axes_are_hidden():
    figure = Figure()
    figure.add_scatter(x=[0], y=[1], hovertemplate="split 0<br>s = 1<extra></extra>")
    figure.update_xaxes(visible=False).update_yaxes(visible=False)
    assert figure_table(figure)[:2] == (("kind",), [("split 0, s = 1",)])


def test_long_series_are_told_from_end_to_end():
    figure = Figure().add_scatter(x=np.arange(1000), y=np.arange(1000))
    _, rows, n = figure_table(figure)
    assert (len(rows), n) == (MOST, 1000)
    assert (rows[0][0], rows[-1][0]) == ("0", "999")
    assert f"{MOST} of 1000 points" in table_html(figure, "a line")
    assert table_html(Figure(), "nothing") == ""


@pytest.mark.parametrize("shape", [(5, 7), (5, 7, 3)])
def test_a_picture_holds_its_pixels(shape):
    pixels = np.random.default_rng(0).integers(0, 256, shape).astype(np.uint8)
    assert np.array_equal(np.asarray(Image.open(io.BytesIO(png(pixels)))), pixels)
