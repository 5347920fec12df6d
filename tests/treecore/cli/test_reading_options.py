"""What the command line says of a table before it learns, and the options that overrule a guess."""

import json
from pathlib import Path

from treecore.persistence import load

AXIS = ("-m", "axis", "--depth", 2)


def table(name: str, rows: str) -> None:
    Path(name).write_text(rows)


def test_train_says_what_it_predicts_before_it_learns(shell):
    rows = "".join(f"{i},{i % 5},{'abb'[i % 3]}\n" for i in range(30))
    table("t.csv", f"By me,,\nsize,more,kind\n{rows}")
    said = shell("train", "t.csv", *AXIS).stderr.splitlines()
    assert said[0] == (
        "Predicts 'kind': 2 classes, 'a' (10 rows), 'b' (20 rows). 30 rows, 8 of them for "
        "the test; 2 features."
    )
    assert said[1] == "Lines above the table were left out: 'By me'."
    said = shell("train", "t.csv", *AXIS, "-y", "size", "--task", "regression").stderr
    assert said.startswith("Predicts 'size': numbers from 0 to 29. 30 rows, 8 of them for the test")
    assert shell("train", "t.csv", *AXIS, "--quiet").stderr == ""
    table("days.csv", "size,made\n" + "".join(f"{i},2024-01-{i + 1:02}\n" for i in range(30)))
    said = shell("train", "days.csv", *AXIS).stderr
    assert said.startswith("Predicts 'made': dates from 2024-01-01 to 2024-01-30, in days since")
    many = "".join(f"{i % 40},c{i % 40}\n" for i in range(90))
    table("many.csv", f"size,kind\n{many}")
    said = shell("train", "many.csv", *AXIS, "--validation", 0).stderr
    assert "40 classes, 'c0' (3 rows), 'c1' (3 rows)" in said
    assert " and 28 more. 90 rows, 0 of them for the test" in said


def test_a_header_can_be_said_to_be_there_or_not(shell):
    rows = "".join(f"{i},{i + 1},{'xy'[i % 2]}\n" for i in range(30))
    table("bare.csv", rows)
    table("named.csv", f"1,2,3\n{rows}")
    shell("train", "named.csv", *AXIS, "--header", "-q", "-o", "t.json", "--run", "r")
    assert load("t.json").feature_names == ("1", "2")
    assert json.loads(Path("r/run.json").read_text())["source"]["header"] is True
    shell("train", "--resume", "r", "-q")
    said = shell("train", "--resume", "r", "--no-header", code=2).stderr
    assert "continues as it started: leave out --header/--no-header, or" in said
    assert shell("predict", "t.json", "named.csv", "--header").stdout.count("\n") == 31
    assert shell("predict", "t.json", "bare.csv", "--no-header").stdout.count("\n") == 31
    found = shell("evaluate", "t.json", "named.csv", "--header", "--json").stdout
    assert json.loads(found)["rows"] == 30
    said = shell("export", "t.json", "t.sql", "--check", "named.csv").stderr  # it is remembered
    assert "SQL was run on 30 rows" in said


def test_columns_and_missing_words_can_be_said(shell):
    rows = "".join(f"{i},{'-9' if i % 3 == 0 else i},{'xy'[i % 2]}\n" for i in range(30))
    table("t.csv", f"a=b,size,kind\n{rows}")
    shell("train", "t.csv", *AXIS, "--column", "a=b=leave-out", "-q", "-o", "t.json")
    assert load("t.json").feature_names == ("size",)
    said = shell("train", "t.csv", *AXIS, "--missing", "-9").stderr
    assert "go to one side, or count as the mean: 10, in 'size'." in said
    for wrong, reported in (
        ("size", "'size' must be NAME=KIND"),
        ("size=text", "number, words, date, leave-out"),
    ):
        assert reported in shell("train", "t.csv", "--column", wrong, code=2).stderr
