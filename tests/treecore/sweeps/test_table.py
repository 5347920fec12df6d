"""The table of a sweep: a row that was told is never lost, whoever is killed and when."""

from __future__ import annotations

import math
import multiprocessing
import os
import signal
import time

import numpy as np
import pytest

from treecore.sweeps import SweepError, read_rows
from treecore.sweeps.table import JOURNAL, PARQUET, ResultsTable

pytest.importorskip("pyarrow")


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


def _append_for_ever(folder, told):
    table, number = ResultsTable(folder), 0
    while True:
        table._due = 0.0 if number % 3 == 0 else math.inf  # merge all the time
        table.append(_row(number))
        told.send(number)
        number += 1


def test_no_told_row_is_lost_when_the_driver_is_killed(tmp_path):
    context = multiprocessing.get_context("fork")
    rng = np.random.default_rng(0)
    for attempt in range(10):
        folder = tmp_path / str(attempt)
        folder.mkdir()
        ours, theirs = context.Pipe(duplex=False)
        process = context.Process(target=_append_for_ever, args=(folder, theirs))
        process.start()
        theirs.close()
        assert ours.poll(30)
        time.sleep(rng.uniform(0, 0.1))
        os.kill(process.pid, signal.SIGKILL)
        process.join()
        last = -1
        while True:
            try:
                last = ours.recv()
            except EOFError:
                break
        found = read_rows(folder)
        assert {f"k{n}" for n in range(last + 1)} <= set(found)
        assert len(found) <= last + 2  # one more may have been written and not told
        ResultsTable(folder).close()  # nor is the folder locked
