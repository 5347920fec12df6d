"""What a run is called: its method and, where that is not the usual one, its start."""

from functools import cache

from treecore import RunConfig
from treecore.training import METHODS
from ui.language.translate import N_, _

NUMERALS = ("I", "II", "III")
"""Names of contestants, of which there are at most so many: neither letters nor digits, since those
are names of classes."""

STARTS = {
    "random": N_("random"),
    "axis": N_("axis-aligned"),
    "random-oblique": N_("random oblique"),
    "oc1": "OC1",
    "co2": "CO2",
    "tao": "TAO",
}
"""Starts within a sentence."""


def long_title(method: str) -> str:
    """*Non-greedy SGD*."""
    return _(METHODS[method].title)


def short_title(method: str) -> str:
    """*SGD* instead of *Non-greedy SGD*."""
    return _(METHODS[method].short or METHODS[method].title)


@cache
def _usual_start(method: str, base: str | None) -> str | None:
    return RunConfig(method, base=base).as_dict().get("start")


def run_title(config: RunConfig) -> str:
    """*Non-greedy SGD*, or *Non-greedy SGD from CO2*: learning ends elsewhere from another tree."""
    title = long_title(config.method)
    start = config.as_dict().get("start")
    usual = _usual_start(config.method, config.base and config.base.method)
    if start == usual or start not in STARTS:
        return title
    return _("{method} from {start}", method=title, start=_(STARTS[start]))
