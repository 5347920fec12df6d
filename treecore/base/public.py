"""Names that a package has for others: each is imported when it is asked for."""

from __future__ import annotations

import ast
import functools
import sys
from collections.abc import Callable
from importlib import import_module, util
from pathlib import Path
from typing import Any


def public_names(package: str) -> tuple[Callable[[str], Any], Callable[[], list[str]]]:
    """Return ``__getattr__`` and ``__dir__`` of a package: what it imports for type checkers."""

    @functools.cache
    def homes() -> dict[str, str]:
        spec = util.find_spec(package)
        assert spec is not None, "it is being imported"
        tree = ast.parse(Path(str(spec.origin)).read_bytes())
        blocks = (node.body for node in tree.body if isinstance(node, ast.If))
        imports = (node for block in blocks for node in block if isinstance(node, ast.ImportFrom))
        return {alias.name: str(node.module) for node in imports for alias in node.names}

    def find(name: str) -> Any:
        if name not in homes():
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        if homes()[name] == package:  # one of its modules
            return import_module(f"{package}.{name}")
        return getattr(import_module(homes()[name]), name)

    def names() -> list[str]:
        return sorted({*vars(sys.modules[package]), *homes()})

    return find, names
