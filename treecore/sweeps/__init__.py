"""Sweeps: many runs by one table, chosen on validation rows, tested once, on any machines."""

from typing import TYPE_CHECKING

from treecore.base.public import public_names

if TYPE_CHECKING:
    from treecore.sweeps.engine import FinishedRun, SelectedCandidate, Sweep, read_choice
    from treecore.sweeps.pools import DaskPool, LocalPool, Pool, SerialPool, make_pool
    from treecore.sweeps.selection import digest
    from treecore.sweeps.spec import (
        DataSpec,
        SearchSpec,
        SweepError,
        SweepSpec,
        methods_of,
        read_spec,
    )
    from treecore.sweeps.study import read_rows
    from treecore.sweeps.work import rows_of

__all__ = [
    "DaskPool",
    "DataSpec",
    "FinishedRun",
    "LocalPool",
    "Pool",
    "SearchSpec",
    "SelectedCandidate",
    "SerialPool",
    "Sweep",
    "SweepError",
    "SweepSpec",
    "digest",
    "make_pool",
    "methods_of",
    "read_choice",
    "read_rows",
    "read_spec",
    "rows_of",
]

__getattr__, __dir__ = public_names(__name__)
