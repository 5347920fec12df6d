"""A kept tree in the tree view: its map and its curves where its rows are at hand, or its text."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from treecore import Event, RunConfig
from treecore.base import UPLOADS
from treecore.data import Dataset, Source, complete, read_by, read_parts, split_sheet
from treecore.export import heading, tree_of_model
from treecore.losses import find_loss
from treecore.persistence import Document
from treecore.runs import FIGURES, RunDirectory, print_of
from treecore.sweeps import DataSpec, rows_of
from treecore.training import find_method
from treecore.viewer import LARGEST_SHOWN, Frame, Stage, Status, every_second, usual_plane
from ui.inspect.opening import to_inspect_kept
from ui.language.translate import _, language
from ui.library.learning_curves import curves
from ui.links.data import source_params
from ui.live.component import browser_component
from ui.shell.class_link import group
from ui.shell.page_style import styles
from ui.shell.safe_text import plain
from ui.widgets.saved_tree import json_button, tree_export

LEVELS, TERMS = 5, 4
"""Of a tree's text: how deep, and how many terms of a split."""


@dataclass(frozen=True)
class StoredModel:
    """A tree, and what there is beside it; rows: reads them, or ValueError; heavy: on demand."""

    name: str
    key: str
    document: Document
    config: RunConfig
    source: Source | None
    rows: Callable[[], tuple[Dataset, Dataset | None]]
    heavy: bool
    history: Sequence[Event] = ()


def history_of(folder: RunDirectory) -> list[Event]:
    """The events of a run's own method, thinned where they are very many."""
    history = [event for event in folder.events() if event.stage == folder.config.method]
    while len(history) > 4000:
        history = every_second(history)
    return history


def kept_run(name: str, folder: RunDirectory, history: Sequence[Event]) -> StoredModel:
    """The tree of a run folder; ValueError, in one sentence, where there is none yet."""
    document = folder.read_model()
    source, fingerprint = folder.source, folder.record["fingerprint"]

    def rows():
        if source is None:
            raise ValueError(_("this run does not say where its examples come from"))
        if "stream" in folder.record:
            raise ValueError(_("this run learnt from a stream, which is too large for a page"))
        return _parts(source, _stamp(source), fingerprint)

    stamp = folder.model_path.stat().st_mtime_ns
    heavy = source is not None and _is_heavy(source)
    return StoredModel(
        name, f"{name}.{stamp}", document, folder.config, source, rows, heavy, tuple(history)
    )


def kept_of_sweep(
    name: str,
    document: Document,
    data: DataSpec,
    key: str,
    final: bool,
    rows_fingerprint: str | None,
) -> StoredModel:
    """The tree of one run of a sweep, whose rows have the fingerprint ``rows_fingerprint``."""
    config = RunConfig.of_saved(document.training["settings"])

    def rows():
        found = rows_of(data, "final" if final else "search")
        if rows_fingerprint is not None and found.fingerprint != rows_fingerprint:
            raise ValueError(
                _("the examples of {name} have changed since this sweep", name=data.source.name)
            )
        train, held = found.train, found.held
        return complete(train, held) if isinstance(train.X, np.ndarray) else (train, held)

    source = data.source
    return StoredModel(name, f"{name}.{key}", document, config, source, rows, _is_heavy(source))


@st.cache_resource(show_spinner=False, max_entries=3)
def _parts(source: Source, stamp: int, fingerprint: str) -> tuple[Dataset, Dataset | None]:
    train, held = read_parts(source)
    if print_of(train) != fingerprint:
        raise ValueError(_("the examples of {name} have changed since this run", name=source.name))
    return train, held


def _stamp(source: Source) -> int:
    """Changes with a file."""
    path, _sheet = split_sheet(source.name)
    return path.stat().st_mtime_ns if path.is_file() else 0


def _is_heavy(source: Source) -> bool:
    if source.name.startswith("openml:"):
        return True
    path, _sheet = split_sheet(source.name)
    return path.is_file() and path.stat().st_size > UPLOADS.n_bytes


