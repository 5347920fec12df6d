"""Where the tree on the page comes from: a run, a forest, a file, or grown from the rows here."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
import streamlit as st

from treecore import Forest, RunConfig, Trainer, Tree
from treecore.base.limits import UPLOADS
from treecore.export.readers import read_content
from treecore.persistence import Document, TreeFormatError
from treecore.runs.result import data_of, trained_document
from treecore.training.registry import METHODS
from treecore.viewer.messages.message import LARGEST_SHOWN
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered, session_turn, session_value, tell_refused
from ui.language.translate import N_, _, said
from ui.live.train_session import TrainSession
from ui.shell.router import page_file
from ui.shell.safe_text import plain
from ui.tree.criteria import criterion_of, criterion_told
from ui.widgets.heading import data_title
from ui.widgets.saved_tree import tree_document
from ui.widgets.upload import upload_control

ORIGINS = {
    "grown": N_("Grown here"),
    "run": N_("The run in the Lab"),
    "forest": N_("One tree of Forests"),
    "file": N_("A file"),
}
"""Where a tree may come from, by the word in a link."""

GROWN_BY = ("axis", "oc1", "tao")
"""Methods that grow a tree within the drawing of a page."""

DEEPEST, MOST_VALUES = 10, 200_000
"""Of a tree that is grown here; more values of rows are for the Lab, which can be paused."""

ENDINGS = ["json", "ubj", "txt", "onnx", "model", "lgb"]
"""Of files with trees; what is in them says which format they have."""


@dataclass(frozen=True, eq=False)
class OpenedTree:
    """A tree on the page.

    - key: equal only for equal trees.
    - title: what it is called.
    - document: of this one tree.
    - note: what is to be known of it: a sentence, or empty.
    - data_key: of the data whose training rows it learnt from; None where nobody knows.
    - criterion: impurity by which it was grown; None where nobody knows.
    - over: of a tree behind splines, the document with them: ``document`` is of the tree and of the
      features that it reads.
    """

    key: tuple
    title: str
    document: Document
    note: str = ""
    over: Document | None = None
    data_key: tuple | None = None
    criterion: str | None = None

    def learnt_from(self, data: ChosenData) -> bool:
        """Whether it learnt from the training rows of these data, perhaps behind a map."""
        return self.data_key is not None and data.key[: len(self.data_key)] == self.data_key

    @property
    def tree(self) -> Tree:
        return self.document.tree

    @property
    def sources(self) -> np.ndarray | None:
        """The feature of a row that each one is made of that the tree reads behind splines."""
        found = None if self.over is None else self.over.feature_map
        return None if found is None else found.sources

    @property
    def exported(self) -> Document:
        """The document as files have it."""
        if self.over is None:
            return self.document
        return replace(self.over, model=self.document.model, counts=self.document.counts)

    @property
    def numbers(self) -> bool:
        """Whether it predicts numbers."""
        return bool(self.document.output_names)


def opened_over(key: tuple, title: str, over: Document) -> OpenedTree:
    """A tree behind splines, with the features that it reads."""
    assert over.feature_map is not None, "it reads what that makes"
    names = over.feature_map.names(over.feature_names)
    inner = replace(over, feature_names=names, feature_map=None, columns=())
    return OpenedTree(key, title, inner, over=over)


def state_key(name: str, place: str = "") -> str:
    """The session's key of a control; ``place`` tells the second tree's from the first one's."""
    return f"tree_{name}{place and '_'}{place}"


def to_tree_page(origin: str, *, disabled: bool = False, **state: int) -> None:
    """The button of another page that opens one of its trees on the page of trees.

    origin: one of :data:`ORIGINS`; disabled: whether there is no tree yet; **state: what else is to
    be chosen there, by the names of :func:`state_key`.
    """
    label, icon = _("Open on the tree page"), ":material/account_tree:"
    why = _("Rows laid over it, the path of one of them, what would change its answer, pruning.")
    if st.button(label, icon=icon, key="to_tree", disabled=disabled, help=why):
        for name, value in {"origin": origin, **state}.items():
            st.session_state[state_key(name)] = value
        st.switch_page(page_file("tree"))


