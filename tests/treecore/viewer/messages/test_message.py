"""What the live view is sent: messages of bounded size, which say what the run says."""

import dataclasses

import numpy as np
import pytest

from tests.helpers.bagged import quick
from tests.helpers.pacing import ManualClock, shown
from tests.helpers.planes import dataset, sides_in_space, sides_on_plane
from treecore import RunConfig, Trainer, apply, predict
from treecore.core.tree import single_leaf
from treecore.data.dataset import Dataset, split
from treecore.data.generators import generate
from treecore.data.readers.csv import read_csv
from treecore.training.registry import TREES
from treecore.viewer.messages.message import MESSAGE_BYTES, SHOWN_POINTS, Stage
from treecore.viewer.messages.planes import feature_plane, principal_plane
from treecore.viewer.messages.plotted_points import NOWHERE
from treecore.viewer.messages.standing_tree import standing_message
from treecore.viewer.messages.status import Frame, Status
from treecore.viewer.messages.wire import spoken, unpack
from ui.jobs.training_job import TrainingJob
from ui.widgets.data.gallery import sample


def run_of(train, plane, config):
    """A run that has ended: its trainer, its last event, its status and its stage."""
    trainer = Trainer(config, train.X, train.y)
    *_, event = trainer.events()
    frame = Frame(0, 0.0, event, trainer.model)
    status = Status("finished", "", event, (frame,), (event,), trainer.counts)
    return trainer, event, status, Stage(train, None, plane, config)


def test_regions_are_the_slice_through_the_point_that_a_view_asks_for():
    data = dataset()
    config = RunConfig("sgd", depth=3, epochs=2)
    trainer, _, status, stage = run_of(data, principal_plane(data), config)
    meta, arrays = stage.news(status, "r", {})
    assert meta["frames"][0]["sliced"] == -1
    has = had(meta, arrays)
    for point in (0, 7):
        meta, own = stage.news(status, "r", has | {"slice": point, "sliced": -1})
        assert meta["anew"] == [0, point]
        side = sides_on_plane(own["anew.split"], arrays["points"][[point]])
        np.testing.assert_array_equal(side, sides_in_space(trainer.model, data.X[[point]]))
        assert stage.news(status, "r", has | {"slice": point, "sliced": point}) is None
    meta, own = stage.news(status, "r", has | {"slice": -1, "sliced": 7})
    np.testing.assert_array_equal(own["anew.split"], arrays["f0.split"])


def test_regions_are_told_by_points_where_the_plane_keeps_too_little_for_a_slice():
    flat = dataset(n_features=3)
    flat = dataclasses.replace(flat, X=np.c_[flat.X[:, :2], flat.X[:, 0] + flat.X[:, 1]])
    principal = principal_plane(flat)
    assert principal.kept == pytest.approx(1), "three features that lie in a plane"
    for plane, near in ((principal, False), (feature_plane(flat, 0, 1), True)):
        stage = Stage(flat, None, plane, RunConfig("sgd"))
        meta, _ = unpack(stage.message(Status("paused", "", None, (), (), None), "r"))
        assert meta.get("near", False) == near
        assert ("nearest" in meta["axes"]["regions"]) == near


@pytest.fixture(scope="module")
def played():
    """The last status of a run that was shown, its stage, and its rows."""
    train, held = split(generate("pinwheel", 300), 0.25, 0)
    config, clock = RunConfig("sgd", depth=4, epochs=12), ManualClock()
    more = {"validation": (held.X, held.y)}
    job = TrainingJob(lambda: Trainer(config, train.X, train.y, **more), 60.0, True, wall=clock)
    try:
        for _ in shown(job, clock):
            pass
        return job.look(), Stage(train, held, feature_plane(train, 0, 1), config), train, held
    finally:
        job.close()


