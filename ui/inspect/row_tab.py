"""One row on its way: moved by hand, its path in sentences, and what moved the answer."""

from datetime import datetime, timedelta
from typing import Any

import numpy as np
import streamlit as st

from treecore import Forest, Tree
from treecore.base import DATE, MOMENT, TIME
from treecore.inspection import EXACT, ShapleyValues, shapley_values, used_features
from treecore.inspection.contributions import Contributions
from treecore.persistence import Document
from treecore.rows.finite import filled
from treecore.viewer import split_shares
from ui.drawing.map_figure import HAS_MAP, add_ring, base_map, plane_of
from ui.drawing.on_page import show
from ui.drawing.png import picture
from ui.drawing.theme import paint
from ui.inspect.asked_row import (
    answer_text,
    background_of,
    chosen_row,
    leaf_of,
    moves_of,
    path_of_row,
    present_row,
    row_control,
    sentences,
    together,
    with_rows,
)
from ui.inspect.charts import largest, signed_bars
from ui.inspect.overlay import Overlay
from ui.jobs.session import remembered
from ui.language.translate import _, number, writing
from ui.shell.page_style import picture_columns
from ui.shell.safe_text import plain

BACKGROUND = 100
"""Rows at most that a row is compared with for its Shapley values."""

MOST_SLIDERS = 12
"""Features that can be moved, those that move the scores of the splits furthest."""


def row_tab(document: Document, overlay: Overlay, forest: Forest | None = None) -> None:
    """One row in a tree; forest: all trees where it is one, whose prediction is explained."""
    row_control(overlay)
    row = chosen_row(overlay)
    answer, moves = picture_columns("row", gap="medium")
    with moves:
        sliders(document, overlay, row)
    x = present_row(overlay)
    path = path_of_row(overlay, x)
    with answer:
        pictures(document, overlay, row, x)
        st.header(_("Its path"))
        st.markdown("\n".join(sentences(document, overlay.tree, path, x)))
    moved(overlay.names(document), path)
    worth(document, overlay, forest or overlay.tree, x)


def sliders(document: Document, overlay: Overlay, row: int) -> None:
    """Move the features of the row that the tree uses most."""
    rows, tree = overlay.rows, overlay.tree
    used = len(used_features(tree))
    pull = split_shares(tree, rows.X.std(axis=0)).sum(axis=0)
    features = np.argsort(-pull, kind="stable")[: min(MOST_SLIDERS, used)].tolist()
    st.header(_("Move features"))
    if overlay.before is not None:
        st.session_state.tree_moved = {}
        st.caption(
            _(
                "This tree reads numbers made from the features of an example. Move the features "
                "to change them."
            )
        )
        return
    if used > len(features):
        st.caption(_("The {n} features that move its splits most.", n=len(features)))
    values = {}
    before = kept = moves_of(overlay, row)
    place = f"{hash((overlay.key, row)) & 0xFFFFFFFF:x}"
    if st.button(_("Restore example"), icon=":material/undo:", key="tree_as_it_was"):
        kept = {}
        for j in features:
            st.session_state.pop(f"tree_x_{place}_{j}", None)
    columns = st.columns(2 if len(features) > 6 else 1, gap="small")
    for i, j in enumerate(features):
        low, high = float(rows.X[:, j].min()), float(rows.X[:, j].max())
        two = (low, high) == (0.0, 1.0) and bool(np.isin(rows.X[:, j], (0, 1)).all())  # no or yes
        margin = 0.0 if two else 0.1 * (high - low) or 1.0
        key = f"tree_x_{place}_{j}"
        if key not in st.session_state:
            now = min(max(kept.get(j, float(rows.X[row, j])), low - margin), high + margin)
            st.session_state[key] = _on_slider(now, document.units[j])
        with columns[i % len(columns)]:
            label, unit = plain(document.feature_names[j], 40), document.units[j]
            if np.isnan(rows.given[row, j]) and j not in kept:
                label = _("{label} (missing)", label=label)
            values[j] = _slider(label, unit, low - margin, high + margin, key)
    # A slider has steps: what has not been moved keeps all of its digits.
    exact = {
        j: value
        for j, value in values.items()
        if abs(value - rows.X[row, j]) > 0.51 * (np.ptp(rows.X[:, j]) or 1.0) / 200
    }
    st.session_state.tree_moved = exact
    if before != exact:
        st.rerun()  # the drawing above shows its path


def _slider(label: str, unit: str, low: float, high: float, key: str) -> float:
    step = 1.0 if (low, high) == (0, 1) else (high - low) / 240  # margins are a tenth on each side
    if unit in (DATE, MOMENT):
        days = max(1, round(step)) if unit == DATE else max(step, 1 / 1440)
        ends = _on_slider(low, unit), _on_slider(high, unit)
        found = st.slider(label, *ends, step=timedelta(days=days), format="YYYY-MM-DD", key=key)
        return (found - _on_slider(0.0, unit)) / timedelta(days=1)
    name = _("{label}, hours", label=label) if unit == TIME else label
    after = f" {unit}".replace("%", "%%") if unit and unit != TIME else ""
    return st.slider(name, low, high, step=step, format=f"%.4g{after}", key=key)


