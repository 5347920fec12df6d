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

from benchmarks.reproduce.figure import Figure, Reproduction
from benchmarks.reproduce.folder import FigureError
from benchmarks.data import Papers, published
from benchmarks.reproduce.registry import FIGURES, find_figure

__all__ = [
    "FIGURES",
    "Figure",
    "FigureError",
    "Papers",
    "Reproduction",
    "find_figure",
    "published",
]
