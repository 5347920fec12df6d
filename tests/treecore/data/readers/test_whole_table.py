"""What :mod:`treecore.data.readers.whole_table` makes of all rows of a table."""

from __future__ import annotations

import numpy as np
import pandas as pd
import pytest

from treecore.data.readers.encoding import EncodedTable
from treecore.data.readers.parquet import read_parquet
from treecore.data.readers.table import TableError
from treecore.data.readers.whole_table import read_dataset


@pytest.fixture
def path(tmp_path):
    """Columns of numbers, among them empty and constant ones, and gaps."""
    rng = np.random.default_rng(0)
    frame = pd.DataFrame(
        rng.standard_normal((50, 18)),
        columns=[f"x{j}" for j in range(18)],
    )
    frame.iloc[::7, 0] = np.nan
    frame["x1"] = frame["x11"] = np.nan
    frame["x2"] = 3.0
    frame["word"] = ["a", "b"] * 25
    frame["y"] = np.arange(50) % 3
    frame.to_parquet(tmp_path / "t.parquet")
    return tmp_path / "t.parquet"


def test_empty_columns_are_left_out_wherever_they_stand(path):
    dataset = read_dataset(read_parquet(path))
    frame = pd.read_parquet(path).drop(columns=["x1", "x11", "word", "y"])
    assert dataset.feature_names == (*frame.columns, "word=a", "word=b")
    assert np.array_equal(dataset.X[:, :-2], frame, equal_nan=True)
    assert dataset.X.flags.c_contiguous
    notes = " ".join(dataset.notes)
    assert "Columns without any value were left out: 'x1', 'x11'." in notes
    assert "go to one side, or count as the mean: 8, in 'x0'." in notes
    assert "Columns with the same value in all rows do not help: 'x2'." in notes


def test_what_is_of_no_use_is_left_out_of_both_and_reported(path):
    found = EncodedTable(read_parquet(path), unusable="drop")
    assert found.empty == ["x1", "x11"]
    assert not {"x1", "x2", "x11"} & set(found.feature_names)
    reports = {report.name: report for report in found.reports}
    assert reports["x11"].why_not == "has no value"
    assert reports["x0"].n_missing == 8


def test_a_table_of_empty_columns_is_refused(tmp_path):
    frame = pd.DataFrame({"a": [np.nan] * 4, "y": [0, 1, 0, 1]})
    frame.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(TableError, match="no feature has a value in any row"):
        read_dataset(read_parquet(tmp_path / "t.parquet"))
