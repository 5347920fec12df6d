"""The command line, driven as a shell would drive it."""

import io
import json
import os
import signal
import zipfile
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

from tests.helpers.paths import SAMPLES
from tests.helpers.processes import start_shell
from tests.helpers.same import assert_same
from tests.helpers.wait import until
from treecore import AxisTreeClassifier, predict
from treecore.cli import COMMANDS
from treecore.data.sources import Source, read_parts, read_table
from treecore.persistence import load
from treecore.runs import RunDirectory
from treecore.sweeps import read_rows
from treecore.training.registry import TREES

IRIS = str(SAMPLES / "iris.csv")


@pytest.fixture
def iris(shell):
    shell("train", IRIS, "-m", "axis", "--depth", 3, "-o", "iris.json", "--run", "run")
    return "iris.json"


@pytest.mark.filterwarnings("default::FutureWarning")
def test_what_is_gone_is_left_out_with_one_warning_or_refused_with_the_way_out(shell, iris):
    words = ("train", IRIS, "-m", "axis", "--depth", 3, "--run", "again", "-o", "again.json")
    said = shell(*words, "--cuts", "best", "--leaf-ridge", "0.1").stderr
    assert said.count("Warning: ") == 1
    assert "left out: " in said
    assert "cuts (axis-aligned trees try every threshold)" in said
    assert "leaf_ridge (training chooses the strength" in said
    assert_same(load("again.json").model, load("iris.json").model)
    path = Path("run/run.json")
    record = json.loads(path.read_text())
    path.write_text(json.dumps(record | {"config": record["config"] | {"cuts": "best"}}))
    with pytest.warns(FutureWarning, match="left out: cuts") as told:
        RunDirectory.open("run")
    assert len(told) == 1
    document = json.loads(Path("iris.json").read_text())
    document["training"]["settings"]["cuts"] = "best"
    with pytest.warns(FutureWarning, match="left out: cuts") as told:
        AxisTreeClassifier.from_json(json.dumps(document))
    assert len(told) == 1
    assert "is gone: an estimator's partial_fit" in shell(*words, "--stream", code=2).stderr


def test_training_leaves_a_tree_and_a_run_folder(shell, iris):
    document, folder = load(iris), RunDirectory.open("run")
    train, held = read_parts(Source(IRIS))
    assert document.class_names == ("setosa", "versicolor", "virginica")
    figures = folder.metrics()
    assert figures["state"] == "finished"
    assert figures["accuracy"] == np.mean(predict(document.tree, train.X) == train.y)
    assert figures["validation_accuracy"] == np.mean(predict(document.tree, held.X) == held.y)


def test_runs_go_to_new_folders(shell):
    for _ in range(2):
        shell("train", "sample:xor", "-m", "axis", "--depth", 2)
    assert sorted(path.name for path in Path("runs").iterdir()) == ["xor-axis-1", "xor-axis-2"]


def test_a_long_path_is_told_whole(shell):
    """A script reads the folder from here."""
    path = str(Path("a-folder-with-a-long-name/" * 5) / "run")
    said = shell("train", "sample:xor", "-m", "axis", "--depth", 2, "--run", path).stderr
    assert f"Run folder               {path}" in said


@pytest.mark.parametrize("method", TREES)
def test_every_method_trains_with_an_option(shell, method):
    short = {"annealed": ["--rounds", 2], "oc1": ["--restarts", 1]}
    if any(known.name == "epochs" for known in TREES[method].settings.definitions()):
        short.setdefault(method, ["--epochs", 2])
    shell("train", "sample:moons", "--size", 60, "-m", method, "--depth", 2, "-o", "t.json",
          *short.get(method, []))  # fmt: skip
    assert load("t.json").training["settings"]["depth"] == 2


