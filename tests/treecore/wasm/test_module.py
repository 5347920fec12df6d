"""The module that pages learn by: what it was made of, and that it computes what numba does."""

import dataclasses
import hashlib
import importlib.metadata
import importlib.util
import json
import os
import subprocess
import sys

import numpy as np
import pytest

from tests.helpers.wasm import CASES, Engine, both, build, go, learner_of, run_case, tab_for
from tests.naive.nongreedy import go_on_with, place_on_map
from treecore.core.routing import apply
from treecore.learners.greedy.state import N_WEIGHTS
from treecore.losses.log import LOG
from treecore.rows.training_rows import TrainingRows
from treecore.wasm.kernels import count_rows, place_row
from treecore.wasm.tab import MODULE, exports, image_of, sources

ABOUT = json.loads(MODULE.with_suffix(".json").read_text("utf-8"))

needs_wasmtime = pytest.mark.skipif(
    importlib.util.find_spec("wasmtime") is None, reason="wasmtime is not installed"
)
pytestmark = pytest.mark.jit


def test_the_module_is_made_of_the_present_kernels():
    assert ABOUT["sources"] == sources(), "kernels of pages have changed: run `make wasm`"
    content = MODULE.read_bytes()
    assert ABOUT["sha256"] == hashlib.sha256(content).hexdigest()
    assert len(content) <= 200_000
    assert b".py" not in content, "it names no file of the machine that made it"


@pytest.mark.parametrize("new", [5, 8, 12])
def test_rows_come_and_go_as_by_the_naive_twins(rng, new):
    old, had, room, clock = 8, 3, 12, np.array([0, 3])
    order, shown = np.append(rng.permutation(old), [0] * 4), np.zeros(room, dtype=np.int64)
    expected, turn = go_on_with(order.tolist(), had, old, new)
    weight, told = np.full(room, 0.5, dtype=np.float32), np.full(room, 2.0, dtype=np.float32)
    weight[old:], told[old:] = 0, 0
    count_rows(order, weight, told, shown, clock, 1, old, new)
    assert order[:new].tolist() == expected
    assert clock[1] == turn
    assert (weight[:new] == 0.5).all()
    assert (told[:new] == 2.0).all()
    assert shown[old:new].tolist() == list(range(old, new))
    X, y = rng.normal(size=(room, 4)).astype(np.float32), np.zeros(room, dtype=np.int64)
    plane = rng.normal(size=(3, 4))
    place_row(X, y, plane, 2, 0.5, -1.5, 1)
    np.testing.assert_allclose(X[2], place_on_map(plane, 0.5, -1.5), rtol=1e-6)
    assert y.tolist() == [0, 0, 1] + [0] * (room - 3)


@needs_wasmtime
def test_it_needs_nothing_from_the_page():
    import wasmtime

    module = wasmtime.Module.from_file(wasmtime.Engine(), str(MODULE))
    assert not list(module.imports)
    assert {one.name for one in module.exports} >= set(exports().values())


@needs_wasmtime
@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case[0]} {case[1]}")
def test_whole_runs_are_those_of_numba(case):
    tab, engine = run_case(*case)
    tree, here = tab.calls["picture"][1][0], dict(enumerate(engine.pairs("picture")))
    for name in ("W", "theta"):
        native, browser = here[tree._fields.index(name)]
        assert native.tobytes() == getattr(tree, name).tobytes()
        if case[0] != "annealed":
            np.testing.assert_allclose(browser, native, atol=1e-5)
    figures = tab.picture.figures, engine.array(engine.image["picture"]["figures"][0])
    # Rounding grows over the steps of annealed learning, between two native builds as well.
    np.testing.assert_allclose(*figures, atol=5e-3 if case[0] == "annealed" else 1e-5)


