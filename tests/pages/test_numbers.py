"""Numbers as targets, from the choice of data to the saved tree, in Streamlit's test harness."""

import numpy as np
import pytest

from tests.helpers.harness import (
    choose,
    choose_own,
    finished,
    keys,
    live,
    one_tree,
    run,
    showing,
    state_reached,
    upload,
    with_state,
    words,
)
from treecore.data.generators import GENERATORS
from treecore.losses import LOSSES
from ui.widgets.method_settings import losses

SURFACES = [name for name, generator in GENERATORS.items() if not generator.n_classes]


@pytest.mark.parametrize("method", ["sgd", "axis"])
def test_numbers_are_learnt_live(method):
    app = one_tree(data="waves", size="100", run=method, loss="squared")
    assert not app.warning
    assert showing(app, "lab0_method").value == method
    assert not any((key or "").endswith("_criterion") for key in keys(app, "button_group"))
    meta, arrays = finished(app)
    assert (meta["task"], meta["target"], meta["classes"]) == ("regression", "height", [])
    low, high = meta["range"]
    last = f"f{len(meta['frames']) - 1}"
    value = arrays[f"{last}.value"]
    assert len(value) == len(arrays[f"{last}.children"]) + 1
    assert low - 0.5 * (high - low) < value.min() < value.max() < high + 0.5 * (high - low)
    r2 = arrays["curves"][-1, 4]
    assert 0.02 < r2 < 1, "in place of accuracy"


def test_numbers_ask_for_a_loss_and_classes_for_weights():
    app = one_tree()
    assert keys(app, "toggle") >= {"balanced"}
    assert "loss" not in keys(app, "button_group")
    for name in (*SURFACES, "diabetes"):
        with_state(app, dataset=name)
        assert "balanced" not in keys(app, "toggle"), name
        loss = app.segmented_control(key="loss")
        assert list(losses("regression")) == ["squared", "huber", "absolute"]
        assert all(LOSSES[known].sentence in loss.help for known in losses("regression"))
        loss.set_value("squared")
        run(app)
        before = live(app)[0]["run"]
        choose(app, "loss", "huber")
        assert live(app)[0]["run"] != before, name
        assert app.query_params["loss"] == "huber"
    with_state(app, dataset="moons")
    assert "loss" not in app.query_params
    assert live(app)[0]["classes"] == ["A", "B"]


def test_balanced_classes_go_into_the_run_and_the_link():
    rows = "".join(f"{i % 97},{i % 53},{'rare' if i % 20 == 0 else 'usual'}\n" for i in range(400))
    app = one_tree()
    upload(app, f"a,b,class\n{rows}".encode())
    _, plainly = state_reached(app, "paused")
    assert "weights" not in app.query_params
    choose(app, "balanced", True)
    _, balanced = state_reached(app, "paused")
    assert app.query_params["weights"] == "balanced"
    assert balanced["curves"][-1, 2] != plainly["curves"][-1, 2]


# Files of one's own ---------------------------------------------------------------------------


def table(values, header="a,b,price"):
    rows = (f"{i},{(i * 7) % 11},{value}" for i, value in enumerate(values))
    return "\n".join([header, *rows]).encode()


def test_a_file_of_numbers_is_guessed_said_and_may_be_read_as_classes():
    app = one_tree()
    upload(app, table([i % 30 + 0.25 for i in range(90)]))
    assert not app.error
    assert "30 different numbers: it is a quantity" in words(app)
    assert "90 rows, 2 features, price from 0.25 to 29.25" in words(app)
    meta = live(app)[0]
    assert (meta["task"], meta["target"]) == ("regression", "price")
    choose_own(app, "task", "classification")
    assert not app.error
    assert len(live(app)[0]["classes"]) == 30
    choose_own(app, "task", "regression")
    assert live(app)[0]["task"] == "regression"


def test_a_tree_that_predicts_worse_than_the_mean_is_told_of():
    app = one_tree()
    upload(app, table([i * 7919 % 101 for i in range(120)]))
    choose(app, "lab0_method", "axis")
    assert "would predict better" not in words(app)
    finished(app)
    assert "the mean of the target would predict better" in words(run(app))


def test_training_rows_of_one_number_are_learnt_without_a_crash():
    """After a division, the training part may be one row, or hold one and the same number."""
    app = one_tree()
    showing(app, "test_share").set_value(50)
    upload(app, b"a,y\n1,2.5\n2,3.5\n")
    choose_own(app, "task", "regression")
    meta, arrays = finished(app)
    assert meta["task"] == "regression"
    assert np.isfinite(arrays["f0.value"]).all()
