"""The link of a comparison: data, depth, seed, clock, contestants with their settings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from treecore import RunConfig
from treecore.training.registry import METHODS
from ui.jobs.chosen_data import ChosenData
from ui.live.clocks import CLOCKS
from ui.live.comparison import NUMERALS
from ui.query.codec import (
    DATA_NAMES,
    ERROR_NAMES,
    Params,
    Reading,
    data_params,
    error_params,
    read_data,
    read_errors,
    read_run,
    run_text,
    settings_state,
)
from ui.shell.class_link import read_hidden
from ui.widgets.method_settings import DEEPEST_SHOWN

FEWEST, MOST = 2, len(NUMERALS)
USUAL_DEPTH = 6
COMPARED = [name for name, m in METHODS.items() if m.family != "ensemble" or m.is_preset]
"""What may be compared: single trees, forests with a name of their own, hinge forests."""

USUAL = ("axis", "sgd", "tao", "co2")
"""Methods of a comparison that nobody has chosen yet; the first two are there at once."""


def place(number: int) -> str:
    """What the session's keys of one contestant's widgets begin with."""
    return f"compare{number}_"


def read_comparison(params: Params) -> Reading:
    """What a link says of a comparison, as entries of the session's state."""
    reading = Reading()
    read_data(params, reading)
    reading.number(params, "depth", "compare_depth", 1, DEEPEST_SHOWN, USUAL_DEPTH)
    if "clock" in params:
        clock = params["clock"][-1]
        if clock in CLOCKS:
            reading.state["compare_clock"] = clock
        else:
            reading.problems.append(f"clock={clock!r} must be one of {', '.join(CLOCKS)}")
    reading.strangers(params, (*DATA_NAMES, *ERROR_NAMES, "depth", "clock", "run", "hide"))
    read_hidden("compare", params, reading)
    if "run" in params:
        reading.state["balanced"] = False
    read_errors(params, reading)
    texts = params.get("run", [])
    if not texts:
        return reading
    if not FEWEST <= len(texts) <= MOST:
        reading.problems.append(f"{len(texts)} runs are in it, and {FEWEST} to {MOST} can be shown")
    configs = [read_run(text, reading, ("depth",), COMPARED) for text in texts[:MOST]]
    n = max(FEWEST, len(configs))
    reading.state["compare_n"] = n
    for number in range(n):
        config = configs[number] if number < len(configs) else None
        config = config or RunConfig(USUAL[number])
        reading.state[f"{place(number)}method"] = config.method
        own = settings_state(config, place(number))
        own.pop(f"{place(number)}{config.method}_depth", None)
        reading.state |= own
    return reading


def comparison_params(
    data: ChosenData, depth: int, clock: str, configs: Sequence[RunConfig]
) -> dict[str, Any]:
    """The inverse of :func:`read_comparison`."""
    params: dict[str, Any] = data_params(data.key, data.train.name)
    params["depth"] = str(depth)
    if clock != next(iter(CLOCKS)):
        params["clock"] = clock
    params |= error_params(configs[0])
    params["run"] = [run_text(config, leave_out=("depth",)) for config in configs]
    return params


def with_depth(method: str, depth: int, seed: int, **settings) -> RunConfig:
    """A contestant's config: the common depth and seed, what errors count, its own settings."""
    known = {s.name for s in METHODS[method].definitions()}
    common = {"depth": depth} if "depth" in known else {}
    return RunConfig(method, seed=seed, **common, **settings)
