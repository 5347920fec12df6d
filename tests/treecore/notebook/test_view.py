"""The widget without a notebook: what it is told, and what it tells."""

import numpy as np
import pandas as pd
import pytest

from tests.helpers.same import assert_same
from treecore import (
    AxisTreeClassifier,
    ObliqueTreeClassifier,
    RunConfig,
    SGDTreeClassifier,
    TAOTreeRegressor,
    Trainer,
    watch,
)
from treecore.viewer.messages.wire import unpack

pytest.importorskip("anywidget")

RNG = np.random.default_rng(0)
X = RNG.standard_normal((80, 3))
Y = np.where(X[:, 0] > X[:, 1], "yes", "no")
LABELS = (X[:, 0] > 0).astype(int)
FRAME = pd.DataFrame(X, columns=["<b>a", "b", "c"])


def reported(view):
    """The messages that the view holds."""
    found, at = [], 0
    while at < len(view.message):
        end = at + 4 + int.from_bytes(view.message[at : at + 4], "little")
        found.append(unpack(view.message[at + 4 : end]))
        at = end
    return found


def epochs(view):
    return [frame["epoch"] for meta, _ in reported(view) for frame in meta["frames"]]


def test_watching_changes_nothing_of_what_is_learnt():
    config = {"depth": 2, "epochs": 4, "random_state": 0}
    view = watch(SGDTreeClassifier(**config))
    observed = []
    view.observe(lambda change: observed.append(len(change.new)), "message")
    fitted = view.fit(FRAME, Y)
    alone = SGDTreeClassifier(**config).fit(FRAME, Y)
    assert_same(fitted.tree_, alone.tree_)
    assert [one.done for one in fitted.history_] == [one.done for one in alone.history_]
    assert not vars(fitted).keys() & {"_watched"}
    assert len(observed) >= 2, "while it learns, and at the end"
    assert (epochs(view)[0], epochs(view)[-1]) == (0, 4)
    meta = reported(view)[0][0]
    assert (meta["features"], meta["classes"]) == (["<b>a", "b", "c"], ["no", "yes"])


def test_numbers_come_in_their_own_units():
    y = 1000 + 50 * X[:, 2]
    view = watch(TAOTreeRegressor(depth=2, random_state=0))
    fitted = view.fit(X, y)
    _, first = reported(view)[0]
    np.testing.assert_allclose(first["target"], y.astype(np.float32), rtol=1e-5)
    meta, last = reported(view)[-1]
    np.testing.assert_allclose(last[f"f{len(meta['frames']) - 1}.value"], fitted.tree_.values[:, 0])


def test_a_trainer_is_driven_to_its_end_and_a_finished_tree_shown():
    y = (Y == "yes").astype(int)
    trainer = Trainer(RunConfig("axis", depth=3), X, y)
    view = watch(trainer)
    tree = view.run()
    assert trainer.finished
    assert reported(view)[-1][0]["state"] == "finished"
    still = watch(tree, X, y)
    meta, arrays = reported(still)[0]
    assert len(meta["frames"]) == 1
    assert arrays["counts"].sum() == len(X)
    fitted = AxisTreeClassifier(max_depth=2).fit(X, Y)
    assert reported(watch(fitted, X, Y))[0][0]["classes"] == ["no", "yes"]


@pytest.mark.slow  # it learns many trees
def test_a_choice_among_methods_shows_the_tree_that_is_chosen():
    view = watch(ObliqueTreeClassifier(random_state=0))
    fitted = view.fit(X, Y)
    assert len(epochs(view)) == 1
    chosen = watch(fitted, X, Y)
    assert view._repr_mimebundle_()[0]["text/plain"] == chosen._repr_mimebundle_()[0]["text/plain"]
    assert fitted.score(X, Y) > 0.8


def test_what_is_clicked_comes_back_with_its_row():
    view = watch(AxisTreeClassifier(max_depth=2))
    view.fit(FRAME, Y)
    assert view.picked is None
    assert view._repr_mimebundle_()[0]["image/svg+xml"].startswith("<svg")
    view.mark = {"leaf": -1, "split": -1, "point": 5, "gap": -1}
    found = view.picked
    assert found["point"] == 5
    row = np.flatnonzero((X.astype(np.float32) == list(found["x"].values())).all(axis=1))
    assert found["y"] == Y[row[0]]
    view.mark = {"leaf": -1, "split": 1, "point": -1, "gap": -1}
    assert view.picked == {"split": 1}


@pytest.mark.parametrize(
    ("act", "said"),
    [
        (lambda: watch("a tree"), "a str cannot be watched"),
        (lambda: watch(AxisTreeClassifier()).run(), "no trainer to run"),
        (lambda: watch(Trainer(RunConfig("axis"), X, LABELS)).fit(X, Y), "no estimator to fit"),
        (lambda: watch(Trainer(RunConfig("axis"), X, LABELS), X, Y), "rows of its own"),
        (lambda: watch(AxisTreeClassifier(), X, Y), "not fitted yet"),
        (lambda: watch(fit(), X[:, :2], Y), "the tree reads 3 features"),
        (lambda: watch(fit(), X, Y[:5]), "there are 80 rows"),
        (lambda: watch(fit(), X, np.full(80, "maybe")), "the class 'maybe'"),
        (lambda: watch(fit(), X), "give both X and y"),
        (
            lambda: watch(Trainer(RunConfig("sgd", kernel="fourier"), X, LABELS)).run(),
            "a kernel, which have no map",
        ),
    ],
)
def test_what_cannot_be_shown_is_one_sentence(act, said):
    with pytest.raises(ValueError, match=said):
        act()


def fit():
    return AxisTreeClassifier(max_depth=2).fit(X, Y)
