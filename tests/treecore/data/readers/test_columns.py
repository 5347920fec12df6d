"""Tables as people have them: names, percent signs, other encodings, columns of no use."""

import json

import numpy as np
import pandas as pd
import pytest

from tests.helpers.csvs import PLAIN, column, read, refusal
from treecore.data.readers.csv import CsvTable
from treecore.data.readers.encoding import EncodedTable
from treecore.data.readers.parquet import read_parquet
from treecore.data.readers.settings import ReadingSettings
from treecore.data.readers.table import TableError
from treecore.data.sources import Source, read_table
from treecore.sweeps import read_spec

TITANIC = "PassengerId,Survived,Name,Sex,Age,Cabin,Embarked,Ship\n" + "".join(
    f'{i},{i % 2},"Doe, Mr. No {i}",{("male", "female")[i % 3 == 0]},{i / 4 if i % 5 else ""},'
    f"{f'C{i}' if i % 4 == 0 else ''},{'SCQ'[i % 3]},Titanic\n"
    for i in range(1, 301)
)


def table(text: str | bytes) -> CsvTable:
    return CsvTable(text.encode() if isinstance(text, str) else text)


def test_columns_that_cannot_be_learnt_from_are_left_out_and_told():
    dataset = read(TITANIC, target="Survived", unusable="drop")
    assert dataset.feature_names == (
        *("Sex=female", "Sex=male", "Age"),
        *("Embarked=C", "Embarked=Q", "Embarked=S"),
    )
    (note,) = [note for note in dataset.notes if "left out" in note]
    assert "'PassengerId' numbers the rows" in note
    assert "'Name' holds 300 different texts" in note
    assert "'Cabin' holds 75 different texts" in note
    assert "'Ship' has the same value in all rows" in note


def test_reports_tell_of_every_column_but_the_target():
    found = EncodedTable(table(TITANIC), "Survived", None, unusable="drop")
    reports = {report.name: report for report in found.reports}
    assert list(reports) == [name for name in found.table.columns if name != "Survived"]
    age, sex = reports["Age"], reports["Sex"]
    assert (age.kind, age.n_missing, age.why_not) == ("numbers", 60, "")
    assert (age.low, age.high) == (0.25, 299 / 4)
    assert (sex.kind, sex.n_kinds, sex.n_missing) == ("words", 2, 0)
    assert reports["Cabin"].n_missing == 225
    assert reports["PassengerId"].why_not == "numbers the rows"


def test_a_table_of_nothing_else_keeps_the_column_that_numbers_the_rows():
    rows = "".join(f"{i},{i * 7 % 5},{i * i % 7}\n" for i in range(9))
    dataset = read(f"id,x,y\n{rows}", unusable="drop", drop=["x"])
    assert dataset.feature_names == ("id",)
    assert read(f"id,x,y\n{rows}", unusable="drop").feature_names == ("x",)
    assert read(f"t,x,y\n{rows}", unusable="drop").feature_names == ("t", "x"), "it may be time"


def test_a_number_without_a_sign_among_percents_is_told():
    dataset = read(column(["12 %", "3 %", "5 %", "7"]))
    assert dataset.notes[0] == "Malformed values were read as missing: 'a' has '7' in line 5."
    np.testing.assert_array_equal(dataset.X[:, 0], [12, 3, 5, np.nan])


def test_a_number_far_beyond_all_others_is_told():
    cells = [str(i) for i in range(20)]
    (note,) = read(column([*cells, "1e20"])).notes
    assert note.startswith("A few values are so far away")
    assert "'a'" in note
    assert not read(column([*cells, "1000"])).notes


def test_a_row_of_units_below_the_header_is_told():
    text = "weight,height,kind\nkg,cm,-\n" + "70,170,a\n80,180,b\n" * 6
    advice = "The first row below the header has text there: delete it if it gives units."
    assert advice in read(text).notes
    assert advice not in read(text.replace("kg,cm,-", "kg,160,a")).notes


