"""The name, the tags and the note of a run, and what is found by them."""

import streamlit as st

from treecore.training import METHODS
from ui.language.translate import N_, _, said
from ui.library.index import (
    LONGEST_NOTE,
    LONGEST_TAG,
    LONGEST_TITLE,
    MOST_TAGS,
    ListedRun,
    annotation,
    data_title,
    write_annotation,
)
from ui.library.link import RUN
from ui.shell.safe_text import plain

FIND = "library_find"
"""Key of the session for what is looked for."""

KEPT_WHERE = N_(
    "Saved in the run's folder. The folder keeps its own name, so links and commands still work."
)


def find_control(runs: tuple[ListedRun, ...], states: dict[str, str]) -> tuple[ListedRun, ...]:
    """The runs that have every word looked for in their name, data, method, state, tags or note."""
    words = st.text_input(
        _("Find runs"),
        key=FIND,
        icon=":material/search:",
        placeholder=_("Words of a name, data, method, state, tag or note"),
        help=_("Shows only runs that have all of these words."),
        persist_state="session",
    )
    wanted = (words or "").casefold().split()
    return tuple(run for run in runs if all(word in _text(run, states) for word in wanted))


def _text(run: ListedRun, states: dict[str, str]) -> str:
    config, given = run.folder.config, run.annotation
    method = METHODS[config.method]
    named = (run.name, given.title, data_title(run.data), config.method, _(method.title))
    return "\n".join((*named, _(states[run.state]), *given.tags, given.note)).casefold()


def annotation_form(run: ListedRun) -> None:
    given = run.annotation
    # Another run has widgets of its own, and so has one that somebody else has changed meanwhile.
    place = f"annotation_{run.name}_{hash(given)}"
    box = st.expander(_("Name, tags and note"), icon=":material/label:")
    with box, st.form(place, border=False):
        title = st.text_input(
            _("Name"), given.title, LONGEST_TITLE, key=f"{place}_title", placeholder=run.name
        )
        tags = st.multiselect(
            _("Tags"),
            given.tags,
            given.tags,
            key=f"{place}_tags",
            accept_new_options=True,
            max_selections=MOST_TAGS,
            placeholder=_("Type a tag, then Enter"),
            help=_("At most {n} letters each.", n=LONGEST_TAG),
        )
        note = st.text_area(_("Note"), given.note, max_chars=LONGEST_NOTE, key=f"{place}_note")
        if not st.form_submit_button(_("Save"), icon=":material/save:", help=_(KEPT_WHERE)):
            return
        try:
            write_annotation(run.folder.path, annotation(title, tags, note))
        except ValueError as error:
            st.error(plain(said(error)), icon=":material/error:")
            return
    st.session_state[f"{RUN}_owned"].value = None  # a browser keeps the old name of a choice
    st.rerun()
