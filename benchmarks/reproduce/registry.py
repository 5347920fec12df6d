"""The figures that can be reproduced, by the name they have on the command line."""

from __future__ import annotations

from benchmarks.reproduce import boosting, figure2, figure3, figure4, hinge_table2, oc1_forest
from benchmarks.reproduce.figure import Figure
from benchmarks.reproduce.folder import FigureError

FIGURES: dict[str, Figure] = {
    figure.name: figure
    for figure in (
        figure2.FIGURE,
        figure3.FIGURE,
        figure4.FIGURE,
        hinge_table2.TABLE2_FIGURE,
        hinge_table2.TABLE3_FIGURE,
        boosting.FIGURE,
        oc1_forest.FIGURE,
    )
}


def find_figure(name: str) -> Figure:
    """The figure of that name; FigureError, with the names that there are, where there is none."""
    if name not in FIGURES:
        raise FigureError(f"there is no figure {name!r}; known are {', '.join(FIGURES)}")
    return FIGURES[name]
