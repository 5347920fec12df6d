"""Columns of LIBSVM's files are known by their numbers alone, and what no row has is 0."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.strategies import random_tree
from treecore.data.readers.table import TableError
from treecore.data.sources import Source, read_libsvm, read_table
from treecore.persistence import Document
from treecore.persistence.column_alignment import match


def document(*names: str) -> Document:
    tree = random_tree(np.random.default_rng(0), 3, len(names), 2)
    return Document(tree, names, ("0", "1"))


def written(tmp_path, text: str) -> Source:
    (tmp_path / "t.svm").write_text(text)
    return Source(str(tmp_path / "t.svm"))


@pytest.mark.parametrize(
    ("text", "names"),
    [
        ("0 0:5 2:1\n1 1:2\n", ("x0", "x1", "x2")),
        ("0 1:5 3:1\n1 2:2\n", ("x1", "x2", "x3")),
        ("0 2:5 3:1\n1 2:2\n", ("x1", "x2", "x3")),
    ],
)
def test_a_column_is_named_by_its_number(tmp_path, text, names):
    written(tmp_path, text)
    assert read_libsvm(tmp_path / "t.svm").feature_names == names


CELLS = st.dictionaries(st.integers(0, 6), st.integers(1, 9), max_size=5)


@given(rows=st.lists(CELLS, min_size=2, max_size=6), first=st.integers(0, 1))
def test_every_file_of_a_table_gives_a_model_the_same_columns(rows, first, tmp_path_factory):
    """Whatever columns happen to be 0 in all rows of a file, the first or the last among them."""
    names = tuple(f"x{first + j}" for j in range(7))
    lines = [" ".join(f"{first + j}:{row[j]}" for j in sorted(row)) for row in rows]
    text = "".join(f"{i % 2} {line}\n" for i, line in enumerate(lines))
    X = np.array([[row.get(j, 0) for j in range(7)] for row in rows], dtype=float)
    folder = tmp_path_factory.mktemp("svm")
    found = match(document(*names), written(folder, text))
    np.testing.assert_array_equal(found.X, X)
    assert found.notes == ()


def test_a_column_that_the_model_does_not_know_is_told(tmp_path):
    found = match(document("x1", "x2"), written(tmp_path, "0 0:5 1:1 2:1\n1 1:3 2:2 9:4\n"))
    np.testing.assert_array_equal(found.X, [[1, 1], [3, 2]])
    assert found.notes == ("Columns that the tree does not read were left out: 'x0', 'x9'.",)


def test_a_model_of_named_columns_reads_no_numbered_ones(tmp_path):
    with pytest.raises(TableError, match="numbers its columns, but the tree reads 'a', 'x2'"):
        match(document("a", "x2"), written(tmp_path, "0 1:5 2:1\n1 1:2\n"))


def test_a_table_that_would_take_all_memory_is_refused(tmp_path):
    source = written(tmp_path, "0 1:5\n1 900000:2\n" * 200)
    with pytest.raises(
        TableError, match=r"t\.svm has 900000 features for 400 rows, zeros included"
    ):
        read_table(source)
