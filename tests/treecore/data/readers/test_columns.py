"""Tables as people have them: names, percent signs, other encodings, columns of no use."""

from __future__ import annotations

import numpy as np
import pytest

from tests.helpers.csvs import PLAIN, column, read, refusal
from treecore import RunConfig, Trainer
from treecore.data.readers.columns import CategoryColumn, DateColumn, NumberColumn
from treecore.data.readers.csv import CsvTable, read_csv
from treecore.data.readers.encoding import EncodedTable
from treecore.data.readers.settings import ReadingSettings
from treecore.data.sources import Source
from treecore.persistence import Document
from treecore.persistence.column_alignment import match

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


def test_a_refusal_tells_of_the_option_and_the_option_mends_it():
    assert "leave it out (drop)" in refusal(TITANIC, target="Survived")
    dataset = read(TITANIC, target="Survived", drop=["Name", "Cabin"])
    assert dataset.feature_names[0] == "Sex=female"
    kept = read(
        TITANIC,
        target="Survived",
        drop=["Name", "Cabin"],
        reading=ReadingSettings({"PassengerId": "number"}),
    )
    assert kept.feature_names[0] == "PassengerId"
    assert "Name" not in "".join(dataset.feature_names)


def test_what_is_left_out_can_be_left_out_by_name_and_is_the_same():
    found = EncodedTable(table(TITANIC), "Survived", None, unusable="drop")
    drop = tuple(found.left_out)
    forgiving = read(TITANIC, target="Survived", unusable="drop")
    by_name = read(TITANIC, target="Survived", drop=drop)
    np.testing.assert_array_equal(forgiving.X, by_name.X)
    assert forgiving.columns == by_name.columns


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


def test_numbers_out_of_reach_and_a_word_among_numbers_are_left_out_with_their_place():
    cells = ["1", "2", "red", "4", "5", "blue"]
    text = "a,b,c,class\n" + "".join(f"{v},{i}e38,{i % 4},{i % 2}\n" for i, v in enumerate(cells))
    dataset = read(text, unusable="drop")
    assert dataset.feature_names == ("c",)
    assert "'a' holds numbers, and in line 4 the text 'red'" in dataset.notes[0]
    assert "'b' holds numbers beyond 3.4e38" in dataset.notes[0]


@pytest.mark.parametrize("cells", [["12 %", "3.5%", "-4 %"], ["12%", "", "0%"]])
def test_percent_signs_are_read(cells):
    expected = [float(cell.strip(" %") or "nan") for cell in cells]
    np.testing.assert_array_equal(read(column(cells)).X[:, 0], expected)
    semicolons = column([cell.replace(".", ",") for cell in cells]).replace(",", ";")
    if "3.5%" not in cells:
        np.testing.assert_array_equal(read(semicolons).X[:, 0], expected)


def test_a_number_without_a_sign_among_percents_is_told():
    dataset = read(column(["12 %", "3 %", "5 %", "7"]))
    assert dataset.notes[0] == "Malformed values were read as missing: 'a' has '7' in line 5."
    np.testing.assert_array_equal(dataset.X[:, 0], [12, 3, 5, np.nan])


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


@pytest.mark.parametrize("infinite", ["inf", "-Infinity", "1e999"])
def test_an_infinite_number_is_a_slip_wherever_it_is_met(infinite, tmp_path):
    cells = [str(i) for i in range(60)]
    cells[7] = infinite
    dataset = read(column(cells))
    np.testing.assert_array_equal(dataset.X[:, 0], [*range(7), np.nan, *range(8, 60)])
    assert (
        dataset.notes[0]
        == f"Malformed values were read as missing: 'a' has '{infinite}' in line 9."
    )
    (tmp_path / "t.csv").write_text(column(cells))
    tree = Trainer(RunConfig("axis", depth=2), dataset.X, dataset.y).run()
    document = Document(tree, dataset.feature_names, dataset.class_names)
    answered = match(document, Source(str(tmp_path / "t.csv")))
    np.testing.assert_array_equal(answered.X, dataset.X)
    assert answered.notes == dataset.notes[:1]


def test_few_slips_are_missing_and_one_word_may_stand_for_all_that_is():
    cells = [*map(str, range(60)), "n.d.", "soon"]
    dataset = read(column(cells))
    assert np.flatnonzero(np.isnan(dataset.X[:, 0])).tolist() == [60, 61]
    assert (
        dataset.notes[0]
        == "Malformed values were read as missing: 'a' has 'n.d.' (and 1 more) in line 62."
    )
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


def test_windows_1252_is_guessed_and_said():
    text = "größe,class\n1,naïve\n2,für €\n3,naïve\n"
    dataset = read_csv(text.encode("cp1252"))
    assert dataset.feature_names == ("größe",)
    assert dataset.class_names == ("für €", "naïve")
    assert "Windows-1252" in dataset.notes[0]
    assert read(text).notes == ()


def test_names_that_come_again_are_numbered_and_said():
    dataset = read("a, a ,b,a (2),a,class\n1,2,3,4,5,u\n2,3,5,7,9,v\n")
    assert dataset.feature_names == ("a", "a (3)", "b", "a (2)", "a (4)")
    assert dataset.notes[0] == "Columns of the same name were numbered: 'a'."


def test_columns_say_how_they_were_made_only_where_they_are_no_plain_numbers():
    assert read(PLAIN).columns == ()
    dataset = read("a,when,c,class\n1,2024-01-01,x,u\n2,2024-02-01,y,v\n")
    assert dataset.columns == (
        NumberColumn("a"),
        DateColumn("when", "%Y-%m-%d"),
        CategoryColumn("c", ("x", "y")),
    )
    names = tuple(name for made in dataset.columns for name in made.feature_names)
    assert names == dataset.feature_names


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
