"""What the name of the kernel cache's folder depends on."""

from __future__ import annotations

import importlib
import sys

import numba
import pytest

from treecore.core import kernels
from treecore.core.kernels import KERNELS, PACKAGE, kernel_sources


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
    before = kernels._cache_folder()
    copy = tmp_path / "elsewhere" / "treecore"
    for path in PACKAGE.rglob("*.py"):
        target = copy / path.relative_to(PACKAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        target.write_bytes(path.read_bytes())
    monkeypatch.setattr(kernels, "PACKAGE", copy)
    assert kernels._cache_folder() == before
    with (copy / "data" / "readers" / "text.py").open("a") as file:
        file.write("# another word\n")
    assert kernels._cache_folder() == before
    with (copy / "core" / "tree.py").open("a") as file:
        file.write("LEAF = 7\n")
    assert kernels._cache_folder() != before


def test_code_that_checks_its_indices_is_kept_apart(tmp_path, monkeypatch):
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    folders = set()
    for checked in (0, 1):
        monkeypatch.setattr(numba.config, "BOUNDSCHECK", checked)
        folders.add(kernels._cache_folder())
    assert len(folders) == 2
