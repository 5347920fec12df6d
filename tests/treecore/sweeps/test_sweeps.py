"""Sweeps: what is skipped, what is chosen, and what a test row can change."""

import json
import os
import signal
import threading
import zipfile
from itertools import pairwise

import numpy as np
import pandas as pd
import pytest
from hypothesis import given
from hypothesis import strategies as st

from tests.helpers.same import assert_same
from tests.helpers.sweeps import SMALL, small
from treecore import RunConfig, Trainer, predict
from treecore.persistence import load
from treecore.sweeps import (
    LocalPool,
    SerialPool,
    Sweep,
    SweepError,
    read_choice,
    read_rows,
    read_spec,
    selection,
)
from treecore.sweeps.spec import SearchSpec
from treecore.sweeps.work import rows_of


def run(spec, folder, pool=None):
    """All steps, and the sweep itself, closed."""
    with Sweep(spec, folder, pool or SerialPool()) as sweep:
        return list(sweep.run()), sweep


def test_a_sweep_does_every_run_once_and_a_second_start_does_none(tmp_path):
    spec = small(search={"seeds": [0, 1]})
    steps, sweep = run(spec, tmp_path)
    assert [step.done for step in steps] == list(range(1, 4 * 2 + 2 * 2 + 1))  # two tested
    assert steps[-1].done == steps[-1].total
    rows = read_rows(tmp_path)
    assert len(rows) == 12 == len({step.row["key"] for step in steps})
    again, second = run(spec, tmp_path)
    assert again == []
    assert second.choice == sweep.choice == read_choice(tmp_path)
    assert second.done == second.total
    with Sweep(small(search={"seeds": [0, 1, 2]}), tmp_path, SerialPool()) as more:
        steps = more.run()
        next(steps)
        assert read_choice(tmp_path) is None  # what comes may be better
        new = [step.row for step in steps if step.row["stage"] == "search"]
    assert {row["seed"] for row in new} == {2}
    assert read_choice(tmp_path) == more.choice


def test_rows_trees_and_choice_say_what_a_plain_run_says(tmp_path):
    spec = small()
    _, sweep = run(spec, tmp_path)
    for row in read_rows(tmp_path).values():
        config = RunConfig(**json.loads(row["settings"]))
        rows = rows_of(spec.data, row["stage"])
        tree = Trainer(config, rows.train.X, rows.train.y, n_classes=2).run()
        kept = load(tmp_path / "trees" / f"{row['key']}.json").tree
        assert_same(kept, tree)
        name = "test_accuracy" if row["stage"] == "final" else "validation_accuracy"
        assert row[name] == np.mean(predict(tree, rows.held.X) == rows.held.y)
    best = max(r["validation_accuracy"] for r in read_rows(tmp_path).values()
               if r["stage"] == "search")  # fmt: skip
    assert sweep.choice.validation == best
    chosen = sweep.choice.settings["method"]
    told = {chosen: sweep.choice.test, **sweep.choice.others}
    assert set(told) == {"axis", "sgd"}
    assert sweep.choice.n_tested == 1
    for method, test in told.items():  # the best of each, on the validation rows
        first = next(s for _, s in sweep.ranking() if s["method"] == method)
        finals = [r for r in read_rows(tmp_path).values()
                  if (r["stage"], r["method"]) == ("final", method)]  # fmt: skip
        assert {selection.name_of(RunConfig(**first))} == {r["candidate"] for r in finals}
        tested = [r["test_accuracy"] for r in finals]
        assert test["test_accuracy"] == pytest.approx((np.mean(tested), np.std(tested, ddof=1)))


def _archives(folder, permute):
    rng = np.random.default_rng(3)
    X = rng.normal(size=(160, 3))
    y = (X[:, 0] + X[:, 1] ** 2 > 0.7).astype(int)
    np.savez(folder / "train.npz", X=X[:100], y=y[:100])
    test = rng.permutation(y[100:]) if permute else y[100:]
    np.savez(folder / "test.npz", X=X[100:], y=test)


def test_targets_of_test_rows_change_no_choice(tmp_path):
    found = []
    for permute in (False, True):
        _archives(tmp_path, permute)
        spec = small(data={"name": str(tmp_path / "train.npz"), "test": str(tmp_path / "test.npz")})
        steps, sweep = run(spec, tmp_path / str(permute))
        search = [step.row for step in steps if step.row["stage"] == "search"]
        reported = [(r["key"], r["validation_accuracy"], r["accuracy"]) for r in search]
        found.append((reported, sweep.choice.settings, sweep.choice.test["test_accuracy"][0]))
    assert found[0][:2] == found[1][:2]
    assert found[0][2] > found[1][2]  # the permuted ones were read, then


