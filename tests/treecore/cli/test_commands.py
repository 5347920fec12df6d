"""The command line, driven as a shell would drive it."""

import io
import json
import os
import signal
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pandas as pd
import pytest

from tests.helpers.exports import random_model
from tests.helpers.paths import SAMPLES
from tests.helpers.processes import start_shell
from tests.helpers.same import assert_same
from tests.helpers.strategies import random_tree
from tests.helpers.wait import until
from tests.treecore.export.readers.make_models import FOLDER
from treecore import AxisTreeClassifier, AxisTreeRegressor, predict
from treecore.cli import COMMANDS
from treecore.data.sources import Source, read_parts, read_table
from treecore.export import FORMATS
from treecore.persistence import Document, load, save
from treecore.runs import RunDirectory
from treecore.sweeps import read_rows

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
    document = json.loads(Path("iris.json").read_text())
    document["training"]["settings"]["cuts"] = "best"
    with pytest.warns(FutureWarning, match="left out: cuts") as told:
        AxisTreeClassifier.from_json(json.dumps(document))
    assert len(told) == 1
    assert "is gone: an estimator's partial_fit" in shell(*words, "--stream", code=2).stderr
    assert "another model answers" in shell(*words, "--teacher", "forest.json", code=2).stderr


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


def test_a_single_tree_may_stand_behind_a_kernel(shell):
    words = ("--kernel", "fourier", "--components", "20", "--gamma", "0.5")
    shell("train", "sample:xor", "-m", "sgd", "--epochs", "3", *words, "--run", "curved", "-q")
    document = load("curved/tree.json")
    assert document.feature_map.n_components == 20
    assert document.training["settings"]["gamma"] == 0.5
    assert shell("predict", "curved", "sample:xor").exit_code == 0


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
        (["train", "sample:xor", "--gamma", "x"], 2, "a positive number, or scale"),
        (["train", "sample:xor", "-m", "auto", "--kernel", "spline"], 2, "leave out --kernel"),
        (["train", "sample:xor", "-m", "axis", "--gamma", "2"], 2, "shape a --kernel"),
        (["train", "sample:xor", "-m", "sgd", "--nu=-1"], 1, "nu=-1.0 must be between"),
        (["train", "sample:xor", "--loss", "squared"], 1, "the targets are classes"),
        (["train", "empty.csv"], 1, "empty"),
        (["train", "bad.parquet"], 1, "is neither a Parquet table nor a folder of them"),
        (["train", "."], 1, "is neither a Parquet table nor a folder of them"),
        (["train", "--resume", "none"], 1, "cannot be read"),
        (["train", "sample:xor", "--out", "none/t.json"], 1, "there is no folder none"),
        (["train", "sample:xor", "--every", "nan"], 2, "not a finite number"),
        (["train", "sample:xor", "--target", "x"], 1, "one target of its own"),
        (["train", "one.csv", "--noise", "0.1"], 1, "is not generated"),
        (["train", "one.csv", "--part", "test"], 1, "no test part"),
        (["train", "openml:iris/one"], 1, "is not a version"),
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
    for name in ("bad.npz", "bad.parquet"):
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
        assert "\n  [DATA]\n" not in said  # an argument among the options
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
    """They would be passed over in silence otherwise."""
    shell("train", "--resume", "run", "--every", 5, "-q", "-o", "r.json")
    assert Path("r.json").read_text() == Path(iris).read_text()
    said = shell("train", "--resume", "run", *words, code=2).stderr
    assert f"continues as it started: leave out {'--target' if words[0] == '-y' else ''}" in said


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


@pytest.mark.filterwarnings("default:.*This run is a recording:UserWarning")
def test_one_run_or_two_become_a_page(shell):
    for method, *more in (("axis", "--significance", 0.01), ("sgd", "--epochs", 3)):
        shell("train", "sample:spirals", "-m", method, "--depth", 2, "--run", method, *more)
    before = {path: path.read_bytes() for path in Path("axis").iterdir()}
    assert "axis.html" in shell("record", "axis").output
    assert {path: path.read_bytes() for path in Path("axis").iterdir()} == before
    said = shell("record", "axis", "sgd", "--live", "--out", "two.html").stderr
    assert said.startswith("Warning: Spirals, Greedy axis-aligned: This run is a recording, ")
    assert said.count("Warning: ") == 1
    one, two = (Path(name).read_text("utf-8") for name in ("axis.html", "two.html"))
    assert [page.count('class="run"') for page in (one, two)] == [1, 2]


