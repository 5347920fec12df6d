"""Compile kernels for a wheel to bring, by every method and choice on a few rows.

``python -m treecore.training.shipping`` puts them into the package's folder ``compiled``.
"""

from __future__ import annotations

import json
import os
import platform
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import numpy as np

from treecore.compiling.kernel_cache import (
    PACKAGE,
    PROCESSOR_FILE,
    shipped_folder,
    sources_digest,
    target_triple,
)
from treecore.core.routing import predict
from treecore.core.tree import Tree
from treecore.losses import find_loss
from treecore.training.config import RunConfig
from treecore.training.registry import METHODS
from treecore.training.trainer import Trainer
from treecore.training.warmup import warm_up

PROCESSOR = (
    "x86-64-v3",
    "+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,"
    "+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+xsave",
)
"""LLVM's name of a processor, and what it has."""

N_ROWS = 400
"""Rows that everything is compiled with: features of many values, as most are."""

_QUICK: dict[str, Any] = {"depth": 2, "epochs": 1, "rounds": 1, "n_trees": 2, "trees": 2}
_QUICK |= {"batches": 2, "filter_size": 2, "stride": 1}


def every_choice() -> Iterator[RunConfig]:
    """Every method with each of its losses, and with each choice of one setting at a time."""
    for method in METHODS.values():
        names = {setting.name for setting in method.definitions()}
        quick = {name: value for name, value in _QUICK.items() if name in names}
        choices = [
            (one.name, value) for one in method.settings.definitions() for value in one.choices
        ]
        for loss in method.losses:
            yield RunConfig(method.name, loss=loss, **quick)
            for name, value in choices:
                with suppress(ValueError):  # it may not go with the loss, or with a default
                    yield RunConfig(method.name, loss=loss, **quick | {name: value})


def compile_all() -> None:
    """Run all of :func:`every_choice`, and predict; code goes where ``NUMBA_CACHE_DIR`` says."""
    warm_up()
    X = np.random.default_rng(0).standard_normal((N_ROWS, 4))
    of_task = {"classification": (X[:, 0] * X[:, 1] > 0).astype(int), "regression": X[:, 0]}
    for config in every_choice():
        y = of_task[find_loss(config.loss).task]
        for table in (X, X.astype(np.float32)):
            with suppress(ValueError):  # choices that do not go together
                model = Trainer(config.replace(validation=0.2), table, y).run()
                predict(model, table) if isinstance(model, Tree) else model.predict(table)


def ship(package: Path) -> None:
    """Compile everything in a process of its own and move it into a package."""
    with tempfile.TemporaryDirectory() as folder:
        there = dict(zip(("NUMBA_CPU_NAME", "NUMBA_CPU_FEATURES"), PROCESSOR, strict=True))
        environment = os.environ | there | {"NUMBA_CACHE_DIR": folder}
        command = [sys.executable, "-m", "treecore.training.shipping", "--compile"]
        subprocess.run(command, env=environment, check=True)
        sources = sources_digest()
        target = shipped_folder(sources, package)
        shutil.rmtree(target.parent, ignore_errors=True)
        shutil.copytree(Path(folder) / "treecore" / sources, target)
    (target / PROCESSOR_FILE).write_text(
        json.dumps([target_triple(), *PROCESSOR]), encoding="utf-8"
    )


if __name__ == "__main__":
    if sys.argv[1:] == ["--compile"]:
        compile_all()
    elif platform.machine() == "x86_64":
        ship(PACKAGE)
    else:
        raise SystemExit(
            "kernels are compiled for a wheel on x86_64, and this machine is of another kind, "
            f"{platform.machine()}: build the wheel without them"
        )
