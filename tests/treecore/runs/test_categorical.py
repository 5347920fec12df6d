"""``RunConfig.categorical``: sets of levels outside estimators, and what is refused."""

import numpy as np
import pytest

from treecore import RunConfig, Trainer
from treecore.data.sources import Source, read_parts
from treecore.persistence import load
from treecore.runs import begin, go_on, resume
from treecore.sweeps.spec import read_spec


@pytest.fixture
def table(tmp_path):
    """Rows whose class is in a set of colours, or of codes."""
    rng = np.random.default_rng(0)
    rows = ["colour,code,size,label"]
    for _ in range(300):
        colour, code = rng.choice(list("abcdefgh")), rng.integers(0, 9)
        label = "yes" if colour in "acfh" and code % 2 else "no"
        rows.append(f"{colour},{code},{rng.normal():.3f},{label}")
    path = tmp_path / "table.csv"
    path.write_text("\n".join(rows) + "\n")
    return path


def test_the_command_line_splits_by_sets_of_levels_and_says_it_in_the_run(table, tmp_path, shell):
    out, run = tmp_path / "tree.json", tmp_path / "run"
    words = (table, "-m", "axis", "--depth", 2, "--out", out, "--run", run)
    shell("train", *words, "--categorical", "code,colour")
    document = load(out)
    assert {one.column for one in document.level_sets().values()} == {"colour", "code"}
    assert document.training["metrics"]["validation_accuracy"] == 1.0
    assert document.training["settings"]["categorical"] == ["code", "colour"]
    shell("train", "--resume", run)
    said = shell("train", "--resume", run, "--categorical", "auto", code=2).stderr
    assert "as it started: leave out --categorical, or" in said


def test_a_run_goes_on_from_its_folder_with_sets_of_levels(table, tmp_path):
    source = Source(str(table), kinds={"code": "words"})
    config = RunConfig("bagging", base="axis", n_trees=4, depth=3, categorical=["code"])
    session = begin(tmp_path / "whole", config, source)
    list(go_on(session))
    half = begin(tmp_path / "half", config, source)
    for _ in range(3):
        half.trainer.step()
    half.save()
    half.folder.release()
    taken = resume(tmp_path / "half")
    list(go_on(taken))
    whole, ended = session.trainer.model, taken.trainer.model
    assert any(len(tree.weights) for tree in whole.trees)
    for one, other in zip(whole.trees, ended.trees, strict=True):
        assert (one.weights == other.weights).all()
        assert (one.values == other.values).all()


def test_another_method_has_no_sets_of_levels():
    config = RunConfig("axis", categorical=["b", "a"])
    assert config == RunConfig("axis", categorical=("a", "b"))
    assert RunConfig(**config.as_dict()) == config
    assert config.replace(method="tao").categorical == ()
    assert config.replace(method="bagging", base="axis").categorical == ("a", "b")
    assert "categorical" not in RunConfig("axis").as_dict()
    methods = [{"method": "axis", "categorical": "auto"}]
    (found,) = read_spec({"data": {"name": "sample:xor"}, "methods": methods}).methods
    assert found["categorical"] == ["auto"]


@pytest.mark.parametrize(
    ("code", "words", "sentence"),
    [
        (1, ["-m", "tao", "--categorical", "colour"], "is for axis-aligned trees with constant"),
        (1, ["-m", "bagging", "--base", "co2", "--categorical", "colour"], "is for axis-aligned"),
        (1, ["-m", "axis", "--leaf", "linear", "--categorical", "colour"], "with constant leaves"),
        (1, ["-m", "axis", "--categorical", "colur"], "there is no column 'colur'"),
        (1, ["-m", "axis", "--categorical", "label"], "choose among 'colour'"),
        (2, ["-m", "axis", "--categorical", "auto,code"], "or only auto"),
        (2, ["-m", "axis", "--categorical", "code", "--column", "code=number"], "leave one of"),
        (2, ["-m", "auto", "--out", "t.json", "--categorical", "code"], "leave out --categorical"),
    ],
)
def test_what_has_no_sets_of_levels_is_refused_in_a_sentence(table, shell, code, words, sentence):
    said = shell("train", table, *words, code=code).stderr
    assert sentence in " ".join(said.split())


@pytest.mark.parametrize("said", ["colour", [3], [""], 5])
def test_what_is_no_list_of_names_is_refused(said):
    with pytest.raises(ValueError, match='must be "auto" or names of columns'):
        RunConfig("axis", categorical=said)


@pytest.mark.parametrize("more", [{}, {"base": "axis", "n_trees": 2}])
def test_a_trainer_of_plain_arrays_says_that_these_name_no_columns(table, more):
    train, _ = read_parts(Source(str(table)))
    config = RunConfig("bagging" if more else "axis", depth=2, categorical=["colour"], **more)
    with pytest.raises(ValueError, match=r"names 'colour', and rows without .*make_trainer"):
        Trainer(config, train.given, train.y)
