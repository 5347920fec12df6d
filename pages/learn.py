"""Learn: short lessons. Read, answer, then play and see whether it was right."""

import streamlit as st

from ui.jobs.session import session_value
from ui.lab.choices import FORESTS, Limit
from ui.lab.link import comparison_params
from ui.language.translate import _
from ui.learn.lessons import LESSON, LESSONS, PROBLEMS
from ui.learn.link import lesson_params, read_lesson
from ui.learn.parts import TRANSFER, USUAL_NU, Lesson
from ui.learn.questions import answers_control, arrive, lesson_view, remember
from ui.learn.session import CLOCK, LessonSession
from ui.learn.views import hand, learn_here, views
from ui.links.data import data_params
from ui.links.visit import read_link, report_problems, show_link
from ui.shell.page_style import lay
from ui.shell.router import page_file
from ui.shell.safe_text import plain
from ui.widgets.heading import unseen_heading
from ui.widgets.owned import owned

N = len(LESSONS)


def main() -> None:
    report_problems("learn", read_link("learn", read_lesson))
    unseen_heading(_("Learn"))
    session = session_value(LessonSession)
    number, below = contents(), st.container()
    seed = st.session_state.setdefault("lesson_seed", 0)
    lesson = session.open(number, seed, st.session_state.get("lesson_nu", USUAL_NU))
    show_link("learn", lesson_params(st.session_state))
    state = session.look()
    with below:
        progress(session)

    left, right = st.columns([5, 9], gap="large")
    with left, st.container(key="lesson_words"):
        arrive("page", session.pages_turned, _(lesson.title))
        lesson_view(session, lesson, seed, state)
    with right:
        arrive("arrive", session.plays)
        hand(session, state)
        views(session)
    turn_pages(session, lesson)
    learn_here(session)
    remember(session)
    lay("lesson", "paper", "paper_lesson")


def contents() -> int:
    """The row of lessons; gives the one that is open."""
    for problem in PROBLEMS:
        st.warning(plain(str(problem)), icon=":material/description:")
    lesson = owned("lesson", LESSONS[0].number)
    return st.segmented_control(
        _("Lessons"),
        list(LESSON),
        default=lesson.value,
        required=True,
        format_func=lambda n: f"{n} · {_(LESSON[n].short)}",
        label_visibility="collapsed",
        help=_("Each lesson takes a minute. You can take them in any order."),
        **lesson.widget(),
    )


def progress(session: LessonSession) -> None:
    """How many lessons are done, and what can be had of the answers."""
    done = sum(session.answers.is_done(lesson) for lesson in LESSONS)
    with st.container(horizontal=True, vertical_alignment="center"):
        said = _(":small[{done} of {n} lessons answered]", done=done, n=N)
        st.container(width="stretch").progress(done / N, said)
        answers_control(session)


def turn_pages(session: LessonSession, lesson: Lesson) -> None:
    """To the lessons before and after, and to where one can go on alone."""
    is_over = session.verdict(TRANSFER) is not None
    place = LESSONS.index(lesson)
    before, after = LESSONS[max(place - 1, 0)], LESSONS[min(place + 1, N - 1)]
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            _("Previous"),
            on_click=_go,
            args=(before.number,),
            icon=":material/arrow_back:",
            disabled=before is lesson,
            key="lesson_previous",
            help=_("Go to the previous lesson."),
        )
        st.button(
            _("Next"),
            on_click=_go,
            args=(after.number,),
            type="primary" if is_over and after is not lesson else "secondary",
            icon=":material/arrow_forward:",
            icon_position="right",
            disabled=after is lesson,
            key="lesson_next",
            help=_("Go to the next lesson."),
        )
        go_on(session, lesson)


def go_on(session: LessonSession, lesson: Lesson) -> None:
    """A link to the same data and settings where everything can be changed."""
    data, configs = session.data, session.configs(session.part)
    assert data is not None, "a lesson is open"
    if len({config.depth for config in configs}) > 1:
        return  # on the page that compares, all have the same
    params = comparison_params(data, Limit("depth", configs[0].depth), CLOCK, configs)
    st.page_link(
        page_file("lab"),
        label=_("Explore further"),
        icon=":material/tune:",
        query_params=params,
        help=_("The same points and trees in the Lab, where you can change every setting."),
    )
    if "[[forest]]" in lesson.afterword:
        st.page_link(
            page_file("lab"),
            label=_("Watch forests"),
            icon=":material/forest:",
            query_params=data_params(data.key, data.train.name) | {"run": list(FORESTS)},
            help=_("Watch many trees vote on the same points."),
        )


def _go(number: int) -> None:
    st.session_state.lesson = number
    session_value(LessonSession).pages_turned += 1


main()
