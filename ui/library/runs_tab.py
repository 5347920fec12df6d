"""The tab of runs: all run folders in a table, and one of them opened."""

import shlex
from collections.abc import Callable, Mapping, Sequence
from html import escape

import pandas as pd
import streamlit as st

from treecore.losses import find_loss
from treecore.runs import figures_of
from treecore.training import METHODS, left_out
from ui.drawing.theme import paint, run_colours
from ui.jobs.kept_link import compared_link
from ui.jobs.metrics import duration
from ui.language.translate import N_, _, said, writing
from ui.library.annotation_form import annotation_form, find_control
from ui.library.comparisons import comparisons
from ui.library.index import (
    REMOVED,
    ListedRun,
    data_title,
    put_back,
    remove,
    runs_found,
    show_left_out,
)
from ui.library.learning_curves import CURVES_BY, DASHES, curves, overlaid
from ui.library.link import OVER, RUN
from ui.library.tree_view import history_of, kept_run, tree_view
from ui.shell.class_link import group
from ui.shell.router import page_file
from ui.shell.safe_text import in_html, plain
from ui.widgets.data.tiles import thumbnail
from ui.widgets.owned import owned
from ui.widgets.run_folders import FOLDER

GONE = "library_gone"
"""Key of the session for the name of the run that was removed last."""

STATES = {
    "finished": N_("finished"),
    "stopped": N_("stopped"),
    "running": N_("running"),
    "cut": N_("interrupted"),
    "unknown": N_("running or interrupted"),
}


def runs_tab() -> None:
    found = runs_found()
    with group("folders", "left_out"):
        show_left_out(found, "run")
    if not found.good:
        _undo()
        st.info(
            _(
                "No saved runs yet. Train a tree in the Lab, then choose *More*, *Export*, *Save "
                "run*; or run `treecore train sample:spirals`."
            ),
            icon=":material/folder_open:",
        )
        st.page_link(page_file("lab"), label=_("To the Lab"), icon=":material/play_circle:")
        return
    with group("folders"):
        runs = find_control(found.good, STATES)
        if not runs:
            _undo()
            st.info(_("No run has all of these words."), icon=":material/search_off:")
            return
        comparisons(runs)
        _table(runs)
        run = _choose(runs)
    if run is None:
        return
    with group("folders", "over"):
        over = _choose_over(run, runs)
    if over:
        _laid_over([run, *over])
    _opened(run)


def _table(runs: tuple[ListedRun, ...]) -> None:
    numbers = [find_loss(run.folder.config.loss).task == "regression" for run in runs]
    shares = [None if run.good is None else 100 * run.good for run in runs]
    shown = [thumbnail(data_title(run.data), paint()) or None for run in runs]
    columns = {
        _("Picture"): shown,
        _("Run"): [run.title for run in runs],
        _("Data"): [data_title(run.data) for run in runs],
        _("Method"): [_(METHODS[run.folder.config.method].title) for run in runs],
        _("State"): [_(STATES[run.state]) for run in runs],
        _("Tags"): [list(run.annotation.tags) for run in runs],
        _("Accuracy"): [
            None if number else good for good, number in zip(shares, numbers, strict=True)
        ],
        "R²": [good if number else None for good, number in zip(shares, numbers, strict=True)],
        _("Active leaves"): [run.figures.get("active_leaves") for run in runs],
        _("Seconds"): [run.figures.get("seconds") for run in runs],
        _("When"): pd.to_datetime([run.when for run in runs], unit="s", utc=True),
    }
    if not any(shown):
        del columns[_("Picture")]
    if not any(run.annotation.tags for run in runs):
        del columns[_("Tags")]
    if not any(numbers):
        del columns["R²"]
    if all(numbers):
        del columns[_("Accuracy")]
    good_help = _("Accuracy on the test examples; on the training examples if there are none.")
    column = st.column_config
    st.dataframe(
        pd.DataFrame(columns),
        hide_index=True,
        height=min(35 * len(runs) + 38, 320),
        key="library_runs",
        on_select=lambda: _picked(runs),
        selection_mode="single-row",
        column_config={
            _("Picture"): column.ImageColumn(width=72),
            _("Accuracy"): column.NumberColumn(format="%.1f %%", help=good_help),
            "R²": column.NumberColumn(format="%.1f %%", help=good_help),
            _("Active leaves"): column.NumberColumn(
                help=_("Leaves that at least one training example reaches.")
            ),
            _("When"): column.DatetimeColumn(format="distance"),
            _("Seconds"): column.NumberColumn(format="%.2f", help=_("Seconds spent learning.")),
        },
        placeholder="",
        alt=_("All saved runs, newest first."),
    )


