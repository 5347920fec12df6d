"""The tab of sweeps: start one, watch it, plot what it has found, open the tree of a run."""

from __future__ import annotations

import shlex
import time

import streamlit as st

from treecore.base.state_file import write_atomically
from treecore.persistence import from_json
from ui.drawing.theme import paint, show
from ui.experiments.index import SweepFolder, ago, data_title, sweeps_found
from ui.experiments.on_compare import compare_control
from ui.experiments.plots import LINES, PLOTS, good_text, plot_figure, says
from ui.experiments.published_curves import fitting, published
from ui.experiments.results_table import Dot, RunsTable, table_of
from ui.experiments.runs_tab import tell_left_out
from ui.experiments.sweep_form import GRID_HELP, SweepPlan, sweep_form
from ui.experiments.sweep_job import SWEEP, SweepProgress, SweepSession
from ui.experiments.tree_view import kept_of_sweep, tree_view
from ui.jobs.metrics import duration
from ui.jobs.session import session_value
from ui.language.translate import N_, _, ngettext, said, written
from ui.live.component import pulse_view
from ui.shell.class_link import group
from ui.shell.safe_text import plain
from ui.widgets.owned import owned

CHOSEN, PLOT, PUBLISHED, ROW = (
    f"experiments_{name}" for name in ("sweep", "plot", "published", "row")
)
"""Keys of the session: name of the sweep, kind of plot, dataset of the curves, key of the run."""

MEASURED = {
    "depth": N_("on test rows"),
    "nu": N_("with the leaves of the trees that its runs began with"),
    "time": N_("on the authors' machine"),
}
"""What the published curves of a plot are of."""

REDRAW_SECONDS = 4.0
"""How often the plots of a sweep at work are drawn anew, at most: each time they are mounted."""


def sweeps_tab() -> None:
    """All of it."""
    session = session_value(SweepSession)
    found = sweeps_found()
    with group("folders", "left_out"):
        tell_left_out(found, "sweep")
    with group("start"):
        _start_control(session, begun=bool(found.good))
    _progress(session)
    if not found.good:
        if session.job is None:
            st.info(
                _(
                    "No sweep is here yet. Start a small one above, or run "
                    "`treecore sweep sweep.toml`."
                ),
                icon=":material/grid_on:",
            )
        return
    with group("folders"):
        sweep = _choose(session, found.good)
    if sweep is not None:
        _show(session, sweep)


def _start_control(session: SweepSession, begun: bool) -> None:
    box = st.expander(
        _("Start a small sweep"),
        expanded=not begun,
        icon=":material/grid_on:",
        key="experiments_form",
        on_change="rerun",  # what is inside tries how long runs take
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
                "In the background, until it is done or this tab is closed. What is done is on "
                "disk at once; the same sweep, started again, skips it."
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


def _go_on(session: SweepSession, sweep: SweepFolder) -> None:
    session.start(sweep.spec, sweep.path, sweep.name, st.session_state.get("sweep_workers") or 1)


def _progress(session: SweepSession) -> None:
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
        progress = job.look()
        if running:
            pulse_view(session.channel, SWEEP, "sweep_pulse", "running")
        if progress.problem:
            st.error(
                plain(_("The sweep has ended: {problem}", problem=said(progress.problem))),
                icon=":material/error:",
            )
            if running and not progress.running:
                st.rerun()
            return
        with st.container(horizontal=True, vertical_alignment="center", gap="small"):
            st.progress(progress.share, progress_text(progress))
            st.button(
                _("Stop"),
                icon=":material/stop:",
                disabled=not progress.running,
                key="sweep_stop",
                on_click=session.stop,
                help=_("Ends the sweep. What is done is kept."),
            )
        late = time.monotonic() - drawn > REDRAW_SECONDS and progress.done > before
        if running and (late or not progress.running):
            st.rerun()  # the plots below

    stage()


def progress_text(progress: SweepProgress) -> str:
    """A sweep's progress in a line."""
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
        more = _("stopped, what is done is kept")
    return f"{text}, {more}" if text else more


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
        help=_("The folders of all sweeps on this machine, the newest first."),
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
        st.info(_("No run of this sweep is finished yet."), icon=":material/hourglass_empty:")
        return
    _plot(sweep, table)
    dot = _run_control(table)
    if dot is not None:
        compare_control(sweep.spec.data.source, table, dot)
        prints = {row["key"]: row.get("fingerprint") for row in rows}
        _opened(sweep, table, dot, prints.get(dot.key))


def _summary(session: SweepSession, sweep: SweepFolder, table: RunsTable, done: int) -> None:
    """What it is, how far, what it has chosen, and how to go on."""
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
                        " {n_tested} settings of this folder have seen the test rows by now, "
                        "so this is a little too good.",
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
        st.info(_("Another tab, or the command line, is at work on it."), icon=":material/sync:")
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            _("Go on"),
            icon=":material/play_arrow:",
            key="sweep_go_on",
            disabled=running or busy,
            on_click=_go_on,
            args=(session, sweep),
            help=_("Does what is missing; what is done is not done again."),
        )
        st.button(
            _("Look again"),
            icon=":material/refresh:",
            key="sweep_look",
            help=_("Somebody else may be at work on it: another tab, or the command line."),
        )
    if (sweep.path / "sweep.toml").exists():
        file, folder = (shlex.quote(str(p)) for p in (sweep.path / "sweep.toml", sweep.path))
        st.code(
            _("treecore sweep {file} --out {folder}", file=file, folder=folder),
            language="bash",
            wrap_lines=True,
        )


