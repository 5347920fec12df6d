"""Lessons as HTML: paragraphs in which words explain themselves where they first stand.

Streamlit's own explanations hang on whole paragraphs. Here they hang on a word, open when it is
pointed at, tapped or reached by the keyboard, and lie across the column, so that they are read on a
telephone as well.
"""

from __future__ import annotations

import html
import re
from collections.abc import Sequence

from treecore.viewer import GLOSSARY
from ui.drawing.theme import DARK, LIGHT
from ui.language.translate import _
from ui.shell.glossary import LESSON_GLOSSARY

WORDS = GLOSSARY | LESSON_GLOSSARY

_TERM = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")
_STRONG = re.compile(r"\*\*([^*]+)\*\*")
_STRESS = re.compile(r"\*([^*]+)\*")


def terms(text: str) -> list[str]:
    """Keys of the words that a text explains, in order."""
    return [key or word for word, key in _TERM.findall(text)]


def prose(paragraphs: Sequence[str], dark: bool, folded: str = "", kind: str = "") -> str:
    """Paragraphs as HTML, perhaps folded below a line; kind: ``"claim"``, ``"held"``, or none."""
    body = "".join(f"<p>{_marked(_(paragraph))}</p>" for paragraph in paragraphs)
    if folded:
        body = f"<details><summary>{html.escape(folded)}</summary>{body}</details>"
    style = _STYLE % (_DARK if dark else _LIGHT)
    return f"<style>{style}</style><div class='lesson {kind}'>{body}</div>"


def _marked(paragraph: str) -> str:
    def explained(match: re.Match) -> str:
        word, key = match[1], match[2] or match[1]
        tip = html.escape(_(WORDS[key]))
        return (
            f'<span class="term" tabindex="0">{word}<span class="tip" role="tooltip">{tip}'
            "</span></span>"
        )

    escaped = html.escape(paragraph, quote=False)
    strong = _STRONG.sub(r"<strong>\1</strong>", _TERM.sub(explained, escaped))
    return _STRESS.sub(r"<em>\1</em>", strong)


_LIGHT = {"back": "#f7f9fa", "line": "#c4cfd6", "text": LIGHT.text, "edge": LIGHT.accent}
_DARK = {"back": DARK.panel, "line": "#465661", "text": DARK.text, "edge": DARK.accent}

_STYLE = """
.lesson p { position: relative; line-height: 1.55; margin: 0 0 .9em }
.lesson p:last-child { margin-bottom: 0 }
.lesson .term {
  text-decoration: underline dotted; text-underline-offset: 3px; cursor: help; border-radius: 3px;
}
.lesson .tip {
  position: absolute; left: 0; right: 0; margin-top: 1.75em; z-index: 10; visibility: hidden;
  max-width: 26rem; padding: 9px 12px; border-radius: 8px; font-size: .875rem; line-height: 1.4;
  font-style: normal; cursor: default; pointer-events: none;
  background: %(back)s; color: %(text)s; border: 1px solid %(line)s;
  box-shadow: 0 4px 18px rgb(0 0 0 / .18);
}
.lesson summary { cursor: pointer; margin-bottom: .5em }
.lesson.claim { border-left: 3px solid %(edge)s; padding-left: 12px; font-weight: 600 }
.lesson.held p { font-size: .875rem; line-height: 1.4 }
.lesson-figures { width: 100%%; border-collapse: collapse; font-size: .875rem; line-height: 1.3 }
.lesson-figures :is(th, td) {
  padding: 4px 6px; border-bottom: 1px solid %(line)s; text-align: right; vertical-align: bottom;
  font-weight: 400;
}
.lesson-figures thead th { font-weight: 600 }
.lesson-figures tbody th { text-align: left; padding-left: 0 }
.lesson .term:hover .tip, .lesson .term:focus .tip { visibility: visible }
"""
