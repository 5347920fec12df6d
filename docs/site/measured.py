"""Figures from files that commands of the repository have written, as Markdown tables.

A page names the file, the part of it, and the rows; no figure is typed in by hand. The day of each
row is always shown (:mod:`benchmarks.marks`).
"""

from __future__ import annotations

import re
from pathlib import Path

from benchmarks.marks import COLUMN
from docs.site.methods import table

ROOT = Path(__file__).resolve().parents[2]
COMMAND = re.compile(r"^Written by `(python -m benchmarks\.[^`\n]*)", re.MULTILINE)


class FigureError(ValueError):
    """There is no such table, column or row: a page says what no file has."""


def measured_text(path: str, part: str, where: str = "", columns: str = "") -> str:
    """Some rows of a table, and the command that has written it.

    Parameters
    ----------
    path : str
        A file, from the root of the repository.
    part : str
        How the line begins, without marks of a heading, from which on the table is looked for.
    where : str
        ``column = value`` or ``column = one | another``, several of them parted by semicolons.
    columns : str
        Names of the columns to show beside the day, parted by semicolons; empty: all.

    Raises
    ------
    FigureError
        Where nothing is found.
    """
    text = _part(path, part)
    header, rows = _table(text, f"{path}, {part!r}")
    for condition in filter(None, (one.strip() for one in where.split(";"))):
        name, _, values = (word.strip() for word in condition.partition("="))
        column = _column(header, name, path)
        allowed = {value.strip() for value in values.split("|")}
        rows = [row for row in rows if row[column] in allowed]
    if not rows:
        raise FigureError(f"{path}, {part!r}: no row has {where}")
    named = [name.strip() for name in columns.split(";") if name.strip()] or header
    named += [COLUMN] * (COLUMN not in named)
    chosen = [_column(header, name, path) for name in named]
    command = COMMAND.search(text)
    if command is None:
        raise FigureError(f"{path}, {part!r}: no command says how it was measured")
    shown = table(named, ([row[column] for column in chosen] for row in rows))
    return f"{shown}\n\nFrom `{path}`, written by `{command[1]}`."


def defaults_text(method: str) -> str:
    """What one method reaches with all settings at their defaults."""
    columns = "data; test accuracy, %; deviation; leaves of a tree; seeds"
    path, where = "benchmarks/results/methods.md", f"method = {method}"
    shown = measured_text(path, "Every method as it comes", where, columns)
    return f"With all settings at their defaults:\n\n{shown}"


def _part(path: str, part: str) -> str:
    lines = (ROOT / path).read_text(encoding="utf-8").splitlines()
    for number, line in enumerate(lines):
        if line.lstrip("# ").startswith(part):
            level = len(line) - len(line.lstrip("#"))
            rest = lines[number + 1 :]
            heading = re.compile(rf"#{{1,{level}}} " if level else r"(?!)")  # (?!): none
            ends = (i for i, other in enumerate(rest) if heading.match(other))
            return "\n".join([line, *rest[: next(ends, len(rest))]])
    raise FigureError(f"{path} has no part that begins with {part!r}")


def _table(text: str, where: str) -> tuple[list[str], list[list[str]]]:
    """Header and rows of the first table of a text."""
    lines: list[str] = []
    for line in text.splitlines():
        if line.startswith("|"):
            lines.append(line)
        elif lines:
            break
    if len(lines) < 3:
        raise FigureError(f"{where} has no table")
    header, _, *rows = ([cell.strip() for cell in line.strip("|").split("|")] for line in lines)
    return header, rows


def _column(header: list[str], name: str, path: str) -> int:
    if name not in header:
        raise FigureError(f"{path} has no column {name!r} there; it has {', '.join(header)}")
    return header.index(name)
