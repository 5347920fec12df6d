"""One step of the run that is in the Lab, for one of its examples, without leaving it."""

from __future__ import annotations

import streamlit as st

from treecore import Trainer
from treecore.data.validation import TargetScaling
from treecore.inspection.sgd_debugger import SGDDebugger
from treecore.learners.nongreedy.settings import SGDSettings
from treecore.learners.nongreedy.sgd.sgd import SGD
from treecore.training.tree_trainer import TreeTrainer
from ui.drawing.target_style import Answers
from ui.drawing.theme import paint
from ui.jobs.chosen_data import ChosenData
from ui.jobs.training_job import TrainingJob
from ui.language.translate import _
from ui.step.one_example import introduction, where_it_goes
from ui.step.session import Walk
from ui.step.tables import all_leaves, the_update


def step_in_place(runner: TrainingJob, data: ChosenData, row: int) -> None:
    """Bound, leaves as dangers and update of a training row, by the tree as it is now."""
    try:
        bench, units = runner.ask(_held_still)
    except ValueError as error:
        st.info(_("There is no step to take apart: {error}.", error=error), icon=":material/info:")
        return
    bound, loss, _rows = bench.measure()
    step = bench.trace_update(row)
    answers = Answers(data.train, paint())
    introduction(answers, Walk(chosen=row), row, bench, step)
    trees = (
        units.inverse_transform(bench.tree()),
        units.inverse_transform(bench.tree(step.tree)),
    )
    where_it_goes(answers, bench, trees, row, step, choosing=False)
    all_leaves(bench, row, step, answers)
    the_update(answers, bench, trees, row, step, bound, loss)
    st.caption(_("A look only: the run takes its own steps, in its own order, with its present η."))


def _held_still(trainer: Trainer) -> tuple[SGDDebugger, TargetScaling]:
    """A copy of the learner between two steps of the run."""
    settings = trainer.config.settings
    if not (isinstance(trainer, TreeTrainer) and isinstance(settings, SGDSettings)):
        raise ValueError(_("only joint learning by SGD learns example by example"))
    learner = trainer.learner
    if not isinstance(learner, SGD):
        raise ValueError(_("the tree that learning starts from is still growing"))
    exact = settings.inference == "exact"
    return SGDDebugger(learner, trainer.rows, exact, settings.eta, settings.nu), trainer.units
