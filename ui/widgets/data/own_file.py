"""A file of one's own: how it is read, its target, and the columns that are learnt from."""

import dataclasses
from collections.abc import Mapping

import streamlit as st
from streamlit.typing import UploadedFile

from treecore.base import UPLOADS
from treecore.data import MISSING, Dataset, Kind, find_target, is_target_name
from ui.jobs.own_table import OwnTable, Request
from ui.jobs.reading import read_own
from ui.jobs.session import remembered, report_refused
from ui.language.translate import N_, _, ngettext, number, said
from ui.shell.safe_text import plain
from ui.widgets.data.gallery import FILE, UPLOAD
from ui.widgets.data.table_profile import kinds_control, kinds_of, profile, profile_text
from ui.widgets.dialog import dialog, open_dialog, opened
from ui.widgets.upload import upload_control

TASKS = {"classification": N_("Classes"), "regression": N_("Numbers")}
"""What a column can be read as, and how that is called."""

FIRST_ROW = {"guess": N_("Guess"), "names": N_("Names"), "values": N_("Values")}
"""What the first row of a text can hold, and how that is called."""

_HEADER = {"names": True, "values": False}

USUAL_WORDS = ", ".join(sorted(MISSING - {""}))
"""Words for a missing value, as they stand in the field where nobody has changed them."""

MAX_NOTES, NOTE_LENGTH = 3, 240
"""Notes that stand beside the choice of a table, and letters of each; the dialog has them all."""

_LAST = "own_last"
"""The session's key for the table that was read last, of which file, and what it is called."""


def uploaded(file: UploadedFile, request: Request) -> OwnTable:
    """A file of the user's own, read once as it is asked for, and gone with its session."""
    tables: dict[Request, OwnTable] = remembered("own_tables", file.file_id, dict)
    if request not in tables:
        while len(tables) >= 4:  # as it comes, and as it was asked for last
            del tables[next(iter(tables))]
        with st.spinner(_("Reading the file")):
            found = read_own(file.getvalue(), request, file.name)
        if found.dataset is not None:
            named = dataclasses.replace(found.dataset, name=request.named(file.name))
            found = dataclasses.replace(found, dataset=named)
        tables[request] = found
    tables[request] = tables.pop(request)  # those asked for last are kept
    return tables[request]


def own_file() -> tuple[Dataset, tuple] | None:
    """Upload a file and choose how it is read; None until there is a good table."""
    place, left, middle, right = st.columns([3, 3, 3, 2], vertical_alignment="bottom")
    with place:
        file = upload_control(
            _("Your table"),
            FILE,
            max_upload_size=UPLOADS.n_bytes // 1_000_000,
            help=_(
                "CSV or other text, Excel, Parquet, JSON Lines, LIBSVM or NumPy (.npz), also "
                "packed (.gz); the file stays on this machine."
            ),
        )
    if file is None:
        left.caption(_("A table with one row for each example, and one column to predict."))
        return None
    requested = _request(file)
    first = uploaded(file, requested)
    if len(first.sheets) > 1:
        left.selectbox(
            _("Sheet"),
            ["", *first.sheets],
            format_func=lambda name: name or _("The first with a table"),
            key=f"sheet_{file.file_id}",
            persist_state="session",
        )
    found = first
    if first.columns or first.dataset is not None:
        with left:
            requested = _target_control(file, requested, first)
        with middle:
            requested = _task_control(file, requested)
        found = uploaded(file, requested)
    guess, kinds = found, kinds_of(file.file_id)
    kinds = {n: k for n, k in kinds.items() if n in found.columns and n != requested.target}
    if kinds:
        requested = dataclasses.replace(requested, kinds=tuple(kinds.items()))
        found = _as_requested(uploaded(file, requested), kinds)
    if found.dataset is None:
        _refused(file, found)
    else:
        _summary(found.dataset)
    if found.columns or (requested.missing, requested.header) != (None, None):
        right.button(
            _("Check the columns"),
            icon=":material/table_chart:",
            key="table_profile",
            width="stretch",
            help=_(
                "Shows how each column is read, and why. Check it before training, and correct "
                "wrong kinds."
            ),
            on_click=open_dialog,
            args=(file.file_id,),
        )
        if opened() == file.file_id:
            over_the_page = dialog(_("How your table is read"), icon=":material/table_chart:")
            over_the_page(_reading)(file, requested, _settings(file), guess, found)
    if found.dataset is None:
        last = st.session_state.get(_LAST)
        return last[1] if last and last[0] == file.file_id else None
    # By name, so that whoever reads the file again leaves out the very same columns.
    left_out = (one for one in found.reports if one.why_not not in ("", "has no value"))
    kinds |= {report.name: "leave out" for report in left_out}
    requested = dataclasses.replace(requested, kinds=tuple(kinds.items()))
    chosen = found.dataset, (UPLOAD, file.file_id, requested)
    st.session_state[_LAST] = file.file_id, chosen
    return chosen


