"""The names that ``treecore`` has for everybody, each imported when it is asked for."""

import ast
import subprocess
import sys

import pytest

import treecore
from tests.helpers.paths import ROOT


def test_what_type_checkers_read_is_what_is_imported():
    tree = ast.parse((ROOT / "treecore" / "__init__.py").read_text("utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    told = {alias.name: node.module for node in block.body for alias in node.names}
    assert told == {name: f"treecore.{home}" for name, home in treecore._HOME.items()}
    assert sorted(told) == treecore.__all__


@pytest.mark.parametrize("name", treecore.__all__)
def test_every_name_is_there(name):
    assert getattr(treecore, name).__name__ == name
    assert name in dir(treecore)


def test_a_name_that_there_is_not_is_told():
    with pytest.raises(AttributeError, match="'treecore' has no attribute 'nothing'"):
        treecore.nothing  # noqa: B018


def test_the_package_alone_waits_for_no_other():
    heavy = "{'numba', 'numpy', 'pandas', 'pyarrow', 'sklearn'}"
    look = f"import sys, treecore; print({heavy} & set(sys.modules))"
    done = subprocess.run(
        [sys.executable, "-c", look], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout == "set()\n"