def test_predictions_are_the_trees(shell, iris):
    reported = pd.read_csv(io.StringIO(shell("predict", iris, IRIS).output))
    table = read_table(Source(IRIS))
    expected = predict(load(iris).tree, table.X)
    assert reported["prediction"].tolist() == [table.class_names[c] for c in expected]
    shell("predict", "run", IRIS, "--proba", "--out", "shares.csv")
    shares = pd.read_csv("shares.csv")
    assert list(shares.columns) == list(table.class_names)
    np.testing.assert_allclose(shares.sum(axis=1), 1, atol=1e-6)
    np.testing.assert_array_equal(shares.to_numpy().argmax(axis=1), expected)


def test_evaluation_counts_unknown_classes_as_mistakes(shell, iris):
    frame = pd.read_csv(IRIS)
    last = frame.columns[-1]
    entire = json.loads(shell("evaluate", iris, IRIS, "--json").output)["accuracy"]
    more = pd.concat([frame, frame.assign(**{last: "unheard of"})])
    more.to_csv("more.csv", index=False)
    found = json.loads(shell("evaluate", iris, "more.csv", "--json").output)
    assert found["accuracy"] == pytest.approx(entire / 2)
    assert found["rows of unknown classes"] == 150


def test_a_tree_is_shown_and_exported(shell, iris):
    said = shell("inspect", iris, "--depth", 1).output
    assert "petal" in said
    assert "…" in said
    shell("export", iris, "whole.txt")
    assert "…" not in Path("whole.txt").read_text()
    shell("export", iris, "small.json", "--compact")
    assert_same(load("small.json").tree, load(iris).tree)
    assert Path("small.json").stat().st_size < Path(iris).stat().st_size


@pytest.mark.parametrize(
    ("words", "code", "sentence"),
    [
        (["train"], 2, "name a table"),
        (["train", "none.csv"], 1, "there is no file"),
        (["train", "sample:none"], 1, "there is no sample"),
        (["train", "sample:xor", "-m", "axis", "--nu", "3"], 2, "the method axis has no --nu"),
        (["train", "sample:xor", "--depth", "1000"], 1, "depth=1000 must be between"),
        (["train", "sample:xor", "-m", "sgd", "--nu=-1"], 1, "nu=-1.0 must be between"),
        (["train", "sample:xor", "--loss", "squared"], 1, "the targets are classes"),
        (["train", "empty.csv"], 1, "empty"),
        (["train", "one.csv"], 1, "value 'a' in all rows"),
        (["train", "latin.csv"], 1, "UTF-8"),
        (["train", "bad.npz"], 1, "is not a NumPy archive"),
        (["train", "bad.parquet"], 1, "is not a Parquet table"),
        (["train", "bad.libsvm"], 1, "LIBSVM"),
        (["train", "--resume", "none"], 1, "cannot be read"),
        (["train", "sample:xor", "--out", "none/t.json"], 1, "there is no folder none"),
        (["train", "sample:xor", "--every", "nan"], 2, "not a finite number"),
        (["train", "sample:xor", "--target", "x"], 1, "one target of its own"),
        (["train", "one.csv", "--noise", "0.1"], 1, "is not generated"),
        (["train", "one.csv", "--part", "test"], 1, "no test part"),
        (["train", "openml:iris/one"], 1, "is not a version"),
        (["train", "bytes.npz"], 1, "is not a NumPy archive (the magic string"),
        (["predict", "none.json", "sample:xor", "--out", "none/t.csv"], 1, "no folder none"),
        (["export", "none.json", "tree.xls"], 1, "no format has the ending .xls"),
        (["predict", "none.json", "sample:xor"], 1, "none.json"),
        (["predict", "empty.csv", "sample:xor"], 1, ""),
        (["inspect", "bad.npz"], 1, ""),
        (["unheard-of"], 2, "No such command"),
    ],
)
def test_bad_input_gets_one_sentence_and_a_code(shell, words, code, sentence):
    Path("empty.csv").write_text("")
    Path("one.csv").write_text("x,y\n1,a\n2,a\n")
    Path("latin.csv").write_bytes(b"x,y\n1,\x81\n2,b\n")  # of no encoding
    with zipfile.ZipFile("bytes.npz", "w") as archive:
        archive.writestr("X.npy", "no array")
    for name in ("bad.npz", "bad.parquet", "bad.libsvm"):
        Path(name).write_bytes(b"PK\x03\x04 not what it says")
    result = shell(*words, code=code)
    assert sentence in result.stderr
    assert "Traceback" not in result.stderr
    assert result.stderr.startswith(("Error: ", "Usage: "))


