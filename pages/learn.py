"""Learn: six short lessons. Read, answer, then play and see whether it was right."""

import streamlit as st

from ui.compare.link import comparison_params
from ui.jobs.session import session_value
from ui.learn.lessons import LESSONS, NUS, USUAL_NU, Lesson
from ui.learn.link import lesson_params, read_lesson
from ui.learn.session import CLOCK, LessonSession
from ui.learn.views import hand, views
from ui.learn.words import prose
from ui.links.data import data_params
from ui.links.training import training_params
from ui.links.visit import read_link, report_problems, show_link
from ui.shell.router import page_file
from ui.widgets.heading import unseen_heading

N = len(LESSONS)


def main() -> None:
    """The page from top to bottom."""
    report_problems("learn", read_link("learn", read_lesson))
    unseen_heading("Learn")
    session = session_value(LessonSession)
    number, below = contents(), st.container()
    seed = st.session_state.setdefault("lesson_seed", 0)
    lesson = session.open(number, seed, st.session_state.get("lesson_nu", USUAL_NU))
    show_link("learn", lesson_params(st.session_state))
    scene = session.comparison.tick()
    state = session.comparison.state(scene)
    known = session.note(scene)
    done = len(session.answered)
    below.progress(done / N, f":small[{done} of {N} lessons answered]")

    left, right = st.columns([5, 9], gap="large")
    with left:
        st.subheader(lesson.title, anchor=False)
        st.html(prose(lesson.text, st.context.theme.type == "dark"))
        question(session, number, lesson, state, known)
    with right:
        hand(session, state)
        views(session, lesson)
    turn_pages(session, number, lesson, known)


def contents() -> int:
    """The row of lessons; gives the one that is open."""
    number = st.segmented_control(
        "Lessons",
        range(1, N + 1),
        default=1,
        required=True,
        format_func=lambda n: f"{n} · {LESSONS[n - 1].short}",
        key="lesson",
        label_visibility="collapsed",
        help="Each lesson takes a minute, and stands on its session.",
        persist_state="session",
    )
    return number


def question(session: LessonSession, number: int, lesson: Lesson, state: str, known: bool) -> None:
    """The question, the button that plays once there is an answer, and what came of it."""
    choice = session.committed.get(number)
    if choice is None:
        choice = st.radio(
            f"**{lesson.question}**",
            range(len(lesson.choices)),
            index=None,
            format_func=lesson.choices.__getitem__,
            key=f"lesson_answer{number}",
        )
    else:  # given before playing, and not to be changed by what is seen
        marks = (":material/radio_button_checked:", ":material/radio_button_unchecked:")
        listed = [f"{marks[i != choice]} {text}" for i, text in enumerate(lesson.choices)]
        st.markdown(f"**:small[{lesson.question}]**\n\n:small[" + "]  \n:small[".join(listed) + "]")
    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        if state == "running":
            st.button(
                "Pause",
                on_click=session.comparison.pause,
                icon=":material/pause:",
                key="lesson_pause",
                help="Stop here; playing can go on later.",
            )
        else:
            st.button(
                "Play again" if known else "Play to see",
                on_click=session.commit,
                args=(number, choice),
                type="secondary" if known else "primary",
                icon=":material/play_arrow:",
                disabled=choice is None or state in ("waiting", "failed"),
                key="lesson_play",
                help="First choose an answer, then let the trees learn.",
            )
        st.button(
            "Other points",
            on_click=_draw,
            args=(st.session_state.lesson_seed + 1,),
            icon=":material/casino:",
            key="lesson_points",
            help="Draw the points anew: was it luck? Then the question is asked again.",
        )
    if lesson.has_slider:
        st.select_slider(
            "ν of tree II",
            NUS,
            USUAL_NU,
            key="lesson_nu",
            help="Play again after a change; the line in the chart grows with every ν you try.",
            persist_state="session",
        )
    if known and number in session.committed:
        verdict = session.verdict()
        if choice == verdict.right:
            st.success(f"**Right.** {verdict.told}", icon=":material/check_circle:")
        else:
            answer = lesson.choices[verdict.right]
            st.info(f"**No: {answer[0].lower()}{answer[1:]}.** {verdict.told}")
        if lesson.afterword:
            st.html(prose([lesson.afterword], st.context.theme.type == "dark"))
    elif choice is None:
        st.caption("Choose an answer first. Then play, and see.")


def _draw(seed: int) -> None:
    st.session_state.lesson_seed = seed


def turn_pages(session: LessonSession, number: int, lesson: Lesson, known: bool) -> None:
    """To the lessons before and after, and to where one can go on alone."""
    with st.container(horizontal=True, vertical_alignment="center", gap="small"):
        st.button(
            "Previous",
            on_click=_go,
            args=(number - 1,),
            icon=":material/arrow_back:",
            disabled=number == 1,
            key="lesson_previous",
            help="The lesson before this one.",
        )
        st.button(
            "Next",
            on_click=_go,
            args=(number + 1,),
            type="primary" if known and number < N else "secondary",
            icon=":material/arrow_forward:",
            icon_position="right",
            disabled=number == N,
            key="lesson_next",
            help="The lesson after this one.",
        )
        go_on(session, lesson)


def go_on(session: LessonSession, lesson: Lesson) -> None:
    """A link to the same data and settings where everything can be changed."""
    data, configs = session.comparison.data, [one.config for one in session.comparison.contestants]
    assert data is not None, "a lesson is open"
    if len(configs) == 1:
        page, params = page_file("train"), training_params(data.key, data.train.name, *configs)
    else:
        page = page_file("compare")
        params = comparison_params(data, configs[0].depth, CLOCK, configs)
    st.page_link(
        page,
        label="Go on by yourself",
        icon=":material/tune:",
        query_params=params,
        help="The same points and trees, where everything can be changed.",
    )
    if "[[forest]]" in lesson.afterword:
        st.page_link(
            page_file("forests"),
            label="Watch forests",
            icon=":material/forest:",
            query_params=data_params(data.key, data.train.name),
            help="Many trees that vote, on the same points.",
        )


def _go(number: int) -> None:
    st.session_state.lesson = number


main()