def tree_view(stored: StoredModel, place: str) -> None:
    """Show a kept tree, and hand it out; ``place`` names where on the page."""
    _view(stored, place)
    with group("export", place, horizontal=True):
        _export(stored, f"{place}_")
        params = source_params(stored.source) if stored.source else {}
        to_inspect_kept(stored.name, stored.document, f"{place}_", params)


def _export(stored: StoredModel, place: str) -> None:
    name = f"{stored.name}-{stored.config.method}"
    if stored.document.kind == "tree":
        tree_export(lambda: stored.document, name, place)
    else:
        json_button(lambda: stored.document, name, place, forest=True)


def _view(stored: StoredModel, place: str) -> None:
    problem = _not_drawn(stored)
    if not problem and stored.heavy and not st.session_state.get(f"read_{stored.key}"):
        st.button(
            _("Draw its map"),
            icon=":material/map:",
            key=f"{place}_read",
            on_click=lambda: st.session_state.update({f"read_{stored.key}": True}),
            help=_(
                "Reads the examples, which are many or come from the network. Use it when you need "
                "the map."
            ),
        )
        problem = _("Until then, here is the tree in words.")
    if not problem:
        try:
            with st.spinner(_("Drawing the tree")):
                payload = _message(stored.key, language(), stored)
        except ValueError as error:
            problem = _("The map needs the examples, but {error}. The tree in words:", error=error)
        else:
            name = "live_kept" if stored.history else "live_alone"
            mount = browser_component(name, "app/main.js", styles(name))
            mount(data=payload, key=f"{place}_{name}", height="content")
            return
    if stored.history:
        numbers = find_loss(stored.config.loss).task == "regression"
        curves(stored.history, numbers, f"{place}_curves")
    st.caption(plain(problem))
    document = stored.document  # its upper levels, as ``treecore inspect`` tells them
    lines = [*heading(document), *map(str, tree_of_model(document, 0, LEVELS, TERMS))]
    st.code("\n".join(lines), language=None)


def _not_drawn(stored: StoredModel) -> str:
    """Why a tree can only be told in words; empty where it can be drawn."""
    if stored.document.kind != "tree":
        return _("This page draws no map of a forest. Its first tree in words:")
    found = stored.document.feature_map
    if found is not None and not found.named:
        return _("This tree reads features of a kernel, which have no map. The tree in words:")
    if stored.document.tree.n_leaves > LARGEST_SHOWN:
        return _(
            "More than {largest_shown} leaves cannot be drawn. The tree in words:",
            largest_shown=LARGEST_SHOWN,
        )
    return ""


@st.cache_resource(show_spinner=False, max_entries=12)
def _message(key: str, spoken: str, _kept: StoredModel) -> bytes:
    train, held = _kept.rows()
    tree = _kept.document.tree
    found = _kept.document.feature_map
    if train.n_features != (tree if found is None else found).n_features:
        raise ValueError(_("they do not have the tree's features"))
    # A map of splines is drawn over what they make.
    train, held = read_by(found, train), held and read_by(found, held)
    event = _kept.history[-1] if _kept.history else _event(_kept)
    counts = _kept.document.counts
    status = Status(
        "finished",
        "",
        event,
        (Frame(0, 0.0, event, tree),),
        tuple(_kept.history) or (event,),
        None if counts is None else np.asarray(counts),
    )
    return Stage(train, held, usual_plane(train), _kept.config).message(status, _kept.key, _)


def _event(stored: StoredModel) -> Event:
    metrics = stored.document.training.get("metrics", {})
    tree = stored.document.tree
    figures: dict[str, Any] = {name: metrics.get(name) for name in FIGURES}
    figures["n_leaves"] = tree.n_leaves
    figures["active_leaves"] = metrics.get("active_leaves", tree.n_leaves)
    figures["done"] = (
        metrics.get("done", metrics.get("epoch")) or 0.0
    )  # as earlier versions called it
    figures["seconds"] = metrics.get("seconds") or 0.0
    method = find_method(stored.config.method)
    return Event(
        stage=method.name,
        unit=method.unit,
        total=method.n_epochs(stored.config.settings),
        complete=True,
        progress=1.0,
        **figures,
    )
