"""What is equal for all methods: the depth of their trees, their leaves, or their weights."""

import dataclasses
from collections.abc import Sequence
from typing import Any

import streamlit as st

from treecore import RunConfig, Tree
from treecore.base import Settings
from treecore.data import Dataset
from treecore.runs import make_trainer
from treecore.training import METHODS
from ui.jobs.chosen_data import ChosenData
from ui.jobs.models import n_weights
from ui.jobs.session import remembered
from ui.jobs.visitor import session_turn
from ui.lab.choices import Limit
from ui.language.translate import _
from ui.widgets.method_settings import DEEPEST_SHOWN


def within_limit(configs: Sequence[RunConfig], data: ChosenData, limit: Limit) -> list[RunConfig]:
    """Every tree as large as the limit lets it be; forests are as large as they say."""

    def sized() -> list[RunConfig]:
        with session_turn():
            return [_within(config, data.train, limit) for config in configs]

    key = data.key, tuple(configs), limit
    with st.spinner(_("Growing trees of that size")):
        return remembered("lab_sizes", key, sized)


def _within(config: RunConfig, data: Dataset, limit: Limit) -> RunConfig:
    if METHODS[config.method].family != "tree":
        return config
    if limit.unit == "leaves":
        return within_leaves(config, data, limit.most)
    depth = limit.most if limit.unit == "depth" else depth_within(config, data, limit)
    return config.replace(depth=depth)


def within_leaves(config: RunConfig, data: Dataset, n_leaves: int) -> RunConfig:
    """A learner with at most so many leaves: greedy ones grow best first, others by depth."""
    if "max_leaf_nodes" in config.as_dict():
        return config.replace(max_leaf_nodes=n_leaves, depth=DEEPEST_SHOWN)
    return config.replace(depth=depth_within(config, data, Limit("leaves", n_leaves)))


def depth_within(config: RunConfig, data: Dataset, limit: Limit) -> int:
    """The greatest depth at which a method's tree, or its start, is within a limit."""
    best, before = 1, 0
    for depth in range(1, DEEPEST_SHOWN + 1):
        size = _size(config, depth, data, limit.unit)
        if size > limit.most:
            break
        best = depth
        if size == before:  # it has stopped to grow
            return best
        before = size
    return best


def _size(config: RunConfig, depth: int, data: Dataset, unit: str) -> int:
    """Leaves or weights of a method's tree of this depth, at most."""
    grown: Tree | None = None
    settings = config.replace(depth=depth).settings
    grower, own_settings = _grower(config.method, settings, data)
    if grower is not None:
        more: dict[str, Any] = {"loss": config.loss, "class_weight": config.class_weight}
        if grower == config.method:
            more["categorical"] = config.categorical
        values = more | dataclasses.asdict(own_settings)
        grown = _grow(RunConfig(grower, seed=config.seed, **values), data)
        if unit == "weights" and grower == config.method:
            return n_weights(grown)
    leaves = 2**depth if grown is None else grown.n_leaves
    if unit == "leaves":
        return leaves
    return (leaves - 1) * data.n_features


def _grower(name: str, settings: Settings, data: Dataset) -> tuple[str | None, Settings]:
    """The method that grows a run's first tree, with its settings; None for a complete tree."""
    shape = data.n_samples, data.n_features
    while (start := METHODS[name].start) is not None:
        earlier = start(settings, shape)
        if earlier is None:
            return None, settings
        name, settings = earlier
    return name, settings


def _grow(config: RunConfig, data: Dataset) -> Tree:
    tree = make_trainer(config, data).run()
    assert isinstance(tree, Tree), "greedy methods grow one tree"
    return tree
