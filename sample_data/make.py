"""Writes the files of this folder: ``python -m sample_data.make`` from the repository's root.

Running it again gives the same bytes, so a change in the files is a change in this script, in
the generators, in NumPy's random streams, or in scikit-learn's copies of the real datasets.
"""

from __future__ import annotations

import csv
from pathlib import Path

from sklearn.datasets import load_breast_cancer, load_diabetes, load_digits, load_iris, load_wine

from treecore.data.generators import GENERATORS, generate

HERE = Path(__file__).parent

DIABETES = {
    "bp": "blood pressure",
    "s1": "cholesterol",
    "s2": "ldl",
    "s3": "hdl",
    "s4": "cholesterol/hdl",
    "s5": "log triglycerides",
    "s6": "glucose",
}
"""What scikit-learn's short names of the columns stand for."""


def make_all(folder: Path) -> None:
    """Write every sample file into ``folder``."""
    for name in GENERATORS:
        dataset = generate(name)
        cells = [[f"{x:.4f}" for x in row] for row in dataset.X]
        targets = [dataset.class_names[c] for c in dataset.y] if dataset.n_classes else None
        targets = targets or [f"{y:.4f}" for y in dataset.y]
        _write(folder / f"{name}.csv", dataset.feature_names, cells, targets, dataset.target_name)
    for name, load in (
        ("iris", load_iris),
        ("wine", load_wine),
        ("breast_cancer", load_breast_cancer),
        ("digits", load_digits),
    ):
        bunch = load()
        cells = [[_shortest(x) for x in row] for row in bunch.data.tolist()]
        classes = [str(bunch.target_names[c]) for c in bunch.target]
        # scikit-learn already calls the digits' pixels pixel_row_column.
        _write(folder / f"{name}.csv", bunch.feature_names, cells, classes, "class")
    bunch = load_diabetes(scaled=False)
    cells = [[_shortest(x) for x in row] for row in bunch.data.tolist()]
    names = [DIABETES.get(name, name) for name in bunch.feature_names]
    _write(folder / "diabetes.csv", names, cells, map(_shortest, bunch.target), "progression")


def _shortest(x) -> str:
    """The fewest digits that read back as ``x``, without a point for whole numbers."""
    x = float(x)
    return str(int(x)) if x.is_integer() else repr(x)


def _write(path: Path, feature_names, cells, targets, target_name: str) -> None:
    with path.open("w", encoding="utf-8", newline="") as file:
        writer = csv.writer(file, lineterminator="\n")
        writer.writerow([*feature_names, target_name])
        writer.writerows([*row, target] for row, target in zip(cells, targets, strict=True))


if __name__ == "__main__":
    make_all(HERE)
    for path in sorted(HERE.glob("*.csv")):
        print(f"{path.name:20} {path.stat().st_size:8} bytes")
