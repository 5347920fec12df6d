"""The vote map: what a forest says everywhere on the plane, and the points that it learns from.

The strength of a colour is how far the votes agree, so the picture is flat after one tree and gets
shades, then sharpness, with more of them. It is a picture of small squares, since the regions of a
forest are more than anyone would draw as polygons.
"""

import numpy as np
from plotly.graph_objects import Figure

from treecore.viewer import Plane
from ui.drawing.map_figure import frame_map
from ui.drawing.png import as_address, png
from ui.drawing.squares import SIDE, mixed, shaded
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint, add_dots, rgb
from ui.inspect.forest.scene import Scene, sizes
from ui.jobs.recorder import drawn_rows
from ui.language.translate import _
from ui.shell.safe_text import in_figure


def vote_figure(
    scene: Scene, plane: Plane, scores: np.ndarray, box: np.ndarray, paint: Paint
) -> Figure:
    """The map of some scores of the :func:`grid`, with the training points."""
    answers = Answers(scene.data.train, paint)
    figure = _pictured(shaded(scores, answers.low, answers.high, paint), box)
    _add_points(figure, answers, scene.weights, plane)
    return _framed(figure, plane, box, paint)


def margin_figure(
    scene: Scene, plane: Plane, margin: np.ndarray, box: np.ndarray, paint: Paint
) -> Figure:
    """The map of the smallest margins, float (n_squares,): boundaries are where they vanish."""
    high = max(float(np.quantile(margin, 0.98)), 1e-9)
    ink = np.array(rgb(paint.accent))
    deep = mixed(ink, np.array([0.8]), paint)[0].tolist()
    figure = _pictured(mixed(ink, 0.8 * np.clip(margin / high, 0, 1), paint), box)
    scale = {
        "color": [0.0],
        "cmin": 0.0,
        "cmax": high,
        "colorscale": [[0, paint.back], [1, "rgb({},{},{})".format(*deep)]],
        "showscale": True,
        "colorbar": {"thickness": 10, "title": {"text": _("margin")}, "len": 0.8},
    }
    add_dots(figure, [None], [None], scale)  # the scale of the colours, with nothing else to it
    _add_points(figure, Answers(scene.data.train, paint), None, plane, quiet=True)
    return _framed(figure, plane, box, paint)


def _pictured(colours: np.ndarray, box: np.ndarray) -> Figure:
    picture = colours.reshape(-1, SIDE, 3)[::-1]  # pictures begin at the top
    figure = Figure()
    figure.add_layout_image(
        source=as_address(png(picture)),
        xref="x",
        yref="y",
        x=box[0, 0],
        y=box[1, 1],
        sizex=box[1, 0] - box[0, 0],
        sizey=box[1, 1] - box[0, 1],
        sizing="stretch",
        layer="below",
    )
    return figure


def _add_points(
    figure: Figure, answers: Answers, weights: np.ndarray | None, plane: Plane, quiet: bool = False
) -> None:
    train, paint = answers.data, answers.colours
    drawn = drawn_rows(train.n_samples)
    points = plane.points(train.X)
    if not plane.labels[1]:
        points[:, 1] = 0.0
    size = np.full(train.n_samples, 5.0 if quiet else 6.5)
    said = np.array([_("example {i}", i=i) for i in range(train.n_samples)], dtype=object)
    if weights is not None:
        size[drawn] = sizes(weights)
        said[drawn] = [
            _("{text}, weight {w:.3g}", text=text, w=w)
            for text, w in zip(said[drawn], weights.tolist(), strict=True)
        ]
    for name, of_kind, marker in answers.kinds():
        rows = np.intersect1d(of_kind, drawn)
        hover = "%{text}<extra>" + in_figure(name) + "</extra>"
        look = {"line": {"width": 0.8, "color": paint.back}, "opacity": 0.9}
        if answers.numbers:
            look = {"color": train.y[rows], "showscale": not quiet}
            hover = "%{text}: %{customdata:.4~g}<extra></extra>"
        add_dots(
            figure,
            points[rows, 0],
            points[rows, 1],
            marker | {"size": size[rows]} | look,
            name=in_figure(name),
            showlegend=not answers.numbers,
            text=said[rows].tolist(),
            customdata=train.y[rows],
            hovertemplate=hover,
        )


def _framed(figure: Figure, plane: Plane, box: np.ndarray, paint: Paint) -> Figure:
    frame_map(figure, plane, box, paint, 430, uirevision="map")
    figure.layout.legend.itemsizing = "constant"
    return figure