def _plot(sweep: SweepFolder, table: RunsTable) -> None:
    known = [plot for plot in PLOTS if plot != "nu" or any(d.get("nu") for d in table.dots)]
    if st.session_state.get(PLOT) not in known:
        st.session_state[PLOT] = known[0]
    row = st.container(horizontal=True, vertical_alignment="center", gap="medium")
    with row, group("plot", width="content"):
        plot = st.segmented_control(
            _("Plot"),
            known,
            format_func=lambda name: _(PLOTS[name]),
            required=True,
            key=PLOT,
            label_visibility="collapsed",
            persist_state="session",
        )
    assert plot is not None, "the choice is required, and one was made above"
    with row, group("plot", "published"):
        curves, whose = _published_control(sweep, table, plot)
    if whose:
        st.caption(plain(whose))
    show(
        plot_figure(plot, table, curves, st.session_state.get(ROW), paint()),
        f"experiments_plot_{plot}",
        _(
            "{plots}, {dots} runs; the box below opens any of them.",
            plots=_(PLOTS[plot]),
            dots=len(table.dots),
        ),
        **({} if plot == "all" else {"on_select": lambda: _picked(plot)}),
        **({} if plot == "all" else {"selection_mode": "points"}),
    )
    st.caption(_(LINES[plot]) + ("" if plot == "all" else _(" Click a dot to open its tree.")))


def _published_control(sweep: SweepFolder, table: RunsTable, plot: str):
    """Which published curves are under our own, and whose they are; others' data if asked for."""
    known = {} if table.numbers else published(plot)
    if not known:
        return (), ""
    usual = fitting(plot, data_title(sweep.spec.data.source.name))
    asked = st.session_state.get(PUBLISHED)
    if asked not in (None, *known):
        st.session_state[PUBLISHED] = asked = None
    seen = ("published_for", sweep.name, plot)
    if usual and st.session_state.get("published_for") != seen:
        st.session_state[PUBLISHED] = usual
    st.session_state["published_for"] = seen
    name = st.selectbox(
        _("Published curves"),
        list(known),
        index=None,
        key=PUBLISHED,
        label_visibility="collapsed",
        placeholder=_("Published curves"),
        help=_("What papers report of single oblique trees, drawn under the runs."),
        persist_state="session",
    )
    if name is None:
        return (), ""
    sources = _(" and ").join(dict.fromkeys(curve.source for curve in known[name]))
    data = data_title(sweep.spec.data.source.name)
    sentence = _(
        "Published on {name}: {sources}, {measured}.",
        name=name,
        sources=sources,
        measured=_(MEASURED[plot]),
    )
    if name != usual:
        sentence += _(
            " The runs here are on {data}, so the shapes may be compared, but not the numbers.",
            data=data,
        )
    return known[name], sentence


def _picked(plot: str) -> None:
    points = st.session_state[f"experiments_plot_{plot}"].selection.points
    for point in points:
        key = point.get("customdata")
        key = key[0] if isinstance(key, list | tuple) and key else key
        if isinstance(key, str):
            st.session_state[ROW] = key


def _run_control(table: RunsTable) -> Dot | None:
    """The choice of a run for the keyboard."""
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
        placeholder=_("Click a dot above, or choose a run: the best first"),
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
            reason = _("its file cannot be read any more ({why})", why=error.strerror)
        st.info(plain(_("There is no tree to show: {error}", error=reason)), icon=":material/park:")
    else:
        tree_view(stored, "experiments_sweep")
    with group("more"), st.expander(_("Its settings")):
        st.json(dot.settings, expanded=True)
