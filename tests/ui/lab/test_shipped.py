"""The comparison that the Lab opens with: what its file holds is what is learnt, until Play."""

import base64

import numpy as np
import pytest

from tests.helpers.wait import until
from treecore.viewer.messages.message import Stage
from treecore.viewer.messages.planes import usual_plane
from treecore.viewer.messages.status import Frame, Status
from treecore.viewer.messages.wire import unpack
from ui.lab.shipped import DATA, OF_POINTS, record, shipped, shipped_runs
from ui.live.comparison import Comparison
from ui.widgets.data.gallery import gallery_data


@pytest.fixture
def data():
    return gallery_data(DATA, seed=shipped().seed)


@pytest.fixture
def comparison(data):
    """As the Lab opens."""
    made = Comparison()
    runs = shipped_runs(data, shipped().configs)
    made.compare(data, shipped().configs, usual_plane(data.train), runs)
    yield made
    made.close()


def test_the_file_is_what_its_command_learns():
    known, found = shipped(), record()
    assert found["seed"] == known.seed
    np.testing.assert_allclose(found["X"], known.X, atol=1e-6)
    for config, run, learnt in zip(known.configs, known.runs, found["runs"], strict=True):
        assert learnt["config"] == config.as_dict()
        assert len(learnt["moments"]) == len(run)
        last = learnt["moments"][-1]
        assert last["event"]["accuracy"] == pytest.approx(run[-1].event.accuracy, abs=0.02)
        assert last["tree"]["left"][1] == run[-1].model.left.tolist()
    (kept, _), (now, _) = (unpack(base64.b64decode(one)) for one in (known.start, found["start"]))
    assert kept["starts"] == now["starts"], "Home's page would call other kernels"


def test_what_it_says_of_points_is_what_the_kernels_say(data):
    for config, run in zip(shipped().configs, shipped().runs, strict=True):
        last = run[-1]
        stage = Stage(data.train, data.held, usual_plane(data.train), config)
        frame = Frame(0, 0.0, last.event, last.model)
        _, arrays = stage.news(Status("finished", "", last.event, (frame,), (), None), "run", {})
        for name in OF_POINTS:
            assert (f"f0.{name}" in arrays) == (name in last.points)
            if name in last.points:
                assert last.points[name].dtype == arrays[f"f0.{name}"].dtype
                np.testing.assert_allclose(last.points[name], arrays[f"f0.{name}"], atol=2e-5)


def test_of_other_rows_or_learners_nothing_is_shown(data):
    configs = shipped().configs
    assert shipped_runs(data, configs)
    assert not shipped_runs(gallery_data(DATA, seed=shipped().seed + 1), configs)
    assert not shipped_runs(data, [configs[0], configs[1].replace(nu=10.0)])


def test_it_stands_finished_the_hand_goes_anywhere_on_it_and_play_learns_it_anew(comparison):
    def reached(state):
        scene = comparison.refresh()
        return scene if comparison.state(scene) == state else None

    scene = reached("finished")
    assert [view.snapshot for view in scene.views] == [run[-1] for run in shipped().runs]
    comparison.seek(0.5)
    assert reached("paused").views[1].snapshot in shipped().runs[1][1:-1]
    comparison.seconds_of_show = 0.0
    comparison.seek(1.0)
    comparison.play()
    after = until(lambda: reached("finished"), "for the runs to be learnt")
    for view, run in zip(after.views, shipped().runs, strict=True):
        assert view.snapshot not in run
        accuracy = view.snapshot.event.validation_accuracy
        assert accuracy == pytest.approx(run[-1].event.validation_accuracy, abs=0.05)
    comparison.reset()
    scene = until(lambda: reached("paused"), "for the start of the runs themselves")
    assert [view.snapshot.event.done for view in scene.views] == [0, 0]
