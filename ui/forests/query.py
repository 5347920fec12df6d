"""The link of the page *Forests*: data, racers with their settings, and what is looked at."""

from __future__ import annotations

import difflib
from collections.abc import Mapping, Sequence
from typing import Any

from treecore.base.settings import Setting
from ui.forests.presets import NAMED, NUMERALS, OWN, USUAL, Kind, find_kind, is_kind, kinds
from ui.jobs.chosen_data import ChosenData
from ui.query.codec import DATA_NAMES, Params, Reading, data_params, read_data, read_settings
from ui.shell.class_link import read_hidden

MOST = len(NUMERALS)
USUAL_N = 2

CHOICES = {
    "by": ("forest_by", ("trees", "seconds")),
    "lens": ("forest_lens", ("votes", "margin", "member")),
    "margins": ("forest_margins", ("cumulative", "histogram")),
}
"""What a link may choose by word: the key of its widget, and the words, the usual one first."""

NUMBERS = {"look": "forest_look", "member": "forest_member", "at": "forest_at"}
"""What a link may choose by number: racer, member of its forest, and how far it has come."""

MOST_AT = 10_000_000


def place(number: int, kind: str, setting: str) -> str:
    """The session's key of one setting's widget."""
    return f"forest{number}_{kind}_{setting}"


def run_text(kind: Kind, values: Mapping[str, Any]) -> str:
    """A kind and those of its settings that are not the usual ones: ``oc1-forest~depth~5``."""
    parts = [kind.name]
    for known in kind.settings:
        value = values.get(known.name, known.default)
        if value != known.default:
            parts += [known.name, value if known.choices else f"{value!r}"]
    return "~".join(parts)


def read_racer(text: str, reading: Reading) -> tuple[Kind, dict[str, Any]] | None:
    """The inverse of :func:`run_text`; None where there is no such kind, which is told."""
    name = text.split("~")[0]
    if not is_kind(name):
        near = difflib.get_close_matches(name.lower(), [k for k in kinds() if k != OWN], 1)
        now = f", now {near[0]}" if near else ""
        reading.problems.append(f"there is no forest {name!r}{now}")
        if not near:
            return None
        name = near[0]
    kind = find_kind(name)
    return kind, read_settings(text, name, "a forest", kind.settings, reading)


def read_forests(params: Params) -> Reading:
    """What a link says of the page, as entries of the session's state."""
    reading = Reading()
    read_data(params, reading)
    for name, (key, words) in CHOICES.items():
        if name in params:
            known = Setting(name, name, "", words[0], choices=words)
            reading.setting(known, params[name][-1], key)
    reading.number(params, "look", NUMBERS["look"], 1, MOST, 1)
    reading.number(params, "member", NUMBERS["member"], 1, MOST_AT, 1)
    if "at" in params:
        reading.number(params, "at", NUMBERS["at"], 1, MOST_AT, 1)
    read_hidden("forests", params, reading)
    reading.strangers(params, (*DATA_NAMES, *CHOICES, *NUMBERS, "run", "hide"))
    texts = params.get("run", [])
    if len(texts) > MOST:
        reading.problems.append(f"{len(texts)} forests are in it, and at most {MOST} can race")
    racers = [found for text in texts[:MOST] if (found := read_racer(text, reading))]
    if not racers:
        return reading
    reading.state["forest_n"] = len(racers)
    for number, (kind, values) in enumerate(racers):
        named = kind.name in NAMED
        reading.state[f"forest{number}_kind"] = kind.name if named else OWN
        if not named:
            reading.state[f"forest{number}_ensemble"] = kind.ensemble
            reading.state[f"forest{number}_learner"] = kind.method
        for known in kind.settings:
            key = place(number, kind.name, known.name)
            reading.state[key] = values.get(known.name, known.default)
    if "look" in reading.state:
        reading.state["forest_look"] = min(reading.state["forest_look"], len(racers))
    return reading


def forests_params(
    data: ChosenData,
    racers: Sequence[tuple[Kind, Mapping[str, Any]]],
    looked: Mapping[str, str | int],
) -> dict[str, Any]:
    """The inverse of :func:`read_forests`.

    Parameters
    ----------
    data : ChosenData
    racers : sequence of (Kind, settings by name)
    looked : mapping
        What is looked at, by the parameters' names; only what is not usual.
    """
    params: dict[str, Any] = data_params(data.key, data.train.name)
    params["run"] = [run_text(kind, values) for kind, values in racers]
    return params | {name: str(value) for name, value in looked.items()}


def usual_kind(number: int) -> str:
    """What races at a place that nobody has chosen yet."""
    return USUAL[number]
