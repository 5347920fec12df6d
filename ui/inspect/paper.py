"""The tree on paper: the drawing, and below it what is on the open tab; no controls."""

from __future__ import annotations

from ui.shell import paper

_RULES = """
@media print {
  [data-testid=stTabs] [role=tablist], .stNumberInput, .stSelectbox, .stMultiSelect, .stExpander,
  .stFileUploader, .stCheckbox { display: none !important }
  .stPlotlyChart, .stDataFrame, .stImage { break-inside: avoid }
}
"""


def on_paper() -> None:
    """Lay the style under the page."""
    paper.on_paper(_RULES)