def _on_slider(value: float, unit: str) -> Any:
    """A value as a slider has it: days are dates."""
    if unit not in (DATE, MOMENT):
        return value
    moment = datetime(1970, 1, 1) + timedelta(minutes=round(1440 * value))
    return moment.date() if unit == DATE else moment


def pictures(document: Document, overlay: Overlay, row: int, x: np.ndarray) -> None:
    """The row on the map of two features, or as the image that it is; and what is said of it."""
    rows, tree = overlay.rows, overlay.tree
    st.header(_("Prediction"))
    now = answer_text(document, tree, x)
    if overlay.numbers:
        truth = f"{rows.target_name} = {number(rows.y[row])}"
    else:
        truth = rows.class_names[int(rows.y[row])]
    st.markdown(
        _(
            "The tree predicts **{now}**, in leaf {leaf}. The truth is **{truth}**.",
            now=plain(now),
            leaf=leaf_of(tree, x),
            truth=plain(truth),
        )
    )
    if overlay.images is not None or rows.image_shape:
        shown = (with_rows(rows, x), 0) if overlay.images is None else (overlay.images, row)
        st.image(picture(*shown, 16), width=160, caption=_("Example {row}", row=row))
    elif rows.n_features <= HAS_MAP:
        colours, plane = paint(), plane_of(rows)
        figure = base_map(rows, tree, colours)
        assert plane is not None, "there are two features at most"
        add_ring(figure, plane.points(filled(x[None], tree.missing))[0], colours)
        show(figure, "tree_row_map", _("The map, with example {row} ringed", row=row))


def moved(feature_names: tuple[str, ...], path: Contributions) -> None:
    """What each feature has moved at one split of the path, w (x - mean)."""
    st.header(
        _("What moved the score at a split"),
        help=_(
            "Each bar is w · (x − mean): how much the feature adds to the score of this split, "
            "compared with the mean example. The bars add up to the example's score minus the mean "
            "example's score. Above 0 the example goes right."
        ),
    )
    if not len(path.splits):
        st.caption(_("The tree is a single leaf: it has no splits."))
        return
    known = [int(split) for split in path.splits]
    if st.session_state.get("tree_path_split") not in known:
        st.session_state.tree_path_split = known[-1]
    split = st.selectbox(
        _("Split on the path"),
        known,
        format_func=lambda one: _("Split {split}", split=one) if one else _("Root split"),
        key="tree_path_split",
    )
    at = known.index(split)
    names, values, _errors = largest(feature_names, path.moved[at])
    figure = signed_bars(names, values, paint(), _("moves the score by"))
    total = path.score[at] - path.score_of_mean[at]
    show(
        figure,
        "tree_moved_chart",
        _(
            "Effect of each feature at split {split}; {total} in all",
            split=split,
            total=number(total),
        ),
    )
    sentence = _(
        "Together {total}: the score of this example is {score}, of the mean example {of_mean}.",
        total=number(total),
        score=number(path.score[at]),
        of_mean=number(path.score_of_mean[at]),
    )
    if path.turned[at]:
        sentence += _(" The mean example would go to the other side.")
    st.caption(sentence)


def worth(document: Document, overlay: Overlay, model: Tree | Forest, x: np.ndarray) -> None:
    st.header(
        _("What moved the prediction"),
        help=_(
            "Shapley values: the effect of each feature on the prediction, averaged over all "
            "orders of replacing other examples' features by this example's. They add up to this "
            "prediction minus the mean prediction."
        ),
    )
    task = "regression" if overlay.numbers else "classification"
    rest = background_of(overlay, BACKGROUND)
    key = (overlay.key, id(model), x.tobytes())

    def explain() -> tuple[Tree | Forest, ShapleyValues]:
        # With the model, whose id is another one's only when it is gone.
        return model, shapley_values(model, x, rest, task=task, sources=overlay.sources)

    with st.spinner(_("Computing")):
        _kept, found = remembered("tree_shapley", key, explain)
    output = 0 if overlay.numbers else int(found.prediction.argmax())
    what = document.output_names[0] if overlay.numbers else document.class_names[output]
    names, values, errors = largest(
        overlay.names(document), found.values[:, output], found.error[:, output]
    )
    if not names:
        st.caption(_("No feature has an effect: all compared examples have this prediction."))
        return
    figure = signed_bars(
        names, values, paint(), _("adds to the prediction"), None if found.exact else errors
    )
    show(figure, "tree_shapley_chart", _("Shapley values of the features for {what}", what=what))
    base, answer = found.base[output], found.prediction[output]
    form = number if overlay.numbers else writing(".1%")
    sentence = _(
        "For {what}, the mean prediction of {n} examples is {base}. Adding the bars gives "
        "{answer}, the prediction for this example.",
        what=what,
        n=len(rest),
        base=form(base),
        answer=form(answer),
    )
    how = _("Exact: computed over all sets of features.")
    if not found.exact:
        how = _(
            "More than {exact} features are used, so random orders estimate the values. The "
            "whiskers are standard errors, at most {error}.",
            exact=EXACT,
            error=number(found.error[:, output].max()),
        )
    all_trees = together(model) if isinstance(model, Forest) else ""
    st.caption(plain(f"{all_trees} {sentence} {how}".strip()))
