"""Sweeps: many runs by one table, chosen on validation rows, tested once, on any machines."""

from treecore.sweeps.engine import FinishedRun, SelectedCandidate, Sweep, read_choice
from treecore.sweeps.pools import DaskPool, LocalPool, SerialPool, make_pool
from treecore.sweeps.spec import SweepError, SweepSpec, read_spec
from treecore.sweeps.study import read_rows

__all__ = [
    "DaskPool",
    "FinishedRun",
    "LocalPool",
    "SelectedCandidate",
    "SerialPool",
    "Sweep",
    "SweepError",
    "SweepSpec",
    "make_pool",
    "read_choice",
    "read_rows",
    "read_spec",
]