def test_test_rows_are_first_read_by_final_runs(tmp_path):
    _archives(tmp_path, False)
    (tmp_path / "test.npz").rename(tmp_path / "later.npz")
    with zipfile.ZipFile(tmp_path / "test.npz", "w") as archive:
        archive.writestr("X.npy", b"no array")  # whoever read it would stumble
        archive.writestr("y.npy", b"no array")
    spec = small(data={"name": str(tmp_path / "train.npz"), "test": str(tmp_path / "test.npz")})
    with pytest.raises(SweepError, match=r"final run failed: test.npz is not a NumPy"):
        run(spec, tmp_path / "out")
    (tmp_path / "later.npz").rename(tmp_path / "test.npz")
    steps, sweep = run(spec, tmp_path / "out")  # the search is done, what failed is not
    assert {step.row["stage"] for step in steps} == {"final"}
    _, entire = run(spec, tmp_path / "whole")
    assert sweep.choice == entire.choice


def test_a_test_table_that_is_not_there_is_missed_before_the_search(tmp_path):
    _archives(tmp_path, False)
    train = str(tmp_path / "train.npz")
    for test, sentence in ((str(tmp_path / "none.csv"), "there is no file"), ("part", "X_test")):
        with pytest.raises(ValueError, match=sentence):
            Sweep(small(data={"name": train, "test": test}), tmp_path / "out", SerialPool())
    assert not (tmp_path / "out").exists()


def test_test_rows_without_a_target_are_no_mistakes(tmp_path, rng):
    frame = pd.DataFrame(rng.normal(size=(120, 2)), columns=["a", "b"])
    frame["class"] = np.where(frame.a > 0, "p", "q")
    frame[:80].to_csv(tmp_path / "train.csv", index=False)
    frame[80:].to_csv(tmp_path / "whole.csv", index=False)
    more = pd.concat([frame[80:], frame[:40].assign(**{"class": None})])
    more.to_csv(tmp_path / "holes.csv", index=False)
    found = []
    for name in ("whole", "holes"):
        data = {"name": str(tmp_path / "train.csv"), "test": str(tmp_path / f"{name}.csv")}
        _, sweep = run(small(data=data, methods=[{"method": "axis"}]), tmp_path / name)
        found.append(sweep.choice.test)
    assert found[0] == found[1]


def test_a_test_share_is_nobodys_training_row():
    search, final = (rows_of(small().data, stage) for stage in ("search", "final"))
    parts = [set(map(tuple, part.X)) for part in (search.train, search.held, final.held)]
    assert sum(map(len, parts)) == len(set.union(*parts)) == 120
    assert set(map(tuple, final.train.X)) == parts[0] | parts[1]
    assert search.fingerprint == final.fingerprint


def test_an_archives_own_test_part_is_used(tmp_path, rng):
    X, path = rng.normal(size=(90, 2)), str(tmp_path / "t.npz")
    y = (X[:, 0] > 0).astype(int)
    y[60:] = 2 * (X[60:, 0] > 0)  # a class that no training row shows is always a mistake
    np.savez(path, X_train=X[:60], y_train=y[:60], X_test=X[60:], y_test=y[60:])
    methods = [{"method": "axis", "depth": 1}]
    _, sweep = run(small(data={"name": path, "test": "part"}, methods=methods), tmp_path / "out")
    right = np.mean(y[60:] == 0)
    assert right - 0.1 <= sweep.choice.test["test_accuracy"][0] <= right


