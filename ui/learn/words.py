"""Lessons as HTML: paragraphs in which words explain themselves where they first stand."""

import html
import re
from collections.abc import Sequence

from treecore.viewer import GLOSSARY
from ui.language.translate import _
from ui.shell.glossary import LESSON_GLOSSARY

WORDS = GLOSSARY | LESSON_GLOSSARY

_TERM = re.compile(r"\[\[([^\]|]+)(?:\|([^\]]+))?\]\]")
_STRONG = re.compile(r"\*\*([^*]+)\*\*")
_STRESS = re.compile(r"\*([^*]+)\*")


def terms(text: str) -> list[str]:
    """Keys of the words that a text explains, in order."""
    return [key or word for word, key in _TERM.findall(text)]


def prose(paragraphs: Sequence[str], folded: str = "", kind: str = "") -> str:
    """Paragraphs as HTML, perhaps folded below a line; kind: ``"claim"``, ``"held"``, or none."""
    body = "".join(f"<p>{_marked(_(paragraph))}</p>" for paragraph in paragraphs)
    if folded:
        body = f"<details><summary>{html.escape(folded)}</summary>{body}</details>"
    return f"<div class='lesson {kind}'>{body}</div>"


def _marked(paragraph: str) -> str:
    def explained(match: re.Match) -> str:
        word, key = match[1], match[2] or match[1]
        tip = html.escape(_(WORDS[key]))
        hidden = 'style="position: absolute; visibility: hidden"'  # before there is a style sheet
        return (
            f'<span class="term" tabindex="0">{word}<span class="tip" role="tooltip" {hidden}>{tip}'
            "</span></span>"
        )

    escaped = html.escape(paragraph, quote=False)
    strong = _STRONG.sub(r"<strong>\1</strong>", _TERM.sub(explained, escaped))
    return _STRESS.sub(r"<em>\1</em>", strong)
