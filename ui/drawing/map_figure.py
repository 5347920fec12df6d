"""A map that stands still: regions, points and splits of a tree.

For two features a leaf's region is a convex polygon, the box clipped by the splits above it.
"""

from collections import defaultdict
from collections.abc import Iterable

import numpy as np
from plotly.graph_objects import Figure

from treecore import Tree
from treecore.base import CALENDAR, DATE, in_unit
from treecore.data import Dataset
from treecore.viewer import Plane, feature_plane
from ui.drawing.squares import box_of
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint, add_dots, add_line, dress, faded
from ui.language.translate import _, number
from ui.shell.safe_text import in_figure

HAS_MAP = 2
"""Most features of which the page draws a map."""


class Map:
    """Regions by leaf, (n_corners, 2), and segments by split, (2, 2), of two features at most."""

    def __init__(self, tree: Tree, plane: Plane, box: np.ndarray):
        self.lines, _ = plane.splits(tree)
        self.regions: dict[int, np.ndarray] = {}
        self.segments: dict[int, np.ndarray] = {}
        corners = np.array([[0, 0], [1, 0], [1, 1], [0, 1]]) * (box[1] - box[0]) + box[0]
        self._cut(tree, tree.root, corners)

    def _cut(self, tree: Tree, node: int, region: np.ndarray) -> None:
        if len(region) < 3:
            return
        if node < 0:
            self.regions[~node] = region
            return
        left, right, segment = divide(region, self.lines[node].astype(np.float64))
        if segment is not None:
            self.segments[node] = segment
        self._cut(tree, tree.left[node], left)
        self._cut(tree, tree.right[node], right)


def divide(region: np.ndarray, line: np.ndarray):
    """Both parts of a convex polygon, cut by w1, w2, b, and the line inside, (2, 2) or None."""
    heights = region @ line[:2] - line[2]
    left: list[np.ndarray] = []
    right: list[np.ndarray] = []
    crossed: list[np.ndarray] = []
    for i, corner in enumerate(region):
        following = (i + 1) % len(region)
        (right if heights[i] > 0 else left).append(corner)
        if (heights[i] > 0) != (heights[following] > 0):
            share = heights[i] / (heights[i] - heights[following])
            point = corner + share * (region[following] - corner)
            for part in (left, right, crossed):
                part.append(point)
    segment = np.array(crossed) if len(crossed) == 2 else None
    shaped = (np.array(part).reshape(-1, 2) for part in (left, right))
    return *shaped, segment


def plane_of(data: Dataset) -> Plane | None:
    """The plane of the map; None where there are more than two features."""
    if data.n_features > HAS_MAP:
        return None
    return feature_plane(data, 0, data.n_features - 1)


def base_map(data: Dataset, tree: Tree, colours: Paint) -> Figure:
    """A figure of the regions of a tree and the points of a dataset of one or two features."""
    plane, answers = feature_plane(data, 0, data.n_features - 1), Answers(data, colours)
    points = map_points(data, plane)
    box = box_of(points)
    drawn = Map(tree, plane, box)
    figure = Figure()
    fills, of_fill = answers.regions(tree), defaultdict[str, list[np.ndarray]](list)
    for leaf, region in drawn.regions.items():
        of_fill[fills[leaf]].append(region)
    for fill, regions in of_fill.items():
        x, y = _with_gaps(regions).T
        add_line(figure, x, y, fill, 0, fill="toself", fillcolor=fill)
    if drawn.segments:
        x, y = _with_gaps(drawn.segments.values()).T
        add_line(figure, x, y, faded(colours.text, 0.28), 1)
    for name, rows, marker in answers.kinds():
        if len(rows):
            _points(figure, points, rows, name, **{"size": 7 if answers.numbers else 6} | marker)
    frame_map(figure, plane, box, colours, 400)
    if data.n_features == 1:
        figure.update_yaxes(visible=answers.numbers, title=in_figure(data.target_name))
    return figure


def _with_gaps(shapes: Iterable[np.ndarray]) -> np.ndarray:
    """Corners of shapes, (n_corners, 2) each, for one trace; a gap follows every one."""
    gap = np.full((1, 2), np.nan)
    return np.concatenate([part for shape in shapes for part in (shape, gap)])


def frame_map(
    figure: Figure, plane: Plane, box: np.ndarray, colours: Paint, height: int, **layout
) -> None:
    """Axes of a map on a plane, within a box as of :func:`box_of`; pixels in height."""
    dress(figure, colours, height, **layout)
    axis = {"showgrid": False, "zeroline": False}
    for side, update in enumerate((figure.update_xaxes, figure.update_yaxes)):
        title, unit = in_figure(_(plane.labels[side])), plane.units[side]
        if unit and unit not in CALENDAR:
            title += f" ({in_figure(unit)})"
        update(range=box[:, side], title=title, **axis)
        if unit in CALENDAR:
            low, high = box[:, side]
            marks = np.linspace(low, high, 5)[1:-1]  # three fit side by side below a square map
            if unit == DATE:
                marks = np.unique(marks.round())
            texts = [in_unit(mark, unit, number).replace(" ", "<br>") for mark in marks.tolist()]
            update(tickmode="array", tickvals=marks, ticktext=texts)
    if plane.labels[1]:  # square on any screen, whatever the units of its axes
        across, up = np.ptp(box, axis=0)
        figure.update_xaxes(constrain="domain")
        figure.update_yaxes(scaleanchor="x", scaleratio=float(across / up), constrain="domain")
    if not plane.labels[1]:
        figure.update_yaxes(visible=False)


def map_points(data: Dataset, plane: Plane) -> np.ndarray:
    """Rows on the map, float32 (n_samples, 2); a single feature has a side to spare for numbers."""
    points = plane.points(data.X)
    if data.n_features == 1 and data.task == "regression":
        points[:, 1] = data.y
    return points


def _points(figure, points, rows, name, **marker) -> None:
    add_dots(
        figure,
        points[rows, 0],
        points[rows, 1],
        marker,
        customdata=rows,
        name=in_figure(name),
        selected={"marker": {"opacity": 1}},
        unselected={"marker": {"opacity": 1}},
        hovertemplate=_("example %{customdata}<extra>") + in_figure(name) + "</extra>",
    )


def add_ring(figure: Figure, point: np.ndarray, colours: Paint) -> None:
    look = {"size": 20, "symbol": "circle-open", "line": {"width": 3}}
    look["color"] = colours.text  # an open symbol's is that of its outline
    x, y = point[:, None]
    add_dots(figure, x, y, look, name=_("this example"), showlegend=True)


def add_arrow(figure: Figure, start: np.ndarray, end: np.ndarray, colour: str) -> None:
    """An arrow from one point of a map, shape (2,), to another."""
    ends = dict(zip(("x", "y", "ax", "ay"), (*end.tolist(), *start.tolist()), strict=True))
    axes = {"xref": "x", "yref": "y", "axref": "x", "ayref": "y"}
    look = {"showarrow": True, "arrowhead": 2, "arrowsize": 1.2, "arrowwidth": 2.5}
    figure.add_annotation(**ends, **axes, **look, arrowcolor=colour, text="")
