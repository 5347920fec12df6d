"""A tree as a file: what it says is of the tree that was on the screen."""

from treecore import RunConfig, Trainer, predict
from treecore.data.dataset import split
from treecore.persistence import from_json, to_json
from treecore.viewer.messages.status import Frame
from ui.jobs.chosen_data import ChosenData
from ui.widgets.data.picker import sample
from ui.widgets.saved_tree import frame_document


def test_a_tree_in_the_middle_of_a_run_is_handed_out_as_it_was_then():
    train, held = split(sample("digits"), 0.25, 0)
    config = RunConfig("annealed", depth=2, rounds=2, batch=64)
    trainer = Trainer(config, train.X, train.y, validation=(held.X, held.y), n_classes=10)
    event = trainer.step(share=0.5)
    frame = Frame(0, 0.0, event, trainer.present)
    trainer.run()
    again = from_json(to_json(frame_document(ChosenData(train, held, ("digits",)), config, frame)))
    right = predict(again.tree, held.X) == held.y
    assert again.training["metrics"]["validation_accuracy"] == right.mean()
    assert again.counts.sum() == train.n_samples
