"""The protocol of trainers: every method of every family keeps it."""

import ast
import dataclasses
import itertools

import numpy as np
import pytest

from tests.helpers.paths import ROOT
from tests.helpers.same import assert_same, same
from treecore import Event, RunConfig, Trainer
from treecore.base.state_file import CheckpointError, dumps_state, loads_state
from treecore.data.generators import generate
from treecore.learners.greedy.state import AT
from treecore.training.registry import METHODS

QUICK = {
    "sgd": {"epochs": 6},
    "stable-sgd": {"epochs": 6},
    "annealed": {"rounds": 3, "batch": 16},
    "tao": {"epochs": 3},
    "oc1": {"restarts": 2},
    "co2": {"epochs": 4},
}
HINGE = {"trees": 3, "batches": 120, "batch": 8, "n_features": 5}


def config(method, **more):
    """A quick run by a method."""
    entry = METHODS[method]
    quick = QUICK.get(more.get("base", entry.base) or method, {})
    own = {"tree": {}, "ensemble": {"n_trees": 3}, "hinge": HINGE}[entry.family]
    return RunConfig(method, **({"depth": 3, "seed": 2} | quick | own | more))


@pytest.fixture(scope="module")
def data():
    found = generate("spirals", 120, seed=1)
    return found.X, found.y


def states_of(trainer):
    """Run to the end; the states after every step, as a file gives them back."""
    states = [loads_state(dumps_state(trainer.state()))]
    while not trainer.finished:
        trainer.step(share=0.23)
        states.append(loads_state(dumps_state(trainer.state())))
    return states


def check_states(config, X, y, n_cuts, **more):
    """Runs that go on from states all over a run, its start among them, give its very model."""
    entire = Trainer(config, X, y, **more)
    states = states_of(entire)
    some = np.random.default_rng(0).integers(len(states), size=n_cuts)
    for at in {0, 1, len(states) - 1, *some.tolist()}:
        again = Trainer.from_state(states[at], config, X, y, **more)
        assert_same(again.run(), entire.model)


@pytest.mark.parametrize("method", METHODS)
def test_a_run_goes_on_from_any_state_to_the_same_model(method, data):
    check_states(config(method, validation=0.2), *data, n_cuts=4)


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("sgd", {"momentum": 0.5, "batch": 4, "sparsity": 0.001}),
        ("stable-sgd", {"sparsity": 0.01}),
        ("sgd", {"kernel": "fourier", "components": 8}),
        ("tao", {"leaf": "linear"}),
        ("annealed", {"leaf": "linear"}),
        ("axis", {"max_features": 1}),
        ("co2", {"class_weight": "balanced"}),
        ("samme", {"base": "oc1", "ending": "restart", "sampling": "draw"}),
        ("hinge-ferns", {"noise": 0.3, "dropout": 0.5, "validation": 0.0}),
    ],
)
def test_whatever_a_method_keeps_besides_is_in_its_state(method, more, data):
    check_states(config(method, **more), *data, n_cuts=3)


@pytest.mark.parametrize("method", [name for name, m in METHODS.items() if m.accepts("regression")])
def test_numbers_go_on_as_well(method):
    X = np.random.default_rng(0).normal(size=(90, 3))
    y = np.stack([np.abs(X[:, 0]) + X[:, 1], X[:, 2]], axis=1)
    check_states(config(method, loss="squared"), X, y, n_cuts=1)


@pytest.mark.parametrize("method", ["annealed", "random-oblique", "random-forest", "hinge-forest"])
def test_another_seed_is_another_model(method, data):
    one, other = (Trainer(config(method, seed=seed), *data).run() for seed in (2, 3))
    assert not same(one, other)


@pytest.mark.parametrize("method", METHODS)
def test_there_is_no_step_past_the_end(method, data):
    trainer = Trainer(config(method), *data)
    model = trainer.run()
    assert trainer.finished
    for _ in range(2):
        with pytest.raises(StopIteration):
            trainer.step()
    assert list(trainer.events()) == []
    assert_same(trainer.model, model)
    closed = Trainer(config(method), *data)
    while not closed.step().complete:
        pass
    closed.close()
    assert closed.finished
    with pytest.raises(StopIteration):
        closed.step()


