"""What columns and targets are taken for, why, and that settings overrule each guess."""

import dataclasses
import datetime
import itertools

import numpy as np
import pandas as pd
import pytest

from tests.helpers.csvs import read, refusal
from tests.helpers.documents import learnt_document
from treecore.data.readers.columns import DateColumn
from treecore.data.readers.settings import ReadingSettings
from treecore.data.readers.table import TableError
from treecore.data.sources import Source, read_table
from treecore.persistence.column_alignment import match

N = 60


def cells(*words: str) -> list[str]:
    """As many cells as a column has, of these words in turn, each in quotation marks."""
    return [f'"{word}"' for word in itertools.islice(itertools.cycle(words), N)]


def table(words: list[str]) -> str:
    """A table of this column between two others, of which the last is the target."""
    rows = (f"{i * 7 % 11}.5,{word},{'uv'[i * i % 3 % 2]}" for i, word in enumerate(words))
    return "\n".join(["q,a,class", *rows])


def report(dataset, name: str = "a"):
    return next(report for report in dataset.reports if report.name == name)


DAYS = [f"2024-01-{day:02}" for day in range(1, 29)]
MANY = [str(number) for number in range(7, 7 + N)]
WORDS = {
    "ticked or blank": (cells("yes", ""), ["yes"], "'yes' or nothing"),
    "one or blank": (cells("1", ""), ["1"], "'1' or nothing"),
    "one in decimals or blank": (cells("1.0", "", ""), ["1"], "'1' or nothing"),
    "numbers and more": (cells("2", "4", "more"), ["2", "4", "more"],
     "not all are numbers or dates: 'more'"),
    "numbers and 5more": (cells("2", "3", "4", "5more"), ["2", "3", "4", "5more"],
     "or dates: '5more'"),
    "a level called none": (cells("none", "full"), ["full", "none"], "is a category: 'none'"),
    "a level called NA": (cells("NA", "Gd", "TA"), ["Gd", "NA", "TA"], "is a category: 'NA'"),
    "words in two cases": (cells("Yes", "yes", "no"), ["Yes", "no", "yes"], "in case only"),
    "words and nan": (cells("nan", "u", "v"), ["u", "v"], "different texts: 2"),
    "truth": (cells("TRUE", "FALSE", ""), ["FALSE", "TRUE"], "different texts: 2"),
    "signs": (cells("+", "-"), ["+", "-"], "different texts: 2"),
    "postal codes": (cells("02134", "10001"), ["02134", "10001"], "codes such as '02134'"),
    "codes that look like numbers": (cells("1e5", "3a1"), ["1e5", "3a1"],
     "not all are numbers or dates: '3a1'"),
    "long numbers": (cells("9007199254740993", "9007199254740992"),
     ["9007199254740992", "9007199254740993"], "codes such as '9007199254740993'"),
    "few ambiguous dates": (cells("01/02/2024", "03/04/2024"), None, "day and month cannot"),
    "lists": (cells("1,2", "2,3", "1"), ["1", "1,2", "2,3"], "different texts: 3"),
    "up to 255 categories": (cells(*(f"w{i:02}" for i in range(30))), None, "different texts: 30"),
}  # fmt: skip


@pytest.mark.parametrize("name", WORDS)
def test_words_are_categories(name):
    words, categories, reason = WORDS[name]
    dataset = read(table(words))
    found = report(dataset)
    assert (found.kind, found.why_not) == ("words", "")
    assert reason in found.reason
    names = [n for n in dataset.feature_names if n.startswith("a=")]
    categories = categories or sorted({word.strip('"') for word in words})
    assert names == [f"a={category}" for category in categories]
    first = words[0].strip('"')
    expected = [float(first == c or (c == "1" and first == "1.0")) for c in categories]
    assert dataset.X[0, [dataset.feature_names.index(n) for n in names]].tolist() == expected


