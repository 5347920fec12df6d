"""What may race on the page *Forests*: named forests, mixes of one's own, hinge forests.

A kind is a list of settings with what is usual here, and how a choice of them becomes a plan. It
has a name that fits into a link: ``random-forest``, ``samme.oc1``, ``hinge-ferns``.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any

from treecore import RunConfig
from treecore.base.filled import Filled
from treecore.base.settings import Setting
from treecore.ensembles.memory import forest_bytes
from treecore.learners.hinge.settings import VALIDATION, HingeSettings
from treecore.learners.hinge.traversal import n_nodes
from treecore.training.registry import BASES, METHODS
from ui.language.translate import _, written

ENSEMBLES = [name for name, m in METHODS.items() if m.family == "ensemble" and not m.is_preset]
"""Ensembles that may be mixed with any learner."""

NAMED = [name for name, m in METHODS.items() if m.is_preset or m.family == "hinge"]
"""Forests with names of their own."""

NUMERALS = ("I", "II", "III", "IV")
"""Names of the racers, of which there are at most so many."""

OWN = "own"
"""The choice of an ensemble and a learner of one's own."""

USUAL = ("random-forest", "boosted-tao", "hinge-forest", "boosted-cart")
"""Racers that nobody has chosen yet; the first two are there at once: the forest that people use,
and one whose trees are learnt as wholes."""

USUAL_FOR_NUMBERS = ("random-forest", "hinge-forest", "oc1-forest", "hinge-ferns")
"""The same where numbers are predicted, which these ways of boosting cannot."""

DEEPEST = 20

_HERE = {
    "random-forest": {"n_trees": 50, "depth": 12},
    "cart-forest": {"n_trees": 50, "depth": 12},
    "oc1-forest": {"n_trees": 30, "depth": 8},
    "boosted-cart": {"n_trees": 50, "depth": 3},
    "boosted-tao": {"depth": 3},
    "boosted-sgd": {"depth": 5},
    "boosted-annealed": {"depth": 3},
    "hinge-forest": {"trees": 50, "depth": 5, "n_features": 20, "batches": 2000},
    "hinge-ferns": {"trees": 50, "depth": 5, "n_features": 20, "batches": 2000},
}
"""What is usual on this page where it is not what is usual in the core: its data are small and
often have two features, where a deep tree leaves nothing to be boosted."""


@dataclass(frozen=True)
class RacerPlan:
    """All that decides a racer besides its data; equal plans give equal forests."""

    kind: str
    config: RunConfig

    @property
    def title(self) -> str:
        return _(find_kind(self.kind).title)

    @property
    def hinge(self) -> bool:
        """Whether its trees learn together, by mini-batches."""
        return METHODS[self.config.method].family == "hinge"

    @property
    def is_boosting(self) -> bool:
        """Whether rows have weights that change from tree to tree."""
        return METHODS[self.config.method].is_boosting

    @property
    def n_trees(self) -> int:
        """Trees of the finished forest, at most."""
        return self.config.n_trees

    @property
    def total(self) -> int:
        """Trees, or mini-batches, of the whole run."""
        return METHODS[self.config.method].n_epochs(self.config.settings)


@dataclass(frozen=True)
class Kind:
    """One entry of the menu.

    - settings: with what is usual here.
    - ensemble: name of the registry's entry.
    - method: of its trees; empty for hinge forests.
    """

    name: str
    title: str
    sentence: str
    settings: tuple[Setting, ...]
    ensemble: str
    method: str = ""

    @property
    def trees(self) -> str:
        """Name of the setting that says how many trees there are."""
        return "n_trees" if self.method else "trees"

    def plan(self, values: Mapping[str, Any], seed: int, task: str) -> RacerPlan:
        """The plan of some settings by name, the others as usual.

        Raises ValueError for what cannot be learnt.
        """
        chosen = {known.name: values.get(known.name, known.default) for known in self.settings}
        loss = "squared" if task == "regression" else "log"
        base = self.method or None
        return RacerPlan(
            self.name, RunConfig(self.ensemble, base=base, seed=seed, loss=loss, **chosen)
        )


def kinds(task: str = "classification") -> list[str]:
    """Names of the menu for a task, in its order."""
    return [*(name for name in NAMED if METHODS[name].accepts(task)), OWN]


def kind_title(name: str) -> str:
    """Name on screen of an entry of the menu."""
    return _("A mix of your own") if name == OWN else _(find_kind(name).title)


def is_kind(name: str) -> bool:
    """Whether there is a kind of that name."""
    ensemble, _dot, method = name.partition(".")
    return name in NAMED or (ensemble in ENSEMBLES and method in BASES)


@cache
def find_kind(name: str) -> Kind:
    """The kind of that name, of those that :func:`is_kind` knows."""
    usual = _HERE.get(name, {})
    if name in NAMED and METHODS[name].family == "hinge":
        entry = METHODS[name]
        settings = tuple(_usual(s, usual) for s in (*entry.definitions(), VALIDATION))
        return Kind(name, entry.title, entry.sentence, settings, name)
    ensemble, _dot, method = name.partition(".")
    entry = METHODS[ensemble]
    method, title = method or entry.base or "", entry.title
    if name not in NAMED:
        title = Filled("{title} over {trees}", title=entry.title, trees=METHODS[method].title)
        usual = {"n_trees": 30} | _own_depth(method)
    settings = tuple(
        _usual(s, usual)
        for s in entry.definitions(METHODS[method])
        if s.name != "split_features" or method == "axis"
    )
    return Kind(name, title, entry.sentence, settings, ensemble, method)


def _own_depth(method: str) -> dict[str, int]:
    known = {s.name for s in METHODS[method].settings.definitions()}
    return {"depth": 4} if "depth" in known else {}


def _usual(known: Setting, usual: Mapping[str, Any]) -> Setting:
    changed = {"default": usual.get(known.name, known.default)}
    if known.name == "depth":
        changed["high"] = min(known.limits[1], DEEPEST)
    return dataclasses.replace(known, **changed)


def bytes_needed(plan: RacerPlan, n_rows: int, n_features: int, n_outputs: int) -> int:
    """Memory that a forest may take at most, while it learns or when it predicts."""
    settings, base = plan.config.settings, plan.config.base
    if isinstance(settings, HingeSettings):
        leaves = settings.trees * 2**settings.depth * n_outputs
        kind = METHODS[plan.config.method].algorithm
        nodes = settings.trees * n_nodes(kind, settings.depth)
        # The forest itself, two moments of the optimizer, the best one, and the one on the screen.
        return 4 * (5 * leaves + 6 * nodes)
    assert base is not None, "other forests are ensembles of trees"
    most = 2 ** min(base.depth, 60)
    complete = getattr(base.settings, "start", "") in ("random", "auto")
    leaves = most if complete else min(most, n_rows)
    oblique = base.method != "axis"
    return forest_bytes(plan.n_trees, leaves, n_features, n_outputs, oblique)


def size_text(n_bytes: float) -> str:
    """Bytes as a short text with its unit."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if n_bytes < 999.5:
            return f"{written(n_bytes, '.3g')} {unit}"
        n_bytes /= 1000
    return f"{n_bytes:,.3g} TB"