@pytest.mark.parametrize("method", METHODS)
@pytest.mark.parametrize("share", [0, -1, float("nan"), float("inf")])
def test_a_bad_share_is_refused_and_the_run_goes_on(method, share, data):
    trainer = Trainer(config(method), *data)
    with pytest.raises(ValueError, match="share"):
        trainer.step(share)
    trainer.step(0.1)


@pytest.mark.parametrize("method", METHODS)
def test_events_tell_the_same_of_all(method, data):
    entry, trainer = METHODS[method], Trainer(config(method, validation=0.25), *data)
    events = []
    while not trainer.finished:
        events.append(trainer.step())
    assert all(type(event) is Event for event in events)
    own = [event for event in events if event.stage == method]
    assert {event.unit for event in own} == {entry.unit}
    assert own[-1].complete
    assert own[-1].progress == 1.0
    assert own[-1].done <= own[-1].total == entry.n_epochs(trainer.config.settings)
    for name in ("accuracy", "validation_accuracy"):
        assert 0 <= getattr(own[-1], name) <= 1
    assert own[-1].r2 is own[-1].mse is None
    for earlier, later in itertools.pairwise(own):
        assert earlier.seconds <= later.seconds
        assert earlier.progress <= later.progress
    complete = [event for event in events if event.complete]
    again = Trainer(config(method, validation=0.25), *data)
    for one, other in zip(again.events(), complete, strict=True):
        assert dataclasses.replace(one, seconds=0.0) == dataclasses.replace(other, seconds=0.0)


def test_all_families_hold_out_the_same_rows(data):
    X, y = data
    held = [Trainer(config(m, validation=0.3), X, y).held_out for m in METHODS]
    for rows in held:
        assert_same(rows.X, held[0].X)
        assert_same(rows.y, held[0].y)
    assert len(held[0].y) == 36


@pytest.mark.parametrize("method", ["stable-sgd", "bagging", "hinge-forest"])
def test_a_state_is_of_one_run_on_its_rows(method, data):
    X, y = data
    trainer = Trainer(config(method), X, y)
    while not trainer.step().complete:
        pass
    state = trainer.state()
    for other, table, broken, sentence in (
        (config(method, seed=3), X, {}, "of a run with other settings: seed=2, not 3$"),
        (config("axis"), X, {}, "of a run with other settings"),
        (config(method), X + 1, {}, "of a run on other data"),
        (config(method), X, {"version": 1}, "not the state of a run that this version reads"),
        (config(method), X, {"config": {"method": []}}, "settings cannot be read: there is no"),
        (config(method), X, {"config": None}, "settings cannot be read: 'NoneType'"),
        (config(method), X, {"config": {"method": "axis"}}, "with other settings: method='axis'"),
    ):
        with pytest.raises(CheckpointError, match=sentence) as reported:
            Trainer.from_state(state | broken, other, table, y)
        assert "\n" not in str(reported.value)
    with pytest.raises(CheckpointError, match="not the state of a run"):
        Trainer.from_state([], config(method), X, y)
    for name in state.keys() - {"version", "config", "data"}:
        rest = {key: value for key, value in state.items() if key != name}
        with pytest.raises(CheckpointError, match="lacks"):
            Trainer.from_state(rest, config(method), X, y)


@pytest.mark.parametrize("method", ["sgd", "tao", "axis", "annealed", "samme", "hinge-forest"])
def test_arrays_that_do_not_fit_are_refused(method, data):
    trainer = Trainer(config(method), *data)
    while not trainer.step().complete:
        pass

    def twisted(state):
        """Every state in which one array has another kind of numbers and another shape."""
        for name, value in state.items():
            if isinstance(value, dict):
                yield from ({**state, name: inner} for inner in twisted(value))
            elif isinstance(value, np.ndarray) and value.ndim > 1 and value.size:
                yield {**state, name: value[:-1].astype(np.complex128)}

    found = 0
    for state in twisted(trainer.state()):
        if "counts" in state and state["counts"].dtype == np.complex128:
            continue  # a figure, which nothing is learnt from
        found += 1
        with pytest.raises(CheckpointError):
            Trainer.from_state(state, trainer.config, *data)
    assert found


