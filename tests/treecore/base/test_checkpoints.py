"""A restored run makes bit for bit the tree of one that was never interrupted."""

from __future__ import annotations

import os
import pickle

import numpy as np
import pytest
from scipy import sparse

from tests.helpers.same import assert_same
from treecore import RunConfig, Trainer
from treecore.checkpoints import (
    CheckpointError,
    freeze,
    read_checkpoint,
    thaw,
    write_checkpoint,
    write_whole,
)
from treecore.generators import generate
from treecore.methods import METHODS

SMALL = {
    "sgd": {"epochs": 6},
    "stable-sgd": {"epochs": 6},
    "annealed": {"rounds": 3, "batch": 16},
    "tao": {"epochs": 3},
    "oc1": {"restarts": 2},
}


def config(method, **more):
    return RunConfig(method, depth=3, **(SMALL.get(method, {}) | more))


def cut_anywhere(config, X, y, n_cuts=6, seed=0):
    """Trees of runs restored from states all over a run, and its own."""
    trainer, states = Trainer(config, X, y), []
    while not trainer.finished:
        trainer.step(share=0.23)
        states.append(trainer.state())
    rng = np.random.default_rng(seed)
    for at in {0, len(states) - 1, *rng.integers(len(states), size=n_cuts)}:
        again = Trainer(config, X, y)
        again.restore(states[at])
        yield again.run(), trainer.tree


@pytest.mark.parametrize("method", METHODS)
def test_a_restored_run_gives_the_same_tree(method):
    data = generate("spirals", 120, seed=1)
    for again, tree in cut_anywhere(config(method), data.X, data.y):
        assert_same(again, tree)


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("sgd", {"momentum": 0.5, "batch": 4, "averaging": 0.5}),
        ("stable-sgd", {"sparsity": 0.01}),
        ("tao", {"solver": "newton", "nodes": "both"}),
    ],
)
def test_whatever_a_method_keeps_besides_is_restored(method, more):
    data = generate("xor", 120, seed=1)
    for again, tree in cut_anywhere(config(method, **more), data.X, data.y, n_cuts=3):
        assert_same(again, tree)


@pytest.mark.parametrize("method", ["stable-sgd", "annealed", "tao", "axis", "oc1"])
def test_numbers_are_restored(method):
    rng = np.random.default_rng(0)
    X = rng.normal(size=(90, 3))
    y = np.abs(X[:, 0]) + X[:, 1]
    for again, tree in cut_anywhere(config(method, loss="squared"), X, y, n_cuts=3):
        assert_same(again, tree)


@pytest.mark.parametrize("method", [name for name, method in METHODS.items() if method.sparse])
def test_sparse_rows_are_restored(method):
    rng = np.random.default_rng(0)
    X = sparse.random(90, 12, density=0.3, random_state=0, format="csr")
    y = rng.integers(3, size=90)
    for again, tree in cut_anywhere(config(method), X, y, n_cuts=3):
        assert_same(again, tree)


def test_the_figures_go_on_as_well():
    data = generate("spirals", 120, seed=1)
    settings = config("stable-sgd", validation=0.25)
    whole = list(Trainer(settings, data.X, data.y).events())
    first = Trainer(settings, data.X, data.y)
    begun = [next(first.events()) for _ in range(4)]
    second = Trainer(settings, data.X, data.y)
    second.restore(first.state())
    joined = begun + list(second.events())
    figures = [(e.epoch, e.bound, e.loss, e.validation_loss, e.active_leaves) for e in joined]
    assert figures == [
        (e.epoch, e.bound, e.loss, e.validation_loss, e.active_leaves) for e in whole
    ]


def test_a_state_does_not_carry_the_rows():
    X = np.random.default_rng(0).normal(size=(20_000, 10))
    trainer = Trainer(config("stable-sgd"), X, (X[:, 0] > 0).astype(int))
    trainer.step()
    assert len(trainer.state()) < X.nbytes / 4


def test_another_config_is_refused():
    data = generate("xor", 60, seed=1)
    trainer = Trainer(config("sgd"), data.X, data.y)
    trainer.step()
    other = Trainer(config("sgd", nu=3.0), data.X, data.y)
    with pytest.raises(CheckpointError, match="other settings"):
        other.restore(trainer.state())


class Hostile:
    def __reduce__(self):
        return os.system, ("echo hostile",)


@pytest.mark.parametrize(
    "frozen",
    [
        b"",
        b"no pickle",
        pickle.dumps(Hostile()),
        pickle.dumps(eval),
        pickle.dumps(np.load),
        b"ctreecore.checkpoints\nos\n.",
        b"ctreecore.checkpoints\nwrite_whole\n(S'/tmp/x'\nS'y'\ntR.",
        pickle.dumps(np.array([Hostile()], dtype=object)),
        # A class that a module of this package imports is none of its own.
        b"ctreecore.checkpoints\nPath\n(S'hostile'\ntR.",
    ],
)
def test_a_hostile_state_is_refused_and_nothing_runs(frozen, capfd):
    with pytest.raises(CheckpointError, match="cannot be read"):
        thaw(frozen, {})
    assert "hostile" not in capfd.readouterr().out


def test_a_file_comes_back_as_it_was_written(tmp_path):
    rows = np.arange(3)
    frozen = freeze({"a": rows, "b": [rows, 2.5]}, {"rows": rows})
    write_checkpoint(tmp_path / "c", {"n": 1}, frozen)
    header, found = read_checkpoint(tmp_path / "c")
    again = thaw(found, {"rows": rows})
    assert header == {"n": 1}
    assert again["a"] is rows
    assert again["b"] == [rows, 2.5]
    assert [path.name for path in tmp_path.iterdir()] == ["c"], "nothing else is left behind"


def test_cut_and_damaged_files_are_told(tmp_path):
    path = tmp_path / "c"
    write_checkpoint(path, {}, freeze(list(range(100)), {}))
    whole = path.read_bytes()
    for keep in (0, 10, 30, len(whole) // 2, len(whole) - 1):
        path.write_bytes(whole[:keep])
        with pytest.raises(CheckpointError):
            read_checkpoint(path)
    path.write_bytes(whole[:-5] + bytes([whole[-5] ^ 1]) + whole[-4:])
    with pytest.raises(CheckpointError, match="damaged"):
        read_checkpoint(path)
    with pytest.raises(CheckpointError, match="cannot be read"):
        read_checkpoint(tmp_path / "none")


def test_a_full_disk_leaves_the_last_good_file(tmp_path, monkeypatch):
    path = tmp_path / "c"
    write_whole(path, b"good")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CheckpointError, match="No space left on device; make room"):
        write_whole(path, b"half")
    assert path.read_bytes() == b"good"
    assert [found.name for found in tmp_path.iterdir()] == ["c"]


def test_a_missing_folder_is_told(tmp_path):
    with pytest.raises(CheckpointError, match="could not be written"):
        write_whole(tmp_path / "none" / "c", b"")
