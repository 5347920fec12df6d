"""Where the tree on the page comes from: the Lab, a file, or grown from the rows here."""

import hashlib
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import streamlit as st

from treecore import HingeForest, RunConfig, Tree
from treecore.base import UPLOADS
from treecore.export import read_content
from treecore.persistence import Document, TreeFormatError
from treecore.runs import data_of, make_trainer, trained_document
from treecore.viewer import LARGEST_SHOWN
from ui.inspect.link import DEEPEST, GROWN_BY, ORIGINS
from ui.inspect.opened import (
    Opened,
    OpenedForest,
    OpenedTree,
    criterion_from,
    criterion_of,
    is_log_odds,
    state_key,
)
from ui.jobs.chosen_data import ChosenData
from ui.jobs.run_title import long_title, run_title
from ui.jobs.session import remembered, report_refused
from ui.jobs.visitor import session_turn
from ui.language.translate import _, said
from ui.links.runs import GREEDY
from ui.shell.router import page_file
from ui.shell.safe_text import plain
from ui.widgets.heading import data_title
from ui.widgets.learnt_model import LearntModel
from ui.widgets.upload import upload_control

KEPT = "tree_kept"
"""The session's key of what was opened from the Library: its title and its document."""

MOST_VALUES = 200_000
"""Of rows that a tree is grown from here; more are for the Lab, which can be paused."""


def to_inspect_kept(title: str, document: Document, place: str, rows: dict[str, str]) -> None:
    """The button of the Library that opens a kept model; ``place`` tells two of them apart.

    rows: what a link says of its rows.
    """
    if st.button(_("Inspect"), icon=":material/account_tree:", key=f"to_inspect_{place}"):
        st.session_state[KEPT] = title, document
        st.session_state[state_key("origin")] = "kept"
        st.switch_page(page_file("inspect"), query_params=rows and rows | {"tree": "kept"})


def open_control(
    data: ChosenData | None, models: Sequence[LearntModel], place: str = ""
) -> Opened | None:
    """The choice of a tree; None, and a sentence why, if there is none; models: those of the Lab.

    place: of a second tree.
    """
    key = state_key("origin", place)
    if key not in st.session_state:
        st.session_state[key] = "run" if len(models) > bool(place) else "grown"
    origins = [name for name in ORIGINS if name != "kept" or KEPT in st.session_state]
    if st.session_state[key] not in origins:
        st.session_state[key] = "grown"
    row = st.container(key=f"which_{place}", horizontal=True, vertical_alignment="bottom")
    with row:
        origin = st.selectbox(
            _("Second tree") if place else _("Which tree"),
            origins,
            format_func=lambda name: _(ORIGINS[name]),
            key=key,
            help=_(
                "A tree learnt in the Lab, a model file of treecore, XGBoost (JSON), LightGBM "
                "(text) or ONNX, or a tree grown from the examples under *More*. Choose the one "
                "that you want to understand."
            ),
            persist_state="session",
        )
        makers: dict[str, Callable[[], Opened | None]] = {
            "grown": lambda: _grown(data, place),
            "run": lambda: _of_lab(models, place),
            "file": lambda: _of_file(place),
            "kept": lambda: _of_library(place),
        }
        opened = makers[origin]()
    if isinstance(opened, OpenedForest) and place:
        st.info(
            _(
                "The trees of a hinge forest predict by margins, which Inspect cannot show: "
                "choose another model."
            )
        )
        return None
    return drawable(opened, place)


def drawable(opened: Opened | None, place: str = "") -> Opened | None:
    """What can be drawn of it; of a tree that is too large a sentence, and its forest."""
    if isinstance(opened, OpenedTree) and opened.tree.n_leaves > LARGEST_SHOWN:
        st.error(
            _(
                "This tree has {n_leaves} leaves, but at most {largest_shown} can be drawn: "
                "prune it first (treecore.pruning), or train one with less depth.",
                n_leaves=opened.tree.n_leaves,
                largest_shown=LARGEST_SHOWN,
            ),
            icon=":material/error:",
        )
        return None if place else opened.forest
    return opened


def _grown(data: ChosenData | None, place: str) -> OpenedTree | None:
    known = list(GROWN_BY)
    if st.session_state.get(state_key("method", place)) not in known:
        many = data is not None and data.train.X.size > MOST_VALUES
        # A second tree that is the first one once more would have nothing to tell.
        differs = bool(place) and st.session_state.get(state_key("method")) == known[0]
        st.session_state[state_key("method", place)] = known[differs and not many]
    method = st.selectbox(
        _("Method"),
        known,
        format_func=long_title,
        key=state_key("method", place),
        persist_state="session",
    )
    depth = st.slider(
        _("Depth"), 1, DEEPEST, 5, key=state_key("depth", place), persist_state="session"
    )
    if data is None:
        st.info(_("Choose data under *More*, and a tree grows from them."), icon=":material/info:")
        return None
    train = data.train
    if method != "axis" and train.X.size > MOST_VALUES:
        st.info(
            _(
                "{title} takes too long on this many examples. Train it in the Lab, and open that "
                "run here.",
                title=long_title(method),
            ),
            icon=":material/info:",
        )
        return None
    loss = "log" if train.task == "classification" else "squared"
    usual = GREEDY if method == GREEDY.method else RunConfig(method)
    config = usual.replace(depth=depth, seed=st.session_state.seed, loss=loss)
    key = ("grown", data.key, config)
    try:
        document = remembered(f"tree_grown_{place}", key, lambda: _learnt(data, config))
    except ValueError as error:
        st.info(
            plain(_("No tree can grow from these examples: {error}.", error=error)),
            icon=":material/info:",
        )
        return None
    title = f"{data_title(data)}, {long_title(method)}"
    return OpenedTree(key, title, document, data_key=data.key, criterion=criterion_of(config))


