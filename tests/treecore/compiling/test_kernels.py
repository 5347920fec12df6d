"""Where compiled kernels are kept, and what the name of that folder depends on."""

from __future__ import annotations

import importlib
import os
import stat
import sys
import time

import numba
import pytest

from treecore.compiling import kernel_cache
from treecore.compiling.kernel_cache import PACKAGE, cache_folder, kernel_sources
from treecore.compiling.kernels import KERNELS


def _names():
    return {path.relative_to(PACKAGE).as_posix() for path in kernel_sources()}


@pytest.mark.jit
def test_every_kernel_stands_in_a_file_that_the_cache_looks_at():
    for path in PACKAGE.rglob("*.py"):
        if "\n@kernel" in path.read_text("utf-8"):
            parts = path.relative_to(PACKAGE.parent).with_suffix("").parts
            importlib.import_module(".".join(parts))
    own = [kernel for kernel in KERNELS if kernel.py_func.__module__.startswith("treecore.")]
    assert len(own) > 100
    files = {sys.modules[kernel.py_func.__module__].__file__ for kernel in own}
    assert files <= {str(path) for path in kernel_sources()}


def test_what_kernels_call_and_what_losses_give_them_is_looked_at():
    assert {"core/routing.py", "core/tree.py", "losses/huber.py", "losses/__init__.py"} <= _names()


def test_messages_commands_and_estimators_compile_nothing_anew():
    above = ("cli/", "data/readers/", "estimators/", "persistence/", "runs/", "sweeps/")
    assert not [name for name in _names() if name.startswith(above)]


def test_copies_of_one_source_share_a_folder_and_a_change_makes_another(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "cache"))
    before = cache_folder()
    copy = tmp_path / "elsewhere" / "treecore"
    for path in PACKAGE.rglob("*.py"):
        target = copy / path.relative_to(PACKAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    monkeypatch.setattr(kernel_cache, "PACKAGE", copy)
    assert cache_folder() == before
    with (copy / "data" / "readers" / "text.py").open("a") as file:
        file.write("# another word\n")
    assert cache_folder() == before
    with (copy / "core" / "tree.py").open("a") as file:
        file.write("LEAF = 7\n")
    assert cache_folder() != before


def test_code_that_checks_its_indices_is_kept_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folders = set()
    for checked in (0, 1):
        monkeypatch.setattr(numba.config, "BOUNDSCHECK", checked)
        folders.add(cache_folder())
    assert len(folders) == 2


# Without a home that can be written ---------------------------------------------------------------


@pytest.fixture
def temporary(tmp_path, monkeypatch):
    """A folder of temporary files, and a place for the cache that takes no folders: a file."""
    (tmp_path / "no-folder").write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path / "no-folder"))
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(kernel_cache.tempfile, "tempdir", str(temporary))
    return temporary


def test_without_a_home_every_process_of_a_user_shares_one_private_folder(temporary):
    first = cache_folder()
    assert first == cache_folder()
    (own,) = temporary.iterdir()
    assert own.name == f"treecore-{os.getuid()}"
    assert stat.S_IMODE(own.stat().st_mode) == 0o700
    assert os.path.dirname(first) == str(own)


def _open_to_all(own, temporary):
    own.mkdir()
    own.chmod(0o777)


def _linked(own, temporary):
    (temporary.parent / "elsewhere").mkdir(mode=0o700)
    own.symlink_to(temporary.parent / "elsewhere")


def _replaceable(own, temporary):
    temporary.chmod(0o777)  # and not sticky: anybody may rename what is in it


@pytest.mark.parametrize("unsafe", [_open_to_all, _linked, _replaceable])
def test_a_folder_that_others_could_fill_is_not_used(temporary, unsafe):
    """Cache files are pickles: who writes them decides what runs."""
    own = temporary / f"treecore-{os.getuid()}"
    unsafe(own, temporary)
    folders = [cache_folder(), cache_folder()]
    assert folders[0] != folders[1]
    assert not own.exists() or not list(own.iterdir())


def test_another_users_folder_is_not_used(temporary, monkeypatch):
    (temporary / "treecore-12345").mkdir(mode=0o700)
    monkeypatch.setattr(os, "getuid", lambda: 12345)
    assert "treecore-12345" not in cache_folder()


def test_folders_of_other_versions_go_when_they_have_not_been_used_for_long(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    base = tmp_path / "treecore"
    for name, days in {"0" * 16: 31, "1" * 16: 29, "notes": 400}.items():
        (base / name / "module").mkdir(parents=True)
        os.utime(base / name, (time.time() - days * 24 * 3600,) * 2)
    own = cache_folder()
    os.utime(own, (0, 0))
    assert cache_folder() == own  # being asked for is use
    names = {path.name for path in base.iterdir()}
    assert names == {"1" * 16, "notes", os.path.basename(own)}
