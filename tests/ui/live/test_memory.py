"""The server lets go of the trees that it has shown."""

import gc
import weakref

from tests.helpers.wait import until
from treecore import RunConfig
from treecore.data.dataset import split
from treecore.data.generators import generate
from treecore.viewer.messages.message import Stage
from treecore.viewer.messages.planes import feature_plane
from ui.jobs import training_job
from ui.jobs.chosen_data import ChosenData, trainer_builder


def test_no_more_trees_are_held_than_the_newest_ones(monkeypatch):
    monkeypatch.setattr(training_job, "KEPT_FRAMES", 8)
    train, held = split(generate("spirals", 200, seed=0), 0.25, 0)
    config = RunConfig("sgd", seed=0, depth=4, epochs=100_000)
    stage = Stage(train, held, feature_plane(train, 0, 1), config)
    build = trainer_builder(ChosenData(train, held, ()), config)
    run = training_job.TrainingJob(build, training_job.SPEEDS["Unlimited"], True)
    trees = {}

    def seen():
        status = run.look()
        stage.message(status, "run")
        trees.update({frame.number: weakref.ref(frame.tree.threshold) for frame in status.frames})
        return len(trees)

    try:
        until(lambda: seen() >= 40, "for trees")
        run.pause()
        until(lambda: run.look().state == "paused")
        gc.collect()
        assert sum(tree() is not None for tree in trees.values()) <= 8 + 1
    finally:
        run.close()
