"""The names that ``treecore`` has for everybody, each imported when it is asked for."""

import ast
import subprocess
import sys
from importlib import import_module

import pytest

import treecore
from tests.helpers.paths import ROOT


def test_what_type_checkers_read_is_what_is_imported():
    tree = ast.parse((ROOT / "treecore" / "__init__.py").read_text("utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    reported = {alias.name: node.module for node in block.body for alias in node.names}
    assert reported == {name: f"treecore.{home}" for name, home in treecore._HOME.items()}
    assert sorted(reported) == treecore.__all__


@pytest.mark.parametrize("name", treecore.__all__)
def test_every_name_is_there(name):
    assert getattr(treecore, name).__name__ == name
    assert name in dir(treecore)


def test_a_name_that_there_is_not_is_told():
    with pytest.raises(AttributeError, match="'treecore' has no attribute 'nothing'"):
        treecore.nothing  # noqa: B018


def run(program):
    """Run a program in a process of its own."""
    words = [sys.executable, "-c", program]
    return subprocess.run(words, cwd=ROOT, capture_output=True, text=True)


def test_the_package_alone_waits_for_no_other():
    heavy = "{'numba', 'numpy', 'pandas', 'pyarrow', 'sklearn'}"
    assert run(f"import sys, treecore; print({heavy} & set(sys.modules))").stdout == "set()\n"


def test_an_estimator_waits_for_no_table_file_learner_or_picture():
    """What it may load are settings, the registry, and what any tree predicts with."""
    later = [
        "cli",
        "data.readers",
        "ensembles.forest",
        "estimators.persistence",
        "estimators.tables",
        "export.text",
        "inspection.shapley",
        "learners.greedy.growth",
        "learners.nongreedy.inference",
        "persistence.document",
        "pruning.cost_complexity",
        "selection.choice",
        "training.trainer",
        "viewer.palette",
    ]
    done = run(
        "import sys; sys.modules['pandas'] = sys.modules['pyarrow'] = None\n"
        "from treecore import SGDTreeClassifier\n"
        f"print([name for name in {later} if 'treecore.' + name in sys.modules])"
    )
    assert done.stdout == "[]\n"


def test_the_command_line_says_which_extra_brings_its_packages():
    done = run("import sys; sys.modules['click'] = None; import treecore.__main__ as m; m.run()")
    assert done.returncode == 1
    assert done.stderr == ("treecore needs click for its commands: pip install 'treecore[cli]'\n")


def test_estimators_and_text_stand_without_the_packages_of_the_command_line():
    done = run(
        "import sys; sys.modules['click'] = sys.modules['rich'] = None\n"
        "import treecore.estimators, treecore.export.formats, treecore.export.text\n"
        "import treecore.runs, treecore.viewer.pages"
    )
    assert done.returncode == 0, done.stderr


PACKAGES = [
    path.parent
    for path in sorted((ROOT / "treecore").rglob("__init__.py"))
    if "public_names(" in path.read_text("utf-8")
]


@pytest.mark.parametrize("package", PACKAGES, ids=lambda path: path.name)
def test_names_that_packages_have_for_others_are_those_that_type_checkers_read(package):
    tree = ast.parse((package / "__init__.py").read_text("utf-8"))
    (block,) = [node for node in tree.body if isinstance(node, ast.If)]
    there = import_module(".".join(package.relative_to(ROOT).parts))
    for node in block.body:
        for alias in node.names:
            assert getattr(there, alias.name) is getattr(import_module(node.module), alias.name)
            assert alias.name in dir(there)
            # Once imported, a module of that name would hide it.
            assert node.module == there.__name__ or not (package / f"{alias.name}.py").exists()
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        there.nothing  # noqa: B018
