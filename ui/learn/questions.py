"""What a lesson says and asks, from top to bottom, and where the answers go."""

import html

import streamlit as st

from ui.jobs.run_title import NUMERALS
from ui.language.translate import N_, _, within
from ui.learn.figures import side_by_side
from ui.learn.outcomes import Verdict
from ui.learn.parts import FIRST, GUESS, NUS, TRANSFER, USUAL_NU, WHY, Guess, Lesson, Reason, Trial
from ui.learn.session import LessonSession
from ui.learn.words import prose
from ui.live.component import browser_component
from ui.widgets.file_download import file_button, hand_over


def lesson_view(session: LessonSession, lesson: Lesson, seed: int, state: str) -> None:
    """The lesson beside its runs, as far as it has come; state: that of the runs on the screen."""
    st.header(_(lesson.title), anchor=False)
    settled = session.verdict(FIRST)
    _prose(lesson.text, folded=_("Topic") if settled else "")
    arrive("question", session.parts_shown, _("The question"))
    if session.part == TRANSFER:
        _prose([lesson.other])
        _guess(session, lesson, TRANSFER, lesson.transfer, seed, state)
        if session.verdict(TRANSFER) and lesson.afterword:
            _prose([lesson.afterword])
        st.markdown(_("**Earlier in this lesson**"))
    if settled is None or session.part == FIRST:
        _guess(session, lesson, GUESS, lesson.guess, seed, state)
    else:
        _show_verdict(session, lesson, GUESS, lesson.guess, seed, settled)
        _numbers(session, FIRST)
    if settled:
        _why(session, lesson, seed, state)


def _guess(
    session: LessonSession, lesson: Lesson, question: str, guess: Guess, seed: int, state: str
) -> None:
    """A question, the button that plays once there is an answer, and what came of it."""
    part = FIRST if question == GUESS else TRANSFER
    verdict = session.verdict(part)
    given = session.answers.get(lesson, question, seed)
    choice = _choices(session, lesson, question, seed)
    _held(guess.trial)
    known = verdict is not None
    _controls(session, state, question, choice, known, seed)
    if guess.trial.has_slider:
        st.select_slider(
            _slider_label(guess.trial),
            NUS,
            USUAL_NU,
            key="lesson_nu",
            help=_("Change ν and play again. The chart's line grows with every ν you try."),
            persist_state="session",
        )
    arrive(f"verdict_{question}", session.ends, end=True)
    if verdict is not None and given is not None:
        _show_verdict(session, lesson, question, guess, seed, verdict)
        _numbers(session, part)
    elif given is not None and state == "paused":
        st.caption(_("Your answer is recorded. Press Play to see."))
    elif given is not None and state == "waiting":
        st.caption(_("Getting ready. The runs will start on their own."))
    elif choice is None:
        st.caption(_("Choose an answer first, then press Play."))


def _slider_label(trial: Trial) -> str:
    """Whose ν the slider sets, where that is not the one of all trees."""
    own = [numeral for numeral, run in zip(NUMERALS, trial.runs, strict=False) if run.has_slider]
    return "ν" if len(own) == len(trial.runs) else _("ν of tree {numeral}", numeral=", ".join(own))


def _choices(session: LessonSession, lesson: Lesson, question: str, seed: int) -> int | None:
    """The answers to a question, to be chosen from until one is recorded; gives the chosen one."""
    given = session.answers.get(lesson, question, seed)
    order, texts = lesson.order(question, seed), lesson.choices(question)
    key = f"lesson_{question}_{lesson.key}_{seed}"
    return st.radio(  # given before playing, and not to be changed by what is seen
        _(lesson.requested(question)),
        order,
        index=None if given is None else order.index(given.choice),
        format_func=lambda i: _(texts[i]),
        disabled=given is not None,
        key=key if given is None else f"{key}_given",
    )


