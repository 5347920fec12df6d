"""Lessons on paper: question, pictures and numbers, on as many sheets as it takes; no buttons."""

from __future__ import annotations

from ui.shell import paper

# What is folded is unfolded.
_RULES = """
.st-key-lesson_words .stRadio:has(input:disabled) :is(label, label *) {
  color: inherit !important;
}
.st-key-lesson_words .stRadio [data-testid=stWidgetLabel] p { font-weight: 600 }
@media print {
  [data-testid=stCaptionContainer] { display: none !important }
  .lesson .tip { display: none }
  .lesson details::details-content { content-visibility: visible; height: auto }
  .lesson summary { display: none }
  .stHorizontalBlock:has(.st-key-lesson_words) { display: block !important }
  .stHorizontalBlock:has(.st-key-lesson_words) > .stColumn { width: 100% !important }
  .stColumn:has(.st-key-lesson_words) { margin-bottom: 6mm }
  .stColumn, .lesson p, .lesson-figures, .stRadio { break-inside: avoid }
}
"""


def on_paper() -> None:
    """Lay the style under the page."""
    paper.on_paper(_RULES)