def _request(file: UploadedFile) -> Request:
    """How the file is to be read, as the controls below it have been set."""
    state = st.session_state
    missing: str | None = state.get(f"missing_{file.file_id}")
    words = None if missing is None else tuple(w.strip() for w in missing.split(",") if w.strip())
    return Request(
        sheet=state.get(f"sheet_{file.file_id}") or "",
        missing=None if missing == USUAL_WORDS else words,
        header=_HEADER.get(state.get(f"header_{file.file_id}", "guess")),
    )


def _target_control(file: UploadedFile, requested: Request, first: OwnTable) -> Request:
    if not first.columns:
        return requested
    usual = first.dataset.target_name if first.dataset else find_target(first.columns, None)
    by_name = is_target_name(usual)
    guess = _("{name} (by its name)") if by_name else _("{name} (the last column)")
    named = st.selectbox(
        _("Column to predict"),
        ["", *first.columns],  # not None, which a selectbox that is drawn again shows as nothing
        format_func=lambda name: name or guess.format(name=usual),
        key=f"target_{file.file_id}",
        help=_(
            "Choose one column of classes or numbers. To predict several numbers at once, use "
            "Python."
        ),
        persist_state="session",
    )
    return dataclasses.replace(requested, target=named or None)


def _task_control(file: UploadedFile, requested: Request) -> Request:
    """Choose what the target is read as; what it would be taken for is on offer first."""
    guess = uploaded(file, requested)
    guessed = None if guess.dataset is None else guess.dataset.task
    chosen = st.segmented_control(
        _("Predict"),
        list(TASKS),
        default=guessed,
        format_func=lambda name: _(TASKS[name]),
        required=guessed is not None,
        key=f"task_{file.file_id}_{requested.target}",
        width="stretch",
        help=_(
            "Sets whether the target is a class or a number. Change it when the guess is wrong."
        ),
        persist_state="session",
    )
    return dataclasses.replace(requested, task=None if chosen == guessed else chosen)


def _as_requested(table: OwnTable, kinds: Mapping[str, Kind]) -> OwnTable:
    """The table, or a problem where a column cannot be learnt from as it was asked to be."""
    for report in table.reports:
        if report.why_not and kinds.get(report.name, "leave out") != "leave out":
            problem = _(
                "column {name} {why_not}: choose another kind, or leave it out",
                name=repr(report.name),
                why_not=said(report.why_not),
            )
            return dataclasses.replace(table, dataset=None, problem=problem)
    return table


def _summary(dataset: Dataset) -> None:
    """What there is to learn from, and what was read otherwise than it is written."""
    summary = _("{n_classes} classes", n_classes=dataset.n_classes)
    if dataset.task == "regression":
        summary = _(
            "{target_name} from {low} to {high}",
            target_name=plain(dataset.target_name, 40),
            low=number(dataset.y.min(), 4),
            high=number(dataset.y.max(), 4),
        )
    summary = _(
        "{n_samples:,} rows, {features}, {summary}",
        n_samples=dataset.n_samples,
        features=ngettext("{n} feature", "{n} features", dataset.n_features),
        summary=summary,
    )
    lines = [summary]
    for note in map(said, dataset.notes[:MAX_NOTES]):
        is_long = len(note) > NOTE_LENGTH
        lines.append(plain(note[:NOTE_LENGTH].rpartition(" ")[0] + " …" if is_long else note))
    st.caption("  \n".join(lines))


def _settings(file: UploadedFile) -> tuple[Request, dict[str, Kind]]:
    return _request(file), dict(kinds_of(file.file_id))


def _reading(
    file: UploadedFile, requested: Request, settings: tuple, guess: OwnTable, found: OwnTable
) -> None:
    """Kinds of columns, words for missing, header, in a dialog that ends when they are changed."""
    if _settings(file) != settings:
        st.rerun()
    if found.dataset is None:
        _refused(file, found)
    columns = profile(guess, found)
    if len(columns):
        names = [report.name for report in guess.reports or found.reports]
        kinds_control(columns, names, file.file_id)
    left, right = st.columns(2)
    left.text_input(
        _("Words for missing"),
        USUAL_WORDS,
        key=f"missing_{file.file_id}",
        help=_(
            "Cells with these words count as missing, like empty cells. Add the words that your "
            "file uses, separated by commas."
        ),
        persist_state="session",
    )
    if found.is_text:
        right.segmented_control(
            _("First row"),
            list(FIRST_ROW),
            default="guess",
            format_func=lambda holds: _(FIRST_ROW[holds]),
            required=True,
            key=f"header_{file.file_id}",
            width="stretch",
            help=_(
                "Says whether the first row holds column names or an example. Change it when the "
                "guess is wrong."
            ),
            persist_state="session",
        )
    if found.dataset is not None:
        profile_text(found)


def _refused(file: UploadedFile, table: OwnTable) -> None:
    report_refused(file.file_id, "table", file.size)
    problem = said(table.problem)
    named = problem if file.name in problem else f"{file.name}: {problem}"
    st.error(plain(f"{named}."), icon=":material/error:")
