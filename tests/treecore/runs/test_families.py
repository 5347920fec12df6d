"""Run folders, sweeps' runs and the command line take every family alike."""

import json

import numpy as np
import pytest

from tests.helpers.same import assert_same
from treecore import RunConfig
from treecore.data.sources import Source, read_parts
from treecore.persistence import from_json
from treecore.persistence.evaluation import figures_on
from treecore.runs import RunDirectory, begin, go_on, look_into, resume

SPIRALS = Source("sample:spirals", size=150, held_out=0.2)
CONFIGS = {
    "tree": RunConfig("stable-sgd", depth=3, epochs=6),
    "bagging": RunConfig("bagging", base="oc1", depth=2, n_trees=4),
    "boosting": RunConfig("samme", base="axis", depth=2, n_trees=5),
    "hinge": RunConfig("hinge-forest", trees=4, depth=3, batches=300, n_features=4),
}


def model_of(folder):
    return RunDirectory.open(folder.path).read_model().model


def cut(kept, n_events):
    """Drive a run up to so many measurements, and leave it."""
    driving = go_on(kept, every=0.0)
    found = 0
    for event in driving:
        found += event.complete
        if found == n_events:
            break
    driving.close()


@pytest.mark.parametrize("name", CONFIGS)
def test_a_run_that_was_cut_ends_with_the_model_of_one_that_was_not(name, tmp_path):
    entire = begin(tmp_path / "whole", CONFIGS[name], SPIRALS)
    list(go_on(entire))
    run = begin(tmp_path / "cut", CONFIGS[name], SPIRALS)
    for _ in range(2):
        cut(run, 2)
        assert RunDirectory.open(run.folder.path).state in ("stopped", "finished")
        run = resume(run.folder.path)
    list(go_on(run))
    assert_same(model_of(run.folder), model_of(entire.folder))
    reported = [[(e.stage, e.done, e.loss) for e in r.folder.events()] for r in (run, entire)]
    assert reported[0] == reported[1]
    assert run.folder.state == "finished"


@pytest.mark.parametrize("name", CONFIGS)
def test_the_figures_of_a_folder_are_those_of_its_model(name, tmp_path):
    run = begin(tmp_path / "run", CONFIGS[name], SPIRALS)
    list(go_on(run))
    _, held = read_parts(SPIRALS)
    document = run.folder.read_model()
    found = figures_on(document, held.X, held.y)
    assert run.folder.metrics()["validation_accuracy"] == pytest.approx(found["accuracy"])
    again = from_json(run.folder.model_path.read_bytes())
    assert again.training == document.training
    assert RunConfig(**document.training["settings"]) == CONFIGS[name]


def test_the_command_line_trains_and_answers_with_forests(shell):
    for method, *more in (
        ("random-forest", "--n-trees", 4),
        ("boosted-cart", "--n-trees", 4),
        ("bagging", "--n-trees", 4, "--base", "co2"),
        ("hinge-ferns", "--trees", 4, "--batches", 150, "--row-noise", 0.1),
    ):
        shell("train", "sample:moons", "--size", 80, "-m", method, "--depth", 3, *more,
              "-o", "m.json")  # fmt: skip
        run = f"runs/moons-{method}-1"
        reported = json.loads(shell("evaluate", run, "sample:moons", "--json").output)
        assert reported["accuracy"] > 0.7
        assert 1 <= reported["trees"] <= 4  # boosting may end with a tree without error
        assert shell("predict", "m.json", "sample:moons").output.startswith("prediction\n")
        shell("train", "--resume", run)
        shell("export", run, "m.txt")


def test_a_checkpoint_of_another_version_is_told_in_a_sentence(tmp_path):
    run = begin(tmp_path / "run", CONFIGS["tree"], SPIRALS)
    cut(run, 2)
    (run.folder.path / "checkpoint").write_bytes(b"treecore checkpoint 1\n{}\nabc\npickled")
    with pytest.raises(ValueError, match="of this version of treecore: start again"):
        resume(run.folder.path)
    assert look_into(run.folder.path, replay=True).last.done == 1, "as far as it came"


def test_a_run_with_a_setting_that_is_gone_opens_but_does_not_go_on(tmp_path):
    list(go_on(begin(tmp_path, RunConfig("tao", depth=2, epochs=1), SPIRALS)))
    record = json.loads((tmp_path / "run.json").read_text())
    record["config"] |= {"lag": 0, "solver": "liblinear"}
    (tmp_path / "run.json").write_text(json.dumps(record))
    with pytest.warns(FutureWarning, match="left out: solver"):
        assert RunDirectory.open(tmp_path).read_model().tree.n_leaves > 1
    with (
        pytest.warns(FutureWarning),
        pytest.raises(ValueError, match="its setting 'solver' is gone: TAO has one solver; its"),
    ):
        resume(tmp_path)
    record["config"].pop("solver")  # and lag=0 stood there where nobody had asked for it
    (tmp_path / "run.json").write_text(json.dumps(record))
    assert resume(tmp_path).trainer.finished


def test_events_of_earlier_versions_are_read(tmp_path):
    run = begin(tmp_path / "run", CONFIGS["tree"], SPIRALS)
    old = {
        "stage": "stable-sgd", "epoch": 3.0, "complete": True, "progress": 0.5, "bound": 0.7,
        "loss": 0.4, "validation_loss": None, "accuracy": 0.8, "validation_accuracy": None,
        "active_leaves": 7, "n_leaves": 8, "row_norm": 2.0, "inner_products": None,
        "seconds": 0.1, "r2": None, "validation_r2": None,
        "reassignment": {"n_moved": 3, "n_woken": 1, "n_asleep": 0},
    }  # fmt: skip
    (run.folder.path / "events.jsonl").write_text(json.dumps(old) + "\n")
    (event,) = run.folder.events()
    assert (event.done, event.total, event.unit, event.reassignment.n_moved) == (3.0, 6, "epoch", 3)
    assert np.isclose(event.error, 0.2)
