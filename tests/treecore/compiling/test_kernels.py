"""Where compiled kernels are kept, and what the name of that folder depends on."""

import importlib
import os
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


def test_folders_of_other_versions_go_when_they_have_not_been_used_for_long(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    base = tmp_path / "treecore"
    for name, days in {"0" * 16: 31, "1" * 16: 29, "notes": 400}.items():
        (base / name / "module").mkdir(parents=True)
        os.utime(base / name, (time.time() - days * 24 * 3600,) * 2)
    own = cache_folder()
    own.mkdir()
    os.utime(own, (0, 0))
    assert cache_folder() == own  # being asked for is use
    names = {path.name for path in base.iterdir()}
    assert names == {"1" * 16, "notes", own.name}


def test_the_folder_is_the_users_unless_another_is_named(tmp_path, monkeypatch):
    name = kernel_cache.sources_digest()
    for variable, place in (
        ("HOME", ".cache/treecore"),
        ("XDG_CACHE_HOME", "treecore"),
        ("NUMBA_CACHE_DIR", "treecore"),
    ):
        monkeypatch.delenv("NUMBA_CACHE_DIR", raising=False)
        if variable == "HOME":
            monkeypatch.delenv("XDG_CACHE_HOME", raising=False)
        monkeypatch.setenv(variable, str(tmp_path / variable))
        assert cache_folder() == tmp_path / variable / place / name
