"""The link of the page *Forests*: data, racers with their settings, and what is looked at."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ui.forests.presets import (
    NAMED,
    NUMERALS,
    OWN,
    USUAL,
    USUAL_FOR_NUMBERS,
    Kind,
    find_kind,
    is_kind,
    kinds,
)
from ui.jobs.chosen_data import ChosenData
from ui.language.translate import _
from ui.links.data import DATA_NAMES, data_params, read_data
from ui.links.fields import (
    Params,
    Reading,
    State,
    choice_field,
    number_field,
    read_parts,
    write_parts,
)
from ui.links.runs import read_settings, settings_text
from ui.links.visit import class_fields
from ui.widgets.method_settings import widget_key

MOST = len(NUMERALS)
USUAL_N = 2

BY = choice_field("by", "forest_by", ("trees", "seconds"))
LENS = choice_field("lens", "forest_lens", ("votes", "margin", "member"))
MARGINS = choice_field("margins", "forest_margins", ("cumulative", "histogram"))

MOST_AT = 10_000_000

FIELDS = (
    BY,
    LENS,
    MARGINS,
    number_field("look", "forest_look", 1, 1, MOST),
    number_field("member", "forest_member", 1, 1, MOST_AT),
    number_field("at", "forest_at", 1, 1, MOST_AT, always=True),
)
"""What is looked at: the racer, a member of its forest, how far it has come, and as what."""


def place(number: int) -> str:
    """What the session's keys of one racer's widgets begin with."""
    return f"forest{number}_"


def followed(number: int) -> str:
    """The session's key of the usual kind that a racer's menu was last given."""
    return f"{place(number)}followed"


def run_text(kind: Kind, values: Mapping[str, Any]) -> str:
    """A kind and those of its settings that are not the usual ones: ``oc1-forest~depth~5``."""
    return settings_text(kind.name, kind.settings, values)


def read_racer(text: str, reading: Reading, usual: str = USUAL[0]) -> tuple[Kind, dict[str, Any]]:
    """The inverse of :func:`run_text`; a kind that is like none becomes the usual, and is told."""
    name = text.split("~")[0]
    if not is_kind(name):
        known = [kind for kind in kinds() if kind != OWN]
        name = reading.closest(_("forest "), name, known, usual)
    kind = find_kind(name)
    return kind, read_settings(text, name, _("a forest"), kind.settings, reading)


def read_forests(params: Params) -> Reading:
    """What a link says of the page, as entries of the session's state."""
    reading = Reading()
    parts = (*FIELDS, *class_fields("forests"))
    read_data(params, reading)
    read_parts(parts, params, reading)
    reading.strangers(params, (*DATA_NAMES, *(part.name for part in parts), "run"))
    texts = params.get("run", [])
    if len(texts) > MOST:
        reading.problems.append(
            _("{texts} forests are in it, and at most {most} can race", texts=len(texts), most=MOST)
        )
    racers = [read_racer(text, reading, usual) for text, usual in zip(texts, USUAL, strict=False)]
    if not racers:
        return reading
    reading.state["forest_n"] = len(racers)
    for i, (kind, values) in enumerate(racers):
        named = kind.name in NAMED
        reading.state[f"{place(i)}kind"] = kind.name if named else OWN
        reading.state[followed(i)] = ""  # it stays, whatever the data
        if not named:
            reading.state[f"{place(i)}ensemble"] = kind.ensemble
            reading.state[f"{place(i)}learner"] = kind.method
        for known in kind.settings:
            key = widget_key(kind.name, known.name, place(i))
            reading.state[key] = values.get(known.name, known.default)
    if "forest_look" in reading.state:
        reading.state["forest_look"] = min(reading.state["forest_look"], len(racers))
    return reading


def forests_params(
    data: ChosenData, racers: Sequence[tuple[Kind, Mapping[str, Any]]], state: State
) -> dict[str, Any]:
    """The inverse of :func:`read_forests`; racers are pairs of a kind and settings by name."""
    runs = {"run": [run_text(kind, values) for kind, values in racers]}
    return data_params(data.key, data.train.name) | runs | write_parts(FIELDS, state)


def usual_kind(number: int, task: str) -> str:
    """What races at a place that nobody has chosen yet."""
    return (USUAL_FOR_NUMBERS if task == "regression" else USUAL)[number]
