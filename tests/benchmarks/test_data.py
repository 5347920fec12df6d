"""The papers' datasets are read from archives and from LIBSVM's files."""

import numpy as np
import pytest
from sklearn.datasets import dump_svmlight_file

from benchmarks.data import PaperData
from treecore.data.readers.table import TableError


def test_an_archive_has_an_official_test_part_or_a_fifth_of_its_rows_is_drawn(data):
    training, test = data.load("connect4")
    entire = data.entire("connect4")
    assert len(test.y) == 40
    rows = np.concatenate([training.X, test.X])
    assert sorted(map(tuple, rows)) == sorted(map(tuple, entire.X))
    training, test = data.load("usps")
    np.testing.assert_array_equal(data.entire("usps").X, np.concatenate([training.X, test.X]))
    np.testing.assert_array_equal(data.entire("usps").y, np.concatenate([training.y, test.y]))
    assert len(test.y) == 50


def test_what_is_not_at_hand_is_named_in_a_sentence(data, folder, monkeypatch):
    assert data.load("sensit") is None
    assert data.why_absent("sensit").startswith(f"sensit is left out: put sensit.npz into {folder}")
    monkeypatch.delenv("TREECORE_DATA", raising=False)
    assert PaperData().load("mnist") is None
    assert "--data or the variable TREECORE_DATA names" in PaperData().why_absent("mnist")
    monkeypatch.setenv("TREECORE_DATA", str(folder))
    assert PaperData().fingerprint("usps") == data.fingerprint("usps") != data.fingerprint("letter")


def test_libsvm_files_are_read_as_one_dataset(tmp_path, rng):
    """Files that lack a class or the last columns still mean the same classes and columns."""
    X, y = rng.integers(0, 3, (40, 6)).astype(float), np.arange(40) % 3
    X[:, 5] = 0
    X[:20, 5] = 1
    y[30:][y[30:] == 1] = 2
    files = [tmp_path / f"protein.{name}.libsvm" for name in "abt"]
    for file, rows in zip(files, (slice(20), slice(20, 30), slice(30, None)), strict=True):
        dump_svmlight_file(X[rows], y[rows] - 1, str(file), zero_based=False)
    training, test = PaperData(None, {"protein": files}).load("protein")
    np.testing.assert_array_equal(training.X, X[:30])
    np.testing.assert_array_equal(test.X, X[30:])
    np.testing.assert_array_equal(training.y, y[:30])
    np.testing.assert_array_equal(test.y, y[30:])


@pytest.mark.parametrize(
    ("name", "sentence"),
    [
        ("damaged", "is not a NumPy archive"),
        ("without_rows", "it needs X and y, or X_train and y_train"),
        ("without_targets", "must hold X_train, y_train, X_test and y_test, or X and y"),
        ("one_file", "needs two files at least"),
        ("no_file", "there is no file nowhere"),
    ],
)
def test_what_cannot_be_read_is_refused_in_a_sentence(name, sentence, tmp_path):
    (tmp_path / "damaged.npz").write_bytes(b"PK\x03\x04 not what it says")
    np.savez(tmp_path / "without_rows.npz", rows=np.zeros(3))
    np.savez(tmp_path / "without_targets.npz", X=np.zeros((3, 2)))
    data = PaperData(tmp_path, {"one_file": ["a"], "no_file": ["nowhere", "b"]})
    with pytest.raises(TableError, match=sentence):
        data.load(name)
