"""Code that counts no references to arrays hands none out, and is not needed for a right answer."""

from collections.abc import Iterator

import numpy as np
import pytest
from numba import types

from treecore import RunConfig, Trainer
from treecore.compiling.kernels import KERNELS, REASSOCIATED
from treecore.training.registry import METHODS

pytestmark = pytest.mark.jit

QUICK = {"depth": 2, "epochs": 1, "rounds": 1, "n_trees": 2, "trees": 2, "batches": 2}


def holds_an_array(kind) -> bool:
    if isinstance(kind, types.BaseTuple):
        return any(holds_an_array(part) for part in kind)
    return isinstance(kind, types.Array)


def returned_types() -> Iterator[tuple[object, object]]:
    """Every kernel that counts no references, with what each of its compiled forms returns."""
    for compiled in KERNELS:
        if compiled.targetoptions.get("_nrt", True):
            continue
        for form in compiled.overloads.values():
            yield compiled.py_func, form.signature.return_type


def test_no_kernel_hands_out_an_array_that_nobody_counts(rng):
    """Whoever got one would read what may be freed. numba refuses arrays, not tuples of them."""
    X = rng.standard_normal((60, 3)).astype(np.float32)
    y = (X[:, 0] * X[:, 1] > 0).astype(np.int64)
    for method in METHODS.values():
        names = {setting.name for setting in method.definitions()}
        quick = {name: QUICK[name] for name in QUICK if name in names}
        Trainer(RunConfig(method.name, **quick), X, y).run()
    found = list(returned_types())
    assert len(found) > 30
    places = {f"{function.__module__}.{function.__name__}": kind for function, kind in found}
    assert not {place: kind for place, kind in places.items() if holds_an_array(kind)}


def test_sums_in_any_order_test_for_no_number_that_is_not_finite():
    assert {"reassoc", "contract"} >= REASSOCIATED
    sums = [compiled for compiled in KERNELS if compiled.targetoptions["fastmath"]]
    assert {compiled.targetoptions["fastmath"] == REASSOCIATED for compiled in sums} == {True}
    for compiled in sums:
        assert not {"isfinite", "isnan", "inf", "nan"} & set(compiled.py_func.__code__.co_names)
