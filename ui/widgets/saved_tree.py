"""A tree as a file: to be taken along, and a saved one to start from."""

import hashlib
import re
from collections.abc import Callable

import streamlit as st

from treecore import Tree
from treecore.base import UPLOADS
from treecore.data import Dataset
from treecore.export import FORMATS
from treecore.persistence import Document, TreeFormatError, from_json, to_json
from treecore.viewer import LARGEST_SHOWN
from ui.jobs.session import report_refused
from ui.language.translate import _, said
from ui.shell.safe_text import plain
from ui.widgets.file_download import file_button
from ui.widgets.upload import upload_control


def tree_export(document_of: Callable[[], Document], name: str, place: str, hint: str = "") -> None:
    """Hands out the tree of a page, called ``place`` in keys; ``hand_over`` has to follow."""
    name = re.sub(r"\W+", "-", name).strip("-")
    hint = hint or _("Saves the tree on the screen as a file or a program.")
    with st.popover(_("Export"), icon=":material/ios_share:", key=f"{place}export", help=hint):
        json_button(document_of, name, place)
        other_formats(document_of, name, place)


def json_button(document_of: Callable[[], Document], name: str, place: str, forest=False) -> None:
    file_button(
        _("Forest as JSON") if forest else _("Tree as JSON"),
        lambda: to_json(document_of(), indent=1),
        f"{name}.json",
        "application/json",
        icon=":material/download:",
        key=f"{place}download",
        help=_("Saves all trees of the forest as a documented JSON file.")
        if forest
        else _("Saves the tree on the screen as a documented JSON file."),
    )


def other_formats(
    document_of: Callable[[], Document], name: str, place: str, disabled: bool = False
) -> None:
    """The choice of another format, and the button that hands out a tree in it."""
    others = [form for form in FORMATS.values() if form.name != "json" and form.available]
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        form = st.selectbox(
            _("For other programs"),
            others,
            format_func=lambda form: form.title,
            key=f"{place}export_format",
            help=_("The format of the file. Choose by the program that will read it."),
        )
        file_button(
            _("Save"),
            lambda: form.write(document_of()),
            f"{name}{form.suffix}",
            form.media_type,
            icon=":material/download:",
            disabled=disabled,
            key=f"{place}export_other",
            help=_("Saves the tree on the screen in the format chosen on the left."),
        )
    st.caption(f"{_(form.title)}: {_(form.sentence)}.")


def saved_tree_control(data) -> tuple[str, Tree] | None:
    """A saved tree to start from that fits the data, and the SHA-256 of its file."""
    with st.expander(_("Start from a saved tree")):
        file = upload_control(
            _("A tree as JSON"),
            "saved_tree",
            type="json",
            max_upload_size=UPLOADS.json_bytes // 1_000_000,
            help=_(
                "A JSON file saved by this app or by treecore. Choose one to continue learning "
                "from its tree."
            ),
        )
        if file is None:
            return None
        try:
            with st.spinner(_("Reading the tree")):
                digest, document = _read(file.file_id, file)
            if problem := _misfit(document, data.train):
                raise TreeFormatError(problem)
        except TreeFormatError as error:
            report_refused(file.file_id, "tree", file.size)
            st.error(plain(f"{file.name}: {said(error)}"), icon=":material/error:")
            return None
        st.caption(
            _(
                "{n_splits} splits, {n_leaves} leaves. Learning continues from this tree; the "
                "limit does not apply, and no link contains the tree.",
                n_splits=document.tree.n_splits,
                n_leaves=document.tree.n_leaves,
            )
        )
        return digest, document.tree


@st.cache_resource(show_spinner=False, max_entries=4)
def _read(file_id: str, _file) -> tuple[str, Document]:
    content = _file.getvalue()
    return hashlib.sha256(content).hexdigest(), from_json(content, UPLOADS)


def _misfit(document: Document, data: Dataset) -> str:
    """Why no run on these data can start from a document's tree; empty where one can."""
    if document.kind != "tree":
        return _(
            "this file holds a {kind}, but a run starts from a single tree: choose another file.",
            kind=document.kind,
        )
    if document.feature_map is not None and document.feature_map.named:
        return _(
            "this tree reads splines of the features, and no run can start from it: open it "
            "under Inspect."
        )
    if document.feature_map is not None:
        return _(
            "this tree reads features of a kernel, which the page cannot draw: use it from Python."
        )
    if data.task == "regression" and document.class_names:
        return _(
            "this tree predicts classes ({class_names}), but the data have numbers "
            "({target_name}): choose a tree that predicts numbers.",
            class_names=_some(document.class_names),
            target_name=data.target_name,
        )
    if data.task == "classification" and document.output_names:
        return _(
            "this tree predicts numbers ({output_names}), but the data have classes: choose "
            "a tree that predicts classes.",
            output_names=_some(document.output_names),
        )
    outputs = (data.target_name,) if data.task == "regression" else ()
    for what, names, wanted in (
        ("features", document.feature_names, data.feature_names),
        ("classes", document.class_names, data.class_names),
        (_("number to predict"), document.output_names, outputs),
    ):
        if names != wanted:
            return _(
                "this tree was trained on the {what} {names}, but the data have {wanted}: "
                "choose matching data.",
                what=what,
                names=_some(names),
                wanted=_some(wanted),
            )
    if document.tree.n_leaves > LARGEST_SHOWN:
        return _(
            "this tree has {n_leaves} leaves, but at most {largest_shown} can be shown: use "
            "it from Python.",
            n_leaves=document.tree.n_leaves,
            largest_shown=LARGEST_SHOWN,
        )
    return ""


def _some(names: tuple[str, ...]) -> str:
    return ", ".join(names[:4]) + (
        _(" and {names} more", names=len(names) - 4) if len(names) > 4 else ""
    )
