"""The vote map: what a forest says everywhere on the plane, and the points that it learns from.

The strength of a colour is how far the votes agree, so the picture is flat after one tree and gets
shades, then sharpness, with more of them. It is a picture of small squares, since the regions of a
forest are more than anyone would draw as polygons.
"""

import dataclasses
from dataclasses import dataclass

import numpy as np

from treecore import Forest, HingeForest, Tree, apply
from treecore.core import complete_tree, leaf_labels, leaf_probabilities, make_tree
from treecore.data import Dataset
from treecore.ensembles import margins
from treecore.inspection import smallest_margins
from treecore.viewer import Plane
from ui.drawing.figure import Figure
from ui.drawing.map_figure import frame_map
from ui.drawing.squares import SIDE, as_address, mixed, png, shaded
from ui.drawing.target_style import Answers
from ui.drawing.theme import Paint, rgb
from ui.jobs.chosen_data import ChosenData
from ui.jobs.models import scores_of
from ui.jobs.recorder import drawn_rows
from ui.language.translate import _
from ui.shell.safe_text import in_figure


@dataclass(frozen=True, eq=False)
class Scene:
    """A forest over some rows; weights: what the :func:`drawn_rows` weigh for the next tree."""

    data: ChosenData
    forest: Forest | HingeForest
    weights: np.ndarray | None = None

    @property
    def numbers(self) -> bool:
        return self.data.train.task == "regression"

    @property
    def adds_up(self) -> bool:
        """Whether its trees add to the log-odds of classes, which are told apart by their sums."""
        return isinstance(self.forest, Forest) and self.forest.answer == "mean" and not self.numbers

    def scores(self, X: np.ndarray) -> np.ndarray:
        """Shares of the classes, float64 (n_samples, n_classes), or numbers (n_samples, 1)."""
        scores = scores_of(self.forest, X)
        return shares_of(scores) if self.adds_up else scores

    def margins(self, X: np.ndarray, y: np.ndarray) -> np.ndarray:
        """See :meth:`treecore.ensembles.Forest.margins`; of probabilities for hinge forests."""
        return margins(self.scores(X), y)

    def member_scores(self, member: int, X: np.ndarray) -> np.ndarray:
        """What one tree says alone, as :meth:`scores`; ``member`` counts from 0."""
        if isinstance(self.forest, HingeForest):
            return scores_of(alone(self.forest, member), X)
        tree = self.forest.trees[member]
        leaf = apply(tree, X)
        if self.adds_up:
            return shares_of(tree.values[leaf] / self.forest.n_trees)  # a mean is the sum
        if self.numbers:
            return tree.values[leaf].astype(np.float64)
        return leaf_probabilities(tree)[leaf]

    def member_error(self, member: int, part: Dataset) -> float:
        """Share of rows that one tree alone gets wrong, or its mean squared error."""
        X, y = part.given, part.y
        if self.numbers:
            return float(((self.member_scores(member, X)[:, 0] - y) ** 2).mean())
        if isinstance(self.forest, HingeForest) or self.adds_up:
            return float((self.member_scores(member, X).argmax(axis=1) != y).mean())
        tree = self.forest.trees[member]
        return float((leaf_labels(tree)[apply(tree, X)] != y).mean())

    def smallest_margins(self, X: np.ndarray) -> np.ndarray:
        """Mean over the trees of a hinge forest of the smallest margin of every row."""
        assert isinstance(self.forest, HingeForest)
        _, margin = smallest_margins(self.forest, X)
        return np.abs(margin).mean(axis=1)


def shares_of(log_odds: np.ndarray) -> np.ndarray:
    """Shares of the classes, float64 (n_samples, n_classes), by log-odds of each or of one."""
    sums = np.asarray(log_odds, dtype=np.float64)
    if sums.shape[1] == 1:
        sums = np.concatenate([np.zeros_like(sums), sums], axis=1)
    odds = np.exp(sums - sums.max(axis=1, keepdims=True))
    return odds / odds.sum(axis=1, keepdims=True)


def alone(forest: HingeForest, member: int) -> HingeForest:
    """One tree of a hinge forest as a forest; ``member`` counts from 0."""
    trees = forest.trees
    one_tree = type(trees)(*(array[member : member + 1] for array in trees))
    return dataclasses.replace(forest, trees=one_tree)


def hinge_tree(forest: HingeForest, member: int) -> Tree:
    """One tree of a hinge forest, as a tree on its features, whose leaves have weights."""
    trees, layer = forest.trees, forest.layer
    heap = complete_tree(forest.depth, 1, trees.weights.shape[2])
    at = np.arange(heap.n_splits)
    if forest.kind == "fern":  # all splits of a level are one
        at = np.log2(at + 1).astype(int)
    feature, threshold = trees.feature[member][at], trees.threshold[member][at]
    taps, width = layer.filters.shape
    if taps:
        width *= len(layer.place)
    else:  # its features are the columns, in other units
        threshold = threshold / layer.scale[feature] + layer.centre[feature]
    oblique = np.empty((0, width)), threshold, feature, np.full(heap.n_splits, -1)
    return make_tree(*oblique, heap.left, heap.right, trees.weights[member])


def sizes(weights: np.ndarray) -> np.ndarray:
    """Diameters of points in pixels whose areas are as their weights, within 3 and 30."""
    return np.clip(7.0 * np.sqrt(weights), 3.0, 30.0)


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
    figure.add(
        "scatter",  # the scale of the colours, with nothing else to it
        x=[None],
        y=[None],
        mode="markers",
        showlegend=False,
        hoverinfo="skip",
        marker={
            "color": [0.0],
            "cmin": 0.0,
            "cmax": high,
            "colorscale": [[0, paint.back], [1, "rgb({},{},{})".format(*deep)]],
            "showscale": True,
            "colorbar": {"thickness": 10, "title": {"text": "margin"}, "len": 0.8},
        },
    )
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
        figure.add_scatter(
            x=points[rows, 0],
            y=points[rows, 1],
            mode="markers",
            name=in_figure(name),
            showlegend=not answers.numbers,
            text=said[rows].tolist(),
            customdata=train.y[rows],
            hovertemplate=hover,
            marker=marker | {"size": size[rows]} | look,
        )


def _framed(figure: Figure, plane: Plane, box: np.ndarray, paint: Paint) -> Figure:
    frame_map(figure, plane, box, paint, 430, uirevision="map")
    return figure.update_layout(legend={"itemsizing": "constant"})
