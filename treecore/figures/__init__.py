"""The papers' figures, measured again and drawn over the published values.

::

    registry.py    all of them by name
    figure.py      what a figure is; how one is measured point by point, and goes on when killed
    papers.py      the papers' datasets and published numbers
    protocol.py    how settings are chosen
    folder.py      what is kept of a reproduction
    results.py     docs/results.md, from folders of finished ones
    drawing.py     matplotlib      page.py   HTML      tables.py   CSV, Markdown, JSON

and one file for every figure.
"""

from treecore.figures.figure import Figure, Reproduction
from treecore.figures.folder import FigureError
from treecore.figures.papers import Papers, published
from treecore.figures.registry import FIGURES, find_figure

__all__ = [
    "FIGURES",
    "Figure",
    "FigureError",
    "Papers",
    "Reproduction",
    "find_figure",
    "published",
]
