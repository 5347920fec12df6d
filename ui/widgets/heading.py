"""What the main pane is about, in its first line: the title of a class, data, methods and rows.

It stands where the sidebar may be hidden, by a telephone or by a link for a class.
"""

from collections.abc import Sequence
from html import escape

import streamlit as st

from treecore.data import GENERATORS
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import _, ngettext
from ui.shell.class_link import class_title
from ui.shell.safe_text import in_html
from ui.widgets.data.gallery import DRAWN, FILES, title_of

LONGEST = 60
"""Letters of a name that are shown."""


def data_title(data: ChosenData) -> str:
    name = data.key[0]
    if name == DRAWN:
        return _("Drawn points")
    title = title_of(name) if name in GENERATORS or name in FILES else data.train.name
    return title if len(title) <= LONGEST else title[: LONGEST - 1] + "…"


def rows_text(data: ChosenData) -> str:
    n = data.train.n_samples
    found = [ngettext("{n:,} training example", "{n:,} training examples", n)]
    if data.held is not None:
        n = data.held.n_samples
        found.append(ngettext("{n:,} test example", "{n:,} test examples", n))
    return ", ".join(found)


def about(
    page: str, data: ChosenData, methods: Sequence[str], still: bool = False, repeats: bool = False
) -> None:
    """What is learnt from data; still: these are shown because what was chosen last gives none.

    Where it ``repeats`` what the controls show, it is for those who hear the page.
    """
    what = " · ".join([data_title(data), *methods])
    if still:
        what = _("Still shown: {what}", what=what)
    title = class_title(page)
    unseen = repeats and not still and not title
    heading(title or what, *([what] if title else []), rows_text(data), unseen=unseen)


def heading(title: str, *more: str, unseen: bool = False) -> None:
    """The heading of a page, and beside it what it is about; text from elsewhere stays text."""
    rest = "".join(f"<span>{in_html(text)}</span>" for text in more)
    look = "about unseen" if unseen else "about"
    st.html(f'<div class="{look}"><h1>{in_html(title)}</h1>{rest}</div>')


def unseen_heading(title: str) -> None:
    """A heading for those who hear the page; others see what it is."""
    st.html(f'<h1 class="unseen">{escape(title)}</h1>')
