"""Lessons on paper: question, pictures and numbers, on as many sheets as it takes; no buttons."""

from __future__ import annotations

from ui.shell import paper

# What is folded is unfolded.
_RULES = """
.st-key-lesson_words .stRadio:has(input:disabled) * {
  color: inherit !important;
}
.st-key-lesson_words .stRadio label:has(input:checked:disabled) p { font-weight: 600 }
.st-key-lesson_words .stRadio [data-testid=stWidgetLabel] p { font-weight: 600 }
@media print {
  [data-testid=stCaptionContainer] { display: none !important }
  .lesson .tip { display: none }
  .lesson details::details-content { content-visibility: visible; height: auto }
  .lesson summary { display: none }
  .stHorizontalBlock:has(.st-key-lesson_words) { display: block !important }
  .stHorizontalBlock:has(.st-key-lesson_words) > .stColumn { width: 100% !important }
  .stColumn:has(.st-key-lesson_words) { margin-bottom: 6mm }
  .st-key-runs .stHorizontalBlock { flex-wrap: nowrap !important }
  .st-key-runs .stColumn { flex: 1 1 0 !important; min-width: 0 !important }
  .st-key-lesson_words [data-testid=stExpander]:not(:has(details[open])) { display: none }
  .stColumn, .lesson p, .lesson-figures, .stRadio, .st-key-lesson_chart { break-inside: avoid }
}
"""


def on_paper() -> None:
    """Lay the style under the page."""
    paper.on_paper(_RULES)
