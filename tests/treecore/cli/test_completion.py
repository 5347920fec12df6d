"""What a shell offers when TAB is pressed."""

import os
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from tests.helpers.paths import ROOT
from treecore.cli import main


def offered(*words):
    """Type and value of every word that is offered for the last one."""
    *before, incomplete = words
    completion = ShellComplete(main, {}, "treecore", "_TREECORE_COMPLETE")
    return [(item.type, item.value) for item in completion.get_completions(before, incomplete)]


@pytest.mark.parametrize("command", ["predict", "evaluate", "inspect", "export"])
def test_a_model_is_a_path(command):
    assert offered(command, "run") == [("file", "run")]


@pytest.mark.parametrize("words", [["train"], ["predict", "t.json"], ["evaluate", "t.json"]])
def test_data_is_a_path_or_the_name_of_a_table(words):
    assert offered(*words, "sklearn:d") == [
        ("plain", "sklearn:digits"),
        ("plain", "sklearn:diabetes"),
        ("file", "sklearn:d"),
    ]
    assert offered(*words, "new.c") == [("file", "new.c")]
    assert ("plain", "sample:spirals") in offered(*words, "")


def test_options_and_their_choices_are_offered():
    assert ("plain", "--class-weight") in offered("train", "--cl")
    assert ("plain", "stable-sgd") in offered("train", "--method", "st")


def test_the_line_of_the_documentation_gives_a_script():
    page = (ROOT / "docs/reference/command-line.md").read_text(encoding="utf-8")
    for kind in ("bash", "zsh", "fish"):
        assert f"_TREECORE_COMPLETE={kind}_source treecore" in page
    done = subprocess.run(
        [sys.executable, "-m", "treecore"],
        env=os.environ | {"PYTHONPATH": str(ROOT), "_TREECORE_COMPLETE": "zsh_source"},
        capture_output=True,
        text=True,
        check=True,
    )
    assert "compdef" in done.stdout
