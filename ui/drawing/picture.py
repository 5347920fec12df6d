"""A tree and its map as one standing picture, and what can be said of them in words."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from treecore import Tree
from treecore.data.dataset import Dataset
from treecore.viewer.page import safe
from treecore.viewer.planes import Plane
from treecore.viewer.svg import SvgCanvas
from treecore.viewer.tree_picture import draw_tree
from ui.drawing.map_figure import Map, box_of, map_points
from ui.drawing.split_text import split_text
from ui.drawing.target_style import Answers
from ui.drawing.theme import LIGHT, rgb
from ui.language.translate import _

WIDE, HIGH = 1080, 560
MARGIN, HEAD, FOOT = 24, 64, 60
MOST_POINTS = 1500


@dataclass(frozen=True)
class Subject:
    """What a picture is of.

    Attributes
    ----------
    tree : Tree
    train, held : Dataset, Dataset or None
    plane : Plane
        Of the map.
    title, told : str
        The heading: data and method; and below it seed, accuracy and size.
    """

    tree: Tree
    train: Dataset
    held: Dataset | None
    plane: Plane
    title: str
    told: str


def picture_svg(subject: Subject) -> str:
    """The map on the left, the tree on the right, the legend below; on white."""
    drawing = SvgCanvas(WIDE, HIGH, f"{subject.title}. {subject.told}", LIGHT.back)
    drawing.text(MARGIN, 30, subject.title, LIGHT.text, 19, weight=600)
    drawing.text(MARGIN, 51, subject.told, LIGHT.muted, 13)
    answers = Answers(subject.train, LIGHT)
    side = HIGH - HEAD - FOOT - MARGIN
    draw_map(drawing, subject, answers, (MARGIN + 22, HEAD + 8, side + 40, side))
    left = MARGIN + 22 + side + 40 + 36
    colours = [colour for colour, _ in answers.leaves(subject.tree)]
    draw_tree(drawing, subject.tree, colours, (left, HEAD + 8, WIDE - left - MARGIN, side))
    draw_legend(drawing, answers, MARGIN, HIGH - 18)
    return drawing.svg()


def draw_map(drawing: SvgCanvas, subject: Subject, answers: Answers, frame) -> None:
    """Regions, boundaries and points in a frame of (x, y, width, height)."""
    left, top, wide, high = frame
    parts = [(subject.train, False)] + ([(subject.held, True)] if subject.held else [])
    points = [map_points(part, subject.plane) for part, _ in parts]
    box = box_of(np.concatenate(points))
    shape = Map(subject.tree, subject.plane, box)

    def at(corners):
        share = (np.asarray(corners, dtype=np.float64) - box[0]) / (box[1] - box[0])
        return [(left + wide * x, top + high * (1 - y)) for x, y in share]

    tints = answers.tints(subject.tree)
    for leaf, region in shape.regions.items():
        drawing.polygon(at(region), _mixed(*tints[leaf]))
    for segment in shape.segments.values():
        (x0, y0), (x1, y1) = at(segment)
        drawing.line(x0, y0, x1, y1, LIGHT.muted if answers.numbers else "#8b969e", 1.1)
    share = min(1.0, MOST_POINTS / sum(map(len, points)))
    for (part, held), part_points in zip(parts, points, strict=True):
        shown = np.arange(0, len(part_points), 1 / share).astype(int)
        for row, (x, y) in zip(shown, at(part_points[shown]), strict=True):
            colour, kind = _look(answers, part, row)
            # As in the live view: filled ones are learnt from, hollow ones are held out.
            if held:
                drawing.marker(kind, x, y, 3.4, LIGHT.back, colour, 1.5)
            else:
                drawing.marker(kind, x, y, 3.4, colour, LIGHT.back, 0.5)
    drawing.rect(left, top, wide, high, "none", LIGHT.faint)
    drawing.text(
        left + wide / 2, top + high + 17, _cut(subject.plane.labels[0]), LIGHT.muted, 12, "middle"
    )
    up = subject.plane.labels[1]
    if not up and answers.numbers:
        up = subject.train.target_name
    drawing.turned_text(left - 10, top + high / 2, _cut(up), LIGHT.muted, 12)


def _look(answers: Answers, data: Dataset, row: int) -> tuple[str, int]:
    if answers.numbers:
        return answers.shade(data.y[row]), 0
    label = int(data.y[row])
    return LIGHT.of(label), label


def draw_legend(drawing: SvgCanvas, answers: Answers, left: float, y: float) -> None:
    """Classes with their markers, or the scale of numbers."""
    if answers.numbers:
        drawing.text(left, y, _cut(answers.data.target_name), LIGHT.text, 12, weight=600)
        start, steps = left + 130, 60
        for i in range(steps):
            value = answers.low + (answers.high - answers.low) * (i + 0.5) / steps
            drawing.rect(start + 3 * i, y - 10, 3.3, 11, answers.shade(value))
        drawing.text(start - 8, y, f"{answers.low:.4g}", LIGHT.muted, 11, "end")
        drawing.text(start + 3 * steps + 8, y, f"{answers.high:.4g}", LIGHT.muted, 11)
        x = start + 3 * steps + 80
    else:
        x = left
        for label, name in enumerate(answers.data.class_names):
            if x > WIDE - 330:
                drawing.text(
                    x,
                    y,
                    _("and {label} more", label=answers.data.n_classes - label),
                    LIGHT.muted,
                    12,
                )
                x += 90
                break
            drawing.marker(label, x + 6, y - 4, 5, LIGHT.of(label))
            drawing.text(x + 16, y, _cut(str(name), 18), LIGHT.text, 12)
            x += 40 + 7 * len(_cut(str(name), 18))
    drawing.text(
        WIDE - MARGIN, y, _("filled: learnt from; hollow: held out"), LIGHT.muted, 11, "end"
    )


def _cut(text: str, most: int = 40) -> str:
    return text if len(text) <= most else text[: most - 1] + "…"


def _mixed(colour: str, share: float) -> str:
    """A colour laid over white."""
    return "#" + "".join(f"{round(share * p + (1 - share) * 255):02x}" for p in rgb(colour))


def facts_html(subject: Subject, rows: list[tuple[str, str]]) -> str:
    """What was learnt and how, and every split in words: part of a page.

    Parameters
    ----------
    rows : list of (name, value)
        What is told of the run.
    """
    table = "".join(f"<tr><th>{safe(a)}</th><td>{safe(b)}</td></tr>" for a, b in rows)
    return _(
        "<h2>The run</h2><table>{table}</table><h2>The splits</h2>{subject}",
        table=table,
        subject=_splits(subject),
    )


MOST_SPLITS, MOST_TERMS = 255, 4


def _splits(subject: Subject) -> str:
    """Every split as a question: right where it is answered with yes."""
    tree, names = subject.tree, subject.train.feature_names
    scale, rows = subject.train.X.std(axis=0), []
    for split in range(min(tree.n_splits, MOST_SPLITS)):
        asked = split_text(tree, split, names, scale, MOST_TERMS, digits=4)
        ways = (_way(int(side[split])) for side in (tree.right, tree.left))
        rows.append((_("split {split}", split=split), asked, *ways))
    if not rows:
        return _("<p>None: the tree is a single leaf.</p>")
    cells = "".join(
        f"<tr><th>{a}</th><td>{safe(b)}</td><td>{c}</td><td>{d}</td></tr>" for a, b, c, d in rows
    )
    more = tree.n_splits - len(rows)
    rest = _("<p>and {more} more</p>", more=more) if more else ""
    return (
        "<table><tr><th></th><th>question</th><th>if so</th><th>if not</th></tr>"
        f"{cells}</table>{rest}"
    )


def _way(node: int) -> str:
    return _("split {node}", node=node) if node >= 0 else _("leaf {value}", value=~node)
