"""What is learnt from: training and held-out rows, and what tells them from others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

from treecore.data.dataset import Dataset


@dataclass(frozen=True)
class ChosenData:
    """Training and held-out rows, and a key that is equal only for equal rows.

    ``seeded(seed)`` gives what the same choice is with another seed; it may be called in any
    thread.
    """

    train: Dataset
    held: Dataset | None
    key: tuple
    seeded: Callable[[int], ChosenData] | None = field(default=None, compare=False, repr=False)