def test_a_message_says_what_the_run_says(played):
    status, stage, train, held = played
    meta, arrays = unpack(stage.message(status, "run-1"))
    assert len(meta["frames"]) > 3, "a view that is new gets all that are there"
    tree = status.frames[-1].tree
    last = len(meta["frames"]) - 1
    rows = np.concatenate([train.X, held.X])
    assert meta["state"] == "finished"
    assert meta["epoch"] == 12
    assert meta["frames"][last]["n"] == status.frames[-1].number
    assert len(arrays["curves"]) == 13
    assert arrays["curves"][-1, 1] == np.float32(status.history[-1].bound)
    assert arrays["counts"].sum() == train.n_samples
    guess = arrays[f"f{last}.leaf"][arrays[f"f{last}.at"]]
    np.testing.assert_array_equal(guess, predict(tree, rows))
    np.testing.assert_array_equal(arrays[f"f{last}.children"][:, 0], tree.left)
    # The lines on the map send every point of two features where the tree sends it.
    leaf = np.zeros(len(rows), dtype=int)
    right = sides_on_plane(arrays[f"f{last}.split"], rows)
    for i in range(len(rows)):
        node = tree.root
        while node >= 0:
            node = (tree.right if right[i, node] else tree.left)[node]
        leaf[i] = ~node
    assert np.mean(leaf == apply(tree, rows)) > 0.99


def test_the_points_are_told_what_the_core_says_of_them(played):
    status, stage, train, _ = played
    frame = status.frames[-1]
    _, arrays = unpack(stage.message(status, "r"))
    last = f"f{len(stage._packed) - 1}"
    n = train.n_samples
    assert arrays[f"{last}.loss"][:n].mean() == pytest.approx(frame.event.loss, rel=1e-5)
    assert arrays[f"{last}.loss"][n:].mean() == pytest.approx(frame.event.validation_loss, rel=1e-5)
    assert arrays[f"{last}.bound"][:n].mean() == pytest.approx(frame.event.bound, rel=1e-4)
    assert (arrays[f"{last}.bound"] >= arrays[f"{last}.loss"] - 1e-5).all()
    # Within their margins, on the map's own lines, lie all points whose bound exceeds their loss.
    lines, size = arrays[f"{last}.split"], arrays[f"{last}.size"]
    score = size * (arrays["points"] @ lines[:, :2].T - lines[:, 2])
    for i in np.flatnonzero(arrays[f"{last}.bound"] > arrays[f"{last}.loss"] + 1e-4):
        node, near = 0, False
        while node >= 0:
            near |= abs(score[i, node]) < arrays[f"{last}.reach"][node] + 1e-4
            node = arrays[f"{last}.children"][node, int(score[i, node] > 0)]
        assert near


@pytest.mark.parametrize("name", TREES)
def test_points_of_every_method_add_up_to_the_figures_of_its_run(name):
    data = generate("moons", 200)
    _, event, status, stage = run_of(data, feature_plane(data, 0, 1), quick(name, depth=3))
    _, arrays = unpack(stage.message(status, "r"))
    assert arrays["f0.loss"].mean() == pytest.approx(event.loss, rel=1e-4)
    assert ("f0.bound" in arrays) == (event.bound is not None)
    if event.bound is not None:
        assert arrays["f0.bound"].mean() == pytest.approx(event.bound, rel=1e-4)


def test_images_come_with_means_of_leaves_and_what_is_misclassified():
    train = sample("digits")
    trainer, _, status, stage = run_of(train, principal_plane(train), RunConfig("axis", depth=3))
    _, arrays = unpack(stage.message(status, "r"))
    leaf, ink = apply(trainer.model, train.X), 255 / train.X.max()
    for j, mean in zip(arrays["mean_of"], arrays["means"], strict=True):
        np.testing.assert_allclose(mean, ink * train.X[leaf == j].mean(axis=0), atol=1)
    guess, missed = arrays["f0.leaf"][arrays["f0.at"]], arrays["missed"]
    assert arrays["missed_images"].shape == (len(missed), 64) == (40, 64)
    assert (guess[missed] != arrays["label"][missed]).all()


def test_numbers_as_targets_have_values_and_no_margins(rng):
    X = rng.standard_normal((200, 2))
    y = 50 + 10 * X[:, 0] + rng.standard_normal(200)
    train = Dataset("numbers", X, y, ("a", "b"), (), target_name="price")
    config = RunConfig("sgd", loss="squared", depth=3, epochs=4)
    trainer, event, status, stage = run_of(train, feature_plane(train, 0, 1), config)
    meta, arrays = unpack(stage.message(status, "r"))
    assert (meta["task"], meta["target"], meta["staircase"]) == ("regression", "price", False)
    assert y.min() <= meta["range"][0] < meta["range"][1] <= y.max()
    np.testing.assert_array_equal(arrays["f0.value"], trainer.model.values[:, 0])
    assert arrays["f0.loss"].mean() == pytest.approx(event.loss, rel=1e-4)
    assert arrays["f0.bound"].mean() == pytest.approx(event.bound, rel=1e-4)
    assert arrays["curves"][-1, 4] == pytest.approx(event.r2)
    assert arrays["counts"].sum() == 200
    assert "f0.reach" not in arrays


