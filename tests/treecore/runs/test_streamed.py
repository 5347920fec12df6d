"""Runs over streams: the tree of partial_fit, gone on with where a run has stopped."""

from __future__ import annotations

import os
import signal

import numpy as np
import pandas as pd
import pytest

from tests.helpers.processes import start_shell
from tests.helpers.same import assert_same
from tests.helpers.streams import all_of, driven, parquet, table
from tests.helpers.wait import until
from treecore import ObliqueTreeClassifier, ObliqueTreeRegressor, RunConfig, predict
from treecore.data.sources import Source
from treecore.data.stream import Stream
from treecore.losses.metrics import evaluate
from treecore.runs import RunDirectory, resume
from treecore.runs.streamed import begin_stream, go_on_stream, resume_stream

__all__ = ["parquet"]  # a fixture


@pytest.mark.parametrize("method", ["sgd", "stable-sgd", "annealed"])
def test_one_piece_is_partial_fit(parquet, tmp_path, method):
    frame = table()
    stream = Stream(Source(parquet(frame), held_out=0), 1000)
    run = begin_stream(tmp_path / "run", RunConfig(method, depth=4, seed=3), stream)
    driven(run)
    estimator = ObliqueTreeClassifier(method, depth=4, random_state=3)
    estimator.partial_fit(frame[["a", "b", "c"]], frame["y"], classes=[0, 1, 2])
    assert_same(run.tree, estimator.tree_)


def test_one_piece_of_numbers_is_partial_fit(parquet, tmp_path):
    frame = table().assign(y=lambda t: t.a * 3 + t.b)
    stream = Stream(Source(parquet(frame), held_out=0), 1000)
    config = RunConfig("sgd", depth=4, seed=3, loss="squared")
    run = begin_stream(tmp_path / "run", config, stream)
    driven(run)
    estimator = ObliqueTreeRegressor("sgd", depth=4, random_state=3)
    estimator.partial_fit(frame[["a", "b", "c"]], frame["y"])
    assert_same(run.tree, estimator.tree_)
    assert run.last.r2 == pytest.approx(estimator.score(frame[["a", "b", "c"]], frame["y"]), 1e-5)


def test_many_pieces_learn_and_are_measured_as_the_whole(parquet, tmp_path):
    stream = Stream(Source(parquet(table(6000))), 500)
    run = begin_stream(tmp_path / "run", RunConfig("sgd", depth=4, eta=0.3), stream, 3)
    steps = driven(run)
    X, y, held = all_of(stream)
    figures = evaluate(run.tree, X[~held], y[~held])
    event = steps[-1].event
    assert event == run.last
    assert event.accuracy == pytest.approx(figures.accuracy)
    assert event.loss == pytest.approx(figures.loss, rel=1e-6)
    assert event.active_leaves == figures.active_leaves
    assert event.validation_accuracy == np.mean(predict(run.tree, X[held]) == y[held])
    assert event.validation_accuracy > 0.85
    progress = [step.progress for step in steps]
    assert progress == sorted(progress)
    assert progress[-1] == 1
    folder = RunDirectory.open(tmp_path / "run")
    assert [e.done for e in folder.events()] == [1, 2, 3]
    document = folder.read_model()
    assert document.counts.sum() == stream.n_train
    assert folder.state == "finished"
    assert folder.metrics()["validation_accuracy"] == event.validation_accuracy


def test_a_stream_goes_on_where_it_was_left(parquet, tmp_path):
    path = parquet(table(2000))
    config = RunConfig("stable-sgd", depth=3)

    def begun(name):
        return begin_stream(tmp_path / name, config, Stream(Source(path), 300), 3)

    whole = begun("whole")
    driven(whole)
    for stop in (0, 1, 4, 9, 16):
        run = begun(str(stop))
        steps = go_on_stream(run, 0)
        for _ in range(stop):
            next(steps)
        steps.close()
        del run, steps  # whoever has the run holds its folder
        again = resume_stream(tmp_path / str(stop))
        driven(again)
        assert_same(again.tree, whole.tree)
        told = [list(RunDirectory.open(tmp_path / n).events()) for n in ("whole", str(stop))]
        assert [(e.done, e.loss) for e in told[0]] == [(e.done, e.loss) for e in told[1]]
    pd.read_parquet(path).iloc[1:].to_parquet(path)
    with pytest.raises(ValueError, match="is not the file that this run began with"):
        resume_stream(tmp_path / "whole")
    with pytest.raises(ValueError, match="is one on a stream"):
        resume(tmp_path / "whole")


@pytest.mark.parametrize(
    ("sign", "code", "state"), [(signal.SIGINT, 130, "stopped"), (signal.SIGKILL, -9, "running")]
)
def test_an_ended_stream_can_be_resumed(parquet, tmp_path, sign, code, state):
    words = [parquet(table(3000)), "--stream", "-m", "sgd", "--depth", 3, "--passes", 100000]
    process = start_shell(tmp_path, "train", *words, "--run", "part", "--every", 0)
    until(lambda: (tmp_path / "part/events.jsonl").exists() or not process.is_alive())
    os.kill(process.pid, sign)
    process.join()
    assert process.exitcode == code
    assert RunDirectory.open(tmp_path / "part").state == state
    run = resume_stream(tmp_path / "part")
    assert run.tree.n_splits == 2**3 - 1
    steps = go_on_stream(run)
    while (step := next(steps)).event is None:
        pass
    assert step.event.done == len(list(run.folder.events()))
    steps.close()
