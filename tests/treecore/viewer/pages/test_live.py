"""What a page learns by: the starts of its trees, and pictures as a stage would send them."""

import numpy as np
import pytest

from tests.helpers.wasm import both
from treecore import RunConfig, Trainer
from treecore.data.dataset import split_rows
from treecore.data.generators import generate
from treecore.viewer.messages.message import Stage
from treecore.viewer.messages.planes import usual_plane
from treecore.viewer.messages.status import Frame, Status
from treecore.viewer.messages.wire import unpack
from treecore.viewer.pages import live
from treecore.viewer.pages.page import page_html
from treecore.viewer.pages.recorded import record
from treecore.wasm.tab import tab_of

pytestmark = pytest.mark.jit


def parts(name, n=400):
    data = generate(name, n, None, 0)
    train, held = (data.take(rows) for rows in split_rows(data.y, 0.2, 0))
    return train, held


def stage_of(config, train, held):
    trainer = Trainer(config, train.X, train.y, validation=(held.X, held.y))
    return trainer, Stage(train, held, usual_plane(train), config)


@pytest.mark.parametrize(
    ("data", "config"),
    [
        ("spirals", RunConfig("sgd", depth=4, epochs=3, seed=2)),
        ("spirals", RunConfig("stable-sgd", depth=4, epochs=3, inference="fast")),
        ("pinwheel", RunConfig("annealed", depth=3, rounds=3, batch=64)),
        ("spirals", RunConfig("sgd", depth=4, epochs=3, start="axis")),
        ("pinwheel", RunConfig("axis", depth=4)),
        ("spirals", RunConfig("axis", depth=4, max_leaf_nodes=4)),
        ("spirals", RunConfig("random-oblique", depth=4, max_leaf_nodes=4)),
        ("spirals", RunConfig("oc1", depth=4, restarts=0)),
    ],
)
def test_a_picture_is_what_the_stage_sends_of_that_tree(data, config):
    train, held = parts(data)
    trainer, stage = stage_of(config, train, held)
    learner = trainer.beginning(config)
    held_rows = learner.prepare(trainer.held_out), trainer.held_out.y, trainer.held_out.weight
    tab = tab_of(learner, trainer.rows, stage.sight(held_rows))
    for name in ("begin", "advance", "read", "picture"):
        if name == "advance":
            for _ in range(10_000):
                if tab.clock[0] == 2.0:
                    break
                both(tab, name, 100)
        elif name in tab.calls:
            both(tab, name)
    event = trainer.step()
    while not (event.stage == config.method and event.complete and event.done == 2.0):
        event = trainer.step(share=0.3)
    assigned = getattr(trainer.learner, "assigned", None)
    status = Status(
        "paused", "", event, (Frame(0, 0.0, event, trainer.model, assigned),), (event,), None
    )
    _, sent = stage.news(status, "run", {})
    found, grows = tab.picture._asdict(), event.unit == "level"
    if grows and found["weight_of"].size:  # only oblique splits have weights
        rows = found["weight_of"][: len(sent["feature"])]
        found |= {"weight_of": rows[rows >= 0], "weights": found["weights"][rows[rows >= 0]]}
    for name in ("split", "size", "reach", "leaf", "share", "at", "loss", "bound", "children"):
        if f"f0.{name}" in sent:
            off = {"share": 1, "leaf": 0, "at": 0, "children": 0}.get(name, 2e-5)
            array = sent[f"f0.{name}"].astype(float)
            np.testing.assert_allclose(found[name][: len(array)], array, atol=off)
            assert len(found[name]) == len(array) or grows, "it has room for more"
        else:
            assert not found[name].size
    for name in ("weights", "threshold", "norm", "length", "counts", "feature", "weight_of"):
        off = 1 if name == "weights" else 1e-4
        if name in sent:
            array = sent[name].astype(float)
            np.testing.assert_allclose(found[name][: len(array)], array, atol=off)
    if "used0" in sent:
        np.testing.assert_array_equal(found["used"], sent["used0"])
    figures = np.float32(found["figures"])
    np.testing.assert_allclose(figures, sent["curves"][-1], atol=2e-5)


