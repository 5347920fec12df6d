"""What docstrings need before Sphinx reads them."""

from __future__ import annotations

import inspect
import re
from typing import Any

from sphinx.application import Sphinx

import treecore

BORROWED = re.compile(r"ttributes(?: and notes)? are those of :class:`(\w+)`")
OF_CLASSES = ("classes_", "n_classes_", "oob_decision_function_")
HEADING = ["Attributes", "----------"]


def own_attributes(lines: list[str]) -> dict[str, list[str]]:
    """Return the lines of each entry below the heading *Attributes* of a docstring, by its name."""
    found: dict[str, list[str]] = {}
    if HEADING[0] in lines:
        start = lines.index(HEADING[0]) + 2
        ends = (i - 1 for i, text in enumerate(lines) if i > start and re.fullmatch("-{4,}", text))
        for line in lines[start : next(ends, len(lines))]:
            if line and not line.startswith(" "):
                found[line.partition(" ")[0]] = [line]
            elif line:
                next(reversed(found.values())).append(line)
    return found


def all_attributes(lines: list[str]) -> dict[str, list[str]]:
    """Return these entries and those of the class that the docstring refers to."""
    match = BORROWED.search("\n".join(lines))
    lent = inspect.getdoc(getattr(treecore, match[1])) if match else None
    return (all_attributes(lent.splitlines()) if lent else {}) | own_attributes(lines)


def complete_attributes(
    app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """List the attributes that a docstring only refers to, so that each page stands alone."""
    if what != "class" or not BORROWED.search("\n".join(lines)):
        return
    own, known = own_attributes(lines), all_attributes(lines)
    hidden = {
        *(OF_CLASSES if name.endswith("Regressor") else ()),
        *(() if "Oblique" in name else ("decision_",)),  # only where a method is chosen
    }
    more = [line for key in known if key not in own and key not in hidden for line in known[key]]
    if HEADING[0] in lines:
        at = lines.index(HEADING[0]) + 2
        lines[at:at] = more
    else:
        lines += ["", *HEADING, *more, ""]


def plain_roles(
    app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Make words of the references that only scikit-learn's own site can follow."""
    if str(getattr(value, "__module__", "")).startswith("sklearn"):
        role = re.compile(r":(?:ref|term):`([^`<]+?)(?: <[^`>]*>)?`")
        lines[:] = [role.sub(r"\1", line) for line in lines]


def keep_underscores(
    app: Sphinx, what: str, name: str, value: Any, options: Any, lines: list[str]
) -> None:
    """Escape the last underscore of an attribute, which would otherwise make it a link."""
    field = re.compile(r"^(:(?:ivar|vartype) \w*)_:")
    lines[:] = [field.sub(r"\1\\_:", line) for line in lines]


def setup(app: Sphinx) -> dict[str, bool]:
    """Register the steps before and after napoleon, which has the priority 500."""
    app.connect("autodoc-process-docstring", complete_attributes, priority=400)
    app.connect("autodoc-process-docstring", plain_roles, priority=400)
    app.connect("autodoc-process-docstring", keep_underscores, priority=600)
    return {"parallel_read_safe": True}