@pytest.mark.slow
@needs_wasmtime
def test_runs_are_equal_to_the_bit_where_numba_compiles_for_a_plain_processor():
    plain = os.environ | {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": ""}
    subprocess.run([sys.executable, "-m", "tests.helpers.wasm"], env=plain, check=True)


@pytest.mark.slow
def test_the_same_versions_make_the_same_module(tmp_path):
    for name, version in ABOUT["made_with"].items():
        try:
            here = importlib.metadata.version(name)
        except importlib.metadata.PackageNotFoundError:
            here = "none"
        if here != version:
            pytest.skip(f"the module was made with {name} {version}, here is {here}")
    out = tmp_path / "kernels.wasm"
    subprocess.run([sys.executable, "-m", "treecore.wasm.build", out], check=True)
    assert out.read_bytes() == MODULE.read_bytes()
    assert json.loads(out.with_suffix(".json").read_text("utf-8")) == ABOUT


def test_a_run_begins_as_the_learner_does_and_leaves_it_alone():
    learner, rows = learner_of("stable-sgd", depth=4, nu=7.0)
    before = {name: array.copy() for name, array in learner.arrays().items()}
    tab = tab_for(learner, rows)
    both(tab, "begin")
    run = tab.calls["advance"][1][0]
    np.testing.assert_array_equal(run.tree.W, learner.joint.W)
    np.testing.assert_array_equal(run.tree.tables.subtree_loss, learner.joint.tables.subtree_loss)
    np.testing.assert_array_equal(run.stable.assigned, learner.run.stable.assigned)
    both(tab, "advance", 300)
    while learner.epoch < 1:
        learner.advance(300)
    np.testing.assert_array_equal(run.tree.W, learner.joint.W)
    np.testing.assert_array_equal(run.stable.bounds, learner.run.stable.bounds)
    again, _ = learner_of("stable-sgd", depth=4, nu=7.0)
    tab_for(again, rows)
    for name, array in again.arrays().items():
        np.testing.assert_array_equal(array, before[name])


GREEDY = ("axis", "random-oblique", "oc1", "co2")


def grown(learner):
    while not learner.finished:
        learner.advance(77)
    return learner.tree()


def same_splits(engine, tree):
    """A page draws the splits of a tree, but for the rounding of oblique ones."""

    def drawn(name):
        place, *shape = engine.image["picture"][name]
        return engine.array(place).reshape(shape)[: tree.n_splits]

    np.testing.assert_array_equal(drawn("feature"), tree.feature)
    np.testing.assert_array_equal(drawn("children").T, (tree.left, tree.right))
    oblique = tree.feature < 0
    here, native = drawn("threshold"), tree.threshold
    np.testing.assert_array_equal(here[~oblique], native[~oblique])
    np.testing.assert_allclose(here[oblique], native[oblique], rtol=1e-5, atol=1e-6)
    if oblique.any():
        expected = np.where(oblique, np.arange(tree.n_splits), -1)
        np.testing.assert_array_equal(drawn("weight_of"), expected)


@needs_wasmtime
@pytest.mark.parametrize("case", [case for case in CASES if case[0] in GREEDY], ids=str)
def test_a_greedy_tree_is_to_the_bit_that_of_the_learner(case):
    method, settings, p, k = case
    tab, engine = run_case(method, settings, p, k)
    learner, _ = learner_of(method, p=p, k=k, depth=4, **settings)
    run, tree, n = tab.calls["advance"][1][0], grown(learner), len(learner.nodes)
    assert n > 10
    for name in learner.nodes.dtype.names:
        np.testing.assert_array_equal(run.nodes[name][:n], learner.nodes[name])
    np.testing.assert_array_equal(run.clock, learner.run.clock)
    kept = run.clock[N_WEIGHTS]
    np.testing.assert_array_equal(run.weights[:kept], learner.run.weights[:kept])
    same_splits(engine, tree)
    read = tab.calls["read"][1][4]
    np.testing.assert_array_equal(read.theta[: tree.n_leaves], tree.values)


@pytest.mark.parametrize("method", GREEDY)
def test_rows_that_all_but_lie_on_a_split_are_drawn_where_growth_sends_them(rng, method):
    X = rng.normal(size=(60, 3)).astype(np.float32)
    twins = X.copy()
    twins[:, 0] = np.nextafter(X[:, 0], np.float32(9), dtype=np.float32)
    y = np.tile(rng.integers(0, 2, 60), 2)
    y[60:] = 1 - y[60:]
    rows = TrainingRows(np.concatenate([X, twins]), y, np.ones(120), 2, LOG)
    tab = tab_for(build(method, rows, depth=12), rows, n_held=120)
    both(tab, "begin")
    while tab.clock[0] < tab.clock[1]:
        both(tab, "advance", 1000)
    both(tab, "read")
    both(tab, "picture")
    tree = grown(build(method, rows, depth=12))
    train, held = tab.calls["picture"][1][2:4]
    for part in (train, held):
        np.testing.assert_array_equal(part.leaf, apply(tree, rows.X))
    assert tab.picture.counts.sum() == 120


@needs_wasmtime
@pytest.mark.parametrize("now", [340, 300, 1])
@pytest.mark.parametrize("method", GREEDY)
def test_a_greedy_tree_begins_again_with_rows_that_were_moved_and_added(method, now):
    _, rows = learner_of(method)
    n, rows = len(rows.y), dataclasses.replace(rows, weight=np.ones(len(rows.y)))
    tab = tab_for(build(method, rows, depth=12), rows, shown=np.arange(n), most_rows=340)
    engine = Engine(tab, room=340)
    go(tab, engine, [77] * 40)
    engine.resize(max(n, now))
    X, y = np.resize(rows.X, (now, 2)), np.resize(rows.y, now)
    for row in {0, *range(n, now)}:
        X[row], y[row] = np.add(rows.X.mean(axis=0, dtype=float), (0.25, row)), row % 2
        engine.call("place", row, 0.25, float(row), row % 2)
    if now != n:
        engine.call("count", n, now)
        engine.resize(now)
    engine.call("begin")
    while engine.array(engine.image["clock"])[0] < tab.clock[1]:
        engine.call("advance", 100)
    engine.call("read")
    engine.call("picture")
    tree = grown(build(method, dataclasses.replace(rows, X=X, y=y, weight=np.ones(now)), depth=12))
    same_splits(engine, tree)
    counts = engine.array(engine.image["picture"]["counts"][0])
    assert counts.sum() == now
    assert (counts.reshape(-1, 2).sum(axis=1) > 0).sum() == tree.n_leaves


@pytest.mark.parametrize("method", ["sgd", "stable-sgd", "annealed", *GREEDY])
def test_a_run_has_the_same_image_every_time(method):
    images = []
    for spoiled in (1.0, 2.0):
        spaces = [np.full(1 << n, spoiled) for n in range(14)]  # what the next arrays may lie on
        del spaces
        blobs = []
        images.append((image_of(tab_for(*learner_of(method, depth=3)), blobs), blobs))
    assert images[0] == images[1]


def test_a_run_that_the_module_has_no_code_for_has_no_image():
    for method, settings in [("sgd", {"sparsity": 0.01}), ("axis", {"criterion": "gain ratio"})]:
        learner, rows = learner_of(method, depth=2, **settings)
        assert image_of(tab_for(learner, rows), []) is None


@needs_wasmtime
@pytest.mark.parametrize("method", ["sgd", "stable-sgd", "annealed"])
@pytest.mark.parametrize("now", [340, 300, 211])
def test_rows_are_moved_and_come_and_go_while_it_learns(method, now):
    sizes = {"rounds": 4, "batch": 32} if method == "annealed" else {"epochs": 4}
    learner, rows = learner_of(method, depth=3, **sizes)
    n = len(rows.y)
    tab = tab_for(learner, rows, shown=np.arange(n))
    engine = Engine(tab, room=340)
    go(tab, engine, [100])
    order = engine.array(engine.image["calls"]["count"][1][0][0])
    visited = set(order[:100].tolist()) if method != "annealed" else None
    engine.resize(max(n, now))
    moved = [5, *range(n, now)]
    for row in moved:
        engine.call("place", row, 0.25, -1.5, 1)
    if now != n:
        engine.call("count", n, now)
        engine.resize(now)
        if "hold" in tab.calls:
            engine.call("hold")
    order = engine.array(engine.image["calls"]["count"][1][0][0])
    assert sorted(order) == list(range(now)), "every row is there once"
    if visited is not None:
        clock = engine.array(engine.image["calls"]["count"][1][-2][0])
        assert set(order[: clock[1]].tolist()) == {row for row in visited if row < now}
    place = np.float32([np.add(rows.X.mean(axis=0, dtype=float), (0.25, -1.5))])
    X = learner.scaling.transform(place)
    train = engine.image["calls"]["place"][1]
    placed = engine.array(train[0][0]).reshape(now, -1)
    np.testing.assert_allclose(placed[moved], np.repeat(X, len(moved), axis=0), atol=1e-5)
    assert set(engine.array(train[1][0])[moved]) == {1}
    while engine.array(engine.image["clock"])[0] < 4:
        engine.call("advance", 100)
    if "read" in tab.calls:
        engine.call("read")
    engine.call("picture")
    counts = engine.array(engine.image["picture"]["counts"][0])
    assert counts.sum() == now, "and is counted where it lands"
