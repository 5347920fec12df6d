"""Recorded runs as a page in one file, in the visitor's language."""

from __future__ import annotations

from collections.abc import Sequence

from treecore.viewer.pages.page import page_html
from treecore.viewer.pages.recorded import RecordedRun
from ui.language.catalogue import ENGLISH, viewer_words
from ui.language.translate import _, language


def run_page(title: str, runs: Sequence[RecordedRun], before: str = "", after: str = "") -> str:
    """The file's text; parameters are those of :func:`treecore.viewer.pages.page.page_html`."""
    code = language()
    words = "" if code == ENGLISH else viewer_words(code)
    return page_html(title, runs, before, after, say=_, words=words)
