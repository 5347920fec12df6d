"""The kernels of a page that learns, ahead of time, as one WebAssembly module: ``make wasm``.

Numba compiles them for a plain x86-64, whose vectors are those of WebAssembly: 128 bits, and no
fused multiply-add. The optimised code goes, with another triple, through LLVM to object files,
which zig's linker joins with what LLVM calls: ``exp``, ``log`` and ``cos`` are zig's (from
musl), ``pow`` and ``log1p`` are made of them. Nothing is imported, so every browser computes the
same bits.

Beside what is public this leans on numba's calling convention and on ``get_llvm_str`` of a library.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
import subprocess
import sys
import tempfile
from importlib.metadata import version
from pathlib import Path
from typing import Any

# Before numba is imported. Its second level of optimisation makes the same bits, and a module of
# 186 kB instead of 211. What comes from a cache has no code to be read.
os.environ |= {"NUMBA_CPU_NAME": "generic", "NUMBA_CPU_FEATURES": "", "NUMBA_OPT": "2"}
os.environ["NUMBA_CACHE_DIR"] = tempfile.mkdtemp()

import llvmlite.binding as ll
import numba
import numpy as np

from treecore.losses.log import LOG
from treecore.rows.training_rows import TrainingRows
from treecore.training.registry import find_method
from treecore.wasm.tab import LATER, MODULE, Sight, key_of, sources, tab_of

TRIPLE, FEATURES = "wasm32-unknown-unknown", "+simd128,+bulk-memory,+sign-ext,+nontrapping-fptoint"

FORMS: tuple[tuple[str, dict[str, Any]], ...] = (
    *((name, {}) for name in ("sgd", "stable-sgd", "annealed")),
    *((name, {}) for name in ("axis", "random-oblique", "oc1", "co2")),
    *((name, {"batch": 4}) for name in ("sgd", "stable-sgd")),
)
"""Runs whose kernels are compiled."""

PICKLED = re.compile(r'(@"?\.const\.picklebuf[^\n]*? constant {[^}]*}) {[^}]*}')
"""What an error would say, for Python alone: it names files of this machine, of any length."""

TOO_LONG = re.compile(r"\b(?<!Environment: )\w{200,}")
"""Names that say the types of all arguments: LLVM reads none of more than 1024 letters."""

MADE = """
declare double @exp(double)
declare double @log(double)
define double @pow(double %x, double %y) {
  %l = call double @log(double %x)
  %m = fmul double %y, %l
  %e = call double @exp(double %m)
  ret double %e
}
define double @log1p(double %x) {
  %u = fadd double %x, 1.0
  %d = fsub double %u, 1.0
  %l = call double @log(double %u)
  %q = fdiv double %x, %d
  %m = fmul double %l, %q
  %tiny = fcmp oeq double %d, 0.0
  %r = select i1 %tiny, double %x, double %m
  ret double %r
}
"""
"""To a few units in the last place of float64; ``pow`` of positive numbers."""


def wanted() -> dict[str, tuple[Any, tuple[Any, ...]]]:
    """Kernels with arguments of their types, by what they are called in the module's list."""
    rng = np.random.default_rng(0)
    X, y = rng.normal(size=(40, 2)).astype(np.float32), np.arange(40) % 2
    rows = TrainingRows(X, y, np.ones(40), 2, LOG)
    found = {}
    for name, settings in FORMS:
        method = find_method(name)
        chosen: Any = method.settings.of(depth=2, **settings)
        learner: Any = method.build(chosen, rows, None, rng)
        held = learner.prepare(rows), rows.y, rows.weight
        sight = Sight(held, (np.arange(4), np.arange(2)), np.zeros(2), np.eye(2), np.ones(2))
        for part, (kernel, arguments) in tab_of(learner, rows, sight).calls.items():
            given = *arguments, *LATER.get(part, ())
            found[key_of(kernel, given)] = kernel, given
    return found


def object_of(kernel: Any, arguments: tuple[Any, ...], name: str, machine: Any) -> bytes:
    """The code of a kernel; the linker keeps one of each of the kernels that several call."""
    types = tuple(map(numba.typeof, arguments))
    kernel.compile(types)
    found = kernel.overloads[types]
    text = re.sub(r'"[\w-]+"="[^"]*"', "", found.library.get_llvm_str())  # the processor's
    text = TOO_LONG.sub(shorter, PICKLED.sub(r"\1 zeroinitializer", text))
    module = ll.parse_assembly(text)
    module.triple, module.data_layout = TRIPLE, str(machine.target_data)
    for value in module.global_variables:
        if not value.is_declaration:
            value.linkage = "internal"  # LLVM has no `common` for WebAssembly
    chosen = module.get_function(TOO_LONG.sub(shorter, found.fndesc.llvm_func_name))
    chosen.linkage, chosen.name = "external", name
    # What only Python would call goes.
    passes = ll.create_pass_builder(machine, ll.create_pipeline_tuning_options(speed_level=1))
    passes.getModulePassManager().run(module, passes)
    module.verify()
    return machine.emit_object(module)


def shorter(name: re.Match[str]) -> str:
    """Another name, the same in all texts: the linker knows by it what several have."""
    return "long" + hashlib.sha256(name[0].encode()).hexdigest()[:20]


def build(out: Path) -> None:
    """Write the module and, beside it, the list of what it has."""
    ll.initialize_all_targets()
    ll.initialize_all_asmprinters()
    machine = ll.Target.from_triple(TRIPLE).create_target_machine(opt=3, features=FEATURES)
    names = {}
    with tempfile.TemporaryDirectory() as folder:
        made = ll.parse_assembly(MADE)
        made.triple, made.data_layout = TRIPLE, str(machine.target_data)
        objects = {"made": machine.emit_object(made)}
        for number, (key, (kernel, arguments)) in enumerate(wanted().items()):
            names[key] = f"{kernel.__name__}{number}"
            objects[names[key]] = object_of(kernel, arguments, names[key], machine)
        paths = []
        for name, content in objects.items():
            paths.append(Path(folder, f"{name}.o"))
            paths[-1].write_bytes(content)
        exported = [f"--export={name}" for name in (*names.values(), "__heap_base")]
        command = [sys.executable, "-m", "ziglang", "build-exe", "-target", "wasm32-freestanding"]
        command += ["-fno-entry", "-OReleaseSmall", "-fstrip", "--stack", "65536", *exported]
        subprocess.run([*command, f"-femit-bin={out}", *map(str, paths)], check=True, cwd=folder)
    about = {
        "sources": sources(),
        "sha256": hashlib.sha256(out.read_bytes()).hexdigest(),
        "made_with": made_with(),
        "kernels": names,
    }
    out.with_suffix(".json").write_text(json.dumps(about, indent=1) + "\n", "utf-8")


def made_with() -> dict[str, str]:
    """Versions of what decides of the module's bytes."""
    return {name: version(name) for name in ("numba", "llvmlite", "ziglang")}


if __name__ == "__main__":
    out = Path(sys.argv[1]) if len(sys.argv) > 1 else MODULE
    build(out)
    print(f"{out}: {out.stat().st_size:,} bytes")
