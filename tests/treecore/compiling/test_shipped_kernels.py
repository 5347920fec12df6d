"""Compiled kernels in the package: used where they are what would be compiled, and nowhere else."""

import json

import numba
import numpy as np
import pytest

from treecore.compiling import kernels
from treecore.compiling.kernel_cache import PROCESSOR_FILE, ShippedCache, serves, shipped_folder
from treecore.compiling.kernels import kernel

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
