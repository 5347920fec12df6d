"""Ctrl-C at the worst moment: nothing is half done, and what was told is not lost."""

import os
import signal
import threading

import pytest

from tests.helpers.same import assert_same
from treecore import RunConfig
from treecore.data.sources import Source
from treecore.runs import RunDirectory, begin, go_on, resume
from treecore.runs.interrupts import uninterrupted

SOURCE = Source("sample:spirals", size=120)
CONFIG = RunConfig("sgd", depth=3, epochs=8, seed=1)


@pytest.fixture(autouse=True)
def _heard():
    """Ctrl-C is heard even where the tests run in the background of a shell, which ignores it."""
    before = signal.signal(signal.SIGINT, signal.default_int_handler)
    yield
    signal.signal(signal.SIGINT, before)


def test_an_interrupt_waits_for_the_end_of_the_block():
    done = []
    with pytest.raises(KeyboardInterrupt), uninterrupted():  # noqa: PT012 (it waits inside)
        os.kill(os.getpid(), signal.SIGINT)
        done.append(True)
    assert done
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


def test_other_threads_leave_the_handlers_alone():
    found = []

    def look():
        with uninterrupted():
            found.append(signal.getsignal(signal.SIGINT))

    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [signal.default_int_handler]


@pytest.mark.parametrize("place", ["in a step", "before an event is noted", "after it is noted"])
def test_a_run_interrupted_anywhere_goes_on_to_the_same_tree_and_events(
    tmp_path, monkeypatch, place
):
    entire = begin(tmp_path / "whole", CONFIG, SOURCE)
    list(go_on(entire))
    kept = begin(tmp_path / "cut", CONFIG, SOURCE)
    append, step = RunDirectory.append, kept.trainer.step

    def interrupted_append(self, event):
        if kept.n_events == 3 and place == "before an event is noted":
            os.kill(os.getpid(), signal.SIGINT)
        append(self, event)
        if kept.n_events == 3 and place == "after it is noted":
            os.kill(os.getpid(), signal.SIGINT)

    def interrupted_step():
        event = step()
        if kept.n_events == 3 and place == "in a step":
            os.kill(os.getpid(), signal.SIGINT)
        return event

    monkeypatch.setattr(RunDirectory, "append", interrupted_append)
    monkeypatch.setattr(kept.trainer, "step", interrupted_step)
    with pytest.raises(KeyboardInterrupt):
        list(go_on(kept))
    monkeypatch.undo()
    folder = RunDirectory.open(tmp_path / "cut")
    assert folder.state == "stopped"
    assert folder.read_checkpoint()[1] == len(list(folder.events()))
    again = resume(tmp_path / "cut")
    list(go_on(again))
    assert_same(again.folder.read_model().tree, entire.folder.read_model().tree)
    reported = [[(e.done, e.loss, e.bound) for e in run.folder.events()] for run in (again, entire)]
    assert reported[0] == reported[1]
