"""Generators and the sample files: drawn by a seed, in view, and learnable."""

import numpy as np
import pytest
from sklearn.neighbors import KNeighborsClassifier

from sample_data.make import HERE, make_all
from tests.helpers.cases import case
from tests.helpers.same import assert_same
from treecore.data.dataset import split
from treecore.data.generators import GENERATORS, generate
from treecore.data.readers.csv import read_csv

shape_names = pytest.mark.parametrize("name", [n for n, g in GENERATORS.items() if g.n_classes])
surface_names = pytest.mark.parametrize(
    "name", [n for n, g in GENERATORS.items() if not g.n_classes]
)


@surface_names
def test_a_surface_is_drawn_with_the_noise_it_says(name):
    surface = GENERATORS[name]
    clean, usual = generate(name, 4000, noise=0, seed=3), generate(name, 4000, noise=0.5, seed=3)
    assert clean.task == usual.task == "regression"
    assert clean.n_features == surface.n_features
    assert np.array_equal(clean.X, usual.X)
    assert np.array_equal(clean.y, surface.height(clean.X))
    assert np.abs(clean.X).max() <= 1
    assert (np.ptp(clean.X, axis=0) > 1.9).all()
    share = np.std(usual.y - clean.y) / clean.y.std()
    assert abs(share - 0.5) < 0.05
    assert np.ptp(clean.y) > 0.9


def test_same_seed_gives_the_same_points():
    for name in GENERATORS:
        with case(name=name):
            one, again, other = generate(name), generate(name), generate(name, seed=1)
            assert_same(one, again)
            assert not np.array_equal(one.X, other.X)


@shape_names
def test_classes_are_balanced_to_within_one_row_and_rows_are_shuffled(name):
    for n_samples in (6, 7, 500):
        with case(n_samples=n_samples):
            dataset = generate(name, n_samples)
            counts = np.bincount(dataset.y, minlength=dataset.n_classes)
            assert dataset.n_samples == n_samples
            assert dataset.n_classes == GENERATORS[name].n_classes
            assert counts.max() - counts.min() <= 1
    changes = np.count_nonzero(np.diff(dataset.y)) / (n_samples - 1)
    assert abs(changes - (1 - 1 / dataset.n_classes)) < 0.1


@shape_names
def test_points_stay_in_the_view_and_fill_it(name):
    assert np.abs(generate(name, 2000, noise=0).X).max() <= 1
    X = generate(name, 2000).X
    assert np.abs(X).max() <= 1.5
    assert (np.ptp(X, axis=0) > 1).all()


@shape_names
def test_clean_points_can_be_learnt_and_noise_makes_it_harder(name):
    def accuracy(noise):
        train, test = split(generate(name, 1000, noise=noise), 0.5, seed=0)
        return KNeighborsClassifier(3).fit(train.X, train.y).score(test.X, test.y)

    clean, usual, noisy = accuracy(0), accuracy(None), accuracy(1)
    assert clean > 0.85
    assert usual > 0.8
    assert noisy < usual - 0.05


def test_the_script_reproduces_the_sample_files(tmp_path):
    make_all(tmp_path)
    made = {path.name: path.read_bytes() for path in tmp_path.glob("*.csv")}
    committed = {path.name: path.read_bytes() for path in HERE.glob("*.csv")}
    assert made == committed


def test_the_readme_counts_what_is_in_a_sample_file():
    lines = (HERE / "README.md").read_text(encoding="utf-8").splitlines()
    for path in sorted(HERE.glob("*.csv")):
        with case(path=path.name):
            dataset = read_csv(path)
            n_classes = dataset.n_classes or "–"
            facts = f"| {dataset.n_samples} | {dataset.n_features} | {n_classes} |"
            assert [facts in line for line in lines if f"`{path.name}`" in line] == [True]
