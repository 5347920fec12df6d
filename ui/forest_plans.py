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
from treecore.ensembles.memory import forest_bytes
from treecore.forest_config import ENSEMBLES, PRESETS, EnsembleConfig
from treecore.hinge import HingeSettings
from treecore.hinge.traversal import n_nodes
from treecore.methods import METHODS
from treecore.settings import Setting, Settings

NUMERALS = ("I", "II", "III", "IV")
"""Names of the racers, of which there are at most so many."""

OWN = "own"
"""The choice of an ensemble and a learner of one's own."""

USUAL = ("random-forest", "boosted-cart", "boosted-tao", "hinge-forest")
"""Racers that nobody has chosen yet; the first two are there at once."""

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

_HINGE = {
    "hinge-forest": (
        "Random hinge forest",
        "All trees learn at once, by gradient descent: each answers with its smallest margin.",
        "forest",
    ),
    "hinge-ferns": (
        "Random hinge ferns",
        "As a hinge forest, but all nodes of a level ask the same question.",
        "fern",
    ),
}


@dataclass(frozen=True)
class Plan:
    """All that decides a racer besides its data; equal plans give equal forests.

    Attributes
    ----------
    kind : str
    config : EnsembleConfig or None
        None for hinge forests.
    hinge : HingeSettings or None
    seed : int
    """

    kind: str
    config: EnsembleConfig | None
    hinge: HingeSettings | None
    seed: int

    @property
    def title(self) -> str:
        return find_kind(self.kind).title

    @property
    def boosts(self) -> bool:
        """Whether rows have weights that change from tree to tree."""
        return self.config is not None and self.config.ensemble.boosts

    @property
    def n_trees(self) -> int:
        """Trees of the finished forest, at most."""
        return self.hinge.trees if self.hinge else self.config.n_trees

    @property
    def total(self) -> int:
        """Trees, or mini-batches, of the whole run."""
        return self.hinge.batches if self.hinge else self.config.n_trees


@dataclass(frozen=True)
class Kind:
    """One entry of the menu.

    Attributes
    ----------
    name, title, sentence : str
    settings : tuple of Setting
        With what is usual here.
    ensemble, method : str
        Empty for hinge forests.
    """

    name: str
    title: str
    sentence: str
    settings: tuple[Setting, ...]
    ensemble: str = ""
    method: str = ""

    @property
    def trees(self) -> str:
        """Name of the setting that says how many trees there are."""
        return "n_trees" if self.method else "trees"

    def plan(self, values: Mapping[str, Any], seed: int, task: str) -> Plan:
        """The plan of some settings by name, the others as usual.

        Raises
        ------
        ValueError
            In one sentence, for what cannot be learnt.
        """
        chosen = {known.name: values.get(known.name, known.default) for known in self.settings}
        loss = "squared" if task == "regression" else "log"
        if not self.method:
            kind = _HINGE[self.name][2]
            return Plan(self.name, None, HingeSettings.of(kind=kind, loss=loss, **chosen), seed)
        own = {known.name for known in METHODS[self.method].settings.known()}
        base = RunConfig(self.method, loss=loss, **{n: v for n, v in chosen.items() if n in own})
        rest = {name: value for name, value in chosen.items() if name not in own}
        return Plan(self.name, EnsembleConfig(self.ensemble, base, seed=seed, **rest), None, seed)


def kinds() -> list[str]:
    """Names of the menu, in its order."""
    return [*PRESETS, *_HINGE, OWN]


def kind_title(name: str) -> str:
    """Name on screen of an entry of the menu."""
    return "A mix of your own" if name == OWN else find_kind(name).title


def is_kind(name: str) -> bool:
    """Whether there is a kind of that name."""
    if name in PRESETS or name in _HINGE:
        return True
    ensemble, _, method = name.partition(".")
    return ensemble in ENSEMBLES and method in METHODS


@cache
def find_kind(name: str) -> Kind:
    """The kind of that name, of those that :func:`is_kind` knows."""
    usual = _HERE.get(name, {})
    if name in _HINGE:
        title, sentence, _ = _HINGE[name]
        left = [s for s in HingeSettings.known() if s.name not in ("kind", "loss")]
        return Kind(name, title, sentence, tuple(_usual(s, usual) for s in left))
    if name in PRESETS:
        preset = PRESETS[name]
        config, title, sentence = preset.config, preset.title, preset.sentence
    else:
        ensemble, _, method = name.partition(".")
        config = EnsembleConfig(ensemble, RunConfig(method, **_own_depth(method)), n_trees=30)
        title = f"{ENSEMBLES[ensemble].title} over {METHODS[method].title}"
        sentence = ENSEMBLES[ensemble].sentence
    usual = dataclasses.asdict(config.settings) | config.base.as_dict() | usual
    method = config.base.method
    left = [*_shown(type(config.settings), method), *METHODS[method].settings.known()]
    settings = tuple(_usual(s, usual) for s in left)
    return Kind(name, title, sentence, settings, config.kind, method)


def _own_depth(method: str) -> dict[str, int]:
    known = {s.name for s in METHODS[method].settings.known()}
    return {"depth": 4} if "depth" in known else {}


def _shown(settings: type[Settings], method: str) -> list[Setting]:
    """Settings of an ensemble that mean something for a method."""
    return [s for s in settings.known() if s.name != "split_features" or method == "axis"]


def _usual(known: Setting, usual: Mapping[str, Any]) -> Setting:
    changed = {"default": usual.get(known.name, known.default)}
    if known.name == "depth":
        changed["high"] = min(known.high, DEEPEST)
    return dataclasses.replace(known, **changed)


def bytes_needed(plan: Plan, n_rows: int, n_features: int, n_outputs: int) -> int:
    """Memory that a forest may take at most, while it learns or when it predicts."""
    if plan.hinge:
        own = plan.hinge
        leaves = own.trees * 2**own.depth * n_outputs
        nodes = own.trees * n_nodes(own.kind, own.depth)
        # The forest itself, two moments of the optimizer, the best one, and the one on the screen.
        return 4 * (5 * leaves + 6 * nodes)
    base = plan.config.base
    most = 2 ** min(base.settings.depth, 60)
    complete = getattr(base.settings, "start", "") in ("random", "auto")
    leaves = most if complete else min(most, n_rows)
    oblique = base.method != "axis"
    return forest_bytes(plan.n_trees, leaves, n_features, n_outputs, oblique)


def size_text(n_bytes: int) -> str:
    """Bytes as a short text with its unit."""
    for unit in ("bytes", "kB", "MB", "GB"):
        if n_bytes < 999.5:
            return f"{n_bytes:.3g} {unit}"
        n_bytes /= 1000
    return f"{n_bytes:,.3g} TB"