@dataclass(frozen=True, eq=False)
class Surroundings:
    """What a tree may come from besides files.

    - data: the rows that a tree is grown from.
    - forests: those of the page Forests.
    - forest_rows: that they are learnt from.
    """

    data: ChosenData | None
    forests: Sequence[tuple[str, Forest, str]] = ()
    forest_rows: ChosenData | None = None


def open_control(around: Surroundings, place: str = "") -> OpenedTree | None:
    """The choice of a tree; None, and a sentence that says why, where there is none.

    place: empty for the tree of the page, else a name for another one beside it.
    """
    key = state_key("origin", place)
    if key not in st.session_state:
        st.session_state[key] = "run" if not place and run_document() else "grown"
    origin = st.selectbox(
        _("Which tree"),
        list(ORIGINS),
        format_func=lambda name: _(ORIGINS[name]),
        key=key,
        help=_(
            "A tree of the other pages, of a file of treecore, XGBoost (JSON), LightGBM (text) or "
            "ONNX, or one that is grown at once from the rows chosen on the left."
        ),
        persist_state="session",
    )
    makers = {"grown": _grown, "run": _of_run, "forest": _of_forest, "file": _of_file}
    opened = makers[origin](around, place)
    if opened is not None and opened.tree.n_leaves > LARGEST_SHOWN:
        st.error(
            _(
                "This tree has {n_leaves} leaves, and at most {largest_shown} can be "
                "drawn: prune it first (treecore.pruning), or learn one of less depth.",
                n_leaves=opened.tree.n_leaves,
                largest_shown=LARGEST_SHOWN,
            ),
            icon=":material/error:",
        )
        return None
    return opened


def _grown(around: Surroundings, place: str) -> OpenedTree | None:
    known = list(GROWN_BY)
    if st.session_state.get(state_key("method", place)) not in known:
        many = around.data is not None and around.data.train.X.size > MOST_VALUES
        # A second tree that is the first one once more would have nothing to tell.
        differs = bool(place) and st.session_state.get(state_key("method")) == known[0]
        st.session_state[state_key("method", place)] = known[differs and not many]
    method = st.selectbox(
        _("Method"),
        known,
        format_func=_grown_title,
        key=state_key("method", place),
        persist_state="session",
    )
    depth = st.slider(
        _("Depth"), 1, DEEPEST, 5, key=state_key("depth", place), persist_state="session"
    )
    data = around.data
    if data is None:
        st.info(
            _("Choose data on the left, and a tree is grown from them."), icon=":material/info:"
        )
        return None
    train = data.train
    if method != "axis" and train.X.size > MOST_VALUES:
        st.info(
            _(
                "{title} takes longer on this many rows than a page should wait: "
                "learn it in the Lab, and open that run here.",
                title=_grown_title(method),
            ),
            icon=":material/info:",
        )
        return None
    loss = "log" if train.task == "classification" else "squared"
    config = RunConfig(
        method,
        depth=depth,
        seed=st.session_state.seed,
        loss=loss,
    )
    key = ("grown", data.key, config)
    try:
        document = remembered(f"tree_grown_{place}", key, lambda: _learnt(data, config))
    except ValueError as error:
        st.info(
            plain(_("No tree can be grown from these rows: {error}.", error=error)),
            icon=":material/info:",
        )
        return None
    title = f"{data_title(data)}, {_grown_title(method)}"
    opened = OpenedTree(key, title, document)
    return replace(opened, data_key=data.key, criterion=criterion_of(config))


def _grown_title(name: str) -> str:
    return _(METHODS[name].title)


def _learnt(data: ChosenData, config: RunConfig) -> Document:
    train = data.train
    with session_turn():
        trainer = Trainer(config, train.given, train.y, n_classes=train.n_classes)
        tree = trainer.run()
    feature_map = getattr(trainer, "feature_map", None)
    return trained_document(tree, config, train, data_of(train), {}, feature_map=feature_map)


def run_document() -> Document | None:
    """The tree that is in the Lab, with how it was trained; None while there is none."""
    run = session_value(TrainSession).selected
    frame = None if run is None else run.runner.latest()
    if run is None or frame is None:
        return None
    key = (run.data.key, run.config, frame.number, frame.event.done, id(run.runner))
    return remembered("tree_of_run", key, lambda: tree_document(run))