def test_every_command_explains_itself(shell):
    for name in COMMANDS:
        said = shell(name, "--help").output
        assert said.startswith("Usage:")
        assert len(said.splitlines()) > 6
    assert all(name in shell("--help").output for name in COMMANDS)


def test_named_tables_are_listed_and_can_be_read(shell):
    said = shell("datasets").output
    names = [line.split()[0] for line in said.splitlines()[1:] if ":" in line]
    assert {"sample:spirals", "sklearn:digits"} <= set(names)
    for name in names:
        assert read_table(Source(name)).n_samples >= 100


@pytest.mark.parametrize(("sign", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_an_interrupted_run_can_be_resumed(tmp_path, monkeypatch, sign, code):
    monkeypatch.chdir(tmp_path)
    words = ["sample:spirals", "-m", "stable-sgd", "--run", "run", "--epochs", 20000]
    process = start_shell(tmp_path, "train", *words)
    until(lambda: Path("run/events.jsonl").exists() or not process.is_alive())
    os.kill(process.pid, sign)
    process.join()
    assert process.exitcode == code
    assert "treecore train --resume run continues" in Path("said.txt").read_text()
    folder = RunDirectory.open("run")
    assert folder.state == "stopped"
    assert folder.read_checkpoint()[1] == len(list(folder.events()))
    assert folder.read_model().tree.n_splits > 0


@pytest.mark.parametrize(
    "words",
    [["--depth", "4"], ["-m", "tao"], ["--seed", "1"], ["--validation", "0"], ["-y", "class"],
     ["--run", "other"], ["--task", "classification"]],
)  # fmt: skip
def test_a_run_goes_on_with_its_own_settings_only(shell, iris, words):
    """What differs would be passed over in silence otherwise; what is the same may be said."""
    shell("train", "--resume", "run", "--depth", 3, "-m", "axis", "--run", "./run", "-o", "r.json")
    assert Path("r.json").read_text() == Path(iris).read_text()
    said = shell("train", "--resume", "run", *words, code=2).stderr
    assert f"continues like that: leave out {'--target' if words[0] == '-y' else ''}" in said


def test_a_sweep_is_run_told_and_skipped_when_done(shell):
    Path("few.toml").write_text(
        '[data]\nname = "t.csv"\n[search]\nkind = "halving"\nrungs = 2\n[final]\nseeds = [0, 1]\n'
        '[[methods]]\nmethod = "axis"\ndepth = [1, 2, 3]\n'
    )
    Path("t.csv").write_text(Path(IRIS).read_text())
    reported = shell("sweep", "few.toml", "--json")
    choice = json.loads(reported.stdout)
    assert choice["settings"]["method"] == "axis"
    assert "test accuracy" in reported.stderr
    assert f"{choice['test']['test_accuracy'][0]:.4f}" in reported.stderr
    assert len(read_rows("sweeps/few")) == 3 + 2
    assert json.loads(shell("sweep", "few.toml", "--json", "-q").stdout) == choice
    assert len(read_rows("sweeps/few")) == 5
    key = choice["keys"][0]
    found = json.loads(shell("evaluate", f"sweeps/few/trees/{key}.json", IRIS, "--json").output)
    assert found["accuracy"] > 0.5
    Path("bad.toml").write_text("[data]\nname = 3\n[[methods]]\n")
    assert "Error: " in shell("sweep", "bad.toml", code=1).stderr
