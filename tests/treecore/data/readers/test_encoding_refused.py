"""The sentence that every file gets that :mod:`treecore.data.readers.encoding` does not read."""

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.csvs import PLAIN, assert_is_one_sentence, column, read, refusal
from treecore.base.limits import LIBRARY, Limits
from treecore.data.readers.csv import read_csv
from treecore.data.readers.table import TableError

BOTH_WAYS = [f"{day}/{month}/2024" for day in range(1, 13) for month in range(1, 13)]
HUNDRED = [str(i) for i in range(100)]
REFUSED = {
    "empty file": (b"", {}, ["empty"]),
    "only blanks": (" \n\t\n\n", {}, ["empty"]),
    "only a mark": ("\ufeff", {}, ["empty"]),
    "only a header": ("a,b,class\n\n", {}, ["no rows"]),
    "ARFF": ("% mine\n@RELATION t\n@ATTRIBUTE a numeric\n@DATA\n1,2\n", {}, ["ARFF", "as CSV"]),
    "JSON": ('[{"a": 1, "b": 2},\n {"a": 2, "b": 3}]', {}, ["JSON", "as CSV"]),
    "a web page": ("\n<!DOCTYPE html><p>Not, found</p>\n", {}, ["a web page", "as CSV"]),
    "a slip among few numbers": (
     "a,price\n" + "".join(f"{i},{i}.5\n" for i in range(30)) + "7,n.d.\n", {},
     ["'price'", "'n.d.' in line 32", "not a number"]),
    "one row": ("a,b,class\n1,2,u\n", {}, ["single row"]),
    "one column": ("class\nu\nv\n", {}, ["single column", "'class'"]),
    "one column and an index": (",class\n0,u\n1,v\n", {}, ["single column"]),
    "one class": ("a,class\n1,u\n2,u\n", {}, ["'class'", "'u' in all rows"]),
    "same features": ("c=x,c,class\n1,x,u\n2,y,v\n", {}, ["'c=x'", "rename"]),
    "missing classes": ("a,class\n1,\n\n2,nan\n3,v\n", {}, ["'class'", "1 row only"]),
    "no values": ("a,b,class\n,?,u\nna,,v\n", {}, ["no feature has a value"]),
    "text after missing": ('a,b,class\n1,"u\n\n",x\n3,,\n3,,y\n2,3,z\nx,3,z\ny,3,z\n', {},
     ["'a'", "line 8", "'x' (and 1 more)"]),
    "infinite": (column(["1", "-inf", "inf", "4", "5"]), {},
     ["'a'", "line 3 the text '-inf' (and 1 more)"]),
    "beyond float32": (column(["1", "4e38", "-1e39"]), {},
     ["'4e38' in line 3", "1 more", "3.4e38"]),
    "text among numbers": (column([*HUNDRED, *"qrstuvw"]), {},
     ["'a'", "line 102", "'q' (and 6 more)"]),
    "underscores": (column(["1", "2", "1_000", "2_000"]), {}, ["line 4", "'1_000'"]),
    "slips among dates": (
     column([*(f"2024-01-{day:02}" for day in range(1, 29)), "soon", "31.1.2024"]), {},
     ["'a' holds dates", "'soon' (and 1 more)", "line 30"]),
    "a unit in the first of rows without names": ("12 %,4,1\n5,6,0\n", {},
     ["'x1' holds numbers", "line 1 the text '12 %'"]),
    "two decimal marks": ("a;b;class\n1.5;1;u\n2.5;2;v\n1,5;3;u\n2,5;3;u\n", {},
     ["line 4", "'1,5'"]),
    "free text": (column([f"t{i}" for i in HUNDRED]), {}, ["'a'", "100 different texts"]),
    "unknown target": (PLAIN, {"target": "clas"}, ["'clas'", "'a', 'b', 'class'"]),
    "numbers as classes": ("a,price\n" + "".join(f"{i},{i}.5\n" for i in range(201)),
     {"task": "classification"}, ["'price'", "201 different values", "predict it as a number"]),
    "words as numbers": (PLAIN, {"task": "regression"}, ["'class'", "'no' in line 2", "2 more"]),
    "a slip among numbers": (
     "a,price\n" + "".join(f"{i},{i}.5\n" for i in range(300)) + "7,n.d.\n", {},
     ["'price'", "'n.d.' in line 302", "not a number"]),
    "one number": ("a,y\n1,2.5\n2,2.5\n", {"task": "regression"}, ["'2.5' in all rows"]),
    "huge number": ("a,y\n1,2.5\n2,1.1e30\n", {"task": "regression"},
     ["'1.1e30' in line 3", "beyond 1e+30", "rescale"]),
    "infinite target": ("a,y\n1,2.5\n2,inf\n", {}, ["'inf' in line 3", "not a number"]),
    "two targets": (PLAIN, {"target": ["a", "b"]}, ["single column", "ObliqueTreeRegressor"]),
    "identifier target": ("a,id\n" + "".join(f"{i},n{i}\n" for i in range(201)), {},
     ["'id'", "201 different values", "identifier"]),
    "long row": (PLAIN + "1,2,3,4\n", {}, ["line 5 has 4 values", "first row has 3"]),
    "short row": ('a,b,class\n"1\n",2,u\n\n1,2\n2,2,v\n', {}, ["line 5 has 2 values"]),
    "other separator": ("a:b:class\n1:2:u\n", {}, ["single column", "tab"]),
    "open quote": ('a,class\n1,u\n2,"v\n3,u\n', {}, ["line 3", "quotation mark"]),
    "huge cell": ('a,class\n1,u\n2,"v' + "x" * 200_000 + '"\nx,u\n', {},
     ["'class'", "200001 characters"]),
    "no encoding": (b"a,class\n1,u\n2,caf\x81\n", {}, ["line 3", "UTF-8", "Windows-1252"]),
    "another alphabet": ("город,класс\nМосква,да\nТверь,нет\n".encode("cp1251"), {},
     ["ãîðîä", "Windows-1252", "encoding UTF-8"]),
    "bytes of a terminal": (b"a,class\n1,u\n2,\x1b[1m\xe9\n", {}, ["not a readable table"]),
    "half a character": (PLAIN.encode("utf-16") + b"x", {}, ["line 5", "UTF-16"]),
    "picture": (b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR", {}, ["not a readable table", "CSV"]),
    "workbook": (b"PK\x03\x04\x14\0\x06\0\x08\0", {}, ["workbook", "CSV"]),
    "too many bytes": (PLAIN, {"limits": Limits(n_bytes=10)}, ["more than 1e-05 MB"]),
    "too many rows": (PLAIN, {"limits": Limits(n_rows=2)}, ["more than 2 rows"]),
    "long line": (PLAIN + "7" * 400, {"limits": Limits(n_line=100)}, ["a line", "0.0001 MB"]),
    "long name": ("a" * 50 + ",b\n1,u\n2,v", {"limits": Limits(n_text=40)}, ["name of a column"]),
    "long category": (column(["x" * 50, "y"]), {"limits": Limits(n_text=40)}, ["'a'", "50 char"]),
    "long class": ("a,b\n1,u\n2," + "v" * 50, {"limits": Limits(n_text=40)}, ["target 'b'", "50"]),
    "unknown column to drop": (PLAIN, {"drop": ["q"]}, ["no column 'q' to leave out", "'a'"]),
    "target to drop": (PLAIN, {"drop": ["b"], "target": "b"}, ["'b' is the target"]),
    "nothing left": (PLAIN, {"drop": ["b", "a"]}, ["a single column"]),
    "nothing usable": ("a,class\n" + "".join(f"n{i},{i % 2}\n" for i in range(60)),
     {"unusable": "drop"}, ["no column can be used as a feature", "'a' holds 60 different texts"]),
    "two ways to write a date": (column(BOTH_WAYS), {}, ["'a'", "cannot be distinguished"]),
    "too many features": (column(["x", "y", "z", "w"] * 2), {"limits": Limits(n_values=20)},
     ["remove columns or rows"]),
    "too many columns": (",".join(["1"] * 6000), {}, ["6000 columns", str(LIBRARY.n_columns)]),
}  # fmt: skip


@pytest.mark.parametrize("name", REFUSED)
def test_a_bad_file_gets_one_sentence_with_the_place(name):
    data, options, parts = REFUSED[name]
    sentence = refusal(data, **options)
    assert_is_one_sentence(sentence)
    for part in parts:
        assert part in sentence, sentence


@given(st.lists(st.sampled_from(["1,x", '2,"x\n\ny"', "", "  "]), max_size=30), st.integers(0, 30))
def test_the_line_is_right_whatever_comes_before(records, place):
    # A class may be called so, a number not.
    numbers = [f"{i}.5,x" for i in range(40)]
    records[place:place] = ["4,oops", "oops,x", "4,z", *numbers, *["no,z"] * 20]
    text = "\n".join(["a,class", "1,x", "1,z", *records])
    line = text[: text.index("\noops,x")].count("\n") + 2
    assert f"in line {line} the text 'oops'" in refusal(text)


def test_the_limits_themselves_are_allowed():
    limits = Limits(n_bytes=len(PLAIN), n_rows=3, n_columns=2, n_values=6, n_text=5)
    assert read(PLAIN, limits=limits).n_samples == 3
    texts = read(column([f"t{i % 50}" for i in range(100)]))
    assert texts.feature_names == (*sorted(f"a=t{i}" for i in range(50)), "b")
    names = read("a,id\n" + "".join(f"{i},n{i}\n" for i in range(200)))
    assert (names.task, names.n_classes) == ("classification", 200)
    prices = "a,price\n" + "".join(f"{i},{i}.5\n" for i in range(200))
    assert read(prices, task="classification").n_classes == 200


def test_a_file_that_cannot_be_opened_gets_a_sentence(tmp_path):
    for path in (tmp_path / "none.csv", tmp_path, "with\0null"):
        with pytest.raises(TableError, match="cannot be read"):
            read_csv(path)
    with pytest.raises(TableError, match="binary mode"):
        read_csv(io.StringIO(PLAIN))