def _of_run(around: Surroundings, place: str) -> OpenedTree | None:
    document = run_document()
    if document is None:
        st.info(_("There is no tree in the Lab yet: press Play there."), icon=":material/info:")
        st.page_link(page_file("lab"), label=_("To the Lab"), icon=":material/play_circle:")
        return None
    run = session_value(TrainSession).selected
    assert run is not None, "there is a tree of it"
    title = f"{data_title(run.data)}, {_(METHODS[run.config.method].title)}"
    key = ("run", run.data.key, run.config, id(document))
    opened = (
        OpenedTree(key, title, document)
        if document.feature_map is None
        else opened_over(key, title, document)
    )
    return replace(opened, data_key=run.data.key, criterion=criterion_of(run.config))


def _of_forest(around: Surroundings, place: str) -> OpenedTree | None:
    found, rows = around.forests, around.forest_rows
    if not found or rows is None:
        st.info(
            _(
                "There is no forest of trees on Forests yet: press Play there. The trees of "
                "a hinge forest answer by margins, which this page cannot draw."
            ),
            icon=":material/info:",
        )
        st.page_link(page_file("forests"), label=_("To Forests"), icon=":material/forest:")
        return None
    number = st.selectbox(
        _("Forest"),
        range(len(found)),
        format_func=lambda i: found[i][0],
        key=state_key("forest", place),
    )
    title, forest, criterion = found[number]
    train = rows.train
    document = Document(
        forest,
        train.feature_names,
        train.class_names if train.task == "classification" else (),
        output_names=() if train.task == "classification" else (train.target_name,),
        columns=train.columns,
    )
    opened = _member(("forest", id(forest)), title, document, place)
    return replace(opened, data_key=rows.key, criterion=criterion)


def _of_file(around: Surroundings, place: str) -> OpenedTree | None:
    file = upload_control(
        _("A model"),
        state_key("file", place),
        type=ENDINGS,
        max_upload_size=UPLOADS.json_bytes // 1_000_000,
        help=_(
            "JSON of treecore or XGBoost, text of LightGBM, ONNX. Pickles and joblib files are "
            "not opened: they may hold programs."
        ),
    )
    if file is None:
        st.info(_("Choose a file with a tree or a forest."), icon=":material/upload_file:")
        return None
    try:
        digest, document = _read(file.file_id, file)
        if document.kind == "hinge forest":
            raise TreeFormatError(
                _(
                    "this file holds a hinge forest, whose trees answer by margins and "
                    "cannot be drawn here; predict with it from Python."
                )
            )
        if document.feature_map is not None and not document.feature_map.named:
            raise TreeFormatError(
                _(
                    "this tree reads features of a kernel, which have no names; predict with "
                    "it from Python."
                )
            )
    except (ValueError, ImportError) as error:
        tell_refused(file.file_id, "tree", file.size)
        st.error(plain(f"{file.name}: {said(error)}"), icon=":material/error:")
        return None
    key = ("file", digest)
    opened = (
        _member(key, file.name, document, place)
        if document.feature_map is None
        else opened_over(key, file.name, document)
    )
    return replace(opened, criterion=criterion_told(document.training))


@st.cache_resource(show_spinner=False, max_entries=4)
def _read(file_id: str, _file) -> tuple[str, Document]:
    content = _file.getvalue()
    return hashlib.sha256(content).hexdigest(), read_content(content, UPLOADS)


def _member(key: tuple, title: str, document: Document, place: str) -> OpenedTree:
    """The tree of a document; of a forest the one that is chosen."""
    if not isinstance(document.model, Forest):
        return OpenedTree(key, title, document)
    forest = document.model
    member = 1
    if forest.n_trees > 1:
        member = st.number_input(
            _("Tree of the forest"),
            1,
            forest.n_trees,
            key=state_key("member", place),
            persist_state="session",
        )
    alone = Document(
        forest.trees[member - 1],
        document.feature_names,
        document.class_names,
        output_names=document.output_names,
        columns=document.columns,
    )
    note = _(
        "Tree {member} of {n_trees}: what follows is about this tree alone.",
        member=member,
        n_trees=forest.n_trees,
    )
    return OpenedTree(
        (*key, member), _("{title}, tree {member}", title=title, member=member), alone, note
    )
