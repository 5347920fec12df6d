"""The trainer of hinge forests: what it learns, keeps, and goes on from."""

import dataclasses
import itertools

import numpy as np
import pytest
from sklearn.datasets import load_digits

from tests.helpers.hinges import FEATURES, IRIS, KINDS, METHODS, config_of, images, trained
from tests.helpers.processes import SERVER
from tests.helpers.same import assert_same
from treecore import RunConfig, Trainer, warm_up
from treecore.base.state_file import CheckpointError
from treecore.compiling.kernels import KERNELS
from treecore.learners.hinge.optimizers import OPTIMIZERS
from treecore.learners.hinge.run import advance, changing_arrays


@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("optimizer", OPTIMIZERS)
def test_it_learns(kind, optimizer):
    X, y = IRIS
    eta = {"adam": 0.02, "adagrad": 0.2, "sgd": 1.0}[optimizer]
    trainer = trained(X, y, kind=kind, optimizer=optimizer, trees=10, batches=500, eta=eta)
    events = list(trainer.events())
    assert events[0].validation_error > 0.3 > 0.1 > trainer.model.predict(X).__ne__(y).mean()
    assert [event.done for event in events] == [0, 100, 200, 300, 400, 500]
    assert events[-1].loss < events[1].loss
    assert {event.unit for event in events} == {"batch"}
    assert all(event.stage == METHODS[kind] and event.total == 500 for event in events)


def test_the_kept_forest_is_the_one_that_errs_least_on_validation_rows():
    X, y = load_digits(return_X_y=True)
    trainer = Trainer(
        config_of(batches=900, eta=0.05, schedule="constant"),
        X[:600],
        y[:600],
        validation=(X[600:900], y[600:900]),
    )
    errors = {}
    for event in trainer.events():
        errors[event.done] = event.validation_error
        present = (trainer.present.predict(X[600:900]) != y[600:900]).mean()
        assert event.validation_error == pytest.approx(present)
    kept = (trainer.model.predict(X[600:900]) != y[600:900]).mean()
    assert kept == pytest.approx(min(errors.values()))
    assert errors[trainer.best_at] == min(errors.values())


@pytest.mark.parametrize("kind", KINDS)
def test_a_kernel_that_is_cut_anywhere_changes_no_bit(kind):
    X, y = images()
    rng, arrays = np.random.default_rng(0), []
    for budgets in (itertools.repeat(10_000), iter(lambda: int(rng.integers(1, 30)), 0)):
        trainer = trained(X, y, kind=kind, noise=0.1, shift=0.5, dropout=0.3)
        while advance(trainer._run, next(budgets)):
            pass
        assert list(trainer._run.clock) == [50, 5, 250]  # 54 rows in passes of five mini-batches
        arrays.append(changing_arrays(trainer._run))
    assert_same(*(tuple(some.values()) for some in arrays))


@pytest.mark.parametrize(
    ("name", "change", "sentence"),
    [
        ("order", lambda a: a + 1000, "order of the state has an index outside 0 to 134"),
        ("clock", lambda a: -a, "clock of the state is beyond the end of the run"),
        ("clock", lambda a: a + 1000, "clock of the state is beyond the end of the run"),
        ("weights", lambda a: a[:1], "does not fit these rows and settings"),
        ("sums", lambda a: a[:1], "does not fit these rows and settings"),
    ],
)
def test_a_state_that_kernels_cannot_trust_is_refused(name, change, sentence):
    first = trained(*IRIS, batches=20)
    while first._done == 0:
        first.step()
    state = first.state()
    state["run"][name] = change(state["run"][name])
    with pytest.raises(CheckpointError, match=sentence):
        Trainer.from_state(state, first.config, *IRIS)


def test_learning_goes_on_from_a_forest_and_more_trees_join():
    X, y = IRIS
    config = config_of(eta=1e-6, batches=1, seed=3)
    first = trained(X, y, batches=500, eta=0.02).run()
    again = Trainer(config, X, y, start=first)
    # Other rows are held out, and the means that missing values are read as are of the rest.
    assert_same(dataclasses.replace(again.present, missing=first.missing), first)
    more = Trainer(config.replace(trees=6), X, y, start=first).present
    assert more.n_trees == 6
    assert_same(first.trees, type(first.trees)(*(array[:4] for array in more.trees)))


def test_after_warming_up_nothing_is_left_to_compile():
    process = SERVER.Process(target=warm_up_and_learn)  # where no test has been before
    process.start()
    process.join()
    assert process.exitcode == 0


def warm_up_and_learn():
    reported = []
    warm_up(reported.append, RunConfig("hinge-ferns"))
    warm_up(reported.append, RunConfig("hinge-forest"))
    assert len(reported) == 2
    assert "Preparing compiled code" in reported[0]
    before = [len(kernel.signatures) for kernel in KERNELS]
    assert sum(before) > 5  # those that Python calls; they bring the others
    X = np.random.default_rng(0).standard_normal((60, 16))
    y = {"log": (X[:, 0] > 0).astype(int), "squared": X[:, :2]}
    plain = {"trees": 3, "depth": 3, "batches": 5, "shift": 0.5, "noise": 0.1}
    for kind, features, loss in itertools.product(KINDS, FEATURES, y):
        config = RunConfig(METHODS[kind], loss=loss, **plain | FEATURES[features])
        Trainer(config, X, y[loss]).run().predict(X)
    assert [len(kernel.signatures) for kernel in KERNELS] == before


@pytest.mark.parametrize("n_jobs", [2, 3])
def test_any_number_of_threads_gives_the_same_bits(n_jobs):
    X, y = load_digits(return_X_y=True)
    forest = trained(X, y, batches=50).run()
    X = np.concatenate([X, X])
    assert np.array_equal(forest.decision(X), forest.decision(X, n_jobs))
