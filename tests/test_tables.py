"""What :mod:`treecore.tables` reads, and the sentence every other file gets."""

from __future__ import annotations

import io

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from treecore.tables import MAX_FEATURES, TableError, read_columns, read_csv

PLAIN = "a,b,class\n1,2.5,no\n-3,4e2,yes\n5,.5,no\n"


def read(text: str, **options):
    return read_csv(text.encode(), **options)


def column(values) -> str:
    """A file with the given cells in column ``a``, beside a second feature and two classes."""
    rows = [f"{value},{i},{'uv'[i % 2]}" for i, value in enumerate(values)]
    return "\n".join(["a,b,class", *rows])


def refusal(data: bytes | str, **options) -> str:
    """The sentence a file is refused with."""
    with pytest.raises(TableError) as caught:
        read_csv(data.encode() if isinstance(data, str) else data, **options)
    return str(caught.value)


def assert_is_one_sentence(sentence: str):
    assert sentence
    assert "\n" not in sentence
    assert not sentence.endswith(".")
    assert len(sentence) < 700


# ---- What is read --------------------------------------------------------------------------


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
    assert read_columns(file) == ("a", "b", "class"), "a file is read from its beginning"


def test_quoted_cells_may_hold_separators_and_line_breaks():
    dataset = read('"a, b",class\n1,"x,\ny"\n2,z\n')
    assert dataset.feature_names == ("a, b",)
    assert dataset.class_names == ("x,\ny", "z")


def test_text_columns_become_one_feature_per_category():
    dataset = read("colour,ok,size,class\nred,True,1,u\nblue,False,2,v\nred,True,3,v\n")
    names = ("colour=blue", "colour=red", "ok=False", "ok=True", "size")
    assert dataset.feature_names == names
    assert np.array_equal(dataset.X, [[0, 1, 0, 1, 1], [1, 0, 1, 0, 2], [0, 1, 0, 1, 3]])


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


def test_any_column_can_be_the_target():
    columns = read_columns(PLAIN.encode())
    assert columns == ("a", "b", "class")
    for target in columns:
        others = tuple(name for name in columns if name != target)
        names = read(PLAIN, target=target).feature_names
        assert tuple(dict.fromkeys(name.split("=")[0] for name in names)) == others


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


def test_a_file_without_header_gets_names():
    for text in (
        "1,2,0\n3,4,1\n",
        "5.1,3.5,setosa\n4,3,virginica\n5,3,setosa\n",
        "1,2,win\n2,1,loss\n2,2,win\n",
    ):
        dataset = read(text)
        assert dataset.feature_names == ("x1", "x2")
        assert read_columns(text.encode()) == ("x1", "x2", "class")
        assert "no header" in dataset.notes[0]


def test_numbers_may_be_names_in_a_header():
    assert read("2019,2020,winner\n1,2,u\n3,4,v\n").feature_names == ("2019", "2020")


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


def test_pixels_are_recognised_but_not_among_categories():
    rng = np.random.default_rng(0)
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
        "Missing numbers are read as the mean of their column: 3, in 'a', 'b'.",
        "Missing texts are of no category: 1, in 'c'.",
    )


def test_thousands_of_columns_are_read():
    names = ",".join(f"c{j}" for j in range(4000))
    row = ",".join(map(str, range(4000)))
    dataset = read(f"{names},class\n{row},u\n{row},v\n0{row},u\n9{row},v")
    assert dataset.n_features == 4000


# ---- What is refused -----------------------------------------------------------------------

