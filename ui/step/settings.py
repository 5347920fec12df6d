"""Settings of the page *One step*: small trees, few passes, everything from the registry."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import streamlit as st

from treecore import RunConfig, Tree, warm_up
from treecore.data.validation import TargetScaling
from treecore.inspection.inference import candidates
from treecore.inspection.sgd_debugger import SGDDebugger
from treecore.learners.base import Learner
from treecore.learners.nongreedy.settings import SGDSettings
from treecore.learners.nongreedy.sgd.sgd import SGD
from treecore.rows.training_rows import TrainingRows
from treecore.training.tree_trainer import TreeTrainer
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import session_turn
from ui.language.translate import N_, _
from ui.shell.class_link import group
from ui.widgets.method_settings import setting_control, setting_of, widget_key
from ui.widgets.owned import OwnedValue, owned

DEEPEST = 4
"""A tree of sixteen leaves still fits on the page with all its numbers."""

MOST_PASSES = 60
STEPS = (1, 2, 5)

USUAL_NU = 5.0
"""Smaller than the registry's: wider margins, so that more examples turn a split."""


def node_shown(key: str, usual: int, nodes: Sequence[int]) -> OwnedValue:
    """The split that a tab takes apart; says where a link has asked for one that there is not.

    key: the session's of the choice; a link's is that with ``_asked`` behind it.
    """
    requested = st.session_state.pop(f"{key}_asked", None)
    if requested is not None:
        st.session_state[key] = requested if requested in nodes else usual
        if requested not in nodes:
            st.warning(
                _(
                    "There is no split {asked} in this tree, and split {usual} is shown.",
                    asked=requested,
                    usual=usual,
                ),
                icon=":material/link_off:",
            )
    return owned(key, usual, nodes)


def _ratios(first: int, last: int) -> list[float]:
    """1, 2, 5, 10, ... from one power of ten to another."""
    return [float(f"{m}e{d}") for d in range(first, last) for m in STEPS] + [10.0**last]


STARTS = {"random": N_("Random splits"), "axis": N_("Greedy axis-aligned"), "tao": "TAO"}
"""What some of the trees that SGD can start from are called here."""

NUS, ETAS = _ratios(-1, 3), _ratios(-3, 1)


@dataclass(frozen=True)
class Trained:
    """A run held still after some passes; shared by sessions and never changed.

    Trees of the bench have numbers in the units of ``rows``; ``units`` bring them outward.
    """

    bench: SGDDebugger
    rows: TrainingRows
    units: TargetScaling


@dataclass(frozen=True)
class Grown:
    """A tree as its learner has it, the rows it learns from, and their units."""

    tree: Tree
    rows: TrainingRows
    units: TargetScaling


def depth_control() -> int:
    """How deep the trees of the page are."""
    depth = replace(setting_of("sgd", "depth"), low=1, high=DEEPEST, default=3)
    return setting_control(depth, "step_depth", persist=False)


def joint_control(depth: int, seed: int, errors: dict[str, Any]) -> tuple[RunConfig, int]:
    """Settings of SGD, and after how many passes learning is held still."""
    method = st.segmented_control(
        _("Method"),
        ["sgd", "stable-sgd"],
        format_func={"sgd": "SGD", "stable-sgd": "Stable SGD"}.__getitem__,
        default="sgd",
        required=True,
        key="step_method",
        width="stretch",
        help=_(
            "SGD pushes an example away from its worst leaf. Stable SGD also holds it to the leaf "
            "that it was assigned to."
        ),
    )

    def control(name: str, usual: float | None = None, **look) -> Any:
        known = setting_of(method, name)
        known = known if usual is None else replace(known, default=usual)
        return setting_control(known, widget_key("step", name), persist=False, **look)

    exact, started = control("inference"), control("start", titles=STARTS)
    nu, eta = control("nu", USUAL_NU, steps=NUS), control("eta", 0.1, steps=ETAS)
    passes = st.slider(
        _("Passes before"),
        0,
        MOST_PASSES,
        1,
        key="step_passes",
        help=_(
            "How often learning has gone over all examples before it is held still. The learning "
            "rate stays the same throughout, so that every step is as large as η says."
        ),
    )
    config = RunConfig(
        method,
        seed=seed,
        depth=depth,
        start=started,
        nu=nu,
        eta=eta,
        inference=exact,
        schedule="constant",
        epochs=MOST_PASSES + 1,
        **errors,
    )
    return config, passes


