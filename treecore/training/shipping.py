"""Compiling kernels for a wheel to bring: ``python -m treecore.training.shipping``.

Runs every method once with each of its choices, on a few rows, in a process that compiles for
:data:`PROCESSORS` in place of this one, and puts what that leaves into the package's folder
``compiled``, where :mod:`treecore.compiling.shipped_kernels` finds it. `make wheel-with-kernels`
builds a wheel of it, for this version of Python on this kind of system.
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
from numba.core.registry import cpu_target

from treecore.compiling.kernel_cache import PACKAGE, sources_digest
from treecore.compiling.shipped_kernels import ABOUT, description
from treecore.core.tree import Tree
from treecore.losses import LOSSES
from treecore.losses.metrics import evaluate
from treecore.training.config import RunConfig
from treecore.training.registry import METHODS
from treecore.training.trainer import Trainer
from treecore.training.warmup import warm_up

PROCESSORS = {
    "x86_64": (
        "x86-64-v3",
        "+avx,+avx2,+bmi,+bmi2,+cmov,+crc32,+cx16,+cx8,+f16c,+fma,+fxsr,+lzcnt,+mmx,+movbe,"
        "+popcnt,+sahf,+sse,+sse2,+sse3,+sse4.1,+sse4.2,+ssse3,+xsave",
    )
}
"""LLVM's name of a processor and what it has, by the kind of machine."""

_QUICK = {"depth": 2, "epochs": 1, "rounds": 1, "n_trees": 2, "trees": 2, "batches": 2}
_QUICK |= {"filter_size": 2, "stride": 1}


N_ROWS = 400
"""Rows that everything is compiled with: features of many values, as most are."""


def every_choice() -> Iterator[RunConfig]:
    """Every method with each of its losses, and with each choice of one setting at a time.

    Those of an ensemble's trees are chosen once, where such a tree learns alone.
    """
    for method in METHODS.values():
        definitions = method.settings.definitions()
        names = {setting.name for setting in method.definitions()}
        quick: dict[str, Any] = {name: _QUICK[name] for name in _QUICK if name in names}
        for loss in method.losses:
            yield RunConfig(method.name, loss=loss, **quick)
            for setting in definitions:
                others = [value for value in setting.choices if value != setting.default]
                for choice in others:
                    with suppress(ValueError):  # it may not go with the loss, or with a default
                        yield RunConfig(method.name, loss=loss, **quick | {setting.name: choice})


def compile_all() -> None:
    """Run all of :func:`every_choice`, and predict; code goes where ``NUMBA_CACHE_DIR`` says."""
    warm_up()
    rng = np.random.default_rng(0)
    X = rng.standard_normal((N_ROWS, 4))
    of_task = {"classification": (X[:, 0] * X[:, 1] > 0).astype(int), "regression": X[:, 0]}
    for config in every_choice():
        y = of_task[LOSSES[config.loss].task]
        for table in (X, X.astype(np.float32)):
            with suppress(ValueError):  # choices that do not go together
                model = Trainer(config.replace(validation=0.2), table, y).run()
                for rows in (X, table):
                    if isinstance(model, Tree):
                        evaluate(model, rows, y, loss=LOSSES[config.loss])
                    else:
                        model.predict(rows)


def ship(target: Path) -> None:
    """Compile everything in a process of its own and move it to a folder. target: made anew."""
    processor, features = PROCESSORS[platform.machine()]
    with tempfile.TemporaryDirectory() as folder:
        there = {"NUMBA_CPU_NAME": processor, "NUMBA_CPU_FEATURES": features}
        environment = os.environ | there | {"NUMBA_CACHE_DIR": folder}
        command = [sys.executable, "-m", "treecore.training.shipping", "--compile"]
        subprocess.run(command, env=environment, check=True)
        sources = sources_digest()
        triple = cpu_target.target_context.codegen().magic_tuple()[0]
        shutil.rmtree(target, ignore_errors=True)
        shutil.copytree(Path(folder) / "treecore" / sources, target)
    about = description(sources, (triple, processor, features))
    (target / ABOUT).write_text(json.dumps(about), encoding="utf-8")


def main() -> None:
    if sys.argv[1:] == ["--compile"]:
        compile_all()
    elif platform.machine() in PROCESSORS:
        ship(PACKAGE / "compiled")
    else:
        known = ", ".join(PROCESSORS)
        raise SystemExit(
            f"kernels are compiled for a wheel on {known}, and this machine is of another kind, "
            f"{platform.machine()}: build the wheel without them"
        )


if __name__ == "__main__":
    main()
