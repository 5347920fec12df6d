"""The vote map: what a forest says everywhere on the plane, and the points that it learns from.

The strength of a colour is how far the votes agree, so the picture is flat after one tree and gets
shades, then sharpness, with more of them. It is a picture of small squares, since the regions of a
forest are more than anyone would draw as polygons.
"""

import numpy as np

from treecore.viewer import Plane
from ui.drawing.figure import Figure
from ui.drawing.map_figure import frame_map
from ui.drawing.png import as_address, png
from ui.drawing.squares import SIDE, mixed, shaded
from ui.drawing.theme import Paint, rgb, symbol
from ui.inspect.forest_scene import Scene, sizes
from ui.jobs.chosen_data import ChosenData
from ui.jobs.recorder import drawn_rows
from ui.language.translate import _
from ui.shell.safe_text import in_figure


def vote_figure(
    scene: Scene, plane: Plane, scores: np.ndarray, box: np.ndarray, paint: Paint
) -> Figure:
    """The map of some scores of the :func:`grid`, with the training points."""
    train = scene.data.train
    low, high = (float(train.y.min()), float(train.y.max())) if scene.numbers else (0.0, 1.0)
    figure = _pictured(shaded(scores, low, high, paint), box)
    _add_points(figure, scene.data, scene.weights, plane, paint)
    return _framed(figure, plane, box, paint)


def margin_figure(
    scene: Scene, plane: Plane, margin: np.ndarray, box: np.ndarray, paint: Paint
) -> Figure:
    """The map of the smallest margins, float (n_squares,): boundaries are where they vanish."""
    high = max(float(np.quantile(margin, 0.98)), 1e-9)
    ink = np.array(rgb(paint.accent))
    figure = _pictured(mixed(ink, 0.8 * np.clip(margin / high, 0, 1), paint), box)
    figure.add_scatter(  # the scale of the colours, with nothing else to it
        x=[None],
        y=[None],
        mode="markers",
        showlegend=False,
        hoverinfo="skip",
        marker={
            "color": [0.0],
            "cmin": 0.0,
            "cmax": high,
            "colorscale": [[0, paint.back], [1, "rgb({},{},{})".format(*_deep(ink, paint))]],
            "showscale": True,
            "colorbar": {"thickness": 10, "title": {"text": "margin"}, "len": 0.8},
        },
    )
    _add_points(figure, scene.data, None, plane, paint, quiet=True)
    return _framed(figure, plane, box, paint)


def _deep(ink: np.ndarray, paint: Paint) -> tuple[int, ...]:
    return tuple(int(v) for v in mixed(ink, np.array([0.8]), paint)[0])


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
    figure: Figure,
    data: ChosenData,
    weights: np.ndarray | None,
    plane: Plane,
    paint: Paint,
    quiet: bool = False,
) -> None:
    train = data.train
    n = train.n_samples
    rows = drawn_rows(n)
    points = plane.points(train.X[rows])
    if not plane.labels[1]:
        points[:, 1] = 0.0
    size = np.full(len(rows), 5.0 if quiet else 6.5) if weights is None else sizes(weights)
    texts = [_("example {i}", i=i) for i in rows]
    if weights is not None:
        texts = [
            _("{text}, weight {w:.3g}", text=text, w=w)
            for text, w in zip(texts, weights.tolist(), strict=True)
        ]
    outline = {"width": 0.8, "color": paint.back}
    if train.task == "regression":
        low, high = float(train.y.min()), float(train.y.max())
        figure.add_scatter(
            x=points[:, 0],
            y=points[:, 1],
            mode="markers",
            showlegend=False,
            text=texts,
            customdata=train.y[rows],
            hovertemplate="%{text}: %{customdata:.4~g}<extra></extra>",
            marker={
                "size": size,
                "color": train.y[rows],
                "cmin": low,
                "cmax": high,
                "colorscale": [[i / 5, colour] for i, colour in enumerate(paint.ramp)],
                "line": {"width": 0.8, "color": paint.text},
                "showscale": not quiet,
                "colorbar": {"thickness": 10, "len": 0.8},
            },
        )
        return
    for label in range(train.n_classes):
        of_label = np.flatnonzero(train.y[rows] == label)
        name = in_figure(train.class_names[label])
        figure.add_scatter(
            x=points[of_label, 0],
            y=points[of_label, 1],
            mode="markers",
            name=name,
            text=[texts[i] for i in of_label],
            hovertemplate="%{text}<extra>" + name + "</extra>",
            marker={
                "size": size[of_label],
                "symbol": symbol(label),
                "color": paint.of(label),
                "line": outline,
                "opacity": 0.9,
            },
        )


def _framed(figure: Figure, plane: Plane, box: np.ndarray, paint: Paint) -> Figure:
    frame_map(figure, plane, box, paint, 430, uirevision="map")
    return figure.update_layout(legend={"itemsizing": "constant"})
