"""A run goes on in the app that the command line began, and the other way round."""

import pytest

from tests.helpers import harness
from tests.helpers.harness import command, finished, live, press, run, run_until, showing
from tests.helpers.same import assert_same
from treecore import RunConfig, Trainer
from treecore.data.sources import Source, read_parts
from treecore.runs import RunDirectory, begin, go_on, resume

CONFIG = RunConfig("stable-sgd", depth=4, epochs=12)
SOURCE = Source("sample:spirals", size=200)


@pytest.fixture
def runs(folders):
    return folders / "runs"


def keep(app):
    run(app)
    press(app, "keep")


def whole_tree(config=CONFIG, source=SOURCE):
    train, held = read_parts(source)
    return Trainer(
        config, train.X, train.y, validation=(held.X, held.y), n_classes=train.n_classes
    ).run()


def test_what_the_command_line_began_goes_on_in_the_app(runs):
    started = go_on(begin(runs / "begun", CONFIG, SOURCE))
    for _ in range(5):
        next(started)
    started.close()
    app = harness.one_tree(folder="begun")
    assert any("stable-sgd on sample" in caption.value for caption in app.caption)
    finished(app)
    keep(app)
    folder = RunDirectory.open(runs / "begun")
    assert folder.state == "finished"
    assert_same(folder.read_model().tree, whole_tree())
    assert [event.done for event in folder.events()] == list(range(13))


def test_what_the_app_began_goes_on_on_the_command_line(runs):
    text = "stable-sgd~depth~4~epochs~300"
    app = harness.one_tree(data="spirals", size="200", run=text)
    command(app, "play")
    run_until(app, lambda: live(app)[0]["epoch"] >= 1, "for the first pass")
    command(app, "pause")
    keep(app)
    assert any("treecore train --resume" in code.value for code in app.code)
    kept = resume(runs / "spirals-stable-sgd-1")
    assert 1 < len(kept.past) < 301
    for _ in go_on(kept):
        pass
    config = RunConfig("stable-sgd", depth=4, epochs=300)
    assert_same(kept.folder.read_model().tree, whole_tree(config))


def test_a_run_is_left_again(runs):
    for _ in go_on(begin(runs / "begun", CONFIG, SOURCE)):
        pass
    app = harness.one_tree(folder="begun")
    assert "lab0_method" not in harness.keys(app, "selectbox"), "its settings stand"
    press(app, "leave_folder")
    assert showing(app, "lab0_method").value == "axis", "the page as it usually is"
    assert "folder" not in app.query_params


@pytest.mark.parametrize("name", ["none", "../..", "/etc", "x" * 500, ""])
def test_a_link_to_no_run_gets_one_sentence(runs, name):
    (runs / "odd").mkdir(parents=True)
    app = harness.one_tree(folder=name)
    assert showing(app, "lab0_method"), "the page as it usually is"
    for _ in range(2):  # and it stays there when the page is drawn again
        assert any("cannot be continued" in warning.value for warning in app.warning)
        run(app)