def _controls(
    session: LessonSession, state: str, question: str, choice: int | None, known: bool, seed: int
) -> None:
    """Play and pause; ``question`` is empty where runs only show why."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if state == "running":
            st.button(
                _("Pause"),
                on_click=session.runs.pause,
                icon=":material/pause:",
                key="lesson_pause",
                help=_("Pauses here; you can continue later."),
            )
        else:
            requested = bool(question)
            st.button(
                _("Play again") if known else _("Play and see"),
                on_click=session.commit if requested else session.play,
                args=(question, choice) if requested else (),
                type="secondary" if known else "primary",
                icon=":material/play_arrow:",
                disabled=(requested and choice is None) or state == "failed",
                key="lesson_play",
                help=_("Shows the runs again from the start.")
                if known
                else _("Choose an answer first, then let the trees learn."),
            )
        if question == GUESS:
            st.button(
                _("Other points"),
                on_click=_draw,
                args=(seed + 1,),
                icon=":material/casino:",
                key="lesson_points",
                help=_(
                    "Draws new points, to see whether it was luck. Then asks the question again."
                ),
            )


def _show_verdict(
    session: LessonSession, lesson: Lesson, question: str, guess: Guess, seed: int, verdict: Verdict
) -> None:
    given = session.answers.get(lesson, question, seed)
    if given is None or given.choice == verdict.right:
        first = _("**Right.** ") if given else ""
        st.success(f"{first}{verdict.explanation}", icon=":material/check_circle:")
    else:
        answer = _((*guess.choices, N_("None clearly"))[verdict.right])
        st.info(_("**No: {answer}.** {told}", answer=within(answer), told=verdict.explanation))
    if question == GUESS:
        _prose([lesson.claim], kind="claim")


def _why(session: LessonSession, lesson: Lesson, seed: int, state: str) -> None:
    """The question why; what each answer means, once there is one, and the runs against it."""
    given = session.answers.get(lesson, WHY, seed)
    choice = _choices(session, lesson, WHY, seed)
    arrive("reasons", session.reasons_given, _("Meaning of your answer"))
    if given is None:
        st.button(
            _("Answer"),
            on_click=session.commit,
            args=(WHY, choice),
            type="primary",
            disabled=choice is None,
            key="lesson_why",
            help=_("Choose the reason that you believe in."),
        )
        return
    chosen = lesson.reasons[given.choice]
    if chosen.against is None:
        st.success(
            _("**That is the reason.** {meaning}", meaning=_(chosen.meaning)),
            icon=":material/check_circle:",
        )
    else:
        st.info(_("**That is not the reason.** {meaning}", meaning=_(chosen.meaning)))
        _against(session, given.choice, chosen, state)
    with st.expander(_("The other answers")):
        for number in lesson.order(WHY, seed):
            if number != given.choice:
                reason = lesson.reasons[number]
                right = _(" This is the reason.") if reason.against is None else ""
                st.markdown(f"**{_(reason.text)}.**{right} {_(reason.meaning)}")
                if reason.against is not None:
                    _against(session, number, reason, state)
    if session.part != TRANSFER:
        st.button(
            _("Try it elsewhere"),
            on_click=session.show,
            args=(TRANSFER,),
            type="primary",
            icon=":material/arrow_forward:",
            key="lesson_transfer",
            help=_("The last question of this lesson: the same on new data."),
        )
    if session.part != FIRST:
        st.button(
            _("Back to the first runs"),
            on_click=session.show,
            args=(FIRST,),
            icon=":material/undo:",
            key="lesson_back",
            help=_("Return to the first runs of this lesson."),
        )


def _against(session: LessonSession, number: int, reason: Reason, state: str) -> None:
    """The runs that speak against an answer: a click shows them, and what came of it."""
    part, against = f"{WHY}{number}", reason.against
    assert against is not None, "a misconception"
    if session.part != part:
        st.button(
            _("Show me why not"),
            on_click=session.show,
            args=(part, True),
            icon=":material/visibility:",
            key=f"lesson_show{number}",
            help=_("Watch runs that contradict this answer."),
        )
        return
    _prose([against.watch])
    if against.trial is not None:
        _held(against.trial)
    _controls(session, state, "", None, session.played(part) is not None, 0)
    if verdict := session.verdict(part):
        st.info(verdict.explanation)
        _numbers(session, part)


def _held(trial: Trial) -> None:
    _prose(
        [
            _(
                "*What differs:* {changed}.  *What stays the same:* {held}.",
                changed=_(trial.changed),
                held=_(trial.held),
            )
        ],
        kind="held",
    )


def _numbers(session: LessonSession, part: str) -> None:
    runs = session.played(part)
    if runs is None:
        return
    trial = session.trial_of(part)
    names = [trial.run_name(i, config) for i, config in enumerate(session.configs(part))]
    titles, *rows = side_by_side(trial.figures, runs)
    st.html(table(titles, names, rows))


def table(titles: list[str], names: list[str], rows: list[list[str]]) -> str:
    """Figures as a table: a column a run, so that they stand side by side, and a row a figure."""
    head = "".join(f"<th scope='col'>{html.escape(name)}</th>" for name in names)
    body = ""
    for i, title in enumerate(titles):
        cells = "".join(f"<td>{html.escape(row[i])}</td>" for row in rows)
        body += f"<tr><th scope='row'>{html.escape(title)}</th>{cells}</tr>"
    return (
        "<table class='lesson-figures'><thead><tr><td></td>"
        f"{head}</tr></thead><tbody>{body}</tbody></table>"
    )


def _prose(paragraphs, folded: str = "", kind: str = "") -> None:
    st.html(prose(paragraphs, folded, kind))


def _draw(seed: int) -> None:
    st.session_state.lesson_seed = seed


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
