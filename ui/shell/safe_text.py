"""Words from elsewhere, such as the names in an uploaded file, made safe to show."""

import re
from html import escape

_UNSEEN = re.compile(r"[\x00-\x08\x0b\x0c\x0e-\x1f\x7f-\x9f\u200e\u200f\u202a-\u202e\u2066-\u2069]")
"""Letters that are no letters, some of which turn round the sentence that comes after them."""

_SPACE = re.compile(r"[^\S\u00a0]+")
"""Space at which a line may end; at the other kind it may not, as in 95 %."""

_MARKS = re.compile(r"([\\`*_{}\[\]#!|$<>~&]|:(?=[\w/]))")


def plain(text: str, most: int = 400) -> str:
    """``text`` as Markdown shows it letter by letter, so that ``![x](...)`` fetches nothing."""
    text = text.encode("utf-8", "replace").decode()  # half a surrogate pair is no text
    text = _SPACE.sub(" ", text).strip()  # a new line could begin a heading or a list
    text = cut(_UNSEEN.sub("\ufffd", text), most)
    return _MARKS.sub(r"\\\1", text)


def cut(text: str, most: int) -> str:
    """``text`` without its middle where it has more letters: names often differ at their ends."""
    if len(text) <= most:
        return text
    return f"{text[: most // 2]}…{text[len(text) - (most - 1) // 2 :]}"


def in_figure(text: str, most: int = 60) -> str:
    """``text`` as Plotly, which reads a little HTML, shows it letter by letter, shortened."""
    text = cut(_UNSEEN.sub("\ufffd", str(text)), most)
    return text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")


def in_html(text: str) -> str:
    """``text`` for HTML of our own, letter by letter."""
    return escape(_UNSEEN.sub("\ufffd", text))


def in_cell(text: str) -> str:
    """``text`` for a table that may be saved and opened as a spreadsheet, which runs formulas."""
    return f"'{text}" if text[:1] in ("=", "+", "-", "@", "\t", "\r") else text