def _learnt(data: ChosenData, config: RunConfig) -> Document:
    train = data.train
    with session_turn():
        trainer = make_trainer(config, train)
        tree = trainer.run()
    feature_map = getattr(trainer, "feature_map", None)
    return trained_document(tree, config, train, data_of(train), {}, feature_map=feature_map)


def _of_lab(models: Sequence[LearntModel], place: str) -> Opened | None:
    if not models:
        nothing = _("The Lab has not learnt anything yet: press Play there.")
        st.info(nothing, icon=":material/info:")
        st.page_link(page_file("lab"), label=_("To the Lab"), icon=":material/play_circle:")
        return None
    key = state_key("learner", place)
    other = bool(place) and not st.session_state.get(state_key("learner"))  # than the first tree
    if not 0 <= st.session_state.get(key, int(other)) < len(models):
        st.session_state[key] = 0
    st.session_state.setdefault(key, int(other))
    number = 0
    if len(models) > 1:
        number = st.selectbox(
            _("Learner"),
            range(len(models)),
            format_func=lambda i: models[i].title,
            key=key,
            persist_state="session",
        )
    return open_model(models[number], place)


def open_model(model: LearntModel, place: str = "") -> Opened | None:
    document = remembered(f"tree_of_lab_{place}", model.key, model.document)
    title = f"{data_title(model.data)}, {run_title(model.config)}"
    criterion, data_key = criterion_of(model.config), model.data.key
    return _opened(model.key, title, document, place, criterion, data_key, model.row_weights)


def _of_library(place: str) -> Opened | None:
    title, document = st.session_state[KEPT]
    criterion = criterion_from(document.training)
    return _opened(("kept", id(document)), title, document, place, criterion)


def _of_file(place: str) -> Opened | None:
    file = upload_control(
        _("A model"),
        state_key("file", place),
        max_upload_size=UPLOADS.json_bytes // 1_000_000,
        help=_(
            "JSON of treecore or XGBoost, text of LightGBM, or ONNX. Pickle and joblib files may "
            "contain programs and are not opened."
        ),
    )
    if file is None:
        st.info(_("Choose a file with a tree or a forest."), icon=":material/upload_file:")
        return None
    try:
        digest, document = _read(file.file_id, file)
        if document.feature_map is not None and not document.feature_map.named:
            raise TreeFormatError(
                _("this tree reads features of a kernel, which have no names: use it from Python.")
            )
    except (ValueError, ImportError) as error:
        report_refused(file.file_id, "tree", file.size)
        st.error(plain(f"{file.name}: {said(error)}"), icon=":material/error:")
        return None
    criterion = criterion_from(document.training)
    return _opened(("file", digest), file.name, document, place, criterion)


@st.cache_resource(show_spinner=False, max_entries=4)
def _read(file_id: str, _file) -> tuple[str, Document]:
    content = _file.getvalue()
    return hashlib.sha256(content).hexdigest(), read_content(content, UPLOADS)


def _opened(
    key: tuple,
    title: str,
    document: Document,
    place: str,
    criterion: str | None,
    data_key: tuple | None = None,
    weights: np.ndarray | None = None,
) -> Opened:
    """What a document holds; of a forest with the tree that is chosen."""
    known: dict[str, Any] = {"data_key": data_key, "criterion": criterion}
    if document.feature_map is not None:  # a tree behind splines, with the features that it reads
        names = document.feature_map.names(document.feature_names)
        inner = replace(document, feature_names=names, feature_map=None, columns=())
        return OpenedTree(key, title, inner, over=document, **known)
    if isinstance(document.model, Tree):
        return OpenedTree(key, title, document, **known)
    n_trees, member = document.model.n_trees, 1
    if n_trees > 1:
        member = st.number_input(
            _("Tree of the forest"),
            1,
            n_trees,
            key=state_key("member", place),
            width=180,
            persist_state="session",
        )
    forest = OpenedForest(key, title, document, member - 1, data_key, weights)
    if isinstance(document.model, HingeForest):
        return forest
    tree, outputs = document.model.trees[member - 1], document.output_names
    if is_log_odds(document):  # the mean of its trees, so each says so many times what it adds
        some = tree.values.any(axis=0)  # each class has trees of its own
        own = np.flatnonzero(some | ~some.any())
        values = np.ascontiguousarray(tree.values[:, own]) / np.float32(n_trees)
        tree, outputs = tree._replace(values=values), tuple(outputs[i] for i in own)
    alone = Document(
        tree,
        document.feature_names,
        document.class_names,
        output_names=outputs,
        columns=document.columns,
    )
    note = _(
        "Tree {member} of {n_trees}. “The forest” and “What would change it” show all trees "
        "together.",
        member=member,
        n_trees=n_trees,
    )
    if is_log_odds(alone):
        note = _(
            "Tree {member} of {n_trees}: it adds to the {output}.",
            member=member,
            n_trees=n_trees,
            output=_(" and ").join(outputs),
        )
    name = _("{title}, tree {member}", title=title, member=member)
    return OpenedTree((*key, member), name, alone, note, forest=forest, **known)
