"""What a session of the page *Learn* holds: the present lesson's runs, and the answers so far.

A lesson is a small comparison: its runs are learnt and shown by the same :class:`Comparison` as
those of the page that compares, each over the whole of its own way.
"""

from __future__ import annotations

from treecore.data.generators import GENERATORS
from ui.drawing.planes import feature_plane
from ui.jobs.chosen_data import ChosenData
from ui.jobs.status import History
from ui.learn.lessons import LESSONS, TEST_SHARE, Lesson
from ui.learn.outcomes import Verdict
from ui.live.comparison import Comparison, ComparisonScene
from ui.widgets.dataset_picker import chosen, drawn

CLOCK = "share"
"""Every run goes from its beginning to its end at once."""

SECONDS_OF_SHOW = 8.0


class LessonSession:
    """Holds the comparison of the lesson that is open.

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
        self.comparison = Comparison()
        self.committed: dict[int, int] = {}
        self.answered: set[int] = set()
        self.tried: dict[float, int] = {}
        self._seen: set[tuple] = set()
        self._number, self._seed = 0, -1  # of no lesson yet
        self._key: tuple = ()

    def open(self, number: int, seed: int, nu: float) -> Lesson:
        """Take up lesson ``number`` (from 1) with these points and this ν."""
        lesson = LESSONS[number - 1]
        if (number, seed) != (self._number, self._seed):
            self.comparison.pause()  # the next lesson waits for an answer
            self.tried.clear()
            if seed != self._seed:  # what has been answered was about other points
                self.committed.clear()
            self._number, self._seed = number, seed
        data = points_of(lesson, seed)
        plane = feature_plane(data.train, 0, 1)
        self._key = (number, seed, nu if lesson.has_slider else None)
        self.comparison.compare(data, lesson.runs(seed, nu), plane)
        self.comparison.set_clock(CLOCK)
        self.comparison.seconds_of_show = SECONDS_OF_SHOW
        return lesson

    def commit(self, number: int, choice: int) -> None:
        """Answer the question, and see."""
        self.committed[number] = choice
        self.comparison.play()

    def note(self, scene: ComparisonScene) -> bool:
        """Take note of what has been seen; gives whether the runs on screen were seen to the end.

        Once they were, pulling the hand back does not take the answer away.
        """
        if self.comparison.state(scene) == "finished" and self._number in self.committed:
            self._seen.add(self._key)
            self.answered.add(self._number)
        known = self._key in self._seen and scene.finished
        if known and LESSONS[self._number - 1].has_slider:
            for one, run in zip(self.comparison.contestants, self.histories(), strict=True):
                if (active := run[-1].active_leaves) is not None:
                    self.tried[one.config.as_dict()["nu"]] = active
        return known

    def histories(self) -> tuple[History, ...]:
        """What the runs have measured so far."""
        return tuple(one.runner.look().history for one in self.comparison.contestants)

    def verdict(self) -> Verdict:
        """What the finished runs have shown."""
        return LESSONS[self._number - 1].judge(self.histories())

    def close(self) -> None:
        """End all runs."""
        self.comparison.close()


def points_of(lesson: Lesson, seed: int) -> ChosenData:
    """The points of a lesson, with the noise that their generator thinks right."""
    noise = GENERATORS[lesson.data].noise
    dataset = drawn(lesson.data, lesson.n_points, noise, seed)
    return chosen((lesson.data, noise, lesson.n_points, TEST_SHARE, seed), dataset)
