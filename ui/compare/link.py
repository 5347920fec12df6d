"""The link of a comparison: data, depth, seed, clock, contestants with their settings."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treecore import RunConfig
from treecore.training.registry import METHODS
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import N_, ngettext
from ui.links.data import (
    DATA_NAMES,
    ERROR_NAMES,
    data_params,
    error_params,
    read_data,
    read_errors,
)
from ui.links.fields import Params, Reading, choice_field, number_field, read_parts, write_parts
from ui.links.runs import read_run, run_text, settings_state
from ui.links.visit import class_fields
from ui.live.clocks import CLOCKS
from ui.live.comparison import NUMERALS
from ui.widgets.method_settings import DEEPEST_SHOWN

FEWEST, MOST = 2, len(NUMERALS)
USUAL_DEPTH = 6
COMPARED = [name for name, m in METHODS.items() if m.family != "ensemble" or m.is_preset]
"""What may be compared: single trees, forests with a name of their own, hinge forests."""

USUAL = (RunConfig("axis", criterion="gini"), RunConfig("sgd"), RunConfig("oc1"), RunConfig("tao"))
"""A comparison that nobody has chosen yet. The first one is the tree that people use, by the rule
that scikit-learn uses; the third one tells what oblique splits bring without learning jointly."""

USUALLY_SHOWN = 3

OPENING_DEPTHS = {
    "moons": 3,
    "checkerboard": 4,
    "pinwheel": 3,
    "xor": 2,
    "stripes": 3,
    "rings": 4,
}
"""Depths at which data teach something, where that is not the usual depth: trees are large enough
for the shape, and not so large that greed is as good."""

FAIR_BY = {"depth": N_("Depth"), "leaves": N_("Leaves"), "weights": N_("Weights")}
"""What may be equal for all methods, and how it is called."""

BUDGETS = tuple(2**power for power in range(1, 13))
"""Leaves or weights that a tree may have at most."""

USUAL_BUDGET = 16


@dataclass(frozen=True)
class Budget:
    """How large trees may be. unit: ``"leaves"`` or ``"weights"``."""

    unit: str
    most: int


FAIR_FIELDS = (
    choice_field("fair", "compare_fair", FAIR_BY.keys()),
    number_field(
        "most", "compare_most", USUAL_BUDGET, BUDGETS[0], BUDGETS[-1], steps=BUDGETS, always=True
    ),
)

FIELDS = (
    number_field("depth", "compare_depth", USUAL_DEPTH, 1, DEEPEST_SHOWN, always=True),
    choice_field("clock", "compare_clock", CLOCKS.keys(), always=True),
)


def place(number: int) -> str:
    """What the session's keys of one contestant's widgets begin with."""
    return f"compare{number}_"


def read_comparison(params: Params) -> Reading:
    """What a link says of a comparison, as entries of the session's state."""
    reading = Reading()
    parts = (*FIELDS, *FAIR_FIELDS, *class_fields("compare"))
    read_data(params, reading)
    read_parts(parts, params, reading)
    reading.strangers(params, (*DATA_NAMES, *ERROR_NAMES, *(part.name for part in parts), "run"))
    if "run" in params:
        reading.state["balanced"] = False
        if "fair" not in params:
            reading.state["compare_fair"] = "depth"
        if "clock" not in params:  # links without one are of when this was the usual one
            reading.state["compare_clock"] = "time"
    read_errors(params, reading)
    texts = params.get("run", [])
    if not texts:
        return reading
    if not FEWEST <= len(texts) <= MOST:
        reading.problems.append(
            ngettext(
                "{n} run is in it, and {fewest} to {most} can be shown",
                "{n} runs are in it, and {fewest} to {most} can be shown",
                len(texts),
                fewest=FEWEST,
                most=MOST,
            )
        )
    configs = [
        read_run(text, reading, ("depth",), COMPARED, usual)
        for text, usual in zip(texts, USUAL, strict=False)
    ]
    n = max(FEWEST, len(configs))
    reading.state["compare_n"] = n
    for i in range(n):
        config = (configs[i] if i < len(configs) else None) or USUAL[i]
        reading.state[f"{place(i)}method"] = config.method
        values = settings_state(config, place(i))
        values.pop(f"{place(i)}{config.method}_depth", None)
        reading.state |= values
    return reading


def comparison_params(
    data: ChosenData,
    depth: int,
    clock: str,
    configs: Sequence[RunConfig],
    budget: Budget | None = None,
) -> dict[str, Any]:
    """The inverse of :func:`read_comparison`."""
    fair = {"compare_fair": budget.unit, "compare_most": budget.most} if budget else {}
    return (
        data_params(data.key, data.train.name)
        | write_parts(FIELDS, {"compare_depth": depth, "compare_clock": clock})
        | write_parts(FAIR_FIELDS, fair)
        | error_params(configs[0])
        | {"run": [run_text(config, leave_out=("depth",)) for config in configs]}
    )


def with_depth(method: str, depth: int, seed: int, **settings) -> RunConfig:
    """A contestant's config: the common depth and seed, what errors count, its own settings."""
    if "depth" in {s.name for s in METHODS[method].definitions()}:
        settings["depth"] = depth
    return RunConfig(method, seed=seed, **settings)
