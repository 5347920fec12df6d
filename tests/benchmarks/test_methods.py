"""Every method as it comes: rows are kept when others are measured, and say what they should."""

from __future__ import annotations

from benchmarks.methods import COLUMNS, RESULTS, measure, page, rows_of


def test_a_page_of_results_keeps_the_rows_that_are_not_measured_anew():
    rows = dict(rows_of(RESULTS.read_text(encoding="utf-8")))
    assert dict(rows_of(page(rows))) == rows
    kept = {key: row for key, row in rows.items() if key[0] != "axis"}
    assert dict(rows_of(page(kept))) == kept


def test_a_row_has_all_figures():
    ((key, row),) = rows_of(measure("axis", "stripes"))
    assert key == ("axis", "stripes")
    cells = [cell.strip() for cell in row.strip("|").split("|")]
    assert len(cells) == len(COLUMNS.split("|"))
    accuracy, deviation, leaves, seconds = (float(cell) for cell in cells[2:])
    assert 0.5 < accuracy / 100 <= 1
    assert 0 <= deviation < 50
    assert 2 <= leaves <= 2**6
    assert seconds >= 0