@pytest.mark.parametrize(
    ("method", "more"),
    [
        ("axis", {}),
        ("axis", {"max_features": 2}),
        ("axis", {"significance": 0.1}),
        ("axis", {"max_leaf_nodes": 9}),
        ("axis", {"leaf": "linear"}),
        ("random-oblique", {"n_directions": 8}),
        ("oc1", {"restarts": 1, "jumps": 2}),
        ("oc1", {"order": "random", "max_leaf_nodes": 7}),
        ("co2", {"epochs": 3}),
    ],
)
def test_a_greedy_run_that_is_saved_at_every_step_ends_in_the_same_tree(method, more):
    rng = np.random.default_rng(1)
    X = rng.normal(size=(200, 6)).round(1)
    X[:, 4] = 3.0
    y, weight = (X[:, 0] + X[:, 1] * X[:, 2] > 0).astype(int), rng.integers(0, 3, size=200)
    settings, divisions = RunConfig(method, depth=4, seed=3, **more), 0
    entire = Trainer(settings, X, y, sample_weight=weight).run()
    cut = Trainer(settings, X, y, sample_weight=weight)
    while not cut.finished:
        cut.step(share=0.01)
        state = loads_state(dumps_state(cut.state()))
        growth = cut.learner
        divisions += not growth.finished and growth.nodes["left"][growth.run.clock[AT]] > 0
        cut = Trainer.from_state(state, settings, X, y, sample_weight=weight)
    # Only where all features compete, a finder has orders of its own to divide.
    assert divisions > 1 or method != "axis" or {"leaf", "max_features"} & set(more)
    assert_same(cut.model, entire)


OUTSIDE = "index outside"


@pytest.mark.parametrize(
    ("method", "path", "place", "sentence"),
    [
        ("axis", ("clock",), AT, f"clock of the state has an {OUTSIDE}"),
        ("axis", ("left",), 0, f"left of the state has an {OUTSIDE}"),
        ("axis", ("rows",), 0, f"rows of the state has an {OUTSIDE}"),
        ("sgd", ("order",), -1, f"order of the state has an {OUTSIDE}"),
        ("stable-sgd", ("assigned",), -1, f"assigned of the state has an {OUTSIDE}"),
        ("annealed", ("order",), -1, f"order of the state has an {OUTSIDE}"),
        ("oc1", ("search", "moves"), 0, f"moves of the state has an {OUTSIDE}"),
    ],
)
def test_a_state_with_an_index_outside_its_arrays_is_refused(method, path, place, sentence, data):
    trainer = Trainer(config(method), *data)
    trainer.step(share=0.01)
    while method == "oc1" and "moves" not in trainer.learner.arrays_of_search():
        trainer.step(share=0.01)
    for index in (-2, 1 << 20):
        state = loads_state(dumps_state(trainer.state()))
        array = state["learner"]
        for name in path:
            array = array[name]
        array[place] = index
        with pytest.raises(CheckpointError, match=sentence):
            Trainer.from_state(state, config(method), *data)


def test_a_state_does_not_carry_the_rows():
    X = np.random.default_rng(0).normal(size=(20_000, 10))
    for method in ("stable-sgd", "hinge-forest"):
        trainer = Trainer(config(method), X, (X[:, 0] > 0).astype(int))
        trainer.step()
        assert len(dumps_state(trainer.state())) < X.nbytes / 4


def test_nothing_is_pickled():
    # But what numba compiles, which goes by pickles and holds code anyway.
    of_numba = ROOT / "treecore/compiling/kernel_cache.py"
    for path in {*(ROOT / "treecore").rglob("*.py")} - {of_numba}:
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Import | ast.ImportFrom):
                module = getattr(node, "module", None) or ""
                names = [module, *(alias.name for alias in node.names)]
                assert not {"pickle", "cloudpickle", "dill", "shelve"} & set(names), path
            if isinstance(node, ast.keyword) and node.arg == "allow_pickle":
                assert node.value.value is False, path


@pytest.mark.parametrize("name", METHODS)
def test_a_default_has_the_type_of_its_setting(name):
    """Widgets take numbers of one type; 10 in place of 10.0 has broken the page of forests."""
    method = METHODS[name]
    own = {*method.settings.definitions()} | (
        {*method.base_settings.definitions()} if method.base_settings else set()
    )
    types = {known.name: type(known.default) for known in own}
    for known in method.definitions():
        assert type(known.default) is types[known.name], known.name
