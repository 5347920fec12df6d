"""What the Lab offers: its learners, what may be equal for all of them, and what it opens with."""

from dataclasses import dataclass

from treecore import RunConfig
from treecore.training import METHODS
from ui.jobs.run_title import NUMERALS
from ui.language.translate import N_
from ui.links.runs import GREEDY

MOST = len(NUMERALS)
"""Learners at once."""

USUAL_DEPTH = 6
MIXED = [name for name, m in METHODS.items() if m.family == "ensemble" and not m.is_preset]
"""Ensembles whose trees may be of any method."""

COMPARED = [*(name for name in METHODS if name not in MIXED), *MIXED]
"""What may be compared, in a menu's order."""

USUAL = (GREEDY, RunConfig("sgd"), RunConfig("oc1"))
"""A comparison that nobody has chosen yet. The first one is the tree that people use; the third one
tells what oblique splits bring without learning jointly."""

USUALLY_SHOWN = 2

FORESTS = ("random-forest", "boosted-tao")
"""Two forests to begin with: the one that people use, and one of trees learnt as wholes."""

OPENING_LEAVES = {"xor": 4, "moons": 8, "pinwheel": 8, "stripes": 8}
"""Limits at which data teach something, where that is not the usual one."""

FAIR_BY = {"leaves": N_("Leaves"), "depth": N_("Depth"), "weights": N_("Weights")}
"""What may be equal for all methods, and how it is called."""

BUDGETS = tuple(2**power for power in range(1, 13))
"""Leaves or weights that a tree may have at most."""

USUAL_BUDGET = 16


@dataclass(frozen=True)
class Limit:
    """How large trees may be. unit: one of :data:`FAIR_BY`."""

    unit: str
    most: int


def limited(method: str) -> tuple[str, ...]:
    """The settings of a method that the limit decides; forests are as large as they say."""
    return ("depth", "max_leaf_nodes") if METHODS[method].family == "tree" else ()


def place(number: int) -> str:
    """What the session's keys of one contestant's widgets begin with."""
    return f"lab{number}_"
