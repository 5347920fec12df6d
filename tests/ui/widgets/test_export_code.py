"""What is taken along: programs that learn the same tree, and what is said of a run."""

import re
from dataclasses import replace

import numpy as np
import pytest

from tests.helpers.bagged import quick
from tests.helpers.same import assert_same
from treecore import Trainer, predict
from treecore.data.generators import generate
from treecore.data.readers.csv import read_csv
from treecore.persistence import Document, to_json
from treecore.training.registry import TREES
from treecore.viewer.messages.message import Stage
from treecore.viewer.messages.planes import principal_plane
from treecore.viewer.messages.status import Frame, Status
from ui.jobs.chosen_data import new_trainer
from ui.jobs.own_table import Request
from ui.lab.choices import Limit
from ui.lab.link import comparison_params, read_comparison
from ui.widgets.data.gallery import DRAWN, SAMPLES, UPLOAD, divided, gallery_data
from ui.widgets.data.points import csv_of, drawn_dataset, points_of
from ui.widgets.export_code import comparison_code, run_code
from ui.widgets.method_settings import REQUESTED_LEVELS


def chosen(name, size=200):
    return gallery_data(name, size, 0.1, seed=3)


def executed(code):
    names = {}
    exec(compile(code, "the program", "exec"), names)
    return names


def short(method, **more):
    return quick(method, depth=4, seed=3, **more)


@pytest.mark.parametrize("method", TREES)
def test_the_program_learns_the_same_tree_to_the_last_bit(method, capsys):
    data, config = chosen("moons"), short(method)
    tree = new_trainer(data, config).run()
    names = executed(run_code(data, config, None, False, False))
    assert_same(names["tree"], tree)
    assert names["config"] == config
    said = float(re.search(r"accuracy: ([\d.]+)", capsys.readouterr().out)[1])
    assert said == pytest.approx((predict(tree, data.held.X) == data.held.y).mean())


@pytest.mark.parametrize(("name", "loss"), [("hill", "squared"), ("diabetes", "huber")])
def test_the_program_of_numbers_does_so_too(name, loss, monkeypatch):
    monkeypatch.chdir(SAMPLES.parent)
    data, config = chosen(name), short("tao", loss=loss)
    tree = new_trainer(data, config).run()
    assert_same(executed(run_code(data, config, None, True, False))["tree"], tree)


def test_a_run_that_stands_still_is_learnt_as_far_as_it_has_come():
    data, config = chosen("moons"), short("sgd", nu=50.0, start="axis", epochs=5)
    trainer = new_trainer(data, config)
    for event in trainer.events():
        if event.stage == "sgd" and event.done == 2:
            break
    assert_same(executed(run_code(data, config, event, False, False))["tree"], trainer.model)
    before = trainer.model
    event = trainer.step(0.1)
    assert not event.complete
    code = run_code(data, config, event, False, False)
    assert "under way" in code
    assert_same(executed(code)["tree"], before)


def test_a_program_reads_a_file_of_ones_own_and_a_saved_tree(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    rows = "".join(f"{a:.3f},{b:.3f},{'yx'[int(a > b)]}\n" for a, b in rng.standard_normal((60, 2)))
    (tmp_path / "mine.csv").write_text("a,b,kind\n" + rows)
    monkeypatch.chdir(tmp_path)
    entire = replace(read_csv(tmp_path / "mine.csv", "kind", None), name="mine.csv")
    data = divided((UPLOAD, "id", Request("kind"), 50, 25, 1), entire)
    first = Trainer(short("axis"), data.train.X, data.train.y, n_classes=2).run()
    names = data.train.feature_names, data.train.class_names
    (tmp_path / "start.json").write_text(to_json(Document(first, *names)))
    config = short("sgd")
    tree = new_trainer(data, config, first).run()
    assert_same(executed(run_code(data, config, None, True, True))["tree"], tree)


def test_sets_of_levels_are_in_the_program_the_link_and_the_drawing(tmp_path, monkeypatch):
    rng = np.random.default_rng(0)
    rows = [(rng.choice(list("abcdef")), rng.choice(list("uv"))) for _ in range(80)]
    text = "".join(f"{a},{b},{'yx'[a in 'ace']}\n" for a, b in rows)
    (tmp_path / "mine.csv").write_text("letter,other,kind\n" + text)
    monkeypatch.chdir(tmp_path)
    entire = replace(read_csv(tmp_path / "mine.csv", "kind", None), name="mine.csv")
    data = divided((UPLOAD, "id", Request("kind"), 80, 25, 1), entire)
    config = short("axis", categorical=["letter"])
    trainer = new_trainer(data, config)
    event = trainer.step()
    tree = trainer.run()
    assert len(tree.weights)
    assert_same(executed(run_code(data, config, None, True, False))["tree"], tree)
    code = comparison_code(data, [("I", short("sgd")), ("II", config)])
    models = executed(code)["models"]
    assert_same(models["I"], new_trainer(data, short("sgd")).run())
    assert_same(models["II"], tree)

    said = comparison_params(data, Limit("depth", 4), "share", [short("sgd"), config])
    query = {name: value if isinstance(value, list) else [value] for name, value in said.items()}
    assert query["levels"] == ["0"]
    assert read_comparison(query).state[REQUESTED_LEVELS] == [0]
    assert read_comparison({}).state[REQUESTED_LEVELS] == []

    stage = Stage(data.train, data.held, principal_plane(data.train), config)
    frame = Frame(0, 0.0, event, tree)
    news = stage.news(Status("finished", "", event, (frame,), (event,), None), "r", {})
    (levels,) = [one[1] for one in news[0]["sets"].values()]
    assert set(levels) in ({"a", "c", "e"}, {"b", "d", "f"})


def test_the_program_of_drawn_points_reads_them_from_the_file_of_their_button(
    tmp_path, monkeypatch
):
    monkeypatch.chdir(tmp_path)
    own = points_of(generate("rings", 80, seed=1))
    rows = drawn_dataset(own, 0.2, 4)
    (tmp_path / "points.csv").write_bytes(csv_of(rows))
    data = divided((DRAWN, own.digest(), 0.2, 80, 25, 4), rows)
    config = short("stable-sgd")
    tree = new_trainer(data, config).run()
    assert_same(executed(run_code(data, config, None, True, False))["tree"], tree)