def test_what_is_no_run_is_one_sentence(shell):
    assert "nowhere/run.json cannot be read" in shell("record", "nowhere", code=1).stderr
    assert "2 runs at most" in shell("record", "a", "b", "c", code=1).stderr
    assert not list(Path().glob("*.html"))


@pytest.mark.parametrize("name", FORMATS)
def test_every_format_is_written_by_its_name_and_by_its_ending(shell, name):
    form = FORMATS[name]
    save(random_model(1, "votes"), "m.json")
    shell("export", "m.json", f"by-ending{form.suffix}")
    shell("export", "m.json", "by-name", "--to", name)
    wanted = form.write(load("m.json"))
    assert Path(f"by-ending{form.suffix}").read_bytes() == wanted
    assert Path("by-name").read_bytes() == wanted
    if not form.binary:
        assert shell("export", "m.json", "--to", name).output == wanted.decode()


def test_what_a_format_has_no_place_for_is_one_sentence(shell, monkeypatch):
    save(random_model(1, "votes", n_features=1000), "m.json")
    result = shell("export", "m.json", "m.c", "--compact", code=1)
    assert "--compact is for JSON, not for C: leave it" in result.stderr
    assert not Path("m.c").exists()
    screen = SimpleNamespace(stdout=SimpleNamespace(isatty=lambda: True))
    monkeypatch.setattr("treecore.cli.export.sys", screen)
    said = shell("export", "m.json", "--to", "onnx", code=1).stderr
    assert "ONNX is not text for a screen: name a file to write to" in said
    assert "--" not in said  # OUT is an argument, and no option


def test_models_of_others_are_shown_predicted_by_and_exported(shell):
    given = json.loads((FOLDER / "xgboost-numbers.json").read_text())
    Path("xgboost.json").write_text(given["model"])
    assert "learnt by XGBoost" in shell("inspect", "xgboost.json").output
    shell("export", "xgboost.json", "own.json")
    rows = "x1,x2,x3,x4\n0.1,0.2,0.3,0.4\n"
    Path("rows.csv").write_text(rows)
    said = [shell("predict", name, "rows.csv").output for name in ("xgboost.json", "own.json")]
    assert said[0] == said[1]


@pytest.mark.parametrize("name", ["py", "sql"])
def test_the_first_of_several_numbers_is_checked(shell, name):
    X = np.random.default_rng(0).normal(size=(40, 2))
    AxisTreeRegressor().fit(X, np.c_[X[:, 0], -X]).save("m.json")
    pd.DataFrame(X, columns=["x0", "x1"]).to_csv("rows.csv", index=False)
    said = shell("export", "m.json", "out", "--to", name, "--check", "rows.csv").stderr
    assert "was run on 40 rows, and predicts like treecore predict" in said


def test_rows_that_rounding_may_decide_otherwise_are_named(shell):
    tree = random_tree(np.random.default_rng(0), 1, 2, 2, share_axis=0.0)
    weights, edge = np.array([[1.0, 2.0]], np.float32), np.array([5.0], np.float32)
    tree = tree._replace(weights=weights, threshold=edge)
    save(Document(tree, ("a", "b"), ("no", "yes")), "m.json")
    Path("rows.csv").write_text("a,b\n1,2\n1,3\n3,1\n")
    said = shell("export", "m.json", "m.sql", "--check", "rows.csv").stderr
    assert "SQL was run on 3 rows, and predicts like treecore predict" in said
    assert "2 of 3 rows lie within rounding of an oblique split, where it may decide" in said
    assert said.rstrip().endswith("rows 1, 3")


def test_programs_are_not_refused_for_rows_that_rounding_decides(shell, rng):
    tree = random_tree(rng, 1, 9, 2, share_axis=0.0)
    (weights,), (edge,) = tree.weights.astype(float), tree.threshold.astype(float)
    X = rng.standard_normal((200, 9))
    X[:, 0] -= (X @ weights - edge) / weights[0]
    save(Document(tree, tuple("abcdefghi"), output_names=("y", "z")), "m.json")
    np.savetxt("rows.csv", X, delimiter=",", header="a,b,c,d,e,f,g,h,i", comments="")
    for name in ("m.py", "m.js", "m.c", "m.sql"):
        said = shell("export", "m.json", name, "--check", "rows.csv").stderr
        assert "200 of 200 rows lie within rounding of an oblique split" in said