@pytest.mark.parametrize(
    ("cells", "unit", "expected"),
    [
        (["42 kg", "3.5 kg", "-1kg"], "kg", [42, 3.5, -1]),
        (["1 year", "2 years", "3 years"], "years", [1, 2, 3]),
        (["1,200 m²", "80 m²"], "m²", [1200, 80]),
        (["EUR 12", "13 EUR", "5"], "EUR", [12, 13, 5]),
        (["12 %", "3%"], "%", [12, 3]),
    ],
)
def test_a_unit_behind_all_numbers_is_taken_off_and_told(cells, unit, expected):
    dataset = read(column([f'"{cell}"' for cell in cells]))
    assert dataset.X[:, 0].tolist() == expected
    assert dataset.units == (unit, "")
    assert dataset.notes == (f"Units were taken off the numbers: 'a' in {unit}.",)


def test_several_units_are_no_numbers():
    for cells in (["$5", "7 €", "9 €"], ["5 kg", "70 g", "8 kg", "3 g"]):
        names = read(column(cells)).feature_names
        assert names[0] == f"a={min(cells)}"
    semicolons = column(["3|5 cm", "4 cm", "2|25 cm"]).replace(",", ";").replace("|", ",")
    assert read(semicolons).X[:, 0].tolist() == [3.5, 4, 2.25]


def test_few_slips_are_missing_and_one_word_may_stand_for_all_that_is():
    cells = [*map(str, range(60)), "n.d.", "1e999"]
    dataset = read(column(cells))
    assert np.flatnonzero(np.isnan(dataset.X[:, 0])).tolist() == [60, 61]
    assert "'a' has 'n.d.' (and 1 more) in line 62." in dataset.notes[0]
    unknown = read(column([*map(str, range(6)), *["unknown"] * 5]))
    assert np.isnan(unknown.X[:, 0]).sum() == 5
    days = read(column([*(f"2024-01-{day:02}" for day in range(1, 29)), "soon"]))
    assert days.units == ("date", "")
    assert "'a' has 'soon' in line 30" in days.notes[0]


@pytest.mark.parametrize(
    ("cells", "expected"),
    [
        (["1,234.50", "-12", "12,345,678"], [1234.5, -12, 12345678]),
        (["$1,234.50", "-$ 3", "$.5"], [1234.5, -3, 0.5]),
        (["1.5 €", "€7", ""], [1.5, 7, np.nan]),
        (["1'234.5", "1\N{RIGHT SINGLE QUOTATION MARK}234", "0"], [1234.5, 1234, 0]),
        (["1 234", "1\N{NO-BREAK SPACE}234.5", "7"], [1234, 1234.5, 7]),
        (["\N{MINUS SIGN}1.5", "2", "-3"], [-1.5, 2, -3]),
    ],
)
def test_marks_between_thousands_and_signs_are_read(cells, expected):
    np.testing.assert_array_equal(read(column([f'"{c}"' for c in cells])).X[:, 0], expected)


def test_thousands_have_points_where_the_comma_is_decimal():
    dataset = read(column(["1.234|50", "-12", "1.234.567|8 €"]).replace(",", ";").replace("|", ","))
    assert dataset.X[:, 0].tolist() == [1234.5, -12, 1234567.8]


def test_texts_that_only_look_marked_stay_words():
    cells = ["1,23", "12,3456", "1,234,5"] * 2
    assert read(column([f'"{cell}"' for cell in cells])).feature_names[0] == "a=1,23"


def test_a_first_line_may_name_the_separator_as_excel_writes_it():
    plain = read(PLAIN.replace(",", ";"))
    for first in ("sep=;", '"sep=;"', "SEP=;"):
        dataset = read(f"{first}\r\n" + PLAIN.replace(",", ";"))
        np.testing.assert_array_equal(dataset.X, plain.X)
        assert dataset.feature_names == plain.feature_names
    assert "line 5 has 4 values" in refusal("sep=,\n" + PLAIN.rsplit("\n", 2)[0] + "\n1,2,3,4\n")


