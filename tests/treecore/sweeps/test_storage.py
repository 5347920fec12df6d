"""The table of a sweep: a row that was told is never lost, whoever is killed and when."""

from __future__ import annotations

import contextlib
import math

import pytest

from tests.helpers.cases import case
from tests.helpers.processes import SERVER, is_killed_touching
from treecore.sweeps import SweepError, read_rows
from treecore.sweeps.storage import JOURNAL, PARQUET, ResultsTable


def _row(number):
    return {"key": f"k{number}", "stage": "search", "seed": number, "error": None, "bound": 0.5}


def test_rows_come_back_as_they_were_whatever_was_cut(tmp_path):
    table = ResultsTable(tmp_path)
    for number in range(5):
        table.append(_row(number))
    assert set(read_rows(tmp_path)) == {f"k{n}" for n in range(5)}
    journal = (tmp_path / JOURNAL).read_bytes()
    table.merge()
    assert (tmp_path / JOURNAL).read_bytes() == b""
    # Killed between the two steps of a merge: the rows are in both files, and count once.
    (tmp_path / JOURNAL).write_bytes(journal + b'{"key": "cut sh')
    found = read_rows(tmp_path)
    assert list(found) == [f"k{n}" for n in range(5)]
    assert found["k3"]["seed"] == 3
    assert found["k3"]["bound"] == 0.5
    table.close()


@pytest.mark.parametrize("line", ['{"key": 3}', '{"key": "a", "depth": "deep"}'])
def test_a_journal_of_nonsense_is_said_and_left_alone(tmp_path, line):
    (tmp_path / JOURNAL).write_text(line + "\n")
    with pytest.raises(SweepError, match="what no sweep has written"):
        ResultsTable(tmp_path)
    assert (tmp_path / JOURNAL).read_text() == line + "\n"


def test_one_driver_a_folder(tmp_path):
    table = ResultsTable(tmp_path)
    with pytest.raises(SweepError, match="another sweep is at work"):
        ResultsTable(tmp_path)
    table.close()
    ResultsTable(tmp_path).close()


def test_a_damaged_table_is_said_and_left_alone(tmp_path):
    (tmp_path / PARQUET).write_bytes(b"PAR1 nothing")
    with pytest.raises(SweepError, match="is damaged"):
        ResultsTable(tmp_path)
    assert (tmp_path / PARQUET).read_bytes() == b"PAR1 nothing"


def append_for_ever(folder, told):
    table, number = ResultsTable(folder), 0
    while True:
        table._due = 0.0 if number % 3 == 0 else math.inf  # merge all the time
        table.append(_row(number))
        told.send(number)
        number += 1


def test_no_told_row_is_lost_whenever_the_driver_is_killed(tmp_path):
    for moment in range(1, 41):
        with case(moment=moment):
            folder = tmp_path / str(moment)
            folder.mkdir()
            ours, theirs = SERVER.Pipe(duplex=False)
            with ours:
                with theirs:
                    assert is_killed_touching(folder, moment, append_for_ever, folder, theirs)
                n_told = 0
                with contextlib.suppress(EOFError):
                    while True:
                        n_told = ours.recv() + 1
            found = read_rows(folder)
            assert {f"k{n}" for n in range(n_told)} <= set(found)
            assert len(found) <= n_told + 1  # one more may have been written and not told
            ResultsTable(folder).close()  # nor is the folder locked
    assert n_told > 6, "more than two merges were met"
