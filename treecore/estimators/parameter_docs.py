"""What the docstrings of estimators say of settings, from the tables that define the settings."""

from __future__ import annotations

import textwrap
from collections.abc import Callable, Collection, Mapping
from typing import TypeVar

from treecore.base.setting_docs import Uses, explanations, uses_by_setting
from treecore.base.settings import Settings

MARK = "{settings}"
"""Where in a docstring the entries stand."""

T = TypeVar("T", bound=type)


def document_settings(
    methods: Mapping[str, type[Settings]],
    parameter_of: Mapping[str, str],
    optional: bool,
    skip: Collection[str] = (),
) -> Callable[[T], T]:
    """A decorator of a class that writes an entry for each setting into its docstring.

    Parameters
    ----------
    methods : mapping
        The settings of every method, by its name.
    parameter_of : mapping
        What the class calls settings that it calls otherwise.
    optional : bool
        Whether None stands for the default of the method.
    skip : collection of str
        Settings that the docstring explains by itself.
    """
    entries = []
    known = {method: settings.definitions() for method, settings in methods.items()}
    for name, uses in uses_by_setting(known).items():
        if name not in skip:
            kind = type(uses[0][1].default).__name__ + " or None" * optional
            entries.append(f"{parameter_of.get(name, name)} : {kind}")
            entries += [_wrapped(text) for text in _sentences(uses, len(methods) > 1)]

    def decorate(cls: T) -> T:
        if cls.__doc__ is not None:  # as Python's option -OO leaves it
            before, _, after = cls.__doc__.partition(MARK)
            indent = before[before.rindex("\n") + 1 :]  # since Python 3.13 there is none
            text = textwrap.indent("\n".join(entries), indent)
            cls.__doc__ = f"{before.removesuffix(indent)}{text}{after}"
        return cls

    return decorate


def _sentences(uses: Uses, several: bool) -> list[str]:
    found = explanations(uses)
    if not several:
        return [f"{text}." for text in found]
    return [
        f"{text}; by default "
        + ", ".join(f"{default} ({', '.join(names)})" for default, names in defaults.items())
        + "."
        for text, defaults in found.items()
    ]


def _wrapped(text: str) -> str:
    indent = "    "
    return textwrap.fill(
        text, 96, initial_indent=indent, subsequent_indent=indent, break_on_hyphens=False
    )
