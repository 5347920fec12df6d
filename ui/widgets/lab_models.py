"""What the Lab has learnt, as it shows it now: trees and forests, to be taken along or opened."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import streamlit as st

from treecore import RunConfig, Tree
from treecore.persistence import Document
from treecore.runs import data_of, trained_document
from treecore.training import METHODS
from treecore.viewer import Frame
from ui.jobs.chosen_data import ChosenData
from ui.jobs.recorder import Snapshot
from ui.jobs.run_title import run_title
from ui.jobs.session import session_value
from ui.live.comparison import Comparison
from ui.live.train_session import TrainSession
from ui.widgets.saved_tree import frame_document, tree_document

SEVERAL = "lab_several"
"""The session's key of whether the Lab shows several learners, or a forest."""


@dataclass(frozen=True, eq=False)
class LabModel:
    """What one learner has learnt; numeral: empty where alone; key: equal for equal models."""

    numeral: str
    config: RunConfig
    data: ChosenData
    key: tuple
    document: Callable[[], Document]
    row_weights: np.ndarray | None = None

    @property
    def title(self) -> str:
        name = run_title(self.config)
        return f"{self.numeral} · {name}" if self.numeral else name

    @property
    def is_tree(self) -> bool:
        return METHODS[self.config.method].family == "tree"


def lab_models() -> list[LabModel]:
    """All that have learnt something; those of one that is alone, or of all that are compared."""
    if st.session_state.get(SEVERAL):
        return _compared()
    run = session_value(TrainSession).selected
    frame = None if run is None else run.runner.latest()
    if run is None or frame is None:
        return []
    key = ("run", run.data.key, run.config, frame.number, frame.event.done, id(run.runner))
    return [LabModel("", run.config, run.data, key, lambda: tree_document(run))]


def _compared() -> list[LabModel]:
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
            return snapshot_document(data, config, shot)

        models.append(LabModel(one.numeral, one.config, data, key, document, shot.row_weights))
    return models


def snapshot_document(data: ChosenData, config: RunConfig, shot: Snapshot) -> Document:
    """A tree or a forest at one moment, with how it was trained."""
    if isinstance(shot.model, Tree):
        return frame_document(data, config, Frame(0, 0.0, shot.event, shot.model))
    event = shot.event
    metrics = {"error": event.error, "held_out_error": event.validation_error}
    return trained_document(shot.model, config, data.train, data_of(data.train), metrics)
