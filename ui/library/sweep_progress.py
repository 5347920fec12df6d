"""Starting a sweep from its form, and how far the one of this session is."""

from __future__ import annotations

import time

import streamlit as st

from treecore.base import write_atomically
from ui.jobs.metrics import duration
from ui.language.translate import _, said
from ui.library.index import SweepFolder
from ui.library.sweep_form import GRID_HELP, SweepPlan, sweep_form
from ui.library.sweep_job import SWEEP, SweepProgress, SweepSession
from ui.live.component import pulse_view
from ui.shell.safe_text import plain

REDRAW_SECONDS = 4.0
"""How often the plots of a sweep at work are drawn anew, at most: each time they are mounted."""


def start_control(session: SweepSession, started: bool) -> None:
    box = st.expander(
        _("Start a small sweep"),
        expanded=not started,
        icon=":material/grid_on:",
        key="library_form",
        on_change="rerun",  # what is inside reads rows
    )
    if not box.open:
        return
    with box:
        st.caption(_(GRID_HELP))
        plan = sweep_form()
        running = session.job is not None and session.job.alive
        st.button(
            _("Start"),
            type="primary",
            icon=":material/play_arrow:",
            disabled=plan is None or running,
            key="sweep_start",
            on_click=_start,
            args=(session, plan),
            help=_(
                "Runs in the background while this tab is open. Finished runs are saved at once; "
                "start the same sweep again to continue."
            ),
        )


def _start(session: SweepSession, plan: SweepPlan) -> None:
    try:
        plan.path.mkdir(parents=True, exist_ok=True)
        # So that the command line can go on with it.
        write_atomically(plan.path / "sweep.toml", plan.text.encode())
    except (OSError, ValueError) as error:
        st.session_state.sweep_problem = _(
            "{path} cannot be written to: {error}", path=plan.path, error=error
        )
        return
    st.session_state.pop("sweep_problem", None)
    session.start(plan.spec, plan.path, plan.name, plan.n_workers)


def go_on(session: SweepSession, sweep: SweepFolder) -> None:
    session.start(sweep.spec, sweep.path, sweep.name, st.session_state.get("sweep_workers") or 1)


def progress(session: SweepSession) -> None:
    """How far this session's sweep is; a fragment of its own while it runs."""
    if problem := st.session_state.get("sweep_problem"):
        st.error(plain(problem), icon=":material/error:")
    job = session.job
    if job is None:
        return
    running, drawn = job.alive, time.monotonic()
    before = job.look().done

    @st.fragment
    def stage() -> None:
        look = job.look()
        if running:
            pulse_view(session.channel, SWEEP, "sweep_pulse", "running")
        if look.problem:
            st.error(
                plain(_("The sweep has ended: {problem}", problem=said(look.problem))),
                icon=":material/error:",
            )
            if running and not look.running:
                st.rerun()
            return
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.progress(look.share, progress_text(look))
            st.button(
                _("Stop"),
                icon=":material/stop:",
                disabled=not look.running,
                key="sweep_stop",
                on_click=session.stop,
                help=_("Stops the sweep. Finished runs stay."),
            )
        late = time.monotonic() - drawn > REDRAW_SECONDS and look.done > before
        if running and (late or not look.running):
            st.rerun()  # the plots below

    stage()


def progress_text(progress: SweepProgress) -> str:
    text = (
        _("{done} of {total} runs", done=progress.done, total=progress.total)
        if progress.total
        else ""
    )
    if progress.skipped:
        text += _(" ({skipped} were done before)", skipped=progress.skipped)
    if progress.running:
        left = progress.seconds_left
        more = _(progress.message) or _("about {max} left", max=duration(max(left or 0.0, 0.1)))
        if progress.stopped:
            more = _("stopping")
    elif progress.choice is not None:
        more = _("finished")
    else:
        more = _("stopped; finished runs stay")
    return f"{text}, {more}" if text else more
