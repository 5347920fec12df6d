"""A file of one's own in the data box: how it is read, and what a visitor may change of that."""

import io

import numpy as np
import pandas as pd
import pytest

from tests.helpers import harness
from tests.helpers.harness import (
    choose,
    choose_own,
    column_lists,
    finished,
    live,
    own,
    press,
    run,
    upload,
    with_kinds,
)
from treecore.runs import resume
from ui.shell.router import page_file
from ui.shell.safe_text import plain


@pytest.fixture
def app():
    """The page that trains, as a newcomer opens it."""
    return harness.one_tree()


def rows_said(app) -> str:
    """What the data box says of the table that is learnt from."""
    (said,) = [c.value for c in app.caption if " rows, " in c.value]
    return said.partition("  \n")[0]


def columns_of(app) -> dict:
    """The rows of the list of columns, by name."""
    (found,) = column_lists(app)
    return {row.column: row for row in found.value.itertuples()}


TITANIC = "PassengerId,Name,Sex,Age,Ship,Survived,Deck\n" + "".join(
    f'{i},"Doe, {i}",{"male" if i % 3 else "female"},{i * 7 % 11},Titanic,{i % 2},{"AB"[i % 2]}\n'
    for i in range(1, 301)
)


def test_columns_of_no_use_are_left_out_with_a_reason_and_can_be_taken_in(app):
    upload(app, TITANIC.encode())
    assert not app.error
    (target,) = own(app, "target")
    assert target.options[0] == "Survived (by its name)"
    assert rows_said(app) == "300 rows, 5 features, 2 classes"
    (note,) = [c.value for c in app.caption if "left out" in c.value]
    assert "'Name' holds" in note
    press(app, "table_profile")
    run(app)  # another run of the page, as one that cuts the first short, shows it as well
    columns = columns_of(app)
    assert "Survived" not in columns
    assert [columns[name].kind for name in ("Sex", "Age", "Name", "PassengerId")] == [
        *("words", "number", "leave out", "leave out")
    ]
    assert "different texts" in columns["Name"].reason
    assert all(row.reason for row in columns.values())
    with_kinds(app, PassengerId="number", Sex="leave out")
    assert not app.error
    assert rows_said(app) == "300 rows, 4 features, 2 classes"
    assert columns_of(app)["Sex"].kind == "leave out"
    before = live(app)[0]["run"]
    with_kinds(app, PassengerId="number", Sex="leave out", Name="date")
    assert {error.value.partition(":")[2] for error in app.error} == {
        " " + plain("column 'Name' holds no date: choose another kind, or leave it out.")
    }
    assert live(app)[0]["run"] == before, "what was on the screen stays there"
    with_kinds(app, PassengerId="leave out", Sex="words", Name="leave out", Deck="leave out")
    assert not app.error
    assert rows_said(app) == "300 rows, 3 features, 2 classes"


def test_words_for_missing_and_the_header_can_be_overruled(app):
    rows = "".join(f"{i % 7},{('gone', i % 5)[i % 2]},{'uv'[i % 2]}\n" for i in range(60))
    upload(app, f"a,b,class\n{rows}".encode())
    press(app, "table_profile")
    choose_own(app, "missing", "gone")
    assert columns_of(app)["b"].missing == 50
    choose_own(app, "target", "a")
    choose_own(app, "header", "values")
    assert rows_said(app).startswith("61 rows")
    assert [one.value for one in own(app, "target")] == [""]
    choose_own(app, "header", "guess")
    assert rows_said(app).startswith("60 rows")
    assert columns_of(app)["b"].missing == 50


def test_settings_stay_with_the_file_when_dialog_and_page_are_left(app):
    upload(app, TITANIC.encode())
    with_kinds(app, Deck="leave out")
    choose_own(app, "missing", "?, male")
    assert rows_said(app) == "300 rows, 2 features, 2 classes"  # Sex=female and Age
    del app.session_state["dialog_open"]
    run(app)
    assert not column_lists(app)
    assert rows_said(app) == "300 rows, 2 features, 2 classes"
    app.session_state["tree_tab"] = "One example"
    for page in ("inspect", "lab"):
        app.switch_page(page_file(page))
        run(app)
        assert rows_said(app) == "300 rows, 2 features, 2 classes"
        assert [s.max for s in app.slider if s.label == "Sex=female"] == [1] * (page == "inspect")
    press(app, "table_profile")
    assert columns_of(app)["Deck"].kind == "leave out"
    assert [one.value for one in own(app, "missing")] == ["?, male"]


def test_a_kept_run_is_read_as_the_page_has_read_it(app, folders, monkeypatch):
    monkeypatch.chdir(folders)
    (folders / "mine.csv").write_text(TITANIC)
    upload(app, TITANIC.encode())
    with_kinds(app, Age="words", Deck="leave out", PassengerId="number")
    choose_own(app, "missing", "female")
    choose_own(app, "header", "names")
    choose(app, "lab0_method", "axis")
    finished(app)
    press(app, "keep")
    (folder,) = (folders / "runs").iterdir()
    kept = resume(folder)  # which refuses rows that are not those of the run
    source = kept.folder.source
    assert source.kinds["Age"] == "words"
    assert (source.missing, source.header) == (("female",), True)
    assert {"Sex=male", "Age=3", "PassengerId"} <= {*kept.train.feature_names}
    assert "Sex=female" not in kept.train.feature_names


def test_a_sheet_of_a_workbook_is_chosen(app):
    buffer = io.BytesIO()
    with pd.ExcelWriter(buffer) as book:
        for name, n in (("First", 20), ("Second", 30)):
            table = {"a": range(n), "b": [i * 7 % 5 for i in range(n)], "y": ["u", "v"] * (n // 2)}
            pd.DataFrame(table).to_excel(book, sheet_name=name, index=False)
    upload(app, buffer.getvalue(), "mine.xlsx")
    assert rows_said(app).startswith("20 rows")
    assert any("'First' was read" in c.value for c in app.caption)
    (sheet,) = own(app, "sheet")
    assert sheet.options[1:] == ["First", "Second"]
    choose_own(app, "sheet", "Second")
    assert rows_said(app).startswith("30 rows")
    dataset, _key = app.session_state["own_last"][1]
    assert dataset.name == "mine.xlsx#Second"


def test_files_of_arrays_have_no_columns_to_choose(app):
    buffer = io.BytesIO()
    np.savez(buffer, X=np.arange(60.0).reshape(30, 2), y=np.arange(30) % 2 * 762300)
    upload(app, buffer.getvalue(), "mine.npz")
    assert not app.error
    assert rows_said(app) == "30 rows, 2 features, 2 classes"
    assert not own(app, "target")
    assert not [w for w in app.button if w.key == "table_profile"]
    choose_own(app, "task", "regression")
    assert "from 0 to 762300" in rows_said(app)
