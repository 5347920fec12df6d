"""What the command line says of methods and their settings."""

import json
import re

import pytest

from treecore.cli.options import option_of
from treecore.training.registry import METHODS


def sections(text):
    """The lines of a help text below each heading, joined to one."""
    found = re.split(r"^(\S.*):\n", text, flags=re.MULTILINE)
    return {found[i]: " ".join(found[i + 1].split()) for i in range(1, len(found), 2)}


def test_all_methods_are_named_with_their_sentences(shell):
    said = " ".join(shell("methods").stdout.split())
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
    assert "--nodes" in found["Settings of its trees"]
    assert "--nodes" not in shell("methods", "bagging").stdout
    assert "no trees of another" in shell("methods", "sgd", "--base", "tao", code=2).stderr
    assert "name it" in shell("methods", "--base", "tao", code=2).stderr


def test_the_help_of_training_groups_settings_by_their_methods(shell):
    found = sections(shell("train", "--help").stdout)
    assert "--method" in found["Options"]
    assert "--nu" not in found["Options"]
    nu = found["Settings of sgd, stable-sgd, co2"].replace("stable- sgd", "stable-sgd")
    assert "From 0.01 to 10,000; by default 20.0 (sgd, stable-sgd), 3.0 (co2)." in nu
    trees = found["Settings of all trees, hinge-forest, hinge-ferns"]
    assert "--depth INTEGER Depth. From 1 to 20; by default 6 (sgd" in trees
