"""Pruning by a slider: how good every smaller tree is, and the one that the page is about."""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np
import streamlit as st
from plotly.graph_objects import Figure

from treecore import PruningPath, cost_complexity_path, evaluate
from treecore.losses import LOSSES
from treecore.viewer import evenly
from ui.drawing.on_page import show
from ui.drawing.theme import PERCENT, Paint, dress, paint
from ui.inspect.opened import OpenedTree, measure_text
from ui.inspect.overlay import ROWS, SPLITS
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered
from ui.language.translate import _, language, number
from ui.shell.safe_text import plain

MEASURED = 60
"""Trees of a path whose figures are drawn, evenly among all."""


def path_of(opened: OpenedTree, data: ChosenData) -> PruningPath:
    """All trees of cost-complexity pruning by the training rows; ValueError if there are none."""
    task = "regression" if opened.numbers else "classification"
    train = data.train

    def make() -> PruningPath:
        return cost_complexity_path(
            opened.tree, train.given, train.y, task=task, criterion=opened.criterion or "gini"
        )

    return remembered("tree_pruning_path", (opened.key, data.key, opened.criterion), make)


def pruned(opened: OpenedTree, data: ChosenData) -> OpenedTree:
    """The tree that the slider has chosen, the whole one where it has not been moved."""
    step = st.session_state.get("tree_pruned", 0)
    if not step:
        return opened
    try:
        path = path_of(opened, data)
    except ValueError:
        return opened
    step = min(int(step), len(path) - 1)
    st.session_state.tree_pruned = step
    if not step:
        return opened
    key = (*opened.key, "pruned", data.key, step)

    def make() -> OpenedTree:
        tree = path.tree(step)
        document = dataclasses.replace(opened.document, model=tree, counts=None)
        note = _(
            "Pruned from {whole} leaves to {left}; everything here shows the pruned tree.",
            whole=opened.tree.n_leaves,
            left=tree.n_leaves,
        )
        return dataclasses.replace(
            opened, key=key, document=document, note=f"{opened.note} {note}".strip()
        )

    return remembered("tree_cut", (key, language()), make)


def pruning_tab(opened: OpenedTree, data: ChosenData) -> None:
    st.header(
        _("Prune it"),
        help=_(
            "Minimal cost-complexity pruning (Breiman et al. 1984): each step removes the subtree "
            "that adds least impurity per leaf on the training examples."
        ),
    )
    names = ROWS if opened.learnt_from(data) else SPLITS
    st.caption(measure_text(opened.criterion, opened.numbers, _(names["training"])))
    try:
        path = path_of(opened, data)
    except ValueError as error:
        why_not = _("This tree cannot be pruned: {error}.", error=error)
        st.info(plain(why_not), icon=":material/block:")
        return
    if len(path) < 2:
        st.caption(_("The tree is a single leaf: there is nothing to prune."))
        return
    st.session_state.setdefault("tree_pruned", 0)
    step = st.select_slider(
        _("Leaves"),
        range(len(path))[::-1],  # from left to right as in the chart below
        format_func=lambda i: str(path.n_leaves[i]),
        key="tree_pruned",
        help=_(
            "How many leaves pruning leaves. Lower it for a tree that people can read; the "
            "drawing, the examples and every tab follow. The large dot is the best tree on the "
            "test examples."
        ),
        persist_state="session",
    )
    measured = remembered(
        "tree_pruning_figures", (opened.key, data.key), lambda: figures_of(path, opened, data)
    )
    name = "R²" if opened.numbers else _("accuracy")
    show(
        pruning_figure(measured, int(path.n_leaves[step]), name, paint(), names),
        "tree_pruning_chart",
        _(
            "{name} by number of leaves, {rows}",
            name=name,
            rows=_(" and ").join(_(names[part]) for part in measured[1]),
        ),
    )
    table_rows = [
        _("{name} on {rows} **{good:.1%}**", name=name, rows=_(names[part]), good=good)
        for part, good in goodness(path.tree(step), opened, data)
    ]
    st.markdown(
        _(
            "**{n_leaves}** leaves, α = {alpha}: {figures}.",
            n_leaves=path.n_leaves[step],
            alpha=number(path.alphas[step]),
            figures=", ".join(table_rows),
        )
    )


def goodness(tree, opened: OpenedTree, data: ChosenData) -> list[tuple[str, float]]:
    loss = LOSSES["squared" if opened.numbers else "log"]
    found = []
    for part, rows in (("training", data.train), ("held", data.held)):
        if rows is not None:
            figures = evaluate(tree, rows.given, rows.y, loss=loss)
            good = figures.r2 if figures.accuracy is None else figures.accuracy
            found.append((part, float(good or 0.0)))
    return found


def figures_of(path: PruningPath, opened: OpenedTree, data: ChosenData):
    """Leaves, and figures by the part of the rows, of trees evenly along the path."""
    steps = evenly(len(path), MEASURED)
    leaves = [int(path.n_leaves[i]) for i in steps]
    found: dict[str, list[float]] = {}
    for i in steps:
        for part, good in goodness(path.tree(int(i)), opened, data):
            found.setdefault(part, []).append(good)
    return leaves, found


def leaf_ticks(most: int) -> dict[str, Any]:
    """Ticks of an axis of leaves, of which there is no half one."""
    wanted = [round(n * 10**power) for power in range(6) for n in (1, 2, 3, 5, 7)]
    return {"tickvals": [n for n in wanted if n <= most]}


def pruning_figure(
    measured, now: int, name: str, colours: Paint, names: Mapping[str, str]
) -> Figure:
    """Figures over the number of leaves; ``names`` are of the rows."""
    leaves, found = measured
    looks = {"training": (colours.muted, "dot"), "held": (colours.accent, "solid")}
    figure = Figure()
    for part, values in found.items():
        colour, dash = looks[part]
        sizes = [5] * len(leaves)
        if part == "held":  # the smallest of the best, of trees from the largest on
            sizes[len(values) - 1 - values[::-1].index(max(values))] = 13
        figure.add_scatter(
            x=leaves,
            y=np.array(values),
            mode="lines+markers",
            name=_(names[part]),
            line={"color": colour, "dash": dash, "width": 2},
            marker={"size": sizes},
            hovertemplate=_("%{x} leaves: %{y:.1%}<extra></extra>"),
        )
    figure.add_vline(x=now, line={"color": colours.text, "width": 1, "dash": "dash"})
    dress(figure, colours, 320)
    figure.update_xaxes(title=_("leaves"), type="log", **leaf_ticks(max(leaves)))
    figure.update_yaxes(title=name, tickformat=PERCENT)
    return figure
