"""What processes of ``tests.helpers.processes.SERVER`` find in memory: modules, and kernels."""

from __future__ import annotations

import contextlib

import hypothesis  # noqa: F401 (test files import it)
import numpy as np
import pytest  # noqa: F401

from treecore import RunConfig, Trainer
from treecore.runs import begin  # noqa: F401

with contextlib.suppress(ImportError):
    import pyarrow.parquet  # noqa: F401

Trainer(RunConfig("stable-sgd", depth=1, epochs=1), np.eye(4), np.arange(4) % 2).run()