@st.cache_resource(show_spinner=False, max_entries=24)
def trained(key: tuple, config: RunConfig, passes: int, _data: ChosenData) -> Trained:
    """SGD after some passes over the training rows."""
    trainer, settings = _trainer(config, _data), config.settings
    learner = _started(trainer)
    assert isinstance(learner, SGD)
    assert isinstance(settings, SGDSettings)
    with session_turn() as turn:
        while learner.epoch < passes:
            turn.take(0.0)
            learner.advance(int(learner.pass_units))
    exact = settings.inference == "exact"
    bench = SGDDebugger(learner, trainer.rows, exact, settings.eta, settings.nu)
    return Trained(bench, trainer.rows, trainer.units)


def joint_run(
    data: ChosenData, depth: int, seed: int, errors: dict[str, Any]
) -> tuple[tuple, Trained | None]:
    """What SGD has learnt so far by the settings of the tab, and the key of that.

    None, and a word on it, where the tree has no split.
    """
    with st.sidebar, group("settings", "tab"):
        st.markdown(_("**How the tree has learnt so far**"))
        config, passes = joint_control(depth, seed, errors)
    key = data.key, config, passes
    with st.spinner(_("Learning")):
        held = trained(*key, data)
    if len(held.bench.joint.left):
        return key, held
    st.info(
        _(
            "The tree that learning starts from is a single leaf: there is no split to turn. "
            "Start from random splits, or choose data with more examples."
        ),
        icon=":material/info:",
    )
    return key, None


@st.cache_resource(show_spinner=False, max_entries=24)
def grown_tree(key: tuple, config: RunConfig, _data: ChosenData) -> Grown:
    """The tree that a run ends with."""
    trainer = _trainer(config, _data)
    with session_turn() as turn:
        while not trainer.finished:
            turn.take(0.0)
            trainer.step()
    return Grown(_started(trainer).tree(), trainer.rows, trainer.units)


@st.cache_resource(show_spinner=False, max_entries=24)
def first_tree(key: tuple, config: RunConfig, _data: ChosenData) -> Grown:
    """The tree that a method goes on from."""
    trainer = _trainer(config, _data)
    return Grown(_started(trainer).tree(), trainer.rows, trainer.units)


@st.cache_resource(show_spinner=False)
def prepared(loss: str = "log") -> bool:
    """Compile what the page needs, on a few rows."""
    warm_up()
    X = np.random.default_rng(0).standard_normal((20, 2))
    y = (X[:, 0] > X[:, 1]).astype(int)
    for method in ("sgd", "stable-sgd"):
        trainer = TreeTrainer(RunConfig(method, depth=2, epochs=1, loss=loss), X, y)
        trainer.step()
        assert isinstance(trainer.learner, SGD)
        bench = SGDDebugger(trainer.learner, trainer.rows, True, 0.1, 1.0)
        bench.after([0, 1]).trace_update(2)
        bench.measure()
        candidates(bench.joint, bench.X[0], bench.y[0], True)
    return True


def _started(trainer: TreeTrainer) -> Learner:
    """The learner of the run's own method, once the tree that it starts from is there."""
    while trainer.learner is None or trainer.learner.name != trainer.config.method:
        trainer.step()
    return trainer.learner


def _trainer(config: RunConfig, data: ChosenData) -> TreeTrainer:
    return TreeTrainer(config, data.train.given, data.train.y, n_classes=data.train.n_classes)
