"""Why a run learns nothing: what is said follows from the figures, and mends what it is said of."""

import dataclasses

import pytest

from treecore import Event, RunConfig, Trainer
from ui.jobs.diagnosis import MIN_PASSES, diagnose
from ui.widgets.data.picker import FILES, gallery_data

CONFIG = RunConfig("sgd")
FIRST = Event("sgd", "epoch", 0, 100, 0.0, True, loss=0.4, bound=0.8, accuracy=0.7)
FIRST = dataclasses.replace(FIRST, active_leaves=64, n_leaves=64)


def play(name, method, settings, seed):
    """Config and measured events of a run on the app's data as the Lab divides them."""
    data = gallery_data(name, None if name in FILES else 500, seed=seed, share=25)
    train, held = data.train, data.held
    loss = "log" if train.task == "classification" else "squared"
    config = RunConfig(method, seed=seed, loss=loss, **settings)
    rows = {"validation": (held.X, held.y), "n_classes": train.n_classes}
    events = Trainer(config, train.X, train.y, **rows).events()
    return config, [event for event in events if event.complete and event.stage == method]


def score(event):
    """Held-out rows that are right, or variance explained, in percent."""
    return 100 * (event.validation_accuracy if event.r2 is None else event.validation_r2)


def last(done=100.0, **figures):
    return dataclasses.replace(FIRST, done=done, progress=done / 100, **figures)


@pytest.mark.parametrize(
    ("figures", "change"),
    [
        ({"loss": 0.5, "bound": 0.6}, {"nu": 200.0}),
        ({"loss": 0.5, "bound": 0.9}, {"eta": 0.02}),
        ({"loss": 0.3, "bound": 0.31, "accuracy": 0.8}, {"depth": 8}),
    ],
    ids=["margins", "steps", "leaves"],
)
def test_what_is_changed_follows_from_loss_and_bound(figures, change):
    found = diagnose([FIRST, last(**figures)], CONFIG)
    assert found is not None
    assert found.change == change
    assert f"{figures['loss']:.3g}" in found.sentence or "leaves" in found.sentence


def test_splits_that_a_great_nu_keeps_in_their_places_are_told_of():
    stuck = [FIRST, last(loss=0.399, bound=0.4)]
    found = diagnose(stuck, RunConfig("sgd", nu=10_000.0))
    assert found is not None
    assert found.change == {"nu": 20.0}
    found = diagnose(stuck, CONFIG)  # this one is not to blame
    assert found is not None
    assert found.change == {"depth": 8}


def test_nothing_is_said_of_a_run_that_learns_or_has_hardly_begun_or_has_no_bound():
    assert diagnose([], CONFIG) is None
    assert diagnose([FIRST], CONFIG) is None
    assert diagnose([FIRST, last(loss=0.1, bound=0.2, accuracy=0.95)], CONFIG) is None
    assert diagnose([FIRST, last(MIN_PASSES - 1, loss=0.5, bound=0.9)], CONFIG) is None
    fewer_mistakes = last(20, loss=0.42, bound=0.6, accuracy=0.85)
    assert diagnose([FIRST, fewer_mistakes], CONFIG) is None
    assert diagnose([FIRST, last(loss=0.5, bound=None)], RunConfig("axis")) is None


def test_a_bound_that_falls_alone_is_put_down_to_nu():
    asleep = last(loss=0.395, bound=0.42, accuracy=0.71, active_leaves=36)
    found = diagnose([FIRST, asleep], CONFIG)
    assert found is not None
    assert found.change == {"nu": 200.0}
    assert "28 of 64 leaves became inactive" in found.sentence
    followed = dataclasses.replace(asleep, loss=0.35)
    assert diagnose([FIRST, followed], CONFIG) is None


NO_BOUND = dataclasses.replace(FIRST, bound=None)


@pytest.mark.parametrize(
    ("method", "wrong"),
    [
        ("sgd", {"eta": 10.0}),
        ("sgd", {"eta": 1e-5}),
        ("sgd", {"depth": 1}),
        ("sgd", {"epochs": 1}),
        ("sgd", {"batch": 1024}),
        ("sgd", {"sparsity": 1.0}),
        ("sgd", {"momentum": 0.99}),
        ("annealed", {"decay": 10.0}),
        ("annealed", {"sharpness": 1.0}),
        ("annealed", {"rounds": 1}),
        ("annealed", {"batch": 1}),
        ("tao", {"C": 0.001}),
        ("axis", {"min_gain": 1.0}),
        ("oc1", {"min_samples_leaf": 10_000}),
    ],
    ids=str,
)
def test_a_run_that_stands_still_is_put_down_to_the_setting_that_is_far_from_the_usual_one(
    method, wrong
):
    first = FIRST if "sgd" in method else NO_BOUND
    events = [first, dataclasses.replace(first, done=100.0, progress=1.0, accuracy=0.71)]
    (name, value), *_ = wrong.items()
    found = diagnose(events, RunConfig(method, **wrong))
    assert found is not None
    usual = RunConfig(method).as_dict()[name]
    assert found.change == {name: usual}
    assert f"{value:g}" in found.sentence
    assert f"{usual:g}" in found.offer
    started = [first, dataclasses.replace(events[1], done=5.0, progress=0.05)]
    assert diagnose(started, RunConfig(method, **wrong)) is None, "too early"
    good = [first, dataclasses.replace(events[1], accuracy=0.97, loss=0.1)]
    assert diagnose(good, RunConfig(method, **wrong)) is None, "it has learnt"


