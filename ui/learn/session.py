"""A session's classroom: the runs of the present lesson, and what the learner has answered.

A lesson is a small comparison: its runs are learnt and shown by the same :class:`Match` as those of
the page that compares, each over the whole of its own way.
"""

from __future__ import annotations

import streamlit as st

from treecore.data.generators import GENERATORS
from ui.drawing.planes import feature_plane
from ui.jobs.chosen_data import ChosenData
from ui.jobs.training_job import History
from ui.learn.lessons import LESSONS, TEST_SHARE, Lesson
from ui.learn.outcomes import Verdict
from ui.live.comparison import Match, Scene
from ui.widgets.dataset_picker import chosen, drawn

CLOCK = "share"
"""Every run goes from its beginning to its end at once."""

SECONDS_OF_SHOW = 8.0


class Room:
    """Holds the match of the lesson that is open.

    Attributes
    ----------
    committed : dict of int to int
        By lesson, the choice that the learner has made before playing.
    answered : set of int
        Lessons that have been played to the end after a choice.
    tried : dict of float to int
        On ν: active leaves of every ν that has been played to the end, for the present points.
    """

    def __init__(self):
        self.match = Match()
        self.committed: dict[int, int] = {}
        self.answered: set[int] = set()
        self.tried: dict[float, int] = {}
        self._seen: set[tuple] = set()
        self._number: int | None = None
        self._seed: int | None = None
        self._key: tuple | None = None

    def open(self, number: int, seed: int, nu: float) -> Lesson:
        """Take up lesson ``number`` (from 1) with these points and this ν."""
        lesson = LESSONS[number - 1]
        if (number, seed) != (self._number, self._seed):
            self.match.pause()  # the next lesson waits for an answer
            self.tried.clear()
            if seed != self._seed:  # what has been answered was about other points
                self.committed.clear()
            self._number, self._seed = number, seed
        data = points_of(lesson, seed)
        plane = feature_plane(data.train, 0, 1)
        self._key = (number, seed, nu if lesson.has_slider else None)
        self.match.take_up(data, lesson.runs(seed, nu), plane)
        self.match.set_clock(CLOCK)
        self.match.seconds_of_show = SECONDS_OF_SHOW
        return lesson

    def commit(self, number: int, choice: int) -> None:
        """Answer the question, and see."""
        self.committed[number] = choice
        self.match.play()

    def note(self, scene: Scene) -> bool:
        """Take note of what has been seen; gives whether the runs on screen were seen to the end.

        Once they were, pulling the hand back does not take the answer away.
        """
        if self.match.state(scene) == "finished" and self._number in self.committed:
            self._seen.add(self._key)
            self.answered.add(self._number)
        known = self._key in self._seen and scene.finished
        if known and LESSONS[self._number - 1].has_slider:
            for one, run in zip(self.match.contestants, self.histories(), strict=True):
                self.tried[one.config.settings.nu] = run[-1].active_leaves
        return known

    def histories(self) -> tuple[History, ...]:
        """What the runs have measured so far."""
        return tuple(one.runner.look().history for one in self.match.contestants)

    def verdict(self) -> Verdict:
        """What the finished runs have shown."""
        return LESSONS[self._number - 1].judge(self.histories())

    def close(self) -> None:
        """End all runs."""
        self.match.close()


def points_of(lesson: Lesson, seed: int) -> ChosenData:
    """The points of a lesson, with the noise that their generator thinks right."""
    noise = GENERATORS[lesson.data].noise
    dataset = drawn(lesson.data, lesson.n_points, noise, seed)
    return chosen((lesson.data, noise, lesson.n_points, TEST_SHARE, seed), dataset)


@st.cache_resource(scope="session", on_release=Room.close, show_spinner=False)
def room() -> Room:
    """The classroom of this session."""
    return Room()
