"""What the learners of the Lab have learnt, as the page shows it now."""

import streamlit as st

from treecore import RunConfig
from treecore.persistence import Document
from ui.jobs.recorder import Snapshot
from ui.jobs.session import session_value
from ui.live.comparison import Comparison
from ui.live.train_session import TrainSession
from ui.widgets.learnt_model import LearntModel, model_document, tree_document

SEVERAL = "lab_several"
"""The session's key of whether the Lab shows several learners, or a forest."""


def lab_models() -> list[LearntModel]:
    """All that have learnt something; those of one that is alone, or of all that are compared."""
    if st.session_state.get(SEVERAL):
        return _compared()
    run = session_value(TrainSession).selected
    frame = None if run is None else run.runner.latest()
    if run is None or frame is None:
        return []
    key = ("run", run.data.key, run.config, frame.number, frame.event.done, id(run.runner))
    return [LearntModel("", run.config, run.data, key, lambda: tree_document(run))]


def _compared() -> list[LearntModel]:
    comparison = session_value(Comparison)
    data, models = comparison.data, []
    if data is None:
        return []
    for one, view in zip(comparison.contestants, comparison.scene().views, strict=True):
        shot = view.snapshot
        if shot is None:
            continue
        key = ("lab", data.key, one.config, shot.event.done, shot.event.stage)

        def document(config: RunConfig = one.config, shot: Snapshot = shot) -> Document:
            return model_document(data, config, shot.event, shot.model)

        models.append(LearntModel(one.numeral, one.config, data, key, document, shot.row_weights))
    return models
