"""Everything that decides a run besides its data: one frozen object, checked when it is made."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.features import KERNELS
from treecore.losses import LOSSES
from treecore.methods import find_method
from treecore.settings import Settings, check_seed

CLASS_WEIGHTS = ("none", "balanced")


@dataclass(frozen=True, init=False)
class RunConfig:
    """Everything that decides a run, besides its data. Equal configs give equal trees.

    ``RunConfig("sgd", depth=8, nu=10, seed=0)`` takes the method's settings by name; they are
    the URL, the header of the exported JSON and the id of a test.

    Attributes
    ----------
    method : str
        A name of :data:`treecore.methods.METHODS`.
    seed : int
        Seed of everything random: held-out rows, random starts, the order of the examples.
    validation : float
        Share of the rows held out to be measured only, 0 to 0.9. Ignored where the trainer is
        given validation rows.
    loss : str
        A name of :data:`treecore.losses.LOSSES`: ``"log"`` for classes, ``"squared"`` or
        ``"huber"`` for numbers.
    class_weight : str
        ``"none"``, or ``"balanced"``: all classes together weigh the same, however many rows
        they have.
    kernel : str
        ``"none"``, or ``"fourier"`` or ``"nystroem"``: the tree reads features of a Gaussian
        kernel (:mod:`treecore.features`) in place of the rows', and its splits are curved.
    components : int
        How many such features, 1 to 10 000.
    gamma : float or "scale"
        How fast the kernel falls with the distance of rows whose features have deviation 1;
        ``"scale"`` is 1 / n_features.
    settings : Settings
        Settings of the method.
    """

    method: str
    seed: int
    validation: float
    loss: str
    class_weight: str
    kernel: str
    components: int
    gamma: float | str
    settings: Settings

    def __init__(
        self,
        method: str = "sgd",
        *,
        seed: int = 0,
        validation: float = 0.0,
        loss: str = "log",
        class_weight: str = "none",
        kernel: str = "none",
        components: int = 100,
        gamma: float | str = "scale",
        **settings,
    ):
        number = isinstance(validation, int | float | np.number) and not isinstance(
            validation, bool
        )
        if not number or not 0 <= validation <= 0.9:
            raise ValueError(f"validation={validation!r} must be a share between 0 and 0.9")
        if not isinstance(loss, str) or loss not in LOSSES:
            raise ValueError(f"loss={loss!r} must be one of {', '.join(LOSSES)}")
        if class_weight not in CLASS_WEIGHTS:
            raise ValueError(f"class_weight={class_weight!r} must be none or balanced")
        if not isinstance(kernel, str) or kernel not in KERNELS:
            raise ValueError(f"kernel={kernel!r} must be one of {', '.join(KERNELS)}")
        whole = isinstance(components, int | np.integer) and not isinstance(components, bool)
        if not whole or not 1 <= components <= 10_000:
            raise ValueError(f"components={components!r} must be a whole number from 1 to 10000")
        number = isinstance(gamma, int | float | np.number) and not isinstance(gamma, bool)
        if gamma != "scale" and not (number and 0 < gamma < np.inf):
            raise ValueError(f'gamma={gamma!r} must be "scale" or a positive number')
        object.__setattr__(self, "method", method)
        object.__setattr__(self, "seed", check_seed(seed))
        object.__setattr__(self, "validation", float(validation))
        object.__setattr__(self, "loss", loss)
        object.__setattr__(self, "class_weight", class_weight)
        object.__setattr__(self, "kernel", kernel)
        object.__setattr__(self, "components", int(components))
        object.__setattr__(self, "gamma", gamma if gamma == "scale" else float(gamma))
        object.__setattr__(self, "settings", find_method(method).settings.of(**settings))

    def as_dict(self) -> dict[str, Any]:
        """Method, seed and all else, the settings among them, in one flat dictionary."""
        own = {name: getattr(self, name) for name in _OWN}
        return own | dataclasses.asdict(self.settings)

    def replace(self, **changes) -> RunConfig:
        """The same config with some entries of :meth:`as_dict` changed.

        Another method keeps the settings that it has too, and its own defaults for the others.
        """
        kept = self.as_dict()
        if changes.get("method", self.method) != self.method:
            known = {known.name for known in find_method(changes["method"]).settings.known()}
            kept = {k: v for k, v in kept.items() if k in known.union(_OWN)}
        return RunConfig(**(kept | changes))


_OWN = tuple(field.name for field in dataclasses.fields(RunConfig) if field.name != "settings")
"""What a config says besides the method's settings."""