@given(st.integers(1, 200), st.integers(2, 5), st.integers(2, 5))
def test_rungs_of_halving_keep_a_share_and_end_with_all_epochs(n, keep, rungs):
    search = SearchSpec("halving", keep=keep, rungs=rungs)
    sizes = selection.rung_sizes(n, search)
    assert sizes[0] == n
    assert len(sizes) == rungs
    assert all(max(1, a // keep) == b for a, b in pairwise(sizes))
    candidate = RunConfig("sgd", epochs=100)
    epochs = [selection.shortened(candidate, search, r, 4).settings.epochs for r in range(rungs)]
    assert epochs[-1] == 100
    assert epochs == sorted(epochs)
    assert min(epochs) >= 1
    names = {
        selection.name_of(selection.shortened(candidate, search, rungs - 1, s)) for s in (0, 9)
    }
    assert names == {selection.name_of(candidate)}


def test_halving_goes_on_with_the_best_third(tmp_path):
    methods = [{"method": "sgd", "epochs": 9, "nu": [0.01, 1, 10, 50, 100, 200]}]
    steps, sweep = run(small(search={"kind": "halving"}, methods=methods), tmp_path)
    rungs = [[s.row for s in steps if s.row["stage"] == "search" and s.row["rung"] == r]
             for r in range(3)]  # fmt: skip
    assert [len(rung) for rung in rungs] == [6, 2, 1]
    assert [rung[0]["done"] for rung in rungs] == [1, 3, 9]
    for earlier, later in pairwise(rungs):
        kept = {row["candidate"] for row in later}
        worst = min(r["validation_accuracy"] for r in earlier if r["candidate"] in kept)
        left = [r["validation_accuracy"] for r in earlier if r["candidate"] not in kept]
        assert worst >= max(left)
    assert sweep.choice.settings["epochs"] == 9


def test_runs_that_fail_are_told_and_never_chosen(tmp_path, monkeypatch):
    from treecore.sweeps import work

    honest = work._learn

    def moody(job, *rest):
        if job.config.method == "sgd":
            raise ValueError("no")
        return honest(job, *rest)

    monkeypatch.setattr(work, "_learn", moody)
    steps, sweep = run(small(), tmp_path)
    assert [s.row["error"] for s in steps if s.row["method"] == "sgd"] == ["no", "no"]
    assert sweep.choice.settings["method"] == "axis"
    monkeypatch.setattr(work, "_learn", honest)
    again, _ = run(small(), tmp_path)  # what failed is tried again
    assert {s.row["method"] for s in again if s.row["stage"] == "search"} == {"sgd"}
    monkeypatch.setattr(work, "_learn", lambda *_: 1 / np.array([]).max())
    with pytest.raises(SweepError, match="no run could be measured: zero-size"):
        run(small(), tmp_path / "other")


def test_numbers_are_chosen_by_explained_variance(tmp_path):
    spec = small(data={"name": "sample:hill", "size": 200}, methods=[SMALL["methods"][0]])
    _, sweep = run(spec, tmp_path)
    assert sweep.choice.settings["loss"] == "squared"
    assert sweep.choice.settings["depth"] == 3
    assert sweep.choice.test["test_r2"][0] <= 1


def test_other_rows_than_the_drivers_are_refused():
    from treecore.sweeps.work import run_job

    spec = small()
    job = selection.make_job("search", 0, *2 * (RunConfig("axis", depth=1),), "rows")
    with pytest.raises(SweepError, match="reads other rows"):
        run_job(job, spec.data, "not theirs")


# Processes ---------------------------------------------------------------------------------------


@pytest.mark.slow
def test_killed_processes_lose_no_run(tmp_path):
    methods = [{"method": "sgd", "epochs": 20, "depth": 4, "nu": [1, 2, 3, 4, 5, 6]}]
    spec = small(methods=methods, final={"seeds": [0]})
    pids = []
    with Sweep(spec, tmp_path / "killed", LocalPool(2)) as sweep:
        for step in sweep.run():
            pids.append(int(step.row["worker"].split(":")[1]))
            if step.done == 2:
                os.kill(pids[-1], signal.SIGKILL)
    assert os.getpid() not in pids
    assert len(pids) == len(read_rows(tmp_path / "killed")) == 7
    _, serial = run(spec, tmp_path / "serial")
    assert sweep.choice == serial.choice  # who runs it changes nothing


def test_processes_that_are_stopped_end_in_the_midst_of_their_runs(tmp_path):
    """One run is short, the others take minutes, and none of those is waited for."""
    short, long = {"method": "axis", "depth": 1}, {"method": "sgd", "epochs": 100_000}
    spec = small(methods=[short, long | {"nu": [1, 2, 3, 4]}])
    with Sweep(spec, tmp_path, LocalPool(2)) as sweep:
        steps = sweep.run()
        assert next(steps).row["method"] == "axis"
        stopper = threading.Timer(0.1, sweep.stop)  # while this thread waits for the others
        stopper.start()
        assert list(steps) == []
        stopper.join()
    assert sweep.choice is None
    assert len(read_rows(tmp_path)) == 1


@pytest.mark.parametrize(
    ("change", "sentence"),
    [
        ({"dta": {}}, "the sweep has no 'dta'"),
        ({"data": {}}, "needs a name"),
        ({"data": {"name": "sample:xor", "test": 1.5}}, "test=1.5 must be a share"),
        ({"data": {"name": "sample:xor", "validation": True}}, "validation=True must be a share"),
        ({"data": {"name": "sample:xor", "task": "guess"}}, "task='guess' must be one of"),
        ({"data": {"name": "sample:xor", "sise": 3}}, "has no 'sise'"),
        ({"search": {"kind": "best"}}, "kind='best' must be one of"),
        ({"search": {"kind": "grid", "count": 3}}, "of kind 'grid' has no 'count'"),
        ({"search": {"kind": "random"}}, "needs count"),
        ({"search": {"kind": "halving", "keep": 1}}, "keep=1 must be a whole number from 2"),
        ({"search": {"seeds": [0, 0]}}, "a seed twice"),
        ({"final": {"seeds": [-1]}}, "seed=-1 must be"),
        ({"final": {"seeds": []}}, "an empty list"),
        ({"methods": []}, "must be a list"),
        ({"methods": [{"depth": 3}]}, "number 1 needs a method"),
        ({"methods": [{"method": "best"}]}, "there is no method 'best'"),
        ({"methods": [{"method": "axis", "nu": 3}]}, "the method axis has no 'nu'"),
        ({"methods": [{"method": "sgd", "nu": [1, -3]}]}, "nu=-3 must be between"),
        ({"methods": [{"method": "sgd", "seed": 3}]}, "seed is set for all runs alike"),
        ({"methods": [{"method": "sgd", "loss": "cubic"}]}, "loss='cubic' must be one of"),
        ({"methods": [{"method": "sgd", "nu": {"low": 1, "high": 2}}]}, "cannot be tried"),
        (
            {
                "search": {"kind": "random", "count": 2},
                "methods": [{"method": "sgd", "nu": {"low": 2, "high": 1}}],
            },
            "must go from low to a greater high",
        ),
    ],
)
def test_a_bad_spec_gets_one_sentence(change, sentence):
    with pytest.raises(SweepError) as caught:
        small(**change)
    assert sentence in str(caught.value)


def test_files_that_are_no_specs_get_one_sentence(tmp_path):
    with pytest.raises(SweepError, match="cannot be read"):
        read_spec(tmp_path / "none.toml")
    (tmp_path / "bad.toml").write_text("[data\n")
    with pytest.raises(SweepError, match="is not TOML"):
        read_spec(tmp_path / "bad.toml")
    (tmp_path / "text.toml").write_text('data = 3\nmethods = "sgd"\n')
    with pytest.raises(SweepError):
        read_spec(tmp_path / "text.toml")


def test_a_grid_is_every_combination_once():
    found = small(methods=[{"method": ["sgd", "stable-sgd"], "nu": [1, 1.0, 5], "depth": [2, 3]}])
    configs = found.candidates("classification")
    assert len(configs) == 2 * 2 * 2
    assert {(c.method, c.settings.nu, c.settings.depth) for c in configs} == {
        (m, nu, d) for m in ("sgd", "stable-sgd") for nu in (1, 5) for d in (2, 3)
    }
    assert {c.loss for c in found.candidates("regression")} == {"squared"}


def test_drawn_candidates_lie_in_their_ranges_and_follow_the_seed():
    methods = [
        {"method": "sgd", "nu": {"low": 0.1, "high": 1000}, "depth": {"low": 2, "high": 9}},
        {"method": "axis", "depth": [3]},
    ]
    a, b, other = (
        small(search={"kind": "random", "count": 60, "seed": seed}, methods=methods)
        .candidates("classification")
        for seed in (0, 0, 1)
    )  # fmt: skip
    assert a == b != other
    drawn = [c.settings for c in a if c.method == "sgd"]
    assert all(0.1 <= s.nu <= 1000 and 2 <= s.depth <= 9 for s in drawn)
    # Ratios are drawn evenly: about half of the numbers are below the geometric mean.
    assert 0.2 < np.mean([s.nu < 10 for s in drawn]) < 0.8
    few = small(search={"kind": "random", "count": 60}, methods=[{"method": "axis", "depth": [3]}])
    assert len(few.candidates("classification")) == 1
