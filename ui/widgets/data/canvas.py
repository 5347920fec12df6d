"""Draw your own data: a canvas in the sidebar, its noise, and the way in and out of it.

The session keeps the points, so every page shows the same ones. The browser keeps them as well,
for as long as the tab is open: who loads the page again finds the drawing and sends it again.
"""

from functools import partial

import numpy as np
import streamlit as st

from treecore.data import GENERATORS, Dataset, Generator, generate
from treecore.viewer import pack
from ui.language.translate import N_, _, said
from ui.live.component import browser_component
from ui.shell.safe_text import plain
from ui.widgets.data.gallery import DRAWN
from ui.widgets.data.points import (
    BROUGHT,
    CLASSES,
    MOST_POINTS,
    MOST_SENT,
    DrawnPoints,
    can_be_sent,
    csv_of,
    drawing,
    drawn_dataset,
    points_of,
)
from ui.widgets.owned import owned

_NOISE = N_(
    "Moves points at random before training; the canvas keeps yours. Raise it to make the task "
    "harder."
)
_DOWNLOAD = N_(
    "A CSV file with the columns x1, x2 and class, noise included. Open it again under *Your own*."
)


SHAPES = [name for name, shape in GENERATORS.items() if isinstance(shape, Generator)]
"""Shapes that a drawing may begin with: points of classes, and not of numbers."""


def edit(dataset: Dataset) -> None:
    """Choose drawn data, beginning with the points of a dataset in the plane."""
    drawing().replace(points_of(dataset))
    st.session_state.dataset = DRAWN


def edit_control(dataset: Dataset) -> None:
    st.button(
        _("Edit these points"),
        on_click=edit,
        args=(dataset,),
        icon=":material/draw:",
        key="edit_points",
        help=_("Add, move and erase these points by hand."),
        width="stretch",
    )


def draw_control(seed: int) -> tuple[Dataset, tuple] | None:
    """The drawn dataset, and a key that only equal rows have; None where there is none."""
    present = drawing()
    brought = st.session_state.pop(BROUGHT, None)
    if brought is not None and brought.digest() != present.points.digest():
        present.replace(brought)
    st.caption(
        _("Click to add points, drag to move them. {most:,} points at most.", most=MOST_POINTS)
    )
    canvas(present)
    if present.problem:
        st.error(plain(said(present.problem)), icon=":material/error:")
    left, right = st.columns(2, vertical_alignment="bottom")
    percent = left.slider(
        _("Noise"),
        0,
        100,
        0,
        5,
        format="%d %%",
        key=f"noise_{DRAWN}",
        help=_(_NOISE),
        persist_state="session",
    )
    try:
        dataset = drawn_dataset(present.points, percent / 100, seed)
    except ValueError as error:
        dataset, problem = None, said(error)
    right.download_button(
        _("Points"),
        csv_of(dataset) if dataset else b"",
        "points.csv",
        "text/csv",
        on_click="ignore",
        disabled=dataset is None,
        icon=":material/download:",
        key="points_csv",
        help=_(_DOWNLOAD),
        width="stretch",
    )
    st.selectbox(
        _("Begin with"),
        SHAPES,
        None,
        format_func=lambda name: _(GENERATORS[name].title),
        placeholder=_("A shape"),
        help=_("Replaces your points by a shape. Undo restores them."),
        **owned("begin_with").widget(partial(_begin, seed)),
    )
    if dataset is None:
        st.info(plain(problem), icon=":material/draw:")
        return None
    if can_be_sent(present.points):
        st.caption(_("The page's address contains these points: anyone who opens it sees them."))
    else:
        st.caption(
            _(
                "An address holds at most {most} points near the middle. Download these points "
                "to keep them.",
                most=MOST_SENT,
            )
        )
    return dataset, (DRAWN, present.points.digest(), percent / 100)


def _begin(seed: int) -> None:
    name = st.session_state.begin_with
    if name is not None:
        edit(generate(name, 200, seed=seed))
    st.session_state.begin_with = None  # a menu of deeds: the same shape can be had again


def canvas(present: DrawnPoints) -> None:
    """The canvas itself, which reports its points a moment after they changed."""

    def changed() -> None:
        message = st.session_state["canvas"].get("points")
        if message is not None:
            present.take(message)

    meta = {
        "session": present.session,
        "revision": present.revision,
        "most": MOST_POINTS,
        "classes": list(CLASSES),
    }
    arrays = {"xy": present.points.X.astype("f4"), "label": present.points.y.astype(np.uint8)}
    mount = browser_component("draw", "draw/draw.js")
    mount(data=pack(meta, arrays), key="canvas", height="content", on_points_change=changed)
