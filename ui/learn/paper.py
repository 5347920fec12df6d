"""Lessons on paper: question, pictures and numbers, on as many sheets as it takes; no buttons."""

from __future__ import annotations

import streamlit as st

# Streamlit's page is a window that scrolls, of which a printer would see the first screenful. What
# is folded is unfolded; colours stay, or a dark page would have light words on white.
_PAPER = """
.st-key-lesson_words .stRadio:has(input:disabled) :is(label, label *) {
  color: inherit !important;
}
.st-key-lesson_words .stRadio [data-testid=stWidgetLabel] p { font-weight: 600 }
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
  .stDownloadButton, [data-testid=stSidebarCollapsedControl], [data-testid=stCaptionContainer] {
    display: none !important;
  }
  .lesson .tip { display: none }
  .lesson details::details-content { content-visibility: visible; height: auto }
  .lesson summary { display: none }
  .stHorizontalBlock:has(.st-key-lesson_words) { display: block !important }
  .stHorizontalBlock:has(.st-key-lesson_words) > .stColumn { width: 100% !important }
  .stColumn:has(.st-key-lesson_words) { margin-bottom: 6mm }
  .stColumn, .stAlert, .lesson p, .lesson-figures, .stRadio { break-inside: avoid }
}
"""


def on_paper() -> None:
    """Lay the style under the page."""
    st.html(f"<style>{_PAPER}</style>")