def test_over_one_feature_the_map_is_a_staircase():
    data = generate("quickening", 200)
    config = RunConfig("axis", loss="squared", depth=3)
    _, _, status, stage = run_of(data, feature_plane(data, 0, 0), config)
    meta, arrays = unpack(stage.message(status, "r"))
    assert (meta["staircase"], meta["axes"]["x"], meta["axes"]["y"]) == (True, "x1", "height")
    np.testing.assert_array_equal(arrays["points"], np.c_[data.X, data.y].astype(np.float32))
    assert meta["box"][2] < data.y.min() <= data.y.max() < meta["box"][3]
    assert (arrays["f0.split"][:, 1] == 0).all(), "borders are upright, wherever a target lies"


def had(meta, arrays):
    """What a view says it has after a message."""
    rows = arrays["curves"]
    return {
        "run": meta["run"],
        "n": meta["frames"][-1]["n"],
        "curves": [meta["curves"] + len(rows), float(rows[-1, 0])],
        "detail": meta["detail"],
        "mark": meta["mark"],
    }


def test_a_view_is_sent_what_it_has_not_and_nothing_at_rest(played):
    status, stage, *_ = played
    half = dataclasses.replace(
        status, state="running", frames=status.frames[:-4], history=status.history[:6]
    )
    has = had(*stage.news(half, "r", {}))
    assert stage.news(half, "r", has) is None
    meta, arrays = stage.news(status, "r", has)
    assert [entry["n"] for entry in meta["frames"]] == [f.number for f in status.frames[-4:]]
    np.testing.assert_array_equal(
        arrays["curves"], stage.news(status, "r", {})[1]["curves"][meta["curves"] :]
    )
    assert meta["curves"] == 6
    assert meta["state"] == "finished"
    assert "points" not in arrays
    assert "glossary" not in meta
    assert stage.news(status, "r", had(meta, arrays)) is None
    everything = stage.news(status, "another", had(meta, arrays))
    assert "points" in everything[1], "of another run it knows nothing"


def test_messages_stay_small_for_deep_trees_and_many_rows():
    train = dataset(n_samples=6000, n_features=40)
    config = RunConfig("sgd", depth=10, epochs=1)
    _, _, status, stage = run_of(train, principal_plane(train), config)
    message = stage.message(status, "r")
    meta, arrays = unpack(message)
    assert meta["shown"] == [SHOWN_POINTS, 6000]
    assert len(arrays["points"]) == SHOWN_POINTS
    details = sum(arrays[n].nbytes for n in ("weights", "counts", "norm", "threshold", "feature"))
    assert len(message) < 2 * MESSAGE_BYTES + details


def test_a_run_without_a_tree_still_shows_its_points():
    data = generate("xor")
    stage = Stage(data, None, feature_plane(data, 0, 1), RunConfig("axis"))
    status = Status("waiting", "Compiling", None, (), (), None)
    meta, arrays = unpack(stage.message(status, "r"))
    assert meta["message"] == "Compiling"
    assert len(arrays["points"]) == data.n_samples


def test_a_tree_in_the_middle_of_growth_has_its_rows():
    train = generate("stripes", 300)
    config = RunConfig("axis", depth=6)
    trainer = Trainer(config, train.X, train.y)
    stage = Stage(train, None, feature_plane(train, 0, 1), config)
    while not trainer.finished:
        event = trainer.step(share=0.02)
        status = Status("running", "", event, (Frame(0, 0.0, event, trainer.model),), (), None)
        stage._packed.clear()
        _, arrays = unpack(stage.message(status, "r"))
        assert arrays["counts"].shape == (trainer.model.n_leaves, 2)
        assert arrays["counts"].sum() == 300


def test_reassignments_are_shown_as_they_happen():
    train = generate("moons", 200)
    config = RunConfig("stable-sgd", depth=4, epochs=30)
    status = Status(
        "running", "", None, (), tuple(Trainer(config, train.X, train.y).events()), None
    )
    stage = Stage(train, None, feature_plane(train, 0, 1), config)
    assert unpack(stage.message(status, "r"))[0]["message"].startswith("Reassigned ")