def test_names_that_come_again_are_numbered_and_said():
    dataset = read("a, a ,b,a (2),a,class\n1,2,3,4,5,u\n2,3,5,7,9,v\n")
    assert dataset.feature_names == ("a", "a (3)", "b", "a (2)", "a (4)")
    assert dataset.notes[0] == "Columns of the same name were numbered: 'a'."


def test_codes_of_digits_and_letters_are_categories():
    dataset = read("\n".join(["a,class", *(f"{i % 3}{'AAB'[i % 3]},{i % 2}" for i in range(60))]))
    assert dataset.feature_names == ("a=0A", "a=1A", "a=2B"), "B is no slip of the unit A"


def test_a_header_that_comes_again_is_left_out_and_told():
    rows = [f"n{i},{i},{i * 7 % 5},{'uv'[i % 2]}" for i in range(30)]
    dataset = read("\n".join(["name,a,b,class", *rows[:9], "name,a,b,class", *rows[9:]]))
    assert dataset.feature_names[-2:] == ("a", "b")
    assert (dataset.n_samples, dataset.class_names) == (30, ("u", "v"))
    assert "Repeated headers were left out: 1." in dataset.notes
    words = read("\n".join(["x,o,win", "o,x,loss", "x,o,win", "o,o,loss"]))
    assert words.n_samples == 4, "a row of words may come twice"


def test_a_line_that_is_drawn_below_a_header_is_refused():
    for text in ("| a | b |\n|---|---|\n| 1 | x |\n", "a,b\n---,---\n1,x\n2,y\n"):
        assert refusal(text) == "line 2 is drawn, not a row of values: delete it"


@pytest.mark.parametrize(
    ("settings", "sentence"),
    [
        ({"kinds": {"a": "numbers"}}, "'numbers' is not a kind of column: choose one of number"),
        ({"kinds": ["a"]}, "must map names"),
        ({"missing": "NA"}, "must be a list of words"),
        ({"missing": [0]}, "must be a list of words"),
        ({"header": "yes"}, "must be true, false"),
    ],
)
def test_what_makes_no_sense_is_refused(settings, sentence):
    for make in (ReadingSettings, lambda **said: Source("t.csv", **said)):
        with pytest.raises(TableError, match=sentence):
            make(**settings)


def test_a_kind_of_a_column_that_is_not_there_is_refused():
    with pytest.raises(TableError, match="no column 'q' to set a kind for: choose one of 'a'"):
        read(PLAIN, reading=ReadingSettings({"q": "words"}))


def test_a_source_keeps_them_in_json(tmp_path):
    assert not {"kinds", "missing", "header"} & set(Source("t.csv").as_dict())
    source = Source("t.csv", kinds={"a": "number"}, missing=["-1"], header=False)
    again = Source(**json.loads(json.dumps(source.as_dict())))
    assert again == source
    assert again.reading == source.reading
    (tmp_path / "t.csv").write_text("1,2,u\n3,4,v\n5,6,u\n")
    data = {"name": "t.csv", "kinds": {"x1": "leave out"}, "header": False, "test": "t.csv"}
    (tmp_path / "sweep.toml").write_text(
        '[data]\nname = "t.csv"\nheader = false\ntest = "t.csv"\nkinds = { x1 = "leave out" }\n'
        '[[methods]]\nmethod = "axis"\n'
    )
    spec = read_spec(tmp_path / "sweep.toml").data
    assert spec.source.header is data["header"]
    assert read_table(spec.source).feature_names == ("x2",)
    assert spec.test_source().header is False
    assert spec.test_source().kinds == {}, "a test table may lack what is left out"


def test_tables_without_rows_of_text_have_no_header_to_choose(tmp_path):
    frame = pd.DataFrame({"a": [1, 2], "y": ["u", "v"]})
    frame.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(TableError, match="t cannot have a header row"):
        read_parquet(tmp_path / "t.parquet", reading=ReadingSettings(header=True))
    for name in ("sample:xor", "sklearn:iris"):
        with pytest.raises(TableError, match="no cells of text: leave out header"):
            read_table(Source(name, header=True))
        with pytest.raises(TableError, match="no columns of names"):
            read_table(Source(name, kinds={"a": "words"}))
