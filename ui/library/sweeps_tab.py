"""The tab of sweeps: start one, watch it, plot what it has found, open the tree of a run."""

from __future__ import annotations

import shlex

import streamlit as st

from treecore.persistence import from_json
from ui.jobs.session import session_value
from ui.language.translate import _, ngettext, said, written
from ui.library.in_the_lab import compare_control
from ui.library.index import SweepFolder, ago, data_title, sweeps_found
from ui.library.plots import good_text, says
from ui.library.results_table import Dot, RunsTable, table_of
from ui.library.runs_tab import show_left_out
from ui.library.sweep_job import SweepSession
from ui.library.sweep_plot import ROW, plot_control
from ui.library.sweep_progress import go_on, progress, start_control
from ui.library.tree_view import kept_of_sweep, tree_view
from ui.shell.class_link import group
from ui.shell.safe_text import plain
from ui.widgets.owned import owned

CHOSEN = "library_sweep"
"""The session's key of the name of the sweep."""


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
        st.session_state[CHOSEN] = session.name
    chosen = owned(CHOSEN, names[0], names)
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
    _summary(session, sweep, table, len([row for row in rows if not row.get("error")]))
    if not table.dots:
        st.info(_("No run of this sweep has finished yet."), icon=":material/hourglass_empty:")
        return
    plot_control(sweep, table)
    dot = _run_control(table)
    if dot is not None:
        compare_control(sweep.spec.data.source, table, dot)
        prints = {row["key"]: row.get("fingerprint") for row in rows}
        _opened(sweep, table, dot, prints.get(dot.key))


def _summary(session: SweepSession, sweep: SweepFolder, table: RunsTable, done: int) -> None:
    data, choice = sweep.spec.data, sweep.choice()
    # Of halving, a run that cannot be made shorter is one run in all rungs: fewer than the total.
    runs = (
        _("all {done}", done=done)
        if choice is not None
        else _("{done} of {total}", done=min(done, sweep.total), total=sweep.total)
    )
    text = _("{name}: {runs} runs done", name=data_title(data.source.name), runs=runs)
    if table.failed:
        method, why = table.failed[0]
        text += _(
            ", {failed} failed ({method}: {why})", failed=len(table.failed), method=method, why=why
        )
    st.caption(plain(text))
    if choice is not None:
        final = next((dot for dot in table.dots if dot.final and dot.key in choice.keys), None)
        pair = choice.test.get("test_r2" if table.numbers else "test_accuracy")
        if final is not None and pair is not None:
            mean, deviation = pair
            seeds = len(choice.keys)
            spread = "" if seeds == 1 else f" ± {written(deviation, '.3f')}"
            good = f"R² {written(mean, '.3f')}{spread}"
            if not table.numbers:
                spread = "" if seeds == 1 else f" ± {written(100 * deviation, '.1f')}"
                good = f"{written(100 * mean, '.1f')}{spread} %"
            names = [name for name in table.varying if name != "seed"]
            st.success(
                ngettext(
                    "Chosen on the validation rows: **{names}**. "
                    "On the test rows: **{good}** over {n} seed.",
                    "Chosen on the validation rows: **{names}**. "
                    "On the test rows: **{good}** over {n} seeds.",
                    seeds,
                    names=plain(final.settings_text(names)),
                    good=good,
                )
                + (
                    _(
                        " {n_tested} settings of this folder have been tested on these rows, so "
                        "this result is a little too good.",
                        n_tested=choice.n_tested,
                    )
                    if choice.n_tested > 1
                    else ""
                ),
                icon=":material/verified:",
            )
        return
    job = session.job
    running = job is not None and job.alive
    if job is not None and running and job.folder == sweep.path:
        return
    with group("commands"):
        _ways_on(session, sweep, running)


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
