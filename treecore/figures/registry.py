"""The figures that can be reproduced, by the name they have on the command line."""

from __future__ import annotations

from treecore.figures import boosting, figure2, figure3, figure4, hinge_tables, oc1_forest
from treecore.figures.figure import Figure
from treecore.figures.folder import FigureError

FIGURES: dict[str, Figure] = {
    figure.name: figure
    for figure in (
        figure2.FIGURE,
        figure3.FIGURE,
        figure4.FIGURE,
        hinge_tables.TABLE2_FIGURE,
        hinge_tables.TABLE3_FIGURE,
        boosting.FIGURE,
        oc1_forest.FIGURE,
    )
}


def find_figure(name: str) -> Figure:
    """The figure of that name; FigureError, with the names that there are, where there is none."""
    if name not in FIGURES:
        raise FigureError(f"there is no figure {name!r}; known are {', '.join(FIGURES)}")
    return FIGURES[name]
