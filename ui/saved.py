"""A tree as a file: the download of the present one, and a saved one to start from."""

from __future__ import annotations

import re

import streamlit as st

from treecore import Tree, __version__, evaluate
from treecore.metrics import leaf_counts
from treecore.persistence import (
    TreeDocument,
    TreeFormatError,
    fingerprint,
    from_json,
    to_json,
)
from ui.controls import DEEPEST_SHOWN
from ui.desk import Desk
from ui.text import plain

LARGEST_SHOWN = 2**DEEPEST_SHOWN
"""Most leaves of a tree that the live view takes."""


def tree_json(desk: Desk) -> str:
    """The present tree as JSON, with how it was trained.

    Its figures are taken anew: in the middle of a pass the run's own are those of the tree
    before it.
    """
    frame = desk.runner.latest()
    data, config, event, tree = desk.data, desk.config, frame.event, frame.tree
    counts = leaf_counts(tree, data.train.X, data.train.y)
    train = evaluate(tree, data.train.X, data.train.y)
    held = evaluate(tree, data.held.X, data.held.y) if data.held else None
    document = TreeDocument(
        tree=tree,
        feature_names=data.train.feature_names,
        class_names=data.train.class_names,
        counts=counts,
        training={
            "method": config.method,
            "settings": config.as_dict(),
            "seed": config.seed,
            "data": {
                "name": data.train.name,
                "fingerprint": fingerprint(data.train.X, data.train.y),
                "n_samples": data.train.n_samples,
            },
            "metrics": {
                "epoch": event.epoch,
                "bound": event.bound if event.complete else None,
                "loss": train.loss,
                "accuracy": train.accuracy,
                "active_leaves": train.active_leaves,
                "validation_loss": held and held.loss,
                "validation_accuracy": held and held.accuracy,
            },
            "treecore": __version__,
        },
    )
    return to_json(document, indent=1)


def download_control(desk: Desk) -> None:
    """The button that hands out the present tree."""
    name = re.sub(r"\W+", "-", f"{desk.data.train.name}-{desk.config.method}").strip("-")
    st.download_button(
        "Tree as JSON",
        data=lambda: tree_json(desk),  # made when it is clicked: the tree of that moment
        file_name=f"{name}.json",
        mime="application/json",
        on_click="ignore",
        icon=":material/download:",
        disabled=desk.runner.latest() is None,
        key="download",
        help="The tree that is on the screen, as a documented JSON file.",
    )


def saved_tree_control(data) -> tuple[str, Tree] | None:
    """The sidebar's choice of a saved tree to start from, checked against the data."""
    with st.expander("Start from a saved tree"):
        file = st.file_uploader(
            "A tree as JSON",
            type="json",
            key="saved_tree",
            help="A file that this app or the treecore package has written.",
        )
        if file is None:
            return None
        try:
            document = _read(file.file_id, file)
            _check_fits(document, data.train)
        except TreeFormatError as error:
            st.error(plain(f"{file.name}: {error}"), icon=":material/error:")
            return None
        st.caption(
            f"{document.tree.n_splits} splits, {document.tree.n_leaves} leaves. Learning goes on "
            "from it; its depth counts, not the one chosen above."
        )
        return file.file_id, document.tree


@st.cache_resource(show_spinner="Reading the tree", max_entries=4)
def _read(file_id: str, _file) -> TreeDocument:
    return from_json(_file.getvalue())


def _check_fits(document: TreeDocument, data) -> None:
    if document.feature_map is not None:
        raise TreeFormatError(
            "this tree reads features of a kernel, which the page cannot draw; predict with it "
            "from Python."
        )
    if document.output_names:
        raise TreeFormatError(
            f"this tree predicts numbers ({_some(document.output_names)}), but the data have "
            "classes; choose a tree that predicts those."
        )
    for what, own, theirs in (
        ("features", document.feature_names, data.feature_names),
        ("classes", document.class_names, data.class_names),
    ):
        if own != theirs:
            raise TreeFormatError(
                f"this tree was made for the {what} {_some(own)}, but the data have "
                f"{_some(theirs)}; choose the data it was made for."
            )
    if document.tree.n_leaves > LARGEST_SHOWN:
        raise TreeFormatError(
            f"this tree has {document.tree.n_leaves} leaves, and more than {LARGEST_SHOWN} cannot "
            "be shown; predict with it from Python."
        )


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
