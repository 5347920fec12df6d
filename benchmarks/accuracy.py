"""One tree per dataset at the height of the published ones: ours beside theirs.

Run with ``python -m benchmarks.accuracy [DATASET ...]``. Settings are chosen by the rule of
:mod:`benchmarks.protocol`, among six: annealed learning with three strengths of weight
decay and both scalings of the features, from a random start, everything else at its default.
``--defaults`` skips the search.
Datasets whose archive is not at hand are left out.
"""

from __future__ import annotations

import argparse
import itertools

import numpy as np

from benchmarks.data import PaperData
from benchmarks.protocol import choose, train_tree, tree_error
from benchmarks.published import published_values
from treecore import RunConfig, warm_up

ANCHORS = published_values("single_tree_anchors")
HEIGHTS = {"mnist": 8, "connect4": 8, "letter": 10, "pendigits": 8, "digits": 8, "usps": 6}

CANDIDATES = [
    {"method": "annealed", "start": "random", "decay": decay, "scaling": scaling}
    for decay, scaling in itertools.product((0.3, 0.1, 1.0), ("together", "each"))
]

MEASURED = {
    # test accuracy in percent of other programs' trees of that height on the same split
    "digits": {"CART": 81.2, "TAO": 96.1, "DTSemNet (height 6)": 95.3, "STree": 96.2},
    "usps": {"CART": 82.6, "TAO": 91.0},
}


def theirs(name: str) -> dict[str, float]:
    """Published test accuracies in percent by method; measured ones where none are published."""
    if name not in ANCHORS:
        return MEASURED[name]
    columns = [column.replace("_", " ") for column in ANCHORS["columns"][2:]]
    values = zip(columns, ANCHORS[name][2:], strict=True)
    return {who: value for who, value in values if value is not None}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("datasets", nargs="*", default=list(HEIGHTS), metavar="DATASET")
    parser.add_argument("--seeds", type=int, default=5)
    parser.add_argument("--defaults", action="store_true", help="do not search")
    arguments = parser.parse_args()
    if unknown := set(arguments.datasets) - set(HEIGHTS):
        parser.error(f"no heights are known for {', '.join(sorted(unknown))}; {', '.join(HEIGHTS)} "
                     "have them")  # fmt: skip
    warm_up()
    header = "data | height | test accuracy | seconds | active leaves | non-zero weights | others"
    print(f"| {header} | settings |")
    print("|" + " --- |" * 8)
    for name in arguments.datasets:
        parts = PaperData().load(name)
        if parts is None:
            print(f"| {name} | {HEIGHTS[name]} | not at hand |" + " |" * 5)
            continue
        training, test = parts
        chosen = {"method": "annealed"}
        if not arguments.defaults:
            chosen = choose(
                [{**c, "depth": HEIGHTS[name]} for c in CANDIDATES], training, tree_error
            )
        chosen["depth"] = HEIGHTS[name]
        outcomes = np.array(
            [
                train_tree(RunConfig(**chosen, seed=seed), training, test)
                for seed in range(arguments.seeds)
            ]
        )
        accuracy, _, seconds, active, weights = outcomes.mean(axis=0)
        others = ", ".join(f"{who} {value}" for who, value in theirs(name).items())
        settings = {k: v for k, v in chosen.items() if k in ("decay", "scaling")} or "defaults"
        print(
            f"| {name} | {chosen['depth']} | {accuracy:.2f} ± {outcomes[:, 0].std():.2f} "
            f"| {seconds:.1f} | {active:.0f} | {weights:.0f} | {others} | {settings} |",
            flush=True,
        )


if __name__ == "__main__":
    main()
