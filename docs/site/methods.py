"""What the registry says of a method, as Markdown: the facts and the tables of its page."""

from __future__ import annotations

from collections.abc import Iterable

from treecore.base.settings import Setting
from treecore.losses import LOSSES
from treecore.training.method import Method
from treecore.training.registry import METHODS

FAMILIES = {"tree": "One tree", "ensemble": "Forests of trees", "hinge": "Hinge forests"}
"""Titles of the lists of methods."""


def table(header: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """A table in Markdown; bars inside cells do not end them."""
    names = [_cell(name) for name in header]
    lines = ["| " + " | ".join(names) + " |", "|" + " --- |" * len(names)]
    lines += ["| " + " | ".join(_cell(cell) for cell in row) + " |" for row in rows]
    return "\n".join(lines)


def _cell(text: str) -> str:
    return text.replace("|", "\\|").replace("\n", " ")


def value_text(value: object) -> str:
    """A default or a limit, as people type it."""
    return f"{value:g}" if isinstance(value, float) else str(value)


def range_text(setting: Setting) -> str:
    """The values that a setting may have."""
    if setting.choices:
        return ", ".join(f"`{choice}`" for choice in setting.choices)
    low, high = setting.limits
    whole = "whole numbers, " if isinstance(setting.default, int) else ""
    return f"{whole}{low:,.10g} to {high:,.10g}"


def settings_table(settings: Iterable[Setting]) -> str:
    """A row for each setting: its name in code and on the screen, default, range, explanation."""
    return table(
        ("setting", "on the screen", "default", "values", "what it does"),
        (
            (f"`{s.name}`", s.label, f"`{value_text(s.default)}`", range_text(s), s.help)
            for s in settings
        ),
    )


def settings_text(method: Method) -> str:
    """All settings of a method; an ensemble's own come before those of its usual trees."""
    known = method.definitions()
    if method.base is None:
        return settings_table(known)
    own = len(method.settings.definitions())
    base = METHODS[method.base]
    return "\n\n".join(
        [
            "Of the forest:",
            settings_table(known[:own]),
            f"Of its trees, which {base.title} ([{base.name}]({base.name}.md)) learns, unless "
            "another method is named:",
            settings_table(known[own:]),
        ]
    )


def facts_text(method: Method) -> str:
    """What it does in a sentence, what it can learn from, and how it is named and run."""
    losses = ", ".join(f"{name} ({LOSSES[name].task})" for name in method.losses)
    rows = [
        ("name", f"`{method.name}`"),
        ("losses", losses),
        ("a run counts", f"{method.unit}s"),
    ]
    if method.family == "tree":
        rows.append(("rows in pieces (`partial_fit`)", "yes" if method.streams else "no"))
        rows.append(("goes on from a given tree", "yes" if method.start is not None else "no"))
    elif method.base is not None:
        rows.append(("learns its trees by", f"`{method.base}`"))
    if method.paper:
        paper = (f"{name}={value!r}" for name, value in method.paper.items())
        rows.append(("as in its paper", f"`{', '.join(paper)}`"))
    rows.append(("command line", f"`treecore train TABLE --method {method.name}`"))
    rows.append(("in Python", f'`RunConfig("{method.name}")`'))
    claim = f"\n\n**Always:** {method.claim}" if method.claim else ""
    return f"{method.sentence}{claim}\n\n" + table(("what", "how it is"), rows)


def methods_text() -> str:
    """All methods with their sentences, by family, each a link to its page."""
    parts = []
    for family, title in FAMILIES.items():
        rows = [
            (f"[{m.title}]({name}.md)", f"`{name}`", m.sentence)
            for name, m in METHODS.items()
            if m.family == family
        ]
        parts += [f"**{title}**", table(("method", "name", "what it does"), rows)]
    return "\n\n".join(parts)
