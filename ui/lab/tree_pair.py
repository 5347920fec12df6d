"""Two trees of a comparison, kept as they were when somebody asked where they differ."""

from __future__ import annotations

from dataclasses import dataclass

from treecore import Tree
from treecore.data.dataset import Dataset
from ui.language.translate import written


@dataclass(frozen=True)
class TreePair:
    """What is asked about.

    - data: key of the data whose held-out rows the trees are asked about.
    - names: numerals and methods.
    - colours: numbers of the runs' colours; see :mod:`ui.drawing.method_colours`.
    - tables: the held-out rows as each tree reads them.
    - name: another one for each pair and moment.
    """

    data: tuple
    names: tuple[str, str]
    colours: tuple[int, int]
    trees: tuple[Tree, Tree]
    tables: tuple[Dataset, Dataset]
    name: str

    @property
    def numerals(self) -> tuple[str, str]:
        """Their names where there is little room."""
        first, second = (name.split(" · ")[0] for name in self.names)
        return first, second


def target_text(data: Dataset, value) -> str:
    """A target or a prediction: the name of a class, or a number."""
    return str(data.class_names[value]) if data.class_names else written(value, ".4g")