def test_a_page_has_other_seeds_and_depths_as_far_as_there_is_room(monkeypatch):
    train, held = parts("spirals", 100)
    config = RunConfig("sgd", depth=2, epochs=1, seed=4)
    trainer, stage = stage_of(config, train, held)
    meta, arrays = unpack(live.living(trainer, train, held, stage))
    starts = [(start["seed"], start["depth"]) for start in meta["starts"]]
    assert starts[0] == (4, 2)
    assert sorted(starts) == [(seed, depth) for seed in range(4, 9) for depth in range(1, 9)]
    assert meta["ends"][-1] == len(arrays["content"])
    assert meta["knobs"]["nu"] == {"value": 20.0, "low": 0.01, "high": 10_000.0}
    drawing = RunConfig("oc1", depth=2, seed=4)
    trainer_of = stage_of(drawing, train, held)[0]
    meta, _ = unpack(live.living(trainer_of, train, held, stage))
    assert sorted((start["seed"], start["depth"]) for start in meta["starts"]) == sorted(starts)
    greedy = RunConfig("axis", depth=20, seed=4)  # which draws nothing, and begins with nothing
    starts = unpack(live.living(*stage_of(greedy, train, held)[:1], train, held, stage))[0][
        "starts"
    ]
    assert sorted((start["seed"], start["depth"]) for start in starts) == [
        (4, depth) for depth in (*range(1, 9), 20)
    ]
    monkeypatch.setattr(live, "MOST_BYTES", 350)
    meta, _ = unpack(live.living(trainer, train, held, stage))
    assert [(start["seed"], start["depth"]) for start in meta["starts"]] == [(4, 2), (4, 1), (4, 3)]


def test_all_points_are_there_to_be_moved_where_the_recording_shows_some():
    train, held = parts("spirals", 1600)
    trainer, stage = stage_of(RunConfig("sgd", depth=2, epochs=1), train, held)
    meta, arrays = unpack(live.living(trainer, train, held, stage))
    np.testing.assert_array_equal(arrays["points"], np.float32(np.concatenate([train.X, held.X])))
    assert meta["room"] == live.MOST_ROWS - len(held.X)
    assert meta["still"]["shown"] == [1600, 1600]
    assert stage.n_points == 1000
    first = meta["starts"][0]
    shown = [first["arrays"][first["picture"][name][0]][1] for name in ("at", "loss", "bound")]
    assert shown == [1600] * 3
    meta, arrays = unpack(live.living(trainer, train, held, stage, alone=True))
    assert (len(meta["starts"]), len(arrays["points"]), "room" in meta) == (1, 1000, False)


def test_what_cannot_learn_in_a_page_says_so_there(monkeypatch):
    train, held = parts("spirals", 60)
    gaps = np.where(train.X > 0, np.nan, train.X)
    for config, X, told in (
        (RunConfig("axis", depth=2, max_features=1), train.X, live.SETTINGS),
        (RunConfig("annealed", depth=2, rounds=1, leaf="linear"), train.X, live.SETTINGS),
        (RunConfig("sgd", depth=2, epochs=1, sparsity=0.1), train.X, live.SETTINGS),
        (RunConfig("tao", depth=2), gaps, live.METHOD),
        (RunConfig("oc1", depth=2, significance=0.01), train.X, live.SETTINGS),
        (RunConfig("co2", depth=2), gaps, live.MISSING),
    ):
        trainer = Trainer(config, X, train.y, validation=(held.X, held.y))
        run = record(trainer, train, held, live=True)
        assert run.live == told
        page = page_html("page", [run])
        assert page.count("This run is a recording, because pages") == 1
        assert 'id="kernels"' not in page
    trainer, stage = stage_of(RunConfig("sgd", depth=2), train, held)
    numbers = RunConfig("oc1", depth=2, loss="squared")
    other = Trainer(numbers, train.X, train.X[:, :1], validation=(held.X, held.X[:, :1]))
    assert live.living(other, train, held, stage) == live.CLASSES
    monkeypatch.setattr(live, "MOST_CLASSES", 1)
    assert live.living(trainer, train, held, stage) == live.CLASSES
    monkeypatch.setattr(live, "MOST_ROWS", 59)
    assert live.living(trainer, train, held, stage) == live.TOO_LARGE
