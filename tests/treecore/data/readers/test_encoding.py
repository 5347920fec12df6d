"""What :mod:`treecore.data.readers.encoding` reads."""

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.csvs import PLAIN, column, read
from treecore.data.readers.csv import CsvTable, read_csv


def test_numbers_and_classes_are_read():
    dataset = read(PLAIN)
    assert np.array_equal(dataset.X, [[1, 2.5], [-3, 400], [5, 0.5]])
    assert dataset.feature_names == ("a", "b")
    assert dataset.class_names == ("no", "yes")
    assert dataset.y.tolist() == [0, 1, 0]
    assert dataset.notes == ()


@pytest.mark.parametrize(
    "data",
    [
        PLAIN.replace("\n", "\r\n").encode(),
        PLAIN.replace("\n", "\r").encode(),
        PLAIN.encode("utf-8-sig"),
        PLAIN.encode("utf-16"),
        b"\xfe\xff" + PLAIN.encode("utf-16-be"),
        PLAIN.strip().encode(),
        ("\n \n" + PLAIN.replace("\n", "\n\n") + "\n\n  \n").encode(),
        PLAIN.replace(",", " ,  ").encode(),
        PLAIN.replace(",", '","').replace("\n", '"\n"').rstrip('"').join(['"', ""]).encode(),
        PLAIN.replace(",", ";").encode(),
        PLAIN.replace(",", "\t").encode(),
        PLAIN.replace(",", "   ").encode(),
        PLAIN.replace(",", "|").encode(),
        PLAIN.replace(",", ";").replace(".", ",").encode(),
        PLAIN.replace(",", "\t").replace(".", ",").encode(),
    ],
)
def test_line_ends_encodings_blanks_quotes_and_separators_do_not_matter(data):
    plain, dataset = read(PLAIN), read_csv(data)
    assert np.array_equal(dataset.X, plain.X)
    assert dataset.feature_names == plain.feature_names
    assert dataset.class_names == plain.class_names


@given(st.lists(st.floats(-3e38, 3e38), min_size=2, max_size=20, unique=True))
def test_numbers_are_read_back_exactly(values):
    assert read(column(map(repr, values))).X[:, 0].tolist() == values


def test_paths_bytes_and_files_give_the_same(tmp_path):
    path = tmp_path / "my table.csv"
    path.write_text(PLAIN)
    file = io.BytesIO(PLAIN.encode())
    with path.open("rb") as opened:
        datasets = [read_csv(s) for s in (path, str(path), PLAIN.encode(), file, opened)]
    assert [d.name for d in datasets] == ["my table", "my table", "table", "table", "my table"]
    assert all(np.array_equal(d.X, datasets[0].X) for d in datasets)
    assert CsvTable(file).columns == ("a", "b", "class"), "a file is read from its beginning"


@pytest.mark.parametrize(
    ("header", "target"),
    [
        ("a,b,c", "c"),
        ("Species,b,c", "Species"),
        ("a,TARGET,c", "TARGET"),
        ("y,label,class", "class"),
        ("y,b,c", "y"),
    ],
)
def test_the_target_is_found_by_name_or_comes_last(header, target):
    dataset = read(f"{header}\n1,2,3\n2,3,4\n4,5,6\n")
    assert target not in dataset.feature_names
    assert len(dataset.feature_names) == 2


@pytest.mark.parametrize(
    ("cells", "names"),
    [
        (["10", "9", "9.0"], ("9", "10")),
        (["0.5", "1", "-2"], ("-2", "0.5", "1")),
        (["0.1", "0.2", "0.1"], ("0.1", "0.2")),
        (["x10", "x9", "3"], ("3", "x10", "x9")),
        (["True", "False", "True"], ("False", "True")),
    ],
)
def test_classes_are_sorted_as_numbers_or_as_text(cells, names):
    rows = "".join(f"{i},{cell}\n" for i, cell in enumerate(cells))
    assert read("a,class\n" + rows).class_names == names


@pytest.mark.parametrize("start", [0, 1])
@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_an_index_is_left_out_with_a_note(start, name):
    dataset = read(f"{name},a,class\n{start},5,u\n{start + 1},6,v\n{start + 2},7,v\n")
    assert dataset.feature_names == ("a",)
    assert "numbers the rows" in dataset.notes[0]