def test_steps_that_are_too_large_are_mended_before_more_of_them_are_made():
    worse = dataclasses.replace(FIRST, done=1.0, progress=1.0, accuracy=0.5, loss=0.8)
    found = diagnose([FIRST, worse], RunConfig("sgd", epochs=1, eta=10.0))
    assert found is not None
    assert found.change == {"eta": 0.1}


def test_a_tree_that_nothing_splits_is_told_of():
    only = dataclasses.replace(NO_BOUND, progress=1.0)
    found = diagnose([only], RunConfig("axis", min_impurity=100.0))
    assert found is not None
    assert found.change == {"min_impurity": 0.0}


@pytest.mark.parametrize(
    ("method", "wrong"),
    [("axis", {"depth": 1}), ("oc1", {"smoothing": 100.0}), ("sgd", {"depth": 1})],
    ids=str,
)
def test_a_setting_that_holds_back_every_tree_is_told_of_though_it_has_learnt(method, wrong):
    grown = dataclasses.replace(NO_BOUND, unit="level")
    first = dataclasses.replace(FIRST if method == "sgd" else grown, accuracy=0.2)
    rose = dataclasses.replace(first, done=100.0, progress=1.0, accuracy=0.6, loss=0.2)
    (name, _), *_ = wrong.items()
    found = diagnose([first, rose], RunConfig(method, **wrong))
    assert found is not None
    assert found.change == {name: RunConfig(method).as_dict()[name]}
    assert diagnose([first, rose], RunConfig(method)) is None
    good = dataclasses.replace(rose, accuracy=0.9)
    assert diagnose([first, good], RunConfig(method, **wrong)) is None


def test_as_many_features_as_there_are_hold_nothing_back():
    stuck = [NO_BOUND, dataclasses.replace(NO_BOUND, done=6.0, progress=1.0, accuracy=0.71)]
    config = RunConfig("axis", max_features=4)
    found = diagnose(stuck, config, n_features=9)
    assert found is not None
    assert found.change == {"max_features": 0}
    assert diagnose(stuck, config, n_features=4) is None


def test_tao_that_its_start_holds_is_given_another_start():
    stuck = [NO_BOUND, dataclasses.replace(NO_BOUND, done=3.0, progress=1.0, accuracy=0.71)]
    found = diagnose(stuck, RunConfig("tao"))
    assert found is not None
    assert found.change == {"start": "random"}
    assert diagnose(stuck, RunConfig("tao", start="random")) is None


def test_a_grown_start_with_few_leaves_is_given_room_to_turn():
    few = [dataclasses.replace(event, n_leaves=8) for event in (FIRST, last(loss=0.5, bound=0.6))]
    found = diagnose(few, RunConfig("sgd", start="co2"))
    assert found is not None
    assert found.change == {"shape": "complete"}
    assert "8 of 64 leaves" in found.sentence
    wide = diagnose(few, RunConfig("sgd", start="co2", nu=1.0))
    assert wide is not None, "that is the likelier cause"
    assert wide.change == {"nu": 20.0}
    fallen = [few[0], dataclasses.replace(few[1], bound=0.51)]  # to what a single leaf would have
    wide = diagnose(fallen, RunConfig("sgd", start="co2", nu=1.0))
    assert wide is not None, "of more leaves as few would be left"
    assert wide.change == {"nu": 20.0}
    filled = diagnose(few, RunConfig("sgd", start="co2", shape="complete"))
    assert filled is not None
    assert filled.change == {"nu": 200.0}


def test_nothing_is_offered_beyond_the_range_of_a_setting():
    most = RunConfig("sgd", nu=10_000.0)
    assert diagnose([FIRST, last(loss=0.5, bound=0.6)], most) is None


def test_the_wave_that_the_methods_own_defaults_unlearn_is_told_of_and_mended():
    config, events = play("quickening", "sgd", {}, seed=0)
    assert score(events[-1]) < score(events[0])
    found = diagnose(events, config)
    assert found is not None
    _, mended = play("quickening", "sgd", found.change, seed=0)
    assert score(mended[-1]) > score(mended[0])
    assert diagnose(mended, RunConfig("sgd", loss="squared", **found.change)) is None


def test_stripes_that_wide_margins_cannot_learn_are_told_of_and_mended():
    config, events = play("stripes", "sgd", {"nu": 20.0}, seed=0)
    found = diagnose(events, config)
    assert found is not None
    assert found.change == {"nu": 200.0}
    _, mended = play("stripes", "sgd", found.change, seed=0)
    assert mended[-1].loss < 0.8 * events[-1].loss


def test_one_deviation_for_features_of_different_ranges_is_told_of_and_mended():
    config, events = play("wine", "annealed", {"scaling": "together"}, 0)
    found = diagnose(events, config)
    assert found is not None
    assert found.change == {"scaling": "auto"}
    mended = play("wine", "annealed", found.change, 0)[1]
    assert score(mended[-1]) > score(events[-1])
