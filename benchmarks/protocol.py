"""Where the benchmarks' data are; the protocol is that of :mod:`treecore.figures.protocol`."""

from __future__ import annotations

from pathlib import Path

from treecore.figures.papers import Papers, Part, data_folder
from treecore.figures.protocol import HELD_OUT, Outcome, choose, search, train

DATA = data_folder() or Path()
"""Where the archives of the papers' datasets are looked for: what ``TREECORE_DATA`` names."""

__all__ = ["DATA", "HELD_OUT", "Outcome", "Part", "choose", "load", "search", "train"]


def load(name: str, folder: Path = DATA) -> tuple[Part, Part] | None:
    """Training and test rows, or None where the archive is absent."""
    return Papers(folder).load(name)