HUNDRED = [str(i) for i in range(100)]
REFUSED = {
    "empty file": (b"", {}, ["empty"]),
    "only blanks": (" \n\t\n\n", {}, ["empty"]),
    "only a mark": ("\ufeff", {}, ["empty"]),
    "only a header": ("a,b,class\n\n", {}, ["no rows"]),
    "one row": ("a,b,class\n1,2,u\n", {}, ["single row"]),
    "one column": ("class\nu\nv\n", {}, ["single column", "'class'"]),
    "one column and an index": (",class\n0,u\n1,v\n", {}, ["single column"]),
    "one class": ("a,class\n1,u\n2,u\n", {}, ["'class'", "'u' in all rows"]),
    "no varying feature": ("a,b,class\n1,x,u\n1,x,v\n", {}, ["every feature"]),
    "same names": ("a, a ,b,b,class\n1,2,3,4,u\n2,3,4,5,v\n", {}, ["'a', 'b'", "same name"]),
    "same features": ("c=x,c,class\n1,x,u\n2,y,v\n", {}, ["'c=x'", "rename"]),
    "missing classes": ("a,class\n1,\n\n2,nan\n3,v\n", {}, ["'class'", "1 row only"]),
    "no values": ("a,b,class\n,?,u\nna,,v\n", {}, ["no feature has a value"]),
    "text after missing": (
        'a,b,class\n1,"u\n\n",x\n3,,\n3,,y\n2,3,z\nx,3,z\n',
        {},
        ["'a'", "line 8", "'x'"],
    ),
    "infinite": (column(["1", "-inf", "3"]), {}, ["'a'", "'-inf' in line 3", "infinite"]),
    "overflow": (column(["1", "2", "1e999"]), {}, ["'1e999' in line 4", "infinite"]),
    "beyond float32": (
        column(["1", "4e38", "-1e39"]),
        {},
        ["'4e38' in line 3", "1 more", "3.4e38"],
    ),
    "text among numbers": (column([*HUNDRED, "n.d.", "x"]), {}, ["'a'", "line 102", "'n.d.'"]),
    "underscores": (column(["1", "2", "1_000"]), {}, ["line 4", "'1_000'"]),
    "two decimal marks": (
        "a;b;class\n1.5;1;u\n2.5;2;v\n1,5;3;u\n",
        {},
        ["line 4", "'1,5'"],
    ),
    "free text": (column([f"t{i}" for i in HUNDRED]), {}, ["'a'", "100 different texts"]),
    "unknown target": (PLAIN, {"target": "clas"}, ["'clas'", "'a', 'b', 'class'"]),
    "numbers as classes": (
        "a,price\n" + "".join(f"{i},{i}.5\n" for i in range(201)),
        {"task": "classification"},
        ["'price'", "201 different values", "predict it as a number"],
    ),
    "words as numbers": (PLAIN, {"task": "regression"}, ["'class'", "'no' in line 2", "2 more"]),
    "a slip among numbers": (
        "a,price\n" + "".join(f"{i},{i}.5\n" for i in range(300)) + "7,n.d.\n",
        {},
        ["'price'", "'n.d.' in line 302", "no number"],
    ),
    "one number": ("a,y\n1,2.5\n2,2.5\n", {"task": "regression"}, ["'2.5' in all rows"]),
    "huge number": (
        "a,y\n1,2.5\n2,1.1e30\n",
        {"task": "regression"},
        ["'1.1e30' in line 3", "beyond 1e+30", "rescale"],
    ),
    "infinite target": ("a,y\n1,2.5\n2,inf\n", {}, ["'inf' in line 3", "infinite"]),
    "two targets": (PLAIN, {"target": ["a", "b"]}, ["single column", "ObliqueTreeRegressor"]),
    "identifier target": (
        "a,id\n" + "".join(f"{i},n{i}\n" for i in range(201)),
        {},
        ["'id'", "201 different values", "identifier"],
    ),
    "long row": (PLAIN + "1,2,3,4\n", {}, ["line 5 has 4 values", "first row has 3"]),
    "short row": ('a,b,class\n"1\n",2,u\n\n1,2\n2,2,v\n', {}, ["line 5 has 2 values"]),
    "other separator": ("a b class\n1 2 u\n", {}, ["single column", "tab"]),
    "open quote": ('a,class\n1,u\n2,"v\n3,u\n', {}, ["line 3", "quotation mark"]),
    "huge cell": ('a,class\n1,u\n2,"v' + "x" * 200_000 + '"\nx,u\n', {}, ["line 3", "characters"]),
    "latin 1": ("a,class\n1,u\n2,café\n".encode("latin-1"), {}, ["line 3", "UTF-8"]),
    "half a character": (PLAIN.encode("utf-16") + b"x", {}, ["line 5", "UTF-16"]),
    "UTF-16 without mark": (PLAIN.encode("utf-16-le"), {}, ["not a text table"]),
    "picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", {}, ["not a text table", "CSV"]),
    "workbook": (b"PK\x03\x04\x14\0\x06\0\x08\0", {}, ["not a text table", "CSV"]),
    "too many bytes": (PLAIN, {"max_bytes": 10}, ["more than 1e-05 MB"]),
    "too many rows": (PLAIN, {"max_rows": 2}, ["more than 2 rows"]),
    "too many columns": (",".join(["1"] * 6000), {}, ["6000 columns", str(MAX_FEATURES)]),
}


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_file_gets_one_sentence_with_the_place(name):
    data, options, parts = REFUSED[name]
    sentence = refusal(data, **options)
    assert_is_one_sentence(sentence)
    for part in parts:
        assert part in sentence, sentence