def _picked(runs: tuple[ListedRun, ...]) -> None:
    rows = st.session_state.library_runs.selection.rows
    if rows and rows[0] < len(runs):
        st.session_state[RUN] = runs[rows[0]].name


def _choose(runs: tuple[ListedRun, ...]) -> ListedRun | None:
    """The same choice for the keyboard, and the one that a link makes."""
    names = [run.name for run in runs]
    chosen = owned(RUN, names[0], names)
    name = st.selectbox(
        _("Open a run"),
        names,
        names.index(chosen.value),
        format_func=_named(runs),
        help=_("Shows a run's settings, curves and tree. You can also click a row of the table."),
        **chosen.widget(),
    )
    return next((run for run in runs if run.name == name), None)


def _named(runs: Sequence[ListedRun]) -> Callable[[str], str]:
    return {run.name: run.label for run in runs}.__getitem__


def _choose_over(run: ListedRun, runs: tuple[ListedRun, ...]) -> list[ListedRun]:
    """Which other runs are laid over the open one, of those whose figures are of the same kind."""
    task = find_loss(run.folder.config.loss).task
    others = {
        one.name: one
        for one in runs
        if one.name != run.name and find_loss(one.folder.config.loss).task == task
    }
    if not others:
        return []
    requested = st.session_state.get(OVER, ())
    st.session_state[OVER] = [name for name in requested if name in others][: len(DASHES) - 1]
    names = st.multiselect(
        _("Overlay"),
        list(others),
        format_func=_named(runs),
        key=OVER,
        max_selections=len(DASHES) - 1,
        placeholder=_("Curves of other runs in the same charts"),
        help=_(
            "Adds curves of other runs to the charts. Use it to see which run learns faster and "
            "ends better."
        ),
        persist_state="session",
    )
    return [others[name] for name in names]


def _laid_over(runs: list[ListedRun]) -> None:
    histories = {run.label: history for run in runs if (history := history_of(run.folder))}
    runs = [run for run in runs if run.label in histories]
    colours = run_colours([run.folder.config.method for run in runs], paint().dark)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        by = st.segmented_control(
            _("Curves by"),
            list(CURVES_BY),
            format_func=lambda name: _(CURVES_BY[name]),
            default="passes",
            required=True,
            key="library_by",
            help=_(
                "Sets the horizontal axis: epochs, levels or rounds, as each method counts, or "
                "seconds of learning. Choose seconds to compare methods."
            ),
            persist_state="session",
        )
    assert by is not None, "the choice is required"
    numbers = find_loss(runs[0].folder.config.loss).task == "regression"
    overlaid(histories, colours, numbers, by, "library_over_curves")
    st.html(_legend(runs, colours))
    if len({run.data for run in runs}) > 1:
        st.caption(
            _("These runs use different data: compare the shapes of the curves, not their heights.")
        )


def _legend(runs: Sequence[ListedRun], colours: Sequence[str]) -> str:
    """A line a run: its colour, its data and method, and settings in which those with it differ."""
    settings = [run.folder.config.as_dict() for run in runs]
    names = list(dict.fromkeys(name for values in settings for name in values if name != "method"))
    apart = [name for name in names if len({repr(v[name]) for v in settings if name in v}) > 1]
    lines = []
    for run, values, colour in zip(runs, settings, colours, strict=True):
        parts = [
            data_title(run.data),
            _(METHODS[values["method"]].title),
            *(f"{name} {values[name]}" for name in apart if name in values),
        ]
        lines.append(
            f'<li><i style="background: {colour}"></i><b>{escape(run.label)}</b>: '
            f"{escape(', '.join(parts))}</li>"
        )
    return f'<ul class="over-runs">{"".join(lines)}</ul>'


