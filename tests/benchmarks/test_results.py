"""Pages of results: a mark stands on rows of older code, and cheap rows are measured again."""

import datetime
import os
import re
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import pytest

from benchmarks import (
    ablation,
    accuracy,
    compiling,
    inference,
    intervals,
    marks,
    methods,
    tables,
)
from benchmarks.marks import COLUMN, MARK, RESULTS, cells_of, is_earlier, marked, pages
from benchmarks.methods import DATA, PAGE
from benchmarks.reproduce.__main__ import PAPERS
from benchmarks.reproduce.page import TABLE
from tests.benchmarks.guarded import GUARDED, OF_THE_MACHINE, of_page
from tests.helpers.paths import ROOT
from treecore.training.registry import METHODS
from ui.lab.draws import FILE, all_draws

ROWS = {f"{guard.page}, {guard.row}": guard for guard in GUARDED}
SHOWN = {path.name for path in RESULTS.glob("*.md")}
SHOWN |= {f"results.md: {path.parent.name}" for path in PAPERS.glob("*/points.jsonl")} | {FILE.name}


def days_of(text: str) -> list[str]:
    """The days of all rows of a page, with their marks."""
    days, header = [], []
    for line in text.splitlines():
        if not line.startswith("|"):
            header = []
        elif not header:
            header = cells_of(line)
        elif COLUMN in header and "---" not in line:
            days.append(cells_of(line)[header.index(COLUMN)])
    return days


def test_every_page_of_results_has_a_guarded_row():
    guarded = {guard.page for guard in GUARDED}
    assert guarded | OF_THE_MACHINE == SHOWN
    assert not guarded & OF_THE_MACHINE


def test_pages_show_results_of_guarded_files_alone():
    """Figures of the documentation come from the files above, by the directive or as rows."""
    for path in pages():
        for file in re.findall(r"```\{measured\} (\S+)", path.read_text(encoding="utf-8")):
            assert Path(file).name in {*SHOWN, TABLE}, path


@pytest.mark.parametrize("path", pages(), ids=lambda path: path.relative_to(ROOT).as_posix())
def test_rows_of_older_code_have_their_mark_and_no_others(path):
    text = path.read_text(encoding="utf-8")
    assert marked(text) == text, "python -m benchmarks.marks writes the marks"
    for day in days_of(text):
        assert datetime.date.fromisoformat(day.removesuffix(MARK)) <= datetime.date.today()
    if path.parent == RESULTS:
        assert days_of(text)


def test_a_row_is_marked_from_the_day_on_which_its_code_changed(monkeypatch):
    since = (("2026-11-23", re.compile("annealed", re.I)),)
    monkeypatch.setattr(marks, "changes", lambda: since)
    page = "| method | measured |\n| --- | --- |\n| {} |\n"
    old, new = page.format("annealed | 2026-11-22"), page.format("annealed | 2026-11-23")
    assert marked(old) == page.format(f"annealed | 2026-11-22{MARK}")
    assert marked(marked(old)) == marked(old)
    assert marked(new) == new
    assert marked(page.format(f"sgd | 2026-11-20{MARK}")) == page.format("sgd | 2026-11-20")
    assert is_earlier("boosted Annealed", "2026-11-01")


def test_the_readme_has_the_rows_of_its_command():
    columns = [c for c in (*accuracy.PAGE.columns, COLUMN) if c != "settings"]
    at = accuracy.PAGE.columns.index("settings")
    expected = [columns, *([*row[:at], *row[at + 1 :]] for row in accuracy.PAGE.rows().values())]
    readme = (ROOT / "README.md").read_text(encoding="utf-8").replace(MARK, "")
    table = [cells_of(line) for line in readme.splitlines() if line.startswith("| ")]
    start = table.index(columns)
    found = [row for row in table[start : start + len(expected) + 1] if set(row) != {"---"}]
    assert found[: len(expected)] == [list(row) for row in expected]


@pytest.mark.parametrize("module", [ablation, intervals, tables], ids=lambda m: m.PAGE.stem)
def test_pages_of_lines_are_as_their_commands_write_them(module, tmp_path):
    module.write(tmp_path / "page.md")
    assert (tmp_path / "page.md").read_text("utf-8") == module.PAGE.read_text("utf-8")


def test_draws_have_their_day():
    for one in all_draws().values():
        assert datetime.date.fromisoformat(one.measured) <= datetime.date.today()


def test_a_guard_tells_a_stored_number_that_is_not_measured():
    (guard,) = (g for g in GUARDED if g.row == "axis | digits")
    stored = guard.stored()
    assert replace(guard, measure=lambda: stored).differences() == {}
    column, value = next(iter(stored.items()))
    off = stored | {column: value + 1.01 * guard.error}
    assert set(replace(guard, measure=lambda: off).differences()) == {column}
    with pytest.raises(AssertionError, match="nothing was measured"):
        of_page(accuracy.PAGE, ("Pendigits",), lambda: ["–"] * 7, 1.0).differences()


@pytest.mark.slow
@pytest.mark.parametrize("name", ROWS)
def test_a_row_of_results_is_what_its_command_measures_now(name):
    guard = ROWS[name]
    if guard.data:
        path = Path(os.environ.get("TREECORE_DATA", "")) / f"{guard.data}.npz"
        if not path.exists():
            pytest.skip(f"TREECORE_DATA names no folder with {guard.data}.npz")
    assert guard.differences() == {}, "measure the page anew, or mark it in changes.toml"


def test_every_method_has_a_row_for_all_data():
    assert set(PAGE.rows()) == {(method, data) for method in METHODS for data in DATA}


def test_pages_in_the_repository_are_as_their_commands_write_them():
    pages = (module.PAGE for module in (accuracy, compiling, inference, methods))
    for there in (*pages, inference.REACHED):
        assert there.path.read_text(encoding="utf-8") == there.text(there.rows()), there.path
        assert there.rows()


@pytest.mark.parametrize("command", [compiling, methods])
def test_without_a_name_all_methods_are_measured(command, monkeypatch):
    kept = []
    monkeypatch.setattr("sys.argv", ["it"])
    monkeypatch.setattr(command, "PAGE", SimpleNamespace(keep=lambda name, *_: kept.append(name)))
    monkeypatch.setattr(compiling, "first_fit", lambda *given: (1.0, 1.0))
    monkeypatch.setattr(methods, "measure", lambda *given: ())
    command.main()
    assert list(dict.fromkeys(kept)) == list(command.METHODS)


@pytest.mark.parametrize("command", [compiling, intervals, methods])
def test_a_name_that_is_unknown_gets_a_sentence(command, monkeypatch):
    monkeypatch.setattr("sys.argv", ["it", "nonsense"])
    with pytest.raises(SystemExit, match="2"):
        command.main()
