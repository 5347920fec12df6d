"""Pages on paper: on as many sheets as they take, without the controls.

Streamlit's page is a window that scrolls, of which a printer would see the first screenful. Colours
stay, or a dark page would have light words on white. Charts are made as wide as the sheet
(``treecore/viewer/js/app/paper.js``).
"""

from __future__ import annotations

import streamlit as st

_SHEETS = """
@media print {
  @page { margin: 14mm }
  .stApp, .stApp * { print-color-adjust: exact; -webkit-print-color-adjust: exact }
  html, body, #root, #root > *, .stApp, [data-testid=stAppViewContainer],
  [data-testid=stMain], [data-testid=stMainBlockContainer] {
    position: static !important; display: block !important; height: auto !important;
    max-height: none !important; overflow: visible !important;
  }
  [data-testid=stMainBlockContainer] { padding: 0 !important }
  [data-testid=stSidebar], [data-testid=stHeader], [data-testid=stToolbar], .stButton,
  .stPageLink, .stPopover, .stButtonGroup, .stProgress, .stSelectSlider, .stSlider,
  .stDownloadButton, [data-testid=stSidebarCollapsedControl] { display: none !important }
  [data-stale] { opacity: 1 !important; transition: none !important }
  .stAlert, .stPlotlyChart { break-inside: avoid }
  h1, h2, h3 { break-after: avoid }
  .js-plotly-plot, .js-plotly-plot .plot-container, .js-plotly-plot .svg-container {
    width: 100% !important; height: auto !important;
  }
  .js-plotly-plot .main-svg { width: 100% !important; height: auto !important }
  .js-plotly-plot .main-svg:first-child { position: static !important }
}
"""


def on_paper(rules: str = "") -> None:
    """Lay the style under a page, and rules of its own after it."""
    st.html(f"<style>{_SHEETS}{rules}</style>")
