"""What settings mean, in sentences: for docstrings of estimators and for the command line."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence

from treecore.base.settings import Setting

Uses = list[tuple[str, Setting]]
"""The methods that know a setting, each with its definition of it."""


def uses_by_setting(methods: Mapping[str, Iterable[Setting]]) -> dict[str, Uses]:
    uses: dict[str, Uses] = {}
    for method, definitions in methods.items():
        for definition in definitions:
            uses.setdefault(definition.name, []).append((method, definition))
    return uses


def explanations(uses: Sequence[tuple[str, Setting]]) -> dict[str, dict[str, list[str]]]:
    """A setting's label and values, once for all methods for which these are the same."""
    groups: dict[str, dict[str, list[str]]] = {}
    for method, setting in uses:
        defaults = groups.setdefault(f"{setting.label}. {limits(setting)}", {})
        defaults.setdefault(json.dumps(setting.default), []).append(method)
    return groups


def limits(setting: Setting) -> str:
    """The values that a setting may have, as the beginning of a sentence."""
    if setting.choices:
        return "One of " + ", ".join(f'"{choice}"' for choice in setting.choices)
    low, high = (f"{v:,}" if isinstance(v, int) else f"{v:,g}" for v in setting.limits)
    return f"From {low} to {high}"
