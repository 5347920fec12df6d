"""``treecore export`` writes every format of the list, to a file or to standard output."""

import json
from pathlib import Path

import numpy as np
import pytest

from tests.helpers.exports import random_model
from tests.helpers.strategies import random_tree
from tests.treecore.export.readers.make_models import FOLDER
from treecore.export import FORMATS
from treecore.persistence import Document, load, save


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


def test_what_a_format_has_no_place_for_is_one_sentence(shell):
    save(random_model(1, "votes", n_features=1000), "m.json")
    result = shell("export", "m.json", "m.c", "--compact", code=1)
    assert "--compact is for JSON, not for C: leave it" in result.stderr
    assert not Path("m.c").exists()


def test_models_of_others_are_shown_predicted_by_and_exported(shell):
    given = json.loads((FOLDER / "xgboost-numbers.json").read_text())
    Path("xgboost.json").write_text(given["model"])
    assert "learnt by XGBoost" in shell("inspect", "xgboost.json").output
    shell("export", "xgboost.json", "own.json")
    rows = "x1,x2,x3,x4\n0.1,0.2,0.3,0.4\n"
    Path("rows.csv").write_text(rows)
    said = [shell("predict", name, "rows.csv").output for name in ("xgboost.json", "own.json")]
    assert said[0] == said[1]


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


def test_programs_are_not_refused_for_rows_that_rounding_decides(shell):
    rng = np.random.default_rng(0)
    tree = random_tree(rng, 1, 9, 2, share_axis=0.0)
    (weights,), (edge,) = tree.weights.astype(float), tree.threshold.astype(float)
    X = rng.standard_normal((200, 9))
    X[:, 0] -= (X @ weights - edge) / weights[0]
    save(Document(tree, tuple("abcdefghi"), output_names=("y", "z")), "m.json")
    np.savetxt("rows.csv", X, delimiter=",", header="a,b,c,d,e,f,g,h,i", comments="")
    for name in ("m.py", "m.js", "m.c", "m.sql"):
        said = shell("export", "m.json", name, "--check", "rows.csv").stderr
        assert "200 of 200 rows lie within rounding of an oblique split" in said
