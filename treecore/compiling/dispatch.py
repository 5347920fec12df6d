"""Functions that have their own code for each kind of table, loss or row.

The type of the first argument decides whose code it is, when a kernel is compiled, or, where
``NUMBA_DISABLE_JIT`` is set, called.
"""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import types
from numba.extending import overload

if TYPE_CHECKING:
    from functools import _SingleDispatchCallable


def by_first(function: Callable) -> _SingleDispatchCallable:
    """Decorator: a function that is code by :func:`implements` and nothing besides."""

    @functools.singledispatch
    @functools.wraps(function)
    def without_code(first, *rest):
        raise TypeError(f"{function.__name__} has no code for {type(first).__name__}")

    return without_code


def implements(function: _SingleDispatchCallable, kind: type, inlined: bool = False) -> Callable:
    """Decorator: the code of a function of :func:`by_first` for one type of its first argument.

    inlined: whether the compiler pastes the code into the kernels.
    """

    def register(code):
        def choose(first, *rest):
            return code if function.dispatch(_class_of(first)) is code else None

        # Not numba's own inlining: it gives the arrays new names, and names count references.
        # No wrapper for C: nothing calls it by address.
        options: Any = {"forceinline": inlined, "no_cfunc_wrapper": True, "error_model": "numpy"}
        overload(function, jit_options=options, strict=False)(choose)
        return function.register(kind, code)

    return register


def _class_of(kind: types.Type) -> type:
    """The class of what has a type of numba's."""
    if isinstance(kind, types.Array | types.Integer):
        return np.ndarray if isinstance(kind, types.Array) else np.integer
    return getattr(kind, "instance_class", object)
