"""Prints pip's constraints that hold every dependency at the lowest version declared.

``make test-lowest`` installs by them: ``python -m tests.helpers.lowest > FILE``.
"""

from __future__ import annotations

import tomllib

from packaging.requirements import Requirement

from tests.helpers.paths import ROOT

EXTRAS = ("cli", "test")
"""What the core's tests need beside the dependencies of all."""


def lowest(text: str) -> str:
    """``"numpy==2.0"`` for ``"numpy>=2.0"``, and for ``"numpy>=2.0,<3"``."""
    requirement = Requirement(text)
    bounds = [bound.version for bound in requirement.specifier if bound.operator == ">="]
    if len(bounds) != 1:
        raise ValueError(f"{text!r} has no lowest version; write it with '>='")
    return f"{requirement.name}=={bounds[0]}"


def constraints() -> list[str]:
    """A line a dependency."""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    texts = [*project["dependencies"], *(text for name in EXTRAS for text in extras[name])]
    return sorted({lowest(text) for text in texts})


if __name__ == "__main__":
    print("\n".join(constraints()))  # noqa: T201
