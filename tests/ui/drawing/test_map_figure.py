"""A map that stands still: what its axes say."""

from types import SimpleNamespace

import numpy as np
import pytest
from plotly.graph_objects import Figure

from ui.drawing.map_figure import frame_map
from ui.drawing.theme import LIGHT


@pytest.mark.parametrize(
    ("unit", "high", "texts"),
    [
        ("date", 60, ["1970-01-16", "1970-01-31", "1970-02-15"]),
        ("moment", 2, ["1970-01-01<br>12:00", "1970-01-02<br>00:00", "1970-01-02<br>12:00"]),
        ("time", 24, ["06:00", "12:00", "18:00"]),
    ],
)
def test_even_marks_tell_dates_and_times(unit, high, texts):
    figure, plane = Figure(), SimpleNamespace(labels=("when", "weight"), units=(unit, "kg"))
    frame_map(figure, plane, np.array([[0, 0], [high, 1]]), LIGHT, 400)
    assert list(figure.layout.xaxis.ticktext) == texts
    assert figure.layout.yaxis.ticktext is None
