"""All ensembles by name, and everything that decides how one is grown.

Pages, command line and tests read :data:`ENSEMBLES` and :data:`PRESETS`; any method of
:mod:`treecore.methods` may grow the trees.
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

from treecore.config import RunConfig
from treecore.ensembles.boosting import ALGORITHMS
from treecore.ensembles.settings import BaggingSettings, BoostingSettings
from treecore.losses import LOSSES
from treecore.settings import Settings, find_named


@dataclass(frozen=True)
class Ensemble:
    """One way to make a forest.

    Attributes
    ----------
    name, title, sentence : str
        Name in code and on the command line; name on screen; what it does, for a newcomer.
    settings : type of Settings
    boosts : bool
        Whether a tree depends on those before it: such trees cannot grow side by side.
    """

    name: str
    title: str
    sentence: str
    settings: type[Settings]

    @property
    def boosts(self) -> bool:
        return self.name in ALGORITHMS


ENSEMBLES = {
    ensemble.name: ensemble
    for ensemble in (
        Ensemble(
            name="bagging",
            title="Bagging",
            sentence="Every tree learns from rows drawn for it, and all of them answer together; "
            "what one learns by heart, the others do not know.",
            settings=BaggingSettings,
        ),
        Ensemble(
            name="adaboost-m1",
            title="AdaBoost.M1",
            sentence="Rows that a tree gets wrong weigh more for the next one; trees that err "
            "less have more votes. Each must be right on more than half of the weight.",
            settings=BoostingSettings,
        ),
        Ensemble(
            name="samme",
            title="SAMME",
            sentence="As AdaBoost.M1, but with many classes a tree need only be better than "
            "chance.",
            settings=BoostingSettings,
        ),
    )
}
"""All ensembles by name, in the order in which a menu should show them."""


def find_ensemble(name: str) -> Ensemble:
    """The ensemble of that name.

    Raises
    ------
    ValueError
        When there is none, with the names that there are.
    """
    return find_named(ENSEMBLES, name, "ensemble")


@dataclass(frozen=True, init=False)
class EnsembleConfig:
    """Everything that decides a forest besides its data. Equal configs give equal forests.

    ``EnsembleConfig("samme", RunConfig("tao", depth=6), n_trees=30, seed=0)`` takes the
    ensemble's settings by name.

    Attributes
    ----------
    kind : str
        A name of :data:`ENSEMBLES`.
    base : RunConfig
        How one tree is grown, and the loss and class weights. Its seed and its validation share
        are the forest's affair, and are 0 here.
    seed : int
        Seed of everything random.
    validation : float
        Share of the rows held out to be measured only, 0 to 0.9. Ignored where the trainer is
        given validation rows.
    settings : Settings
        Settings of the ensemble.

    Raises
    ------
    ValueError
        In one sentence, for what cannot be grown.
    """

    kind: str
    base: RunConfig
    seed: int
    validation: float
    settings: Settings

    def __init__(
        self,
        kind: str = "bagging",
        base: RunConfig | None = None,
        *,
        seed: int = 0,
        validation: float = 0.0,
        **settings,
    ):
        ensemble = find_ensemble(kind)
        base = RunConfig("axis", depth=20) if base is None else base
        if not isinstance(base, RunConfig):
            raise ValueError(f"base={base!r} must be the RunConfig of one tree")
        checked = base.replace(seed=seed, validation=validation)
        object.__setattr__(self, "kind", kind)
        object.__setattr__(self, "seed", checked.seed)
        object.__setattr__(self, "validation", checked.validation)
        object.__setattr__(self, "base", base.replace(seed=0, validation=0.0))
        object.__setattr__(self, "settings", ensemble.settings.of(**settings))
        if base.kernel != "none":
            raise ValueError(
                f"kernel={base.kernel!r} is for single trees; map the rows first, with "
                "treecore.features.fit_map, and grow the forest from those"
            )
        if ensemble.boosts and LOSSES[base.loss].task != "classification":
            raise ValueError(
                f"{ensemble.title} is for classes, and the loss {base.loss!r} is about numbers; "
                "use bagging"
            )
        roots = getattr(self.settings, "split_features", "all") == "root"
        if roots and base.method != "axis":
            raise ValueError(
                f"split_features='root' is for axis-aligned trees (method 'axis'), not for "
                f"{base.method!r}; draw features for every tree with feature_share"
            )

    @property
    def ensemble(self) -> Ensemble:
        """What the registry knows of it."""
        return ENSEMBLES[self.kind]

    @property
    def n_trees(self) -> int:
        """How many trees it has at most."""
        return self.settings.n_trees

    @property
    def loss(self) -> str:
        """The loss of its trees."""
        return self.base.loss

    def as_dict(self) -> dict[str, Any]:
        """All of it, as JSON can say it; ``EnsembleConfig.from_dict`` reads it."""
        own = {"kind": self.kind, "seed": self.seed, "validation": self.validation}
        return own | dataclasses.asdict(self.settings) | {"base": self.base.as_dict()}

    @classmethod
    def from_dict(cls, given: dict[str, Any]) -> EnsembleConfig:
        """The config that :meth:`as_dict` has told.

        Raises
        ------
        ValueError
            In one sentence, where it does not tell one.
        """
        try:
            return cls(**(given | {"base": RunConfig(**given["base"])}))
        except (TypeError, KeyError) as error:
            raise ValueError(f"this does not tell how a forest is grown: {error}") from None

    def replace(self, **changes) -> EnsembleConfig:
        """The same config with some entries of :meth:`as_dict` changed; ``base`` is a RunConfig.

        Another kind keeps the settings that it has too, and its own defaults for the others.
        """
        kept = self.as_dict() | {"base": self.base}
        if changes.get("kind", self.kind) != self.kind:
            ensemble = find_ensemble(changes["kind"])
            known = {setting.name: setting for setting in ensemble.settings.known()}
            for name in dataclasses.asdict(self.settings):
                if name not in known or not known[name].allows(kept[name]):
                    kept.pop(name)
        return EnsembleConfig(**(kept | changes))


@dataclass(frozen=True)
class Preset:
    """A forest with a name of its own.

    Attributes
    ----------
    name, title, sentence : str
    config : EnsembleConfig
    """

    name: str
    title: str
    sentence: str
    config: EnsembleConfig

    def numbers(self) -> EnsembleConfig:
        """The same forest of numbers, with the squared error.

        Raises
        ------
        ValueError
            Where it is about classes only.
        """
        return self.config.replace(base=self.config.base.replace(loss="squared"))


def _axis(depth: int) -> RunConfig:
    return RunConfig("axis", depth=depth, smoothing=0.01)


PRESETS = {
    preset.name: preset
    for preset in (
        Preset(
            "random-forest",
            "Random forest",
            "Deep axis-aligned trees on bootstraps; every split has only a few features to choose "
            "from (Breiman 2001).",
            EnsembleConfig("bagging", _axis(20), split_features="root"),
        ),
        Preset(
            "cart-forest",
            "CART forest",
            "Deep axis-aligned trees on bootstraps, with all features.",
            EnsembleConfig("bagging", _axis(20)),
        ),
        Preset(
            "oc1-forest",
            "OC1 forest",
            "Greedy trees with slanted splits, by OC1, on bootstraps.",
            EnsembleConfig("bagging", RunConfig("oc1", depth=12, smoothing=0.01), n_trees=50),
        ),
        Preset(
            "tao-forest",
            "TAO forest",
            "Sparse oblique trees, improved by TAO, on bootstraps.",
            EnsembleConfig(
                "bagging", RunConfig("tao", depth=8, solver="newton", epochs=5), n_trees=30
            ),
        ),
        Preset(
            "sgd-forest",
            "Non-greedy forest",
            "Trees learnt as a whole by SGD on a bound, from random starts on bootstraps.",
            EnsembleConfig(
                "bagging", RunConfig("sgd", depth=8, start="axis", nu=10, epochs=50), n_trees=30
            ),
        ),
        Preset(
            "annealed-forest",
            "Annealed forest",
            "Trees learnt as a whole, from soft turns to hard ones, on bootstraps.",
            EnsembleConfig("bagging", RunConfig("annealed", depth=8, rounds=60), n_trees=30),
        ),
        Preset(
            "boosted-tao",
            "Boosted TAO",
            "SAMME over sparse oblique trees, improved by TAO (Gabidolla et al.).",
            EnsembleConfig(
                "samme",
                # Held-out errors, and those from cuts with C 1, ridge 10, which MNIST prefers:
                # digits (30 trees) 1.7 and 1.9 %, 6,000 rows of Letter (10) 14.6 and 14.0 %. In
                # the plane, at depth 3, cuts stay cuts: spirals 0.8 and 5.6, stripes 6.4 and 11.2.
                RunConfig(
                    "tao",
                    depth=7,
                    C=10,
                    ridge=1,
                    start="random",
                    solver="newton",
                    epochs=4,
                    max_iter=5,
                ),
                n_trees=30,
                ending="restart",
            ),
        ),
        Preset(
            "boosted-sgd",
            "Boosted SGD",
            "SAMME over trees learnt as a whole by SGD on a bound.",
            EnsembleConfig(
                "samme", RunConfig("sgd", depth=6, start="axis", nu=10, epochs=50), n_trees=30
            ),
        ),
        Preset(
            "boosted-annealed",
            "Boosted annealed trees",
            "SAMME over trees learnt as a whole, from soft turns to hard ones.",
            EnsembleConfig(
                "samme",
                RunConfig("annealed", depth=5, start="random", rounds=30),
                n_trees=30,
                sampling="draw",
                ending="restart",
            ),
        ),
        Preset(
            "boosted-cart",
            "Boosted CART",
            "SAMME over axis-aligned trees: AdaBoost as it is best known.",
            EnsembleConfig("samme", RunConfig("axis", depth=6), n_trees=100),
        ),
    )
}
"""Forests that have a name, in the order in which a menu should show them."""
