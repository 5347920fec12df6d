"""A damaged cache is compiled again and a full one is told once: neither ends a run."""

import gc
import os
import pickle
import subprocess
import sys

import numba
import pytest

import treecore.compiling.kernels  # noqa: F401

pytestmark = pytest.mark.jit

START = """
from pathlib import Path

import numpy as np
from treecore.compiling.kernels import kernel

@kernel
def treble(x):
    return 3 * x

kinds = "int8 int16 int32 int64 uint8 uint16 uint32 uint64 float64".split()
print(sum(treble(np.dtype(kind).type(1)) for kind in kinds), "from the cache:",
      sum(treble.stats.cache_hits.values()))
"""
FRESH = "27.0 from the cache: 0"
CACHED = "27.0 from the cache: 9"


@pytest.fixture
def start(tmp_path):
    """Run nine variants of a kernel in a process of its own; give what it prints and warns of."""
    script = tmp_path / "script.py"
    script.write_text(START, encoding="utf-8")

    def run(folder=tmp_path / "cache", **options):
        environment = os.environ | {"NUMBA_CACHE_DIR": str(folder)}
        command = [sys.executable, script]
        run = subprocess.run(command, env=environment, capture_output=True, text=True, **options)
        assert run.returncode == 0, run.stderr
        return run.stdout.strip(), run.stderr

    return run


def _put_folder(path):
    path.unlink()
    (path / "below").mkdir(parents=True)


def _put_dead_link(path):
    path.unlink()
    path.symlink_to("nowhere")


DAMAGES = {
    "empty": lambda path: path.write_bytes(b""),
    "cut": lambda path: path.write_bytes(path.read_bytes()[:2048]),
    "zeroed": lambda path: path.write_bytes(bytes(path.stat().st_size)),
    "zeroed at the end": lambda path: path.write_bytes(path.read_bytes()[:2000] + bytes(5000)),
    "one byte": lambda path: path.write_bytes(path.read_bytes()[:-1] + b"?"),
    "garbage": lambda path: path.write_bytes(b"\x93garbage" * 999),
    "wrong pickle": lambda path: path.write_bytes(pickle.dumps(["of another program"] * 9)),
    "a folder": _put_folder,
    "a dead link": _put_dead_link,
}


def test_damaged_files_are_compiled_and_saved_again(start, tmp_path):
    assert start() == (FRESH, "")
    files = (tmp_path / "cache").rglob("*.nbc")
    for path, damage in zip(files, DAMAGES.values(), strict=True):
        damage(path)
    assert start() == (FRESH, "")
    assert start() == (CACHED, "")


def test_a_change_of_the_file_is_another_kernel(start, tmp_path):
    """Numba looks at the bytecode, which has no constants."""
    start()
    script = tmp_path / "script.py"
    script.write_text(START.replace("3 * x", "4 * x"), encoding="utf-8")
    assert start() == ("36.0 from the cache: 0", "")


def test_processes_that_compile_at_once_leave_one_whole_file_a_variant(tmp_path, start):
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path / "cache")}
    command = [sys.executable, tmp_path / "script.py"]
    together = [subprocess.Popen(command, env=environment) for _ in range(2)]
    assert [process.wait(timeout=300) for process in together] == [0, 0]
    files = [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]
    assert sorted(path.suffix for path in files) == [".nbc"] * 9
    assert start() == (CACHED, "")


# Where nothing can be saved -----------------------------------------------------------------------


def _check_one_warning(said, folder):
    (warning,) = [line for line in said.splitlines() if "Warning" in line]
    assert f"compiled kernels cannot be saved in {folder}" in warning
    assert "NUMBA_CACHE_DIR" in warning


def test_a_full_disk_means_memory_and_one_warning(start, tmp_path):
    resource = pytest.importorskip("resource")

    def limit():
        resource.setrlimit(resource.RLIMIT_FSIZE, (2048, 2048))

    results, said = start(preexec_fn=limit)
    assert results == FRESH
    _check_one_warning(said, tmp_path / "cache")
    assert not [path for path in (tmp_path / "cache").rglob("*") if path.is_file()]


def test_a_folder_that_cannot_be_made_means_memory_and_one_warning(start, tmp_path):
    (tmp_path / "file").write_text("not a folder")
    results, said = start(tmp_path / "file")
    assert results == FRESH
    _check_one_warning(said, tmp_path / "file")


@pytest.mark.parametrize("enabled", [True, False])
def test_garbage_is_not_collected_while_a_kernel_is_compiled_and_is_after_it_as_before(enabled):
    seen = []

    def look_around():
        return 1

    @numba.extending.overload(look_around)
    def look():
        seen.append(gc.isenabled())
        return lambda: 1

    @numba.njit
    def inner(x):
        return x + look_around()

    @numba.njit
    def wrong(x):
        return inner(x) + len(x)

    was_enabled = gc.isenabled()
    try:
        (gc.enable if enabled else gc.disable)()
        with pytest.raises(numba.TypingError):
            wrong(1)
        assert inner(1) == 2
        assert gc.isenabled() is enabled
        assert seen
        assert not any(seen)
    finally:
        (gc.enable if was_enabled else gc.disable)()
