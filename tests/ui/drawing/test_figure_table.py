"""Every figure has its numbers as a table."""

from pathlib import Path

import numpy as np

from tests.helpers.paths import ROOT
from ui.drawing.figure import Figure
from ui.drawing.figure_table import MOST, figure_table, table_html
from ui.drawing.theme import LIGHT
from ui.inspect.charts import confusion_figure


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


def test_nodes_are_told_by_their_words_where_axes_are_hidden():
    figure = Figure()
    figure.add_scatter(x=[0], y=[1], hovertemplate="split 0<br>s = 1<extra></extra>")
    figure.update_xaxes(visible=False).update_yaxes(visible=False)
    assert figure_table(figure)[:2] == (("kind",), [("split 0, s = 1",)])


def test_a_confusion_matrix_names_both_classes_of_every_cell():
    y = np.array([0, 0, 1])
    _, rows, n = figure_table(confusion_figure(y, np.array([0, 1, 1]), ("cat", "dog"), LIGHT))
    assert n == 4
    assert all({"cat", "dog"} & set(row) for row in rows)


def test_long_series_are_told_from_end_to_end():
    figure = Figure().add_scatter(x=np.arange(1000), y=np.arange(1000))
    _, rows, n = figure_table(figure)
    assert (len(rows), n) == (MOST, 1000)
    assert (rows[0][0], rows[-1][0]) == ("0", "999")
    assert f"{MOST} of 1000 points" in table_html(figure, "a line")
    assert table_html(Figure(), "nothing") == ""


def test_there_is_one_place_where_figures_are_put_on_a_page():
    files = [*(ROOT / "ui").rglob("*.py"), *(ROOT / "pages").glob("*.py"), ROOT / "app.py"]
    drawing = {
        Path(f).relative_to(ROOT).as_posix()
        for f in files
        if "plotly_chart(" in f.read_text("utf-8")
    }
    assert drawing == {"ui/drawing/theme.py"}, "show() puts the table beside it"
