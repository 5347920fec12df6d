"""Runs in folders, shared with the command line: keep the present ones, go on with another."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

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
from ui.jobs.kept_link import keep_link
from ui.jobs.session import remembered
from ui.jobs.training_job import TrainingJob
from ui.language.translate import _, said
from ui.live.comparison import Comparison
from ui.live.train_session import SelectedRun
from ui.shell.router import page_file
from ui.shell.safe_text import plain
from ui.widgets.data.gallery import DRAWN, UPLOAD

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
    return _keep(run.runner, run.data, new_run_path(run.data.train.name, run.config.method))


def keep_compared(comparison: Comparison, link: dict[str, Any]) -> Path:
    """Write all runs of a comparison into one new folder, as far as they are learnt."""
    data, methods = comparison.data, comparison.methods
    assert data is not None, "the page has data"
    path = new_run_path(data.train.name, "compared" if len(methods) > 1 else methods[0])
    for one in comparison.contestants:
        _keep(one.runner, data, path / f"{one.numeral}-{one.config.method}")
    keep_link(path, link)
    return path


def _keep(runner: TrainingJob, data: ChosenData, path: Path) -> Path:
    """Write a run to a new folder at ``path``, or to its own."""
    if not runner.look().history:
        raise ValueError(_("the run has not started yet: wait a moment"))
    source = source_of(data)
    if data.key[0] == FOLDER:
        folder = RunDirectory.open(runs_root() / data.key[1])
        folder.hold()
    else:
        config = runner.ask(lambda trainer: trainer.config)
        folder = RunDirectory.create(path, config, source, print_of(data.train))

    def write(trainer: Trainer) -> None:
        # All of the run's own events are in its history, or every second of very many.
        look = runner.look()
        events = look.history
        assert look.event is not None, "there is a history"
        folder.replace_events(events)
        folder.write_checkpoint(trainer.state(), len(events))
        folder.write_model(document_of(trainer, look.event, data.train, source))
        folder.write_metrics("finished" if trainer.finished else "stopped", figures_of(events[-1]))

    try:
        runner.ask(write)
    finally:
        folder.release()
    return folder.path


def keep_control(run: SelectedRun) -> None:
    """The button that keeps the present run, and what to do with it on the command line."""
    drawn = run.data.key[0] == DRAWN
    path = _save_button(
        _("Save run"),
        _(
            "Saves settings, events and a checkpoint on the server. Use it to continue the run "
            "here or on the command line. Runs on drawn points or from a saved tree cannot be "
            "saved: download the points and choose them as your own file."
        ),
        drawn or run.start is not None or run.runner.latest() is None,
        [run.runner],
        lambda: keep(run),
    )
    if path is None:
        return
    file = f" {run.data.train.name}" if run.data.key[0] == UPLOAD else ""
    st.caption(_("The run is saved. Continue it on the command line:"))
    st.code(f"treecore train{file} --resume {path}", language="bash", wrap_lines=True)
    _see_saved(path)


def keep_compared_control(comparison: Comparison, link: dict[str, Any]) -> None:
    """The button that keeps all runs of a comparison."""
    contestants = comparison.contestants
    drawn = comparison.data is not None and comparison.data.key[0] == DRAWN
    shipped = any(one.recorder.shows_earlier for one in contestants)
    learnt = not shipped and all(one.runner.look().history for one in contestants)
    path = _save_button(
        _("Save comparison") if len(contestants) > 1 else _("Save run"),
        _(
            "Saves every run with its settings, events and a checkpoint on the server. Use it to "
            "find them again in the Library. Play first; runs on drawn points cannot be saved."
        ),
        drawn or not learnt,
        [one.runner for one in contestants],
        lambda: keep_compared(comparison, link),
    )
    if path is not None:
        st.caption(_("Saved in the Library, as far as the runs have learnt."))
        _see_saved(next(path.glob("*/run.json")).parent)


def _save_button(
    label: str, hint: str, disabled: bool, runners: list[TrainingJob], save: Callable[[], Path]
) -> Path | None:
    """A button that saves these runs; where they are once it has, else None."""
    if st.button(label, icon=":material/folder:", key="keep", disabled=disabled, help=hint):
        try:
            st.session_state.kept_at = runners, save(), ""
        except ValueError as error:
            st.session_state.kept_at = runners, None, said(error)
    kept, path, problem = st.session_state.get("kept_at", (None, None, ""))
    if kept != runners:
        return None  # of other runs
    if problem:
        st.error(plain(problem), icon=":material/error:")
    return path


def _see_saved(path: Path) -> None:
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
    source = folder.source.name if folder.source else _("its own examples")
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