@given(st.lists(st.sampled_from(["1,x", '2,"x\n\ny"', "", "  "]), max_size=30), st.integers(0, 30))
def test_the_line_is_right_whatever_comes_before(records, place):
    records[place:place] = ["4,oops", "oops,x", "4,z"]  # a class may be called so, a number not
    text = "\n".join(["a,class", "1,x", "1,z", *records])
    line = text[: text.index("\noops,x")].count("\n") + 2
    assert f"in line {line} the text 'oops'" in refusal(text)


def test_a_table_of_letters_needs_no_header():
    dataset = read("x,o,win\no,x,loss\nx,x,win\no,o,loss\n")
    assert dataset.n_samples == 4
    assert dataset.feature_names == ("x1=o", "x1=x", "x2=o", "x2=x")


def test_the_limits_themselves_are_allowed():
    read(PLAIN, max_bytes=len(PLAIN), max_rows=3)
    read(column([f"t{i % 50}" for i in range(100)]))
    read("a,price\n" + "".join(f"{i},{i}.5\n" for i in range(20)))
    read("a,id\n" + "".join(f"{i},n{i}\n" for i in range(200)))


def test_one_hot_encoding_cannot_exhaust_the_memory(monkeypatch):
    monkeypatch.setattr("treecore.tables.MAX_VALUES", 20)
    assert "remove columns or rows" in refusal(column(["x", "y", "z", "w"] * 2))


def test_a_file_that_cannot_be_opened_gets_a_sentence(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path, "with\0null"):
        with pytest.raises(TableError, match="cannot be read"):
            read_csv(path)
    with pytest.raises(TableError, match="binary mode"):
        read_csv(io.StringIO(PLAIN))


# ---- Anything at all -----------------------------------------------------------------------

CRUMBS = (
    b',~;~\t~|~"~\n~\r~\r\n~ ~~1~2.5~-1e400~nan~inf~NA~a~class~1,5~_~#~\\~\0~\x1a~\x0b'
    b"~\xff\xfe~\xef\xbb\xbf~\xe9~\xe2\x80\xa8~\xd9\xa3~\xc2\x85~'"
)
crumbs = st.sampled_from(CRUMBS.split(b"~"))


@st.composite
def mutated(draw):
    """A good file with a few pieces replaced, inserted or cut."""
    data = draw(st.sampled_from([PLAIN, PLAIN.replace(",", ";"), column("1234"), column("xyxy")]))
    data = data.encode(draw(st.sampled_from(["utf-8", "utf-16"])))
    for _ in range(draw(st.integers(1, 5))):
        start = draw(st.integers(0, len(data)))
        stop = start + draw(st.integers(0, 3))
        data = data[:start] + draw(crumbs) + data[stop:]
    return data


def assert_is_read_or_refused(data: bytes):
    try:
        columns = read_columns(data)
        dataset = read_csv(data)
    except TableError as error:
        assert_is_one_sentence(str(error))
    else:
        assert len(columns) >= 2
        assert not np.isinf(dataset.X.astype(np.float32)).any()
        assert not np.isnan(dataset.X).all(axis=0).any()
        if dataset.n_classes:
            assert np.array_equal(np.unique(dataset.y), np.arange(dataset.n_classes))
        else:
            assert np.isfinite(dataset.y).all()


@given(st.binary(max_size=200))
def test_random_bytes_are_read_or_refused(data):
    assert_is_read_or_refused(data)


@given(st.lists(crumbs, max_size=40).map(b"".join))
def test_random_pieces_of_csv_are_read_or_refused(data):
    assert_is_read_or_refused(data)


@given(mutated())
def test_damaged_files_are_read_or_refused(data):
    assert_is_read_or_refused(data)