NUMBERS = {
    "numbers": (MANY, [7, 8], "all values are numbers", ""),
    "numbers and NA": (["NA", *MANY], [np.nan, 7], "all values are numbers", ""),
    "a word for nothing": (cells("1", "2", "3", "-"), [1, 2], "15 of 60 are not, such as '-'", ""),
    "mostly unknown": (["unknown"] * 70 + MANY, [np.nan, np.nan],
     "70 of 130 are not, such as 'unknown'", ""),
    "amounts": (cells("$1,234.50", "($7)", "$12"), [1234.5, -7], "all are in $", "$"),
    "a comma for a point": ([f'"{i},5"' for i in MANY], [7.5, 8.5], "all values are numbers", ""),
    "months of two digits": (cells("01", "02", "12"), [1, 2], "all values are numbers", ""),
    "years": ([str(1960 + i) for i in range(N)], [1960, 1961], "all values are numbers", ""),
    "2^53 and more": ([str(2**53 + i) for i in range(N)], [2.0**53, 2.0**53],
     "only the first 15 digits are kept", ""),
}  # fmt: skip


@pytest.mark.parametrize("name", NUMBERS)
def test_numbers_are_numbers(name):
    words, values, reason, unit = NUMBERS[name]
    dataset = read(table(words))
    found = report(dataset)
    assert (found.kind, found.unit) == ("numbers", unit)
    assert reason in found.reason
    np.testing.assert_array_equal(dataset.X[:2, 1], values)


def day(text: str) -> float:
    return (datetime.date.fromisoformat(text) - datetime.date(1970, 1, 1)).days


DATES = {
    "months": (cells("2005-01", "2005-02", "2006-12"), "2005-01-01", "read as its first day"),
    "months with names": (cells("Jan-05", "Feb-98"), "2005-01-01", "the years are 1998 to 2005"),
    "two digits, American": (cells("01/02/05", "12/31/98"), "2005-01-02", "1998 to 2005"),
    "two digits, German": (cells("31.1.05", "1.2.98"), "2005-01-31", "1998 to 2005"),
    "two digits with names": (cells("5-Jan-05", "6-Feb-45"), "2005-01-05", "1945 to 2005"),
    "the first of months": (cells("01/01/2024", "01/02/2024", "01/03/2024"), "2024-01-01",
     "dates such as '01/01/2024'"),
    "digits": (cells("20240131", "20240201", "20240229"), "2024-01-31", "such as 20240131"),
    "never": (["never", *DAYS, *DAYS], None, "1 of 57 are not, such as 'never'"),
}  # fmt: skip


@pytest.mark.parametrize("name", DATES)
def test_dates_are_days(name):
    words, first, reason = DATES[name]
    dataset = read(table(words))
    found = report(dataset)
    assert (found.kind, found.unit) == ("dates", "date")
    assert reason in found.reason
    assert dataset.X[0, 1] == pytest.approx(np.nan if first is None else day(first), nan_ok=True)


@pytest.mark.parametrize(
    ("first", "step", "is_told"),
    [(17e11, 7, True), (-17e11, -7, True), (1e-60, 1e-60, True), (2**24, 0.5, True),
     (17e8, 1000, False), (1e7, 1, False), (52.5, 1e-4, False)],
)  # fmt: skip
def test_numbers_that_fall_together_in_float32_are_told(first, step, is_told):
    notes = read(table([repr(first + i % 9 * step) for i in range(N)])).notes
    assert any("makes different ones equal in 'a'" in note for note in notes) == is_told


# ---- Columns that are left out ------------------------------------------------------------------


