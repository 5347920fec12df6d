"""What brings SGD on the bound from CO2 closest to annealed learning: one change at a time.

Run with ``python -m benchmarks.bound_variants [--data NAME] [--depth N] [--rows N]``. Four fifths
of the training rows are learnt from, the others measured; test rows are not looked at. The outcome
is written into ``benchmarks/results/bound_variants.md``.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

from benchmarks.data import PaperData
from benchmarks.protocol import HELD_OUT, train_tree
from treecore import RunConfig, warm_up

RESULTS = Path(__file__).with_name("results") / "bound_variants.md"

USUAL: dict[str, Any] = {"method": "sgd", "start": "co2", "nu": 200, "eta": 0.1, "epochs": 40}
VARIANTS: dict[str, dict[str, Any]] = {
    "SGD from CO2, ν 200, η 0.1, 40 epochs": {},
    "ν 20": {"nu": 20},
    "ν 1000": {"nu": 1000},
    "η 0.03": {"eta": 0.03},
    "160 epochs": {"epochs": 160},
    "start filled up to a complete tree": {"shape": "complete"},
    "start from cuts on one feature": {"start": "axis"},
    "start from random splits": {"start": "random"},
    "Stable SGD": {"method": "stable-sgd"},
    "fast inference": {"inference": "fast"},
    "mean of the last 30 % of the trees": {"averaging": 0.3},
    "η that does not fall, mean of the last half": {"schedule": "constant", "averaging": 0.5},
    "momentum 0.9, batches of 16": {"momentum": 0.9, "batch": 16},
    "L1 proximal step, 0.0001": {"sparsity": 0.0001},
}
OTHERS: dict[str, dict[str, Any]] = {
    "CO2, the start": {"method": "co2"},
    "annealed": {"method": "annealed", "rounds": 40},
}


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", default="letter")
    parser.add_argument("--depth", type=int, default=8)
    parser.add_argument("--rows", type=int, help="training rows, at most")
    given = parser.parse_args()
    data = PaperData()
    parts = data.require(given.data)
    training, held = parts[0].sample(given.rows).divide(HELD_OUT, 0)
    warm_up()
    head = ["# SGD on the bound, one change at a time", ""]
    command = f"python -m benchmarks.bound_variants --data {given.data} --depth {given.depth}"
    command += f" --rows {given.rows}" if given.rows else ""
    head += [f"Written by `{command}`; shares of rows told rightly, in percent.", ""]
    head += ["| what | held out | training | active leaves | seconds |", "|" + " --- |" * 5]
    rows = []
    runs = OTHERS | {name: USUAL | change for name, change in VARIANTS.items()}
    for name, settings in runs.items():
        config = RunConfig(**settings, depth=given.depth, seed=0)
        of = train_tree(config, training, held)
        figures = f"{of.accuracy:.1f} | {of.training_accuracy:.1f} | {of.active_leaves}"
        rows.append(f"| {name} | {figures} | {of.seconds:.1f} |")
        print(rows[-1], flush=True)
        RESULTS.write_text("\n".join([*head, *rows, ""]), encoding="utf-8")


if __name__ == "__main__":
    main()