def test_a_run_that_ends_before_its_time_says_why():
    train, held = split(generate("pinwheel", 200, seed=0), 0.25, 0)
    config = RunConfig("tao", seed=0, depth=4)
    trainer = Trainer(config, train.X, train.y, validation=(held.X, held.y), n_classes=3)
    events = list(trainer.events())
    assert events[-1].done < TREES["tao"].n_epochs(config.settings), "TAO has settled"
    stage = Stage(train, held, feature_plane(train, 0, 1), config)

    def said(state):
        status = Status(state, "", events[-1], (), tuple(events), None)
        return unpack(stage.message(status, "run"))[0]["message"]

    assert said("running") == ""
    assert said("finished") == f"Ended at {events[-1].done:.0f}: the last epoch changed nothing"


def test_the_frozen_assignment_is_the_learners_and_sent_once():
    train, held = split(generate("spirals", 160), 0.25, 0)
    config = RunConfig("stable-sgd", depth=4, epochs=6)
    trainer = Trainer(config, train.X, train.y, validation=(held.X, held.y))
    frames = []
    while not trainer.finished:
        event = trainer.step(share=0.3)
        assigned = getattr(trainer.learner, "assigned", None)
        frames.append(Frame(len(frames), 0.0, event, trainer.model, assigned))
    stage = Stage(train, held, feature_plane(train, 0, 1), config)
    meta, arrays = unpack(stage.message(Status("paused", "", event, tuple(frames), (), None), "r"))
    n_sent = sum(name.startswith("used") for name in arrays)
    assert 1 < n_sent == len({id(frame.assigned) for frame in frames} - {id(None)})
    number, leaf = stage._shown_points.number, None
    for entry, frame in zip(meta["frames"], frames, strict=True):
        assert ("used" in entry) == (frame.assigned is not None)
        if frame.assigned is not None:
            leaf = leaf if entry["used"] < 0 else arrays[f"used{entry['used']}"]
            assert (leaf == np.where(number >= 0, frame.assigned[number], NOWHERE)).all()


def test_lengths_are_those_of_the_learner():
    data = generate("moons", 120)
    config = RunConfig("sgd", depth=3, epochs=3, nu=0.5)
    trainer, _, status, stage = run_of(data, feature_plane(data, 0, 1), config)
    meta, arrays = unpack(stage.message(status, "r"))
    length = np.linalg.norm(trainer.learner.joint.W, axis=1)
    np.testing.assert_allclose(arrays["length"], length, rtol=1e-4)
    assert meta["nu"] == 0.5


def test_units_of_features_and_axes_are_told_in_every_language():
    rows = "".join(f"{i % 28 + 1:02}.01.2024,{i} kg,{'uv'[i % 2]}\n" for i in range(40))
    data = read_csv(f"when,weight,class\n{rows}".encode())
    config = RunConfig("axis", depth=2)
    _, _, status, stage = run_of(data, feature_plane(data, 0, 1), config)
    meta, _arrays = stage.news(status, "r", {})
    assert meta["units"] == meta["axes"]["units"] == ["date", "kg"]
    reported = spoken(meta, str.upper)["axes"]
    assert (reported["x"], reported["units"]) == ("WHEN", ["date", "kg"])


def test_shape_answers_and_counts_are_those_of_the_tree():
    data = generate("spirals", 200, seed=0)
    tree = Trainer(RunConfig("axis", depth=4), data.X, data.y).run()
    message = standing_message(tree, "one", data.feature_names, data.class_names, marked=3)
    meta, arrays = unpack(message)
    assert (meta["alone"], meta["marked"], meta["classes"]) == (True, 3, list(data.class_names))
    np.testing.assert_array_equal(arrays["f0.children"], np.stack([tree.left, tree.right], axis=1))
    np.testing.assert_array_equal(arrays["f0.leaf"], tree.values.argmax(axis=1))
    lines = arrays["f0.split"] * arrays["f0.size"][:, None]
    np.testing.assert_allclose(lines[:, 2], tree.threshold, rtol=1e-6)
    np.testing.assert_array_equal(lines[:, :2].argmax(axis=1), tree.feature)


def test_one_feature_numbers_and_a_single_leaf_are_trees_too():
    tree = single_leaf(np.array([2.5]), 1)
    meta, arrays = unpack(standing_message(tree, "leaf", ("x",), (), target="price"))
    assert meta["task"] == "regression"
    assert meta["range"] == [2.5, 3.5]
    assert arrays["f0.value"].tolist() == [2.5]
    assert "counts" not in arrays
