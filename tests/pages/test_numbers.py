"""Numbers as targets, from the choice of data to the saved tree, in Streamlit's test harness."""

import numpy as np
import pytest

from tests.helpers import harness
from tests.helpers.harness import command, keys, live, run, showing, state_reached, upload, words
from treecore import RunConfig
from treecore.data.generators import GENERATORS
from treecore.losses import LOSSES
from treecore.training.registry import TREES
from ui.links.runs import run_text
from ui.widgets.method_settings import losses

SURFACES = [name for name, generator in GENERATORS.items() if not generator.n_classes]


def opened(page="", **query):
    return harness.opened(page, **query) if page else harness.one_tree(**query)


@pytest.mark.parametrize("method", ["sgd", "axis", "tao"])
def test_numbers_are_learnt_live(method):
    known = {setting.name for setting in TREES[method].settings.definitions()}
    short = {name: value for name, value in (("depth", 2), ("epochs", 10)) if name in known}
    text = run_text(RunConfig(method, loss="squared", **short))
    app = opened(data="waves", size="100", run=text, loss="squared")
    assert not app.warning
    assert showing(app.selectbox, "lab0_method").value == method
    assert not any((key or "").endswith("_criterion") for key in keys(app, "button_group"))
    app.segmented_control(key="speed").set_value("Unlimited")
    command(app, "play")
    meta, arrays = state_reached(app, "finished")
    assert meta["task"] == "regression"
    assert meta["target"] == "height"
    assert meta["classes"] == []
    low, high = meta["range"]
    last = f"f{len(meta['frames']) - 1}"
    value = arrays[f"{last}.value"]
    assert len(value) == len(arrays[f"{last}.children"]) + 1
    assert low - 0.5 * (high - low) < value.min() < value.max() < high + 0.5 * (high - low)
    r2 = arrays["curves"][-1, 4]
    assert 0.02 < r2 < 1, "in place of accuracy"


def test_numbers_ask_for_a_loss_and_classes_for_weights():
    app = opened()
    assert keys(app, "toggle") >= {"balanced"}
    assert "loss" not in keys(app, "button_group")
    for name in (*SURFACES, "diabetes"):
        app.session_state["dataset"] = name
        run(app)
        assert "balanced" not in keys(app, "toggle"), name
        loss = app.segmented_control(key="loss")
        assert list(losses("regression")) == ["squared", "huber", "absolute"]
        assert all(LOSSES[known].sentence in loss.help for known in losses("regression"))
        loss.set_value("squared")
        run(app)
        before = live(app)[0]["run"]
        app.segmented_control(key="loss").set_value("huber")
        run(app)
        assert live(app)[0]["run"] != before, name
        assert app.query_params["loss"] == "huber"
    app.session_state["dataset"] = "moons"
    run(app)
    assert "loss" not in app.query_params
    assert live(app)[0]["classes"] == ["A", "B"]


def test_balanced_classes_go_into_the_run_and_the_link():
    rows = "".join(f"{i % 97},{i % 53},{'rare' if i % 20 == 0 else 'usual'}\n" for i in range(400))
    app = opened()
    upload(app, f"a,b,class\n{rows}".encode())
    _, plainly = state_reached(app, "paused")
    assert "weights" not in app.query_params
    app.toggle(key="balanced").set_value(True)
    run(app)
    _, balanced = state_reached(app, "paused")
    assert app.query_params["weights"] == "balanced"
    assert balanced["curves"][-1, 2] != plainly["curves"][-1, 2]
    app = opened(data="moons", run="sgd", weights="balanced")
    assert app.toggle(key="balanced").value is True
    assert not app.warning


# Files of one's own ---------------------------------------------------------------------------


def table(values, header="a,b,price"):
    rows = (f"{i},{(i * 7) % 11},{value}" for i, value in enumerate(values))
    return "\n".join([header, *rows]).encode()


def task_control(app):
    (control,) = [w for w in app.get("button_group") if w.key.startswith("task_")]
    return control


def test_a_file_of_numbers_is_guessed_said_and_may_be_read_as_classes():
    app = opened()
    upload(app, table([i % 30 + 0.25 for i in range(90)]))
    assert not app.error
    assert "30 different numbers: it is a quantity" in words(app)
    assert "90 rows, 2 features, price from 0.25 to 29.25" in words(app)
    meta = live(app)[0]
    assert (meta["task"], meta["target"]) == ("regression", "price")
    task_control(app).set_value("classification")
    run(app)
    assert not app.error
    assert len(live(app)[0]["classes"]) == 30
    task_control(app).set_value("regression")
    run(app)
    assert live(app)[0]["task"] == "regression"


def test_a_tree_that_predicts_worse_than_the_mean_is_told_of():
    app = opened()
    upload(app, table([i * 7919 % 101 for i in range(120)]))
    showing(app.selectbox, "lab0_method").set_value("axis")
    run(app)
    assert "would predict better" not in words(app)
    command(app, "play")
    state_reached(app, "finished")
    assert "the mean of the target would predict better" in words(run(app))


def test_training_rows_of_one_number_are_learnt_without_a_crash():
    """After a division, the training part may be one row, or hold one and the same number."""
    app = opened()
    showing(app.slider, "test_share").set_value(50)
    upload(app, b"a,y\n1,2.5\n2,3.5\n")
    task_control(app).set_value("regression")
    run(app)
    app.segmented_control(key="speed").set_value("Unlimited")
    command(app, "play")
    meta, arrays = state_reached(app, "finished")
    assert meta["task"] == "regression"
    assert np.isfinite(arrays["f0.value"]).all()
