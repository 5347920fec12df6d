"""What the Library has before anything is kept: comparisons to open in the Lab, as cards."""

from dataclasses import dataclass

import streamlit as st

from ui.drawing.theme import paint
from ui.lab.choices import FORESTS
from ui.language.translate import N_, _
from ui.library.cards import card, cards
from ui.widgets.data.tiles import thumbnail

GREEDY = "axis~criterion~gini"


@dataclass(frozen=True)
class Example:
    """A comparison in the Lab. leaves: the limit of its trees; 0 without trees."""

    title: str
    sentence: str
    data: str
    runs: tuple[str, ...]
    leaves: int = 0

    def link(self) -> dict[str, str | list[str]]:
        said: dict[str, str | list[str]] = {"v": "1", "data": self.data, "run": list(self.runs)}
        return said | {"clock": "share", "fair": "leaves", "most": f"{self.leaves or 16}"}


EXAMPLES = (
    Example(
        N_("Four squares"),
        N_("Four leaves are enough, but greedy splits do not find them."),
        "xor",
        (GREEDY, "sgd"),
        4,
    ),
    Example(
        N_("Handwritten digits"),
        N_("Sixteen leaves learnt together, beside sixteen grown greedily."),
        "digits",
        (GREEDY, "sgd", "annealed"),
        16,
    ),
    Example(
        N_("Where greed wins"),
        N_("Two spirals: with sixteen leaves the greedy tree is ahead."),
        "spirals",
        (GREEDY, "sgd"),
        16,
    ),
    Example(
        N_("Two forests"),
        N_("Deep trees that vote, and trees that correct each other's mistakes."),
        "spirals",
        FORESTS,
    ),
)


def examples() -> None:
    """A row of cards, each with the data's picture and a link to the Lab."""
    with cards("examples"):
        for example, column in zip(EXAMPLES, st.columns(len(EXAMPLES)), strict=True):
            picture, title = thumbnail(example.data, paint()), _(example.title)
            card(column, picture, title, _(example.sentence), example.link())
