"""Checkpoints on disk: a state comes back as it was written, and nothing else is read."""

import io
import os
import pickle

import numpy as np
import pytest

from tests.helpers.same import assert_same
from treecore.base.state_file import (
    CheckpointError,
    dumps_state,
    loads_state,
    read_checkpoint,
    write_atomically,
    write_checkpoint,
)


class Hostile:
    def __reduce__(self):
        return os.system, ("echo hostile",)


def archive(**members):
    file = io.BytesIO()
    np.savez(file, **members)
    return file.getvalue()


@pytest.mark.parametrize(
    "frozen",
    [
        b"",
        b"no archive",
        b"treecore checkpoint 1\n{}\n" + pickle.dumps(Hostile()),  # as versions before this wrote
        pickle.dumps(Hostile()),
        archive(a=np.array([Hostile()], dtype=object)),
        archive(**{"": np.array([Hostile()], dtype=object)}),
        archive(a=np.arange(3)),
        archive(**{"": np.frombuffer(b"[1, 2, 3]", dtype=np.uint8)}),
        archive(**{"": np.frombuffer(b'["another", {}]', dtype=np.uint8)}),
        archive(**{"": np.frombuffer(b"no JSON", dtype=np.uint8)}),
    ],
)
def test_a_hostile_file_is_refused_and_nothing_runs(frozen, capfd):
    with pytest.raises(CheckpointError, match="start again"):
        loads_state(frozen)
    assert "hostile" not in capfd.readouterr().out


def test_a_state_comes_back_as_it_was_written(tmp_path):
    state = {
        "rows": np.arange(3),
        "empty": np.empty((0, 4), dtype=np.float32),
        "number": np.float64(0.1) * 3,
        "large": 2**120,
        "endless": float("inf"),
        "nothing": None,
        "words": ["a", "b"],
        "inner": {"flags": np.array([True, False]), "none": {}, "deeper": {"x": np.float32(2.5)}},
    }
    write_checkpoint(tmp_path / "c", state)
    found = read_checkpoint(tmp_path / "c")
    assert found["number"] == state["number"]
    plain = {"number": float(state["number"])}
    plain["inner"] = state["inner"] | {"deeper": {"x": 2.5}}
    assert_same(dict(sorted(found.items())), dict(sorted((state | plain).items())))
    assert [path.name for path in tmp_path.iterdir()] == ["c"], "nothing else is left behind"


def test_what_is_no_array_and_no_json_is_refused():
    with pytest.raises(TypeError, match="not object"):
        dumps_state({"a": object()})


def test_cut_and_damaged_files_are_told(tmp_path):
    path = tmp_path / "c"
    write_checkpoint(path, {"a": np.arange(1000), "b": {"c": 1}})
    entire = path.read_bytes()
    for keep in (0, 10, 30, len(entire) // 2, len(entire) - 1):
        path.write_bytes(entire[:keep])
        with pytest.raises(CheckpointError):
            read_checkpoint(path)
    path.write_bytes(entire[:2000] + bytes([entire[2000] ^ 1]) + entire[2001:])
    with pytest.raises(CheckpointError, match="damaged"):
        read_checkpoint(path)
    with pytest.raises(CheckpointError, match="cannot be read"):
        read_checkpoint(tmp_path / "none")


def test_a_full_disk_leaves_the_last_good_file(tmp_path, monkeypatch):
    path = tmp_path / "c"
    write_atomically(path, b"good")

    def full(descriptor):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    with pytest.raises(CheckpointError, match="No space left on device; make room"):
        write_atomically(path, b"half")
    assert path.read_bytes() == b"good"
    assert [found.name for found in tmp_path.iterdir()] == ["c"]
