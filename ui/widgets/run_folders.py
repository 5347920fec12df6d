"""Runs in folders, shared with the command line: keep the present one, go on with another."""

from pathlib import Path

import streamlit as st

from treecore import Trainer
from treecore.data import GENERATORS, Source
from treecore.runs import (
    RunDirectory,
    RunSession,
    document_of,
    figures_of,
    find_runs,
    look_into,
    new_run_path,
    print_of,
    runs_root,
)
from treecore.training import find_method
from ui.jobs.chosen_data import ChosenData
from ui.jobs.session import remembered
from ui.language.translate import _, said
from ui.live.train_session import SelectedRun
from ui.shell.router import page_file
from ui.shell.safe_text import plain
from ui.widgets.data.picker import DRAWN, UPLOAD

FOLDER = "folder"
"""Key of the session for the name of the run that is continued, and word in the link."""

RESUMED = "folder_resumed"
"""Key of the session for that run itself."""


def source_of(data: ChosenData) -> Source | None:
    """Where rows come from, in the words of the command line; None for drawn points."""
    if data.key[0] == FOLDER:
        return RunDirectory.open(runs_root() / data.key[1]).source
    *named, size, share, seed = data.key
    if named[0] == DRAWN:
        return None
    rest = {"size": size, "held_out": share / 100, "seed": seed}
    if named[0] == UPLOAD:
        return named[2].source(data.train.name, **rest)
    noise = named[1] if named[0] in GENERATORS else None
    return Source(f"sample:{named[0]}", noise=noise, **rest)


def keep(run: SelectedRun) -> Path:
    """Write the run to its own folder, or a new one; ValueError: no run yet, or no place."""
    data = run.data
    if not run.runner.look().history:
        raise ValueError(_("the run has not started yet: wait a moment"))
    source = source_of(data)
    if data.key[0] == FOLDER:
        folder = RunDirectory.open(runs_root() / data.key[1])
        folder.hold()
    else:
        path = new_run_path(data.train.name, run.config.method)
        folder = RunDirectory.create(path, run.config, source, print_of(data.train))

    def write(trainer: Trainer) -> None:
        # All of the run's own events are in its history, or every second of very many.
        look = run.runner.look()
        events = look.history
        assert look.event is not None, "there is a history"
        folder.replace_events(events)
        folder.write_checkpoint(trainer.state(), len(events))
        folder.write_model(document_of(trainer, look.event, data.train, source))
        folder.write_metrics("finished" if trainer.finished else "stopped", figures_of(events[-1]))

    try:
        run.runner.ask(write)
    finally:
        folder.release()
    return folder.path


def keep_control(run: SelectedRun) -> None:
    """The button that keeps the present run, and what to do with it on the command line."""
    drawn = run.data.key[0] == DRAWN
    button = st.button(
        _("Save run"),
        icon=":material/folder:",
        key="keep",
        disabled=drawn or run.start is not None or run.runner.latest() is None,
        help=_(
            "Saves settings, events and a checkpoint on the server. Use it to continue the run "
            "here or on the command line. Runs on drawn points or from a saved tree cannot be "
            "saved: download the points and choose them as your own file."
        ),
    )
    if button:
        try:
            st.session_state.kept_at = run.runner, keep(run), ""
        except ValueError as error:
            st.session_state.kept_at = run.runner, None, said(error)
    runner, path, problem = st.session_state.get("kept_at", (None, None, ""))
    if runner is not run.runner:
        return  # of another run
    if problem:
        st.error(plain(problem), icon=":material/error:")
        return
    file = f" {run.data.train.name}" if run.data.key[0] == UPLOAD else ""
    st.caption(_("The run is saved. Continue it on the command line:"))
    st.code(f"treecore train{file} --resume {path}", language="bash", wrap_lines=True)
    st.page_link(
        page_file("library"),
        label=_("See saved runs"),
        icon=":material/science:",
        query_params={"run": folder_name(RunDirectory.open(path))},
    )


def taken_up(new_link: bool) -> tuple[ChosenData, RunSession] | None:
    """The run of a folder to go on with, if it can be read; else why not, until a ``new_link``."""
    if new_link:
        st.session_state.folder_problem = ""
    name, found = st.session_state.get(FOLDER), None
    if name is not None:
        try:
            session = remembered(RESUMED, name, lambda: _resumed(name))
            found = ChosenData(session.train, session.held, (FOLDER, name)), session
        except ValueError as error:
            st.session_state.pop(FOLDER)
            st.session_state.folder_problem = _(
                "The run {name} cannot be continued: {error}",
                name=plain(name, 60),
                error=plain(said(error), 300),
            )
    if problem := st.session_state.get("folder_problem"):
        st.warning(problem, icon=":material/error:")
    return found


def _resumed(name: str) -> RunSession:
    folder = next((f for f in find_runs(runs_root()) if folder_name(f) == name), None)
    if folder is None:
        raise ValueError(_("no saved run has this name"))
    if find_method(folder.config.method).family != "tree":
        raise ValueError(_("it trains a forest, but this page shows single trees"))
    if folder.config.kernel != "none":
        raise ValueError(_("its tree reads features of a kernel, which have no map here"))
    with st.spinner(_("Reading the run")):
        return look_into(folder.path)


def folder_name(folder: RunDirectory) -> str:
    return folder.path.relative_to(runs_root()).as_posix()


def folder_note(session: RunSession) -> None:
    """In place of the controls: what the run is, and the way back to them."""
    folder = session.folder
    st.header(_("A saved run"))
    source = folder.source.name if folder.source else _("its own rows")
    st.caption(
        plain(
            _(
                "{folder}: {method} on {source}",
                folder=folder_name(folder),
                method=folder.config.method,
                source=source,
            ),
            most=300,
        )
    )
    with st.expander(_("Its settings")):
        st.json(folder.config.as_dict(), expanded=True)
    if st.button(
        _("Leave this run"),
        icon=":material/close:",
        key="leave_folder",
        help=_("Return to your own data and settings. The folder stays unchanged."),
    ):
        st.session_state.pop(FOLDER, None)
        st.session_state.pop(RESUMED, None)
        st.rerun()
