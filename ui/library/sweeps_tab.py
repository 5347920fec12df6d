"""The tab of sweeps: start one, watch it, plot what it has found, open the tree of a run."""

import shlex
import time
from collections.abc import Mapping

import streamlit as st

from treecore.base import write_atomically
from treecore.persistence import from_json
from ui.jobs.metrics import time_left
from ui.jobs.run_title import long_title
from ui.jobs.session import session_value
from ui.language.translate import _, ngettext, said, written
from ui.library.index import SweepFolder, ago, data_title, show_left_out, sweeps_found
from ui.library.link import SWEEP
from ui.library.plots import ROW, good_text, plot_control, says
from ui.library.results_table import Dot, RunsTable, table_of
from ui.library.sweep_form import GRID_HELP, SweepPlan, sweep_form
from ui.library.sweep_job import PROGRESS, SweepProgress, SweepSession
from ui.library.tree_view import kept_of_sweep, tree_view
from ui.live.views import pulse_view
from ui.shell.class_link import group
from ui.shell.safe_text import plain
from ui.widgets.owned import owned


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
            pulse_view(session.channel, PROGRESS, "sweep_pulse", "running")
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
        # plots are mounted anew with each drawing
        late = time.monotonic() - drawn > 4.0 and look.done > before
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
        more = _(progress.message) or time_left(progress.seconds_left or 0.0)
        if progress.stopped:
            more = _("stopping")
    elif progress.choice is not None:
        more = _("finished")
    else:
        more = _("stopped; finished runs stay")
    return f"{text} · {more}" if text else more


def sweeps_tab() -> None:
    session = session_value(SweepSession)
    found = sweeps_found()
    with group("folders", "left_out"):
        show_left_out(found, "sweep")
    with group("start"):
        start_control(session, started=bool(found.good))
    progress(session)
    if not found.good:
        if session.job is None:
            st.info(
                _("No sweeps yet. Start a small one above, or run `treecore sweep sweep.toml`."),
                icon=":material/grid_on:",
            )
        return
    with group("folders"):
        sweep = _choose(session, found.good)
    if sweep is not None:
        _show(session, sweep)


def _choose(session: SweepSession, sweeps: tuple[SweepFolder, ...]) -> SweepFolder | None:
    names = [sweep.name for sweep in sweeps]
    if session.name in names and st.session_state.get("sweep_shown") is not session.job:
        st.session_state.sweep_shown = session.job  # the one that was just started, once
        st.session_state[SWEEP] = session.name
    chosen = owned(SWEEP, names[0], names)
    by_name = {sweep.name: sweep for sweep in sweeps}
    name = st.selectbox(
        _("Sweep"),
        names,
        names.index(chosen.value),
        format_func=lambda name: f"{name} · {ago(by_name[name].when)}",
        help=_("All sweeps on this machine, newest first."),
        **chosen.widget(),
    )
    return by_name.get(name)


def _show(session: SweepSession, sweep: SweepFolder) -> None:
    try:
        rows = sweep.rows()
    except ValueError as error:
        st.error(plain(said(error)), icon=":material/error:")
        return
    table = table_of(rows)
    job = session.job
    newer = job is not None and job.alive and job.folder == sweep.path  # progress, above
    _summary(session, sweep, table, len([row for row in rows if not row.get("error")]), newer)
    if not table.dots:
        if not newer:
            st.info(_("No run of this sweep has finished yet."), icon=":material/hourglass_empty:")
        return
    plot_control(sweep, table)
    dot = _run_control(table)
    if dot is not None:
        prints = {row["key"]: row.get("fingerprint") for row in rows}
        _opened(sweep, table, dot, prints.get(dot.key))


