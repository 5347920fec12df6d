"""The way of one point through two trees, side by side."""

from __future__ import annotations

import numpy as np
import streamlit as st

from treecore.data.dataset import Dataset
from ui.drawing.png import picture
from ui.drawing.split_text import question_text
from ui.lab.disagreement import Difference, Way, way
from ui.lab.tree_pair import TreePair, target_text
from ui.language.translate import _, written
from ui.shell.safe_text import plain


def ways(pair: TreePair, point: int, found: Difference, held: Dataset) -> None:
    """One point's way through both trees, side by side; each with the rows as it reads them."""
    st.markdown(
        _(
            "**Point {point}** is *{held}*.",
            point=point,
            held=plain(target_text(held, held.y[point])),
        )
    )
    places = st.columns([1, 1] if not held.image_shape else [0.35, 1, 1], gap="medium")
    if held.image_shape:
        places[0].image(picture(held, point, scale=12), caption=_("point {point}", point=point))
        places = places[1:]
    answers = (found.first[point], found.second[point])
    names = map(plain, pair.names)
    for position, tree, read, name, answer in zip(
        places, pair.trees, pair.tables, names, answers, strict=True
    ):
        with position:
            right = answer == held.y[point]
            said = plain(target_text(held, answer))
            if not held.class_names:
                off = answer - held.y[point]
                sentence = _(
                    "{name} says *{said}*, which is off by {off:+.4g}",
                    name=name,
                    said=said,
                    off=off,
                )
            elif right:
                sentence = _(
                    ":material/check_circle: {name} says *{said}*, which is right",
                    name=name,
                    said=said,
                )
            else:
                sentence = _(
                    ":material/cancel: {name} says *{said}*, which is wrong", name=name, said=said
                )
            st.markdown(sentence)
            st.dataframe(
                _steps(way(tree, read.X[point]), read),
                hide_index=True,
                width="stretch",
                column_config=_step_columns(),
            )
            st.caption(plain(_says(way(tree, read.X[point]), held.class_names)))


def _step_columns() -> dict:
    """How the columns of a decision path are shown, and what is said of them."""
    return {
        _("question"): st.column_config.TextColumn(
            help=_("The weighted features that count most for this point, and the threshold."),
            width="large",
        ),
        _("score"): st.column_config.NumberColumn(
            help=_(
                "The weighted sum less the threshold: right when it is positive. Close to zero the "
                "point is near the boundary."
            ),
            format="%.3f",
        ),
    }


def _steps(found: Way, data: Dataset) -> dict[str, list]:
    names = data.feature_names
    questions = [
        question_text(
            [(names[j], weight) for j, weight, _product in question.terms],
            question.n_terms,
            question.threshold,
            unit=data.units[question.terms[0][0]] if question.terms else "",
        )
        for question in found.questions
    ]
    return {
        _("goes"): [_("right") if question.right else _("left") for question in found.questions],
        _("score"): [question.score for question in found.questions],
        _("question"): questions,
    }


def _says(found: Way, class_names: tuple[str, ...]) -> str:
    if not class_names:
        return _("Leaf {leaf} says: {values:.4g}.", leaf=found.leaf, values=found.values[0])
    order = np.argsort(-found.shares, kind="stable")[:4]
    listed = ", ".join(f"{class_names[c]} {written(found.shares[c], '.1%')}" for c in order)
    rest = len(class_names) - len(order)
    return _("Leaf {leaf} says: {listed}", leaf=found.leaf, listed=listed) + (
        _(" and {rest} more.", rest=rest) if rest else "."
    )