def test_other_unnamed_columns_keep_their_values():
    dataset = read(",a,,,class\n5,1,2,,u\n3,1,4,,v\n")
    assert dataset.feature_names == ("column 1", "a", "column 3")
    assert any("Column 4 has neither a name nor values" in note for note in dataset.notes)


def test_empty_rows_and_constant_columns_are_noted():
    dataset = read("a,b,class\n1,7,u\n,,\n2,7,v\n , ,\n")
    assert dataset.n_samples == 2
    assert dataset.feature_names == ("a", "b")
    assert "left out: 2." in dataset.notes[0]
    assert dataset.notes[1].endswith(": 'b'.")


def test_a_table_whose_rows_no_split_can_divide_is_read_and_says_so():
    dataset = read("a,b,class\n1,2,no\n1,2,yes\n1,2,yes\n")
    assert dataset.X.tolist() == [[1, 2]] * 3
    assert dataset.y.tolist() == [0, 1, 1]
    assert dataset.notes == (
        "Every feature has the same value in all rows: no split can divide them.",
    )


def test_pixels_are_recognised_but_not_among_categories(rng):
    pixels = rng.integers(0, 17, size=(20, 36))
    names = ",".join(f"p{j}" for j in range(36))
    rows = "\n".join(",".join(map(str, row)) + f",{i % 3}" for i, row in enumerate(pixels))
    assert read(f"{names},class\n{rows}").image_shape == (6, 6)
    letters = "\n".join(
        ",".join("uv"[v % 2] for v in row[:18]) + f",{i % 3}" for i, row in enumerate(pixels)
    )
    dataset = read(f"{names[: names.index('p18') - 1]},class\n{letters}")
    assert (dataset.n_features, dataset.image_shape) == (36, None)


@pytest.mark.parametrize(
    ("cells", "task"),
    [
        ([f"{i}.5" for i in range(20)], "classification"),
        ([f"{i}.5" for i in range(21)], "regression"),
        ([str(i) for i in range(50)], "classification"),
        ([f"{i}.0" for i in range(51)], "regression"),
        ([f"n{i}" for i in range(60)], "classification"),
    ],
)
def test_a_target_of_many_numbers_is_a_quantity(cells, task):
    text = "a,y\n" + "".join(f"{i},{cell}\n" for i, cell in enumerate(cells))
    dataset = read(text)
    assert dataset.task == task
    assert dataset.target_name == "y"
    assert any("quantity" in note for note in dataset.notes) == (task == "regression")
    if cells[0] == "n0":
        return
    numbers, classes = (read(text, task=task) for task in ("regression", "classification"))
    assert np.array_equal(numbers.y, [float(cell) for cell in cells])
    assert classes.n_classes == len(cells)
    assert not numbers.notes, "who says what it is need not be told"


def test_a_task_must_be_one():
    with pytest.raises(ValueError, match="must be None or one of classification, regression"):
        read(PLAIN, task="numbers")


def test_missing_values_stay_missing_and_are_told():
    dataset = read("a,b,c,d,y\n1,,red,,u\n2,3,?,,v\nNA,5,blue,,u\n4,7,red,,\n,9,red,,v\n")
    assert dataset.feature_names == ("a", "b", "c=blue", "c=red")
    nan = np.nan
    table = [[1, nan, 0, 1], [2, 3, 0, 0], [nan, 5, 1, 0], [nan, 9, 0, 1]]
    assert np.array_equal(dataset.X, table, equal_nan=True)
    assert dataset.y.tolist() == [0, 1, 0, 1]
    assert dataset.notes == (
        "Rows whose 'y' is missing were left out: 1.",
        "Columns without any value were left out: 'd'.",
        "Missing numbers go to one side, or count as the mean: 3, in 'a', 'b'.",
        "Missing texts belong to no category: 1, in 'c'.",
    )


def test_a_target_that_names_its_rows_is_told():
    rows = [f"{i % 7},{i % 5},n" for i in range(40)]
    (note,) = read("\n".join(["a,b,id", *(f"{row}{i}" for i, row in enumerate(rows))])).notes
    assert note.startswith("'id' has 40 classes of one row each")
    assert not read("\n".join(["a,b,id", *(f"{row}{i % 20}" for i, row in enumerate(rows))])).notes
