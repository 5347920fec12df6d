"""Saved comparisons as cards: runs that were kept together, to be opened in the Lab again."""

from collections.abc import Sequence

import streamlit as st

from treecore.losses import find_loss
from ui.drawing.theme import paint
from ui.jobs.kept_link import compared_link
from ui.jobs.run_title import short_title
from ui.language.translate import written
from ui.library.cards import card, cards
from ui.library.index import ListedRun, ago, data_title
from ui.widgets.data.gallery import title_of
from ui.widgets.data.tiles import thumbnail

IN_A_ROW, MOST_CARDS = 4, 8


def comparisons(runs: Sequence[ListedRun]) -> None:
    """A card for each comparison that one of these runs belongs to, the newest ones."""
    together: dict[str, list[ListedRun]] = {}
    for run in sorted(runs, key=lambda one: one.name):
        together.setdefault(run.name.rpartition("/")[0], []).append(run)
    newest = sorted(together.values(), key=lambda found: -max(run.when for run in found))
    links = [(compared_link(found[0].folder.path), found) for found in newest]
    kept = [(link, found) for link, found in links if link][:MOST_CARDS]
    for start in range(0, len(kept), IN_A_ROW):
        with cards(f"compared_{start}"):
            columns = st.columns(IN_A_ROW)
        for (link, found), column in zip(kept[start:], columns, strict=False):
            data = data_title(found[0].data)
            picture = thumbnail(data, paint())
            when = ago(max(run.when for run in found)).replace(" ", "\N{NO-BREAK SPACE}")
            title = title_of(data) if picture else data
            card(column, picture, title, f"{_figures(found)} · {when}", link)


def _figures(found: Sequence[ListedRun]) -> str:
    """The method of each run, and how good it is."""
    numbers = find_loss(found[0].folder.config.loss).task == "regression"
    before = "R² " if numbers else ""
    names = [short_title(run.folder.config.method) for run in found]
    figures = ["" if run.good is None else before + written(run.good, ".1%") for run in found]
    return ", ".join(" ".join(pair).strip() for pair in zip(names, figures, strict=True))