def _summary(
    session: SweepSession, sweep: SweepFolder, table: RunsTable, done: int, newer: bool
) -> None:
    data, choice = sweep.spec.data, sweep.choice()
    # Of halving, a run that cannot be made shorter is one run in all rungs: fewer than the total.
    runs = (
        _("all {done}", done=done)
        if choice is not None
        else _("{done} of {total}", done=min(done, sweep.total), total=sweep.total)
    )
    text = _("{name}: {runs} runs done", name=data_title(data.source.name), runs=runs)
    if newer:
        text = _("{name}: {runs} runs drawn so far", name=data_title(data.source.name), runs=done)
    if table.failed:
        method, why = table.failed[0]
        text += _(
            ", {failed} failed ({method}: {why})", failed=len(table.failed), method=method, why=why
        )
    st.caption(plain(text))
    if choice is not None:
        final = next((dot for dot in table.dots if dot.final and dot.key in choice.keys), None)
        good = _tested(choice.test, table.numbers, len(choice.keys))
        if final is not None and good:
            names = [name for name in table.varying if name != "seed"]
            others = ", ".join(
                f"{long_title(method)} {figure}"
                for method, test in choice.others.items()
                if (figure := _tested(test, table.numbers, len(choice.keys)))
            )
            st.success(
                ngettext(
                    "Chosen on the validation examples: **{names}**. On the test examples: "
                    "**{good}** over {n} seed.",
                    "Chosen on the validation examples: **{names}**. On the test examples: "
                    "**{good}** over {n} seeds.",
                    len(choice.keys),
                    names=plain(final.settings_text(names)),
                    good=good,
                )
                + (_(" The best of each other method: {others}.", others=others) if others else "")
                + (
                    _(
                        " {n_tested} settings of this method have been tested on these examples, "
                        "so this result is a little too good.",
                        n_tested=choice.n_tested,
                    )
                    if choice.n_tested > 1
                    else ""
                ),
                icon=":material/verified:",
            )
    elif not newer:
        with group("commands"):
            _ways_on(session, sweep, session.job is not None and session.job.alive)


def _tested(test: Mapping[str, tuple[float, float]], numbers: bool, n_seeds: int) -> str:
    """A mean on the test rows and, over enough seeds, its deviation; empty where there is none."""
    pair = test.get("test_r2" if numbers else "test_accuracy")
    if pair is None:
        return ""
    mean, deviation = (written(100 * value, ".1f") for value in pair)
    return "R² " * numbers + (mean if n_seeds < 3 else f"{mean} ± {deviation}") + " %"


def _ways_on(session: SweepSession, sweep: SweepFolder, running: bool) -> None:
    """Doing what is missing of a sweep, here and on the command line."""
    busy = sweep.busy
    if busy:
        st.info(_("Another tab or the command line is using it."), icon=":material/sync:")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            _("Continue"),
            icon=":material/play_arrow:",
            key="sweep_go_on",
            disabled=running or busy,
            on_click=go_on,
            args=(session, sweep),
            help=_("Runs the missing parts; finished runs stay."),
        )
        st.button(
            _("Refresh"),
            icon=":material/refresh:",
            key="sweep_look",
            help=_("Another tab or the command line may be using it."),
        )
    if (sweep.path / "sweep.toml").exists():
        file, folder = (shlex.quote(str(p)) for p in (sweep.path / "sweep.toml", sweep.path))
        st.code(
            _("treecore sweep {file} --out {folder}", file=file, folder=folder),
            language="bash",
            wrap_lines=True,
        )


def _run_control(table: RunsTable) -> Dot | None:
    dots = sorted(table.dots, key=lambda dot: (-dot.final, -dot.good))
    keys = [dot.key for dot in dots]
    by_key = {dot.key: dot for dot in dots}
    chosen = owned(ROW, among=(None, *keys))
    names = [*table.varying, *({"seed"} - set(table.varying))]

    def label(key: str) -> str:
        dot = by_key[key]
        part = _("test") if dot.final else _("validation")
        return f"{good_text(dot.good, table)} {part} · {dot.settings_text(names)}"

    key = st.selectbox(
        _("Open the tree of a run"),
        keys,
        None if chosen.value is None else keys.index(chosen.value),
        format_func=label,
        placeholder=_("Click a dot above, or choose a run (best first)"),
        **chosen.widget(),
    )
    return None if key is None else by_key.get(key)


def _opened(sweep: SweepFolder, table: RunsTable, dot: Dot, fingerprint: str | None) -> None:
    st.header(plain(dot.settings_text(table.varying), 200), anchor=False)
    _name, good, rest = says(dot, table).split("<br>")
    st.caption(plain(f"{good} · {rest}"))
    path = sweep.path / "trees" / f"{dot.key}.json"
    try:
        document = from_json(path.read_bytes())
        stored = kept_of_sweep(
            sweep.name, document, sweep.spec.data, dot.key, dot.final, fingerprint
        )
    except (OSError, ValueError, TypeError, KeyError) as error:
        reason: object = error
        if isinstance(error, OSError):  # whose own words tell the server's folders
            reason = _("its file can no longer be read ({why})", why=error.strerror)
        st.info(
            plain(_("This page cannot show a tree: {error}", error=reason)), icon=":material/park:"
        )
    else:
        tree_view(stored, "library_sweep")
    with group("more"), st.expander(_("Its settings")):
        st.json(dot.settings, expanded=True)
