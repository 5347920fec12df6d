"""What a method is: its name, its settings, and how a learner of it is built."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from treecore.base.settings import Setting, Settings
from treecore.ensembles.boosting import ALGORITHMS
from treecore.learners.greedy.settings import max_levels
from treecore.learners.nongreedy.settings import LINEAR_SETTINGS
from treecore.losses import LOSSES, find_loss

if TYPE_CHECKING:
    from treecore.learners.base import Learner


def _grows_no_tree(*arguments: Any) -> Learner:
    raise TypeError("a method of whole forests builds no learner of a single tree")


@dataclass(frozen=True)
class Method:
    """One way to learn.

    - name, title, sentence: in code; on screen; what it does, for a newcomer.
    - short: its title where there is little room.
    - claim: what is guaranteed of a single tree, and what is not.
    - colour: number of its colour in the palette's ``methods``; an ensemble has that of its trees.
    - estimator, source: of a single tree: its estimators' name, less the task; where it is from.
    - unit: what its events count: ``"epoch"``, ``"round"``, ``"level"``, ``"tree"`` or ``"batch"``.
    - family: ``"tree"``, ``"ensemble"`` (of trees of another method) or ``"hinge"``.
    - build: of a single tree: makes its learner.
    - start: names the method that grows the starting tree, and its settings; None: nothing.
    - piece: settings with which it goes on with one more piece of so many rows of a stream.
    - losses: names of the losses that it can minimise.
    - algorithm: of an ensemble: ``"bagging"`` or one of ``treecore.ensembles.boosting.ALGORITHMS``.
    - base, base_settings: the usual method of an ensemble's trees; their settings.
    - defaults: settings, of the usual trees as well, that differ from the usual defaults.
    - paper: settings with which it learns as in the paper that it is from, where that differs.
    """

    name: str
    title: str
    sentence: str
    unit: str
    settings: type[Settings]
    colour: int
    short: str = ""
    claim: str = ""
    estimator: str = ""
    source: str = ""
    family: str = "tree"
    build: Callable[..., Learner] = _grows_no_tree
    start: Callable[..., tuple[str, Settings] | None] | None = None
    piece: Callable[[int], dict[str, Any]] | None = None
    losses: tuple[str, ...] = tuple(LOSSES)
    algorithm: str = ""
    base: str | None = None
    base_settings: type[Settings] | None = None
    defaults: Mapping[str, Any] = field(default_factory=dict)
    paper: Mapping[str, Any] = field(default_factory=dict)

    def definitions(self, base: Method | None = None) -> tuple[Setting, ...]:
        """Every setting; of an ensemble, then those of its trees. No name repeats."""
        definitions = self._with_defaults(self.settings.definitions())
        if self.base_settings is None:
            return definitions
        if base is None or base.name == self.base:
            of_trees = self._with_defaults(self.base_settings.definitions())
        else:
            of_trees = base.settings.definitions()
        return definitions + tuple(s for s in of_trees if s.name not in LINEAR_SETTINGS)

    def _with_defaults(self, definitions: tuple[Setting, ...]) -> tuple[Setting, ...]:
        """The definitions with the defaults of this entry, of the settings' own types."""
        return tuple(
            dataclasses.replace(s, default=type(s.default)(self.defaults[s.name]))
            if s.name in self.defaults
            else s
            for s in definitions
        )

    def default_overrides(self) -> dict[str, Any]:
        """Those of ``defaults`` that set the method itself, not an ensemble's trees."""
        names = {definition.name for definition in self.settings.definitions()}
        return {name: value for name, value in self.defaults.items() if name in names}

    @property
    def is_boosting(self) -> bool:
        """Whether a tree depends on those before it: such trees cannot grow side by side."""
        return self.algorithm in ALGORITHMS

    @property
    def is_preset(self) -> bool:
        """Whether it is an ensemble with a name of its own, with trees of one method."""
        return self.family == "ensemble" and self.name != self.algorithm

    def learns_by(self, loss: str) -> bool:
        """Whether it can minimise a loss; who can learn medians can learn all quantiles."""
        return loss in self.losses or (
            find_loss(loss).is_quantile and any(LOSSES[name].is_quantile for name in self.losses)
        )

    def accepts(self, task: str) -> bool:
        """Whether it learns for a task, ``"classification"`` or ``"regression"``."""
        return any(find_loss(loss).task == task for loss in self.losses)

    @property
    def streams(self) -> bool:
        return self.piece is not None

    def n_epochs(self, settings: Settings) -> int:
        """How many of its units a run has at most."""
        most = getattr(settings, LENGTHS[self.unit])
        limit = getattr(settings, "max_leaf_nodes", 0) if self.unit == "level" else 0
        return max_levels(most, limit) if limit else most


LENGTHS = {
    "epoch": "epochs",
    "round": "rounds",
    "level": "depth",
    "tree": "n_trees",
    "batch": "batches",
}
"""The setting that says how many units a run has at most, by the unit."""
