"""What the command line says of methods and their settings."""

import json
import os
import re
import subprocess
import sys

import pytest
from click.shell_completion import ShellComplete

from tests.helpers.paths import ROOT
from treecore.cli import main
from treecore.cli.options import option_of
from treecore.training.registry import METHODS


def sections(text):
    """The lines of a help text below each heading, joined to one."""
    found = re.split(r"^(\S.*):\n", text, flags=re.MULTILINE)
    return {found[i]: " ".join(found[i + 1].split()) for i in range(1, len(found), 2)}


def test_all_methods_are_named_with_their_sentences(shell):
    lines = shell("methods").stdout.splitlines()
    assert max(map(len, lines)) <= 80
    said = " ".join(" ".join(lines).split())
    for method in METHODS.values():
        words = f"{method.name} {method.title}. {method.sentence}"
        assert words.replace("-", "").replace(" ", "") in said.replace("-", "").replace(" ", "")


@pytest.mark.parametrize("name", METHODS)
def test_a_method_is_explained_with_every_setting_range_and_default(shell, name):
    method = METHODS[name]
    said = " ".join(shell("methods", name).stdout.split())
    for setting in method.definitions():
        entry = said[said.index(f" {option_of(setting.name)} {setting.label}. ") :]
        if setting.choices:
            assert "One of" in entry
        else:
            low, high = (f"{v:,}" if isinstance(v, int) else f"{v:,g}" for v in setting.limits)
            assert f"From {low} to {high}" in entry
        assert f"; by default {json.dumps(setting.default)}." in entry


def test_an_ensembles_trees_may_be_others(shell):
    found = sections(shell("methods", "bagging", "--base", "tao").stdout)
    assert "--n-trees" in found["Settings"]
    assert "--ridge" in found["Settings of its trees"]
    assert "--ridge" not in shell("methods", "bagging").stdout
    assert "no trees of another" in shell("methods", "sgd", "--base", "tao", code=2).stderr
    assert "name it" in shell("methods", "--base", "tao", code=2).stderr
    assert "value for '[METHOD]': 'cart' is" in shell("methods", "cart", code=2).stderr


def test_the_help_of_training_groups_settings_by_their_methods(shell):
    found = sections(shell("train", "--help").stdout)
    assert "--method" in found["Options"]
    assert "--nu" not in found["Options"]
    nu = found["Settings of sgd, stable-sgd, co2"].replace("stable- sgd", "stable-sgd")
    assert "From 0.01 to 10,000; by default 20.0 (sgd, stable-sgd), 3.0 (co2)." in nu
    trees = found["Settings of all trees, hinge-forest, hinge-ferns"]
    assert "--depth INTEGER Depth. From 1 to 20; by default 6 (sgd" in trees


def offered(*words):
    """Type and value of every word that is offered for the last one."""
    *before, incomplete = words
    completion = ShellComplete(main, {}, "treecore", "_TREECORE_COMPLETE")
    return [(item.type, item.value) for item in completion.get_completions(before, incomplete)]


@pytest.mark.parametrize(
    "words", [["predict"], ["inspect"], ["export"], ["train"], ["evaluate", "t.json"]]
)
def test_a_model_and_a_table_are_paths(words):
    assert offered(*words, "new.c") == [("file", "new.c")]


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