@pytest.mark.parametrize("unusable", ["refuse", "drop"])
@pytest.mark.parametrize(
    ("name", "numbers", "why"),
    [
        ("Id", range(1, N + 1), "numbers the rows"),
        ("customer_id", [(7 * i) % 101 for i in range(N)], "names the rows"),
        ("PassengerId", [900 - 3 * i for i in range(N)], "names the rows"),
        ("paid", [(7 * i) % 101 for i in range(N)], ""),
        ("id", [i // 2 for i in range(N)], ""),
        ("time", range(N), ""),
    ],
)
def test_numbers_of_rows_are_left_out_in_one_way_and_kept_on_demand(name, numbers, why, unusable):
    text = table([str(number) for number in numbers]).replace("q,a,", f"q,{name},")
    dataset = read(text, unusable=unusable)
    assert report(dataset, name).why_not == why
    assert (name in dataset.feature_names) == (why == "")
    assert (f"'{name}' {why}" in " ".join(dataset.notes)) == (why != "")
    kept = read(text, unusable=unusable, reading=ReadingSettings({name: "number"}))
    assert name in kept.feature_names


def test_texts_that_hardly_come_again_are_no_categories():
    assert "most of them in one row" in refusal(table([f"n{i}" for i in range(N)]))
    assert "more than 255" in refusal(table([f"n{i % 256}" for i in range(600)]))
    assert len(read(table([f"n{i % 255}" for i in range(600)])).feature_names) == 256


# ---- Targets ------------------------------------------------------------------------------------

CLASSES = {
    "a class called None": (cells("None", "Apnea", "Insomnia"), ["Apnea", "Insomnia", "None"], N),
    "a class called NA": (cells("NA", "EU"), ["EU", "NA"], N),
    "one other class": (["null"] * 3 + ["u"] * 57, ["null", "u"], N),
    "few missing": (["none"] * 4 + ["u", "v"] * 28, ["u", "v"], N - 4),
    "numbers and NA": (cells("1", "2", "NA"), ["1", "2"], 40),
    "no word": (cells("?", "u", "v"), ["u", "v"], 40),
    "long numbers": (cells("12", "9007199254740992", "9007199254740993"),
     ["12", "9007199254740992", "9007199254740993"], N),
    "very long numbers": (cells("1" * 30, "1" * 29 + "2"), ["1" * 30, "1" * 29 + "2"], N),
    "negative long numbers": (cells("-9007199254740993", "5"), ["-9007199254740993", "5"], N),
    "codes": (cells("007", "7"), ["007", "7"], N),
    "two dates": (cells("2024-01-01", "2024-02-01"), ["2024-01-01", "2024-02-01"], N),
}  # fmt: skip


@pytest.mark.parametrize("name", CLASSES)
def test_targets_of_words_are_classes(name):
    words, classes, n_rows = CLASSES[name]
    dataset = read(table(words), target="a")
    assert dataset.class_names == tuple(classes)
    assert dataset.n_samples == n_rows
    known = [word.strip('"') for word in words if word.strip('"') in classes]
    assert [classes[label] for label in dataset.y] == known
    assert dataset.reports[0].name == "a"
    assert f"{len(classes)} different" in dataset.reports[0].reason


def test_a_frequent_class_called_none_is_told():
    dataset = read(table(cells("None", "Apnea")), target="a")
    assert dataset.notes[0] == ("Read as a class of 'a', because so many rows have it: 'None'.")
    assert read(
        table(cells("None", "Apnea", "Insomnia")),
        target="a",
        reading=ReadingSettings({}, ("none",)),
    ).class_names == ("Apnea", "Insomnia")


@pytest.mark.parametrize(
    ("words", "first", "kind"),
    [
        (cells(*DAYS), day("2024-01-01"), "dates"),
        (cells("31.1.05", "1.2.98", "1.3.98"), day("2005-01-31"), "dates"),
        (cells("2005-01", "2005-02", "2006-12"), day("2005-01-01"), "dates"),
        (cells("12:30", "1:15", "23:00"), 12.5, "times"),
    ],
)
def test_targets_of_dates_are_days_and_told(words, first, kind):
    dataset = read(table(words), target="a")
    assert (dataset.task, dataset.y[0]) == ("regression", first)
    assert dataset.reports[0].kind == kind
    assert any(note.startswith("'a' is predicted in ") for note in dataset.notes)


def test_a_target_of_dates_that_do_not_tell_day_from_month_is_refused():
    words = [f"{a:02}/{b:02}/2024" for a, b in itertools.product(range(1, 9), range(1, 9))]
    assert "cannot be distinguished" in refusal(table(words), target="a")
    read(table(words), target="a", reading=ReadingSettings({"a": "date"}))


# ---- Settings -----------------------------------------------------------------------------------

OVERRULED = {
    "numbers are words": (cells("1", "1.0", "2"), "words", ["a=1", "a=1.0", "a=2"]),
    "dates are words": (cells("2024-01-01", "2024-02-01"), "words", None),
    "words are numbers": (cells("1", "2", "x", "y"), "number", [1, 2, np.nan, np.nan]),
    "categories are numbers": (cells("2", "4", "more"), "number", [2, 4, np.nan]),
    "codes are numbers": (cells("007", "123"), "number", [7, 123]),
    "digits are numbers": (cells("20240131", "20240201"), "number", [20240131, 20240201]),
    "one or nothing is a number": (cells("1", ""), "number", [1, np.nan]),
    "few ambiguous dates": (cells("01/02/2024", "03/04/2024"), "date", [day("2024-01-02")]),
    "years are dates": (cells("1970", "1971", "soon"), "date", [0, 365, np.nan]),
}


@pytest.mark.parametrize("name", OVERRULED)
def test_settings_overrule_each_guess(name):
    words, kind, expected = OVERRULED[name]
    dataset = read(table(words), reading=ReadingSettings({"a": kind}))
    assert report(dataset).reason.startswith(f"set to {kind}")
    if kind == "words":
        names = expected or sorted({"a=" + word.strip('"') for word in words})
        assert [n for n in dataset.feature_names if n.startswith("a=")] == names
    else:
        np.testing.assert_array_equal(dataset.X[: len(expected), 1], expected)


def test_words_for_missing_replace_the_usual_ones():
    dataset = read(table(cells("NA", "n.d.", "u")), reading=ReadingSettings({}, ("N.D.",)))
    assert dataset.feature_names == ("q", "a=NA", "a=u")
    assert dataset.X[:3, 1:].tolist() == [[1, 0], [0, 0], [0, 1]]


@pytest.mark.parametrize(
    ("words", "kind", "classes", "first"),
    [
        (cells("1", "1.0", "007"), "words", ("007", "1", "1.0"), [1, 2, 0]),
        (cells("5", "6", "x"), "number", (), [5, 6, 5]),
        (cells("1970", "1971", "1972"), "date", (), [0, 365, 730]),
        (cells("2024-01-01", "2024-02-01"), "date", (), [19723, 19754]),
    ],
)
def test_settings_overrule_the_guess_of_a_target(words, kind, classes, first):
    dataset = read(table(words), target="a", reading=ReadingSettings({"a": kind}))
    assert dataset.class_names == classes
    assert dataset.y[: len(first)].tolist() == first
    assert dataset.reports[0].reason.startswith(f"set to {kind}")


@pytest.mark.parametrize("kind", ["number", "date"])
@pytest.mark.parametrize(("target", "title"), [("class", "column"), ("a", "the target")])
def test_a_kind_that_no_cell_has_is_refused(kind, target, title):
    said = refusal(table(cells("u", "v")), target=target, reading=ReadingSettings({"a": kind}))
    assert f"{title} 'a' is set to {kind} but holds texts" in said


def test_a_kind_and_a_task_that_contradict_each_other_are_refused():
    for kind, task in (("words", "regression"), ("number", "classification")):
        with pytest.raises(TableError, match=f"is set to {kind}"):
            read(table(MANY), target="a", task=task, reading=ReadingSettings({"a": kind}))


# ---- The same reading of later rows -------------------------------------------------------------

KINDS = {"plain": {}, "said": {"a": "number", "code": "words", "when": "date"}}
TARGETS = {
    "classes": (["None", "Apnea", "12"], {}),
    "codes": (["007", "7"], {}),
    "long": (["9007199254740993", "9007199254740992"], {}),
    "days": (["31.1.05", "1.2.98", "1.3.98"], {}),
    "said numbers": (["5", "6", "x"], {"y": "number"}),
    "said words": (["1", "1.0"], {"y": "words"}),
    "said dates": (["1970", "1971"], {"y": "date"}),
}


@pytest.mark.parametrize("kinds", KINDS)
@pytest.mark.parametrize("target", TARGETS)
def test_later_rows_are_read_as_in_training_in_every_file(kinds, target, tmp_path):
    turns = {
        "a": ["1", "2", "x", "-999", ""],
        "tick": ["yes", ""],
        "one": ["1", "", ""],
        "code": ["007", "7", "100"],
        "when": ["31.1.05", "1.2.98", "1.3.99"],
        "month": ["2005-01", "2006-02"],
        "digits": ["20240131", "20240201", ""],
        "size": ["1,234", "12,345"],
        "level": ["none", "full", "n.d."],
        "ok": ["True", "False"],
        "y": TARGETS[target][0],
    }
    frame = pd.DataFrame(
        {name: list(itertools.islice(itertools.cycle(words), 90)) for name, words in turns.items()}
    )
    frame.insert(0, "q", np.arange(90) % 7 / 4)
    frame.to_csv(tmp_path / "t.csv", index=False)
    frame.to_parquet(tmp_path / "t.parquet")
    frame.to_json(tmp_path / "t.jsonl", orient="records", lines=True)
    said = KINDS[kinds] | TARGETS[target][1]
    dataset = read_table(Source(str(tmp_path / "t.csv"), kinds=said, missing=("-999", "n.d.")))
    made = learnt_document(dataset)
    for end in ("csv", "parquet", "jsonl"):
        found = match(made, Source(str(tmp_path / f"t.{end}"), target="y"), labelled=True)
        np.testing.assert_array_equal(found.X, dataset.X)
        np.testing.assert_array_equal(found.y, dataset.y)


def test_truth_is_the_same_however_it_is_written(tmp_path):
    frame = pd.DataFrame({"ok": [True, False] * 30, "q": np.arange(60.0) % 7, "y": list("uv") * 30})
    frame.to_parquet(tmp_path / "t.parquet")
    dataset = read_table(Source(str(tmp_path / "t.parquet")))
    frame["ok"] = frame.ok.map({True: "TRUE", False: "false"})
    frame.to_csv(tmp_path / "t.csv", index=False)
    found = match(learnt_document(dataset), Source(str(tmp_path / "t.csv")))
    np.testing.assert_array_equal(found.X, dataset.X)
    assert not found.notes


def test_numbers_where_a_model_reads_dates_are_refused(tmp_path):
    dataset = read(table(cells(*DAYS)))
    (tmp_path / "t.csv").write_text(table(MANY))
    with pytest.raises(TableError, match="'a' holds numbers, where the tree reads a date"):
        match(learnt_document(dataset), Source(str(tmp_path / "t.csv")))
    frame = pd.DataFrame({"q": [1.0, 2.0], "a": pd.to_datetime(["2024-01-01", "2024-02-01"])})
    frame.to_parquet(tmp_path / "t.parquet")
    with pytest.raises(TableError, match="holds dates, where the tree reads a number"):
        match(learnt_document(read(table(MANY))), Source(str(tmp_path / "t.parquet")))


def test_years_of_two_digits_are_read_as_the_model_says(tmp_path):
    dataset = read(table(cells(*(f"1.2.{year:02}" for year in range(36, 61)))))
    assert dataset.columns[1] == DateColumn("a", "%d.%m.%y", 1936)
    (tmp_path / "t.csv").write_text("q,a\n1.5,1.2.62\n1.5,1.2.05\n")
    found = match(learnt_document(dataset), Source(str(tmp_path / "t.csv")))
    assert found.X[:, 1].tolist() == [day("1962-02-01"), day("2005-02-01")]


def test_ways_to_write_dates_that_are_no_longer_guessed_are_read_for_old_models(tmp_path):
    dataset = read(table(cells("2005-01", "2005-02", "2006-12")))
    date = DateColumn("a", "%m/%y", 1949)
    old = dataclasses.replace(learnt_document(dataset), columns=(dataset.columns[0], date))
    (tmp_path / "t.csv").write_text("q,a\n1.5,1/86\n2.5,12/05\n3.5,7/51\n")
    found = match(old, Source(str(tmp_path / "t.csv")))
    assert found.X[:, 1].tolist() == [day("1986-01-01"), day("2005-12-01"), day("1951-07-01")]