def _opened(run: ListedRun) -> None:
    config, folder = run.folder.config, run.folder
    method = METHODS[config.method]
    facts = [
        _(method.title),
        data_title(run.data),
        _("seed {seed}", seed=config.seed),
        _(STATES[run.state]),
    ]
    # A name may be of spaces only.
    st.header(plain(run.title, 80) or plain(repr(run.name)), anchor=False)
    named = [run.name] if run.title != run.name else []
    st.caption(plain(" · ".join([*facts, *named, *run.annotation.tags]), 400))
    if run.annotation.note:
        st.html(f'<div style="white-space: pre-line">{in_html(run.annotation.note)}</div>')
    if gone := left_out(folder.record["config"]):
        told = ", ".join(f"{name} ({_(instead)})" for name, instead in gone.items())
        st.caption(
            plain(
                _(
                    "This run is from an earlier version, so this page leaves out {gone}.",
                    gone=told,
                ),
                400,
            )
        )
    history = history_of(folder)
    numbers = find_loss(config.loss).task == "regression"
    # A run at work has written no figures yet.
    _figures(run.figures or (figures_of(history[-1]) if history else {}), numbers, method.unit)
    with group("commands"):
        _ways_on(run)
    try:
        stored = kept_run(run.name, folder, history)
    except (OSError, ValueError) as error:
        # Its own words name the server's folders.
        why = str(error).replace(str(folder.path), run.name)
        st.info(
            plain(_("This page cannot show a tree: {error}", error=why)), icon=":material/park:"
        )
        if history:
            curves(history, numbers, "library_run_curves")
    else:
        tree_view(stored, "library_run")
    with group("more", "annotation"):
        annotation_form(run)
        _remove_control(run)
        _undo()
    with group("more"), st.expander(_("Settings and versions")):
        st.json(
            {
                "settings": config.as_dict(),
                "rows": folder.source.as_dict() if folder.source else None,
                "fingerprint": folder.record.get("fingerprint"),
                "versions": folder.record.get("versions"),
            },
            expanded=2,
        )


def _remove_control(run: ListedRun) -> None:
    pressed = st.button(
        _("Remove from the Library"),
        icon=":material/delete:",
        key="library_remove",
        disabled=run.state == "running",
        help=_(
            "Removes the run from this page. Its files stay on the server; run.json is renamed "
            "to {name}.",
            name=REMOVED,
        ),
    )
    if pressed:
        try:
            remove(run.name)
        except ValueError as error:
            st.error(plain(said(error)), icon=":material/error:")
            return
        st.session_state[GONE] = run.name
        st.rerun()


def _undo() -> None:
    """What was removed last in this session, and the way back, beside the button that removes."""
    name = st.session_state.get(GONE)
    if name is None:
        return
    with st.container(horizontal=True, vertical_alignment="center"):
        st.caption(_("{name} was removed from the Library.", name=plain(name, 60)), width="content")
        if st.button(_("Undo"), icon=":material/undo:", key="library_undo"):
            del st.session_state[GONE]
            try:
                put_back(name)
            except ValueError as error:
                st.error(plain(said(error)), icon=":material/error:")
                return
            st.session_state[RUN] = name
            st.rerun()


def _ways_on(run: ListedRun) -> None:
    config, folder = run.folder.config, run.folder
    if run.state == "running":
        return  # by whoever is at work on it
    # A stream has no rows that a page could hold; forests and trees behind a kernel no map there.
    one = METHODS[config.method].family == "tree" and config.kernel == "none"
    if one and folder.source and "stream" not in folder.record:
        st.page_link(
            page_file("lab"),
            label=_("Continue in the Lab") if run.state != "finished" else _("Open in the Lab"),
            icon=":material/play_circle:",
            query_params={FOLDER: run.name},
            help=_("Continues with this run's examples and settings from its last checkpoint."),
        )
    if link := compared_link(folder.path):
        st.page_link(
            page_file("lab"),
            label=_("Open its comparison in the Lab"),
            icon=":material/compare_arrows:",
            query_params=link,
            help=_("Opens all runs that were saved together. Play trains the same models again."),
        )
    if folder.source is not None and run.state != "finished":
        command = f"treecore train --resume {shlex.quote(str(folder.path))}"
        st.code(command, language="bash", wrap_lines=True)


def _figures(figures: Mapping[str, float], numbers: bool, unit: str) -> None:
    name, share = "R²" if numbers else _("Accuracy"), writing(".1%")
    key = "r2" if numbers else "accuracy"
    texts: tuple[tuple[str, float | None, Callable[[float], str]], ...] = (
        (_("{name}, test", name=name), figures.get(f"validation_{key}"), share),
        (_("{name}, training", name=name), figures.get(key), share),
        (_("Active leaves"), figures.get("active_leaves"), writing(".0f")),
        (_(unit).capitalize(), figures.get("done", figures.get("epoch")), writing("g")),
        (_("Learning"), figures.get("seconds"), duration),
    )
    shown = [(label, value, text) for label, value, text in texts if value is not None]
    if not shown:
        return
    with st.container(horizontal=True, gap="medium"):
        for label, value, text in shown:
            st.metric(label, text(value), width="content")
