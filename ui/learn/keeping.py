"""Where answers go: into this browser's memory, and into a file of the visitor's own."""

import streamlit as st

from ui.language.translate import _
from ui.learn.session import LessonSession
from ui.live.component import browser_component
from ui.widgets.file_download import file_button, hand_over

_KEY = "lesson_answers"


def remember(session: LessonSession) -> None:
    """Let the browser keep the answers, and hear once what it has kept."""
    answers = session.answers

    def observed() -> None:
        stored = st.session_state[_KEY].get("kept")
        if isinstance(stored, dict) and not answers.is_restored:
            answers.restore(stored.get("records"))

    mount = browser_component("answers", "pages/answers.js")
    mount(data=answers.message(), key=_KEY, on_kept_change=observed)


def answers_control(session: LessonSession) -> None:
    answers = session.answers
    with st.popover(
        _("My answers"),
        icon=":material/assignment:",
        key="lesson_mine",
        help=_("Download your answers, or delete them."),
    ):
        st.caption(
            _(
                "Your answers stay in this browser, anonymously. The file has one row per "
                "answer: lesson, question, seed of the points, answer, and whether it was right. "
                "A class can join its files."
            )
        )
        file_button(
            _("Answers as CSV"),
            answers.as_csv,
            "answers.csv",
            "text/csv",
            icon=":material/download:",
            key="lesson_csv",
            disabled=not len(answers),
            help=_("Saves your answers for a spreadsheet."),
        )
        st.button(
            _("Delete my answers"),
            on_click=session.forget,
            icon=":material/delete:",
            key="lesson_forget",
            disabled=not len(answers),
            help=_(
                "Deletes your answers on this page and in this browser. You can then answer "
                "all questions again."
            ),
        )
    hand_over()


def arrive(key: str, count: int, label: str = "", end: bool = False) -> None:
    """A place that the browser brings into view, or the keyboard to, once ``count`` has grown.

    label: of a place for the keyboard; end: for telephones, which come back there.
    """
    data = {"plays": count, "label": label, "end": end}
    browser_component("arrive", "pages/arrive.js")(data=data, key=f"lesson_{key}")
