"""Joint learning on the bound, as in the paper, beside its own start and beside annealed learning.

Run with ``python -m benchmarks.bound_search [--data NAME ...] [--depths N ...] [--seeds N]
[--rows N] [--epochs N]``. A CO2 tree starts SGD or Stable SGD; ν and η are chosen on training rows
that are held out (:mod:`treecore.selection.bound_search`), and test rows are looked at once. Data
are those of the app, a quarter held out and drawn anew for every seed, and the papers', which the
variable TREECORE_DATA names. Figures are accuracies, or R², in percent; ± is the standard error of
the gain, of pairs of test rows. Every row is written into ``benchmarks/results/bound_search.md`` as
soon as it is measured; other rows stay.
"""

from __future__ import annotations

import argparse

import numpy as np

from benchmarks.data import PaperData
from benchmarks.defaults import rows_of
from benchmarks.marks import RESULTS
from benchmarks.pages import Page
from treecore import warm_up
from treecore.core.routing import apply, leaf_labels
from treecore.core.tree import Tree
from treecore.data.dataset import Dataset
from treecore.data.generators import GENERATORS
from treecore.selection import TeacherQuestion, bound_contest, choose_tree
from treecore.selection.bound_search import EPOCHS
from treecore.selection.lesson import TeacherLesson
from ui.widgets.data.picker import FILES

APP = (*GENERATORS, *FILES)
PAPERS = ("pendigits", "usps", "letter", "connect4", "mnist")
SEEDS = 3

PAGE = Page(
    RESULTS / "bound_search.md",
    "Joint learning on the bound from CO2, as in the paper",
    "Accuracies, or R², in percent; ± is the standard error of the gain. A setting is chosen by "
    "the mean of accuracy and 1 - Brier score on held-out training rows. Where `co2` is chosen the "
    "CO2 tree stays as it is.\nWritten by `python -m benchmarks.bound_search`.",
    (
        *("data", "depth", "CO2, its start", "SGD on the bound", "gain", "±", "annealed"),
        *("CO2, training", "SGD, training", "annealed, training", "chosen"),
    ),
    2,
)


def parts(name: str, seed: int, n_rows: int | None) -> tuple[Dataset, Dataset]:
    """Training and test rows of a dataset of the app or of the papers."""
    if name in APP:
        train, test = rows_of(name, seed)
        assert test is not None
        return train, test
    data = PaperData()
    found = data.require(name)
    train, test = found[0].sample(n_rows), found[1]
    features = tuple(f"x{i}" for i in range(train.X.shape[1]))
    classes = tuple(map(str, range(1 + int(max(train.y.max(), test.y.max())))))
    one, other = (Dataset(name, part.X, part.y, features, classes) for part in (train, test))
    return one, other


def told_rightly(tree: Tree, train: Dataset, rows: Dataset) -> np.ndarray:
    """What each row adds to the figure of a tree; the figure is 100 times the mean."""
    leaf = apply(tree, rows.X)
    if train.n_classes:
        return (leaf_labels(tree)[leaf] == rows.y).astype(np.float64)
    off, spread = rows.y - tree.values[leaf, 0], rows.y - train.y.mean()
    return (spread**2 - off**2) / np.mean(spread**2)


def measure(
    name: str, depth: int, seeds: int = SEEDS, n_rows: int | None = None, epochs: int = EPOCHS
) -> list[str]:
    """Figures of a row, after its keys: means over all seeds."""
    contest = bound_contest(depth, epochs)
    figures, gaps, chosen = [], [], []
    for seed in range(seeds if name in APP else 1):
        train, test = parts(name, seed, n_rows)
        question = TeacherQuestion.of(train, "log" if train.n_classes else "squared", "none", seed)
        lesson = TeacherLesson.of(question)
        ours, decision, _ = choose_tree(question, contest=contest)
        chosen.append(decision.chosen)
        start = lesson.units.inverse_transform(lesson.grown("co2", depth))
        annealed = lesson.learn("annealed", lesson.rows, None, depth=depth)
        trees = start, ours, lesson.units.inverse_transform(annealed)
        on_test, on_train = (
            [told_rightly(tree, train, rows) for tree in trees] for rows in (test, train)
        )
        figures.append([100 * rows.mean() for rows in on_test + on_train])
        gaps.append(100 * (on_test[1] - on_test[0]))
    start, ours, annealed, *training = np.mean(figures, axis=0)
    gap = np.concatenate(gaps)
    cells = [f"{start:.1f}", f"{ours:.1f}", f"{ours - start:+.1f}"]
    cells += [f"{gap.std() / np.sqrt(len(gap)):.1f}", f"{annealed:.1f}"]
    return cells + [f"{figure:.1f}" for figure in training] + ["; ".join(chosen)]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--data", nargs="+", choices=[*APP, *PAPERS], default=list(APP))
    parser.add_argument("--depths", nargs="+", type=int, default=[6])
    parser.add_argument("--seeds", type=int, default=SEEDS, help="draws of the app's data")
    parser.add_argument("--rows", type=int, help="training rows of the papers' data, at most")
    parser.add_argument("--epochs", type=int, default=EPOCHS)
    given = parser.parse_args()
    warm_up()
    for name in given.data:
        for depth in given.depths:
            PAGE.keep(name, depth, *measure(name, depth, given.seeds, given.rows, given.epochs))


if __name__ == "__main__":
    main()
