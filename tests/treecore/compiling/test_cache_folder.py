"""Where compiled kernels are kept, the package's own among them, and what that depends on."""

import importlib
import json
import os
import sys
import time

import numba
import numpy as np
import pytest

from treecore.compiling import kernel_cache, kernels
from treecore.compiling.kernel_cache import (
    PACKAGE,
    PROCESSOR_FILE,
    ShippedCache,
    cache_folder,
    kernel_sources,
    serves,
    shipped_folder,
)
from treecore.compiling.kernels import KERNELS, kernel


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


MAGIC = ("x86_64-linux", "x86-64-v3", "+avx,+fma,-avx512f")


def test_a_package_brings_kernels_for_its_own_text_python_and_numba(tmp_path, monkeypatch):
    folder = shipped_folder("a text", tmp_path)
    assert folder.is_relative_to(tmp_path / "compiled")
    assert shipped_folder("another text", tmp_path) != folder
    monkeypatch.setattr(numba, "__version__", "0.1")
    assert shipped_folder("a text", tmp_path) != folder


@pytest.mark.parametrize(
    ("here", "expected"),
    [
        (("x86_64-linux", "other", "+avx,+avx512f,+fma"), True),
        (("x86_64-linux", "other", "+fma,-avx"), False),
        (("x86_64-windows", "other", "+avx,+fma"), False),
    ],
)
def test_a_processor_needs_all_that_the_code_uses(here, expected):
    assert serves(MAGIC, here) is expected


@pytest.mark.jit
def test_a_kernel_is_loaded_from_the_package_where_the_user_has_none(tmp_path, monkeypatch):
    """What a processor compiles for itself is made into code for an older one by its new name."""

    def twice(x):
        return x + x

    def compiled_in(folder):
        monkeypatch.setattr(kernels, "_CACHE_FOLDER", folder)
        return kernel(twice)

    shipped = shipped_folder("a text", tmp_path)
    first = compiled_in(shipped)
    assert first(2) == 4
    codegen = first.targetctx.codegen()
    triple, processor, features = codegen.magic_tuple()
    needed = json.dumps([triple, processor, features])
    (shipped / PROCESSOR_FILE).write_text(needed, encoding="utf-8")
    monkeypatch.setattr(kernels, "_SHIPPED_FOLDER", shipped)
    # Another processor, which has more: numba's own look-up would find nothing.
    more = (triple, "a later one", f"{features},+more")
    monkeypatch.setattr(type(codegen), "magic_tuple", lambda self: more)
    second = compiled_in(tmp_path / "user")
    assert isinstance(second._cache, ShippedCache)
    assert second(3) == 6
    assert sum(second.stats.cache_hits.values()) == 1
    assert not (tmp_path / "user").exists(), "what the package has is not compiled again"
    assert second(np.float64(1.5)) == 3.0  # a type that nobody thought of
    assert list((tmp_path / "user").rglob("*.nbc"))
