"""What is learnt from: training and held-out rows, and what tells them from others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import numpy as np

from treecore.data.dataset import Dataset
from ui.language.translate import ngettext


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


def nothing_to_tell(data: ChosenData) -> str:
    """Why nothing can be learnt from these rows, and what to do; empty where it can."""
    train = data.train
    if len(np.unique(train.y)) > 1:
        return ""
    if train.task == "regression":
        return ngettext(
            "There is only one training example, so there is nothing to tell apart. "
            "Choose data with different numbers.",
            "All {n} training examples have the same number, so there is nothing to tell apart. "
            "Choose data with different numbers.",
            train.n_samples,
        )
    return ngettext(
        "There is only one training example, so there is nothing to tell apart. "
        "Choose data with two classes or more.",
        "All {n} training examples are of one class, so there is nothing to tell apart. "
        "Choose data with two classes or more.",
        train.n_samples,
    )
