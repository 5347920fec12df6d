"""What docstrings need before Sphinx reads them."""

from __future__ import annotations

import re
from typing import Any

from sphinx.application import Sphinx


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
    app.connect("autodoc-process-docstring", plain_roles, priority=400)
    app.connect("autodoc-process-docstring", keep_underscores, priority=600)
    return {"parallel_read_safe": True}
