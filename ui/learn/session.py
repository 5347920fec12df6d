"""What a session of the page *Learn* holds: the runs of the part that is open, and all answers.

Every part of a lesson is a small comparison, each run over the whole of its own way. The browser
learns what it can (:mod:`ui.learn.tab`), all else the :class:`Comparison` of the Lab.
"""

from treecore import RunConfig
from treecore.viewer import feature_plane
from ui.jobs.chosen_data import ChosenData
from ui.learn.answers import GivenAnswers
from ui.learn.figures import measured
from ui.learn.lessons import LESSON, LESSONS
from ui.learn.outcomes import Runs, Verdict
from ui.learn.parts import FIRST, GUESS, TRANSFER, WHY, Lesson, Trial
from ui.learn.tab import TabRuns, tab_runs
from ui.live.comparison import Comparison
from ui.widgets.data.gallery import gallery_data

CLOCK = "share"
"""Every run goes from its beginning to its end at once."""

SECONDS_OF_SHOW = 8.0


class LessonSession:
    """The comparison of the lesson that is open, and its part; counts what began and was seen.

    tried: active leaves of every ν that has been played to the end, for the present points.
    """

    def __init__(self):
        self.comparison = Comparison()
        self.tab: TabRuns | None = None  # the runs, where the visitor's browser learns them
        self.data: ChosenData | None = None
        self.answers = GivenAnswers(LESSONS)
        self.part = FIRST
        self.plays = 0
        self.ends = 0
        self.reasons_given = 0
        self.pages_turned = 0
        self.parts_shown = 0
        self.tried: dict[float, int] = {}
        self._played: dict[tuple, Runs] = {}
        self._lesson, self._seed, self._nu = LESSONS[0], -1, 0.0  # of no points yet
        self._begin, self._browser_learns = False, True

    def open(self, number: int, seed: int, nu: float) -> Lesson:
        lesson = LESSON[number]
        if (lesson, seed) != (self._lesson, self._seed):
            self.runs.pause()  # the next lesson waits for an answer
            self.tried.clear()
            if seed != self._seed:
                self._played.clear()
            self._lesson, self._seed, self.part, self._begin = lesson, seed, FIRST, False
        self._nu = nu
        trial = self.trial
        self.data, configs = points_of(trial, seed), trial.configs(seed, nu)
        if self.tab and self.tab.state == "failed":
            self._begin |= self.tab.plays > self.tab.pauses
            self.tab, self._browser_learns = None, False
        if self._browser_learns and not (self.tab and self.tab.are(self.data, configs)):
            self.tab = tab_runs(self.comparison.name, self.data, configs, trial.chart)
        if self.tab is None:
            plane = feature_plane(self.data.train, 0, 1)
            self.comparison.compare(self.data, configs, plane)
            self.comparison.set_clock(CLOCK)
            self.comparison.seconds_of_show = SECONDS_OF_SHOW
        if self._begin:
            self._begin = False
            self.runs.play()
        return lesson

    @property
    def runs(self) -> Comparison | TabRuns:
        return self.tab or self.comparison

    @property
    def trial(self) -> Trial:
        return self.trial_of(self.part)

    @property
    def question(self) -> str:
        """What the runs on the screen settle; nothing where they only show why."""
        return {FIRST: GUESS, TRANSFER: TRANSFER}.get(self.part, "")

    def show(self, part: str, play: bool = False) -> None:
        """Put the runs of another part on the screen, and perhaps let them begin."""
        self.runs.pause()
        self.part, self._begin = part, play
        self.plays += play
        self.parts_shown += not play

    def commit(self, question: str, choice: int) -> None:
        self.answers.give(self._lesson, question, self._seed, choice)
        if question == WHY:
            self.reasons_given += 1
        else:
            self.play()

    def play(self) -> None:
        self.plays += 1
        self.runs.play()

    def look(self) -> str:
        """Take note of what was seen; gives the state of the runs on the screen."""
        key, comparison = self._key(self.part), self.comparison
        state = self.tab.state if self.tab else comparison.state(comparison.tick())
        is_open = self.question and self._given(self.question) is None
        if state == "finished" and not is_open and key not in self._played:
            self._played[key] = self._histories()
            self.ends += 1
            if verdict := self.verdict(self.part):
                self.answers.settle(self._lesson, self.question, self._seed, verdict.right)
        if key in self._played and self.trial.has_slider:
            for config, run in zip(self.configs(self.part), self._played[key], strict=True):
                self.tried[config.as_dict()["nu"]] = measured(run[-1].active_leaves)
        return state

    def played(self, part: str) -> Runs | None:
        """What the runs of a part have measured, once they were seen to the end."""
        return self._played.get(self._key(part))

    def verdict(self, part: str) -> Verdict | None:
        """What the runs of a part have shown, once they were seen to the end."""
        runs = self.played(part)
        if runs is None:
            return None
        if part.startswith(WHY):
            against = self._lesson.reasons[int(part.removeprefix(WHY))].against
            return against.judge(runs) if against else None
        return (self._lesson.transfer if part == TRANSFER else self._lesson.guess).judge(runs)

    def trial_of(self, part: str) -> Trial:
        return self._lesson.trial(part)

    def configs(self, part: str) -> tuple[RunConfig, ...]:
        return self.trial_of(part).configs(self._seed, self._nu)

    def forget(self) -> None:
        self.answers.forget()
        self._played.clear()
        self.show(FIRST)

    def _given(self, question: str):
        return self.answers.get(self._lesson, question, self._seed)

    def _key(self, part: str) -> tuple:
        trial = self._lesson.trial(part)
        if trial is self._lesson.guess.trial:
            part = FIRST  # a refutation that needs no runs of its own
        return self._lesson.key, part, self._seed, self._nu if trial.has_slider else None

    def _histories(self) -> Runs:
        if self.tab:
            return self.tab.histories
        return tuple(one.runner.look().history for one in self.comparison.contestants)

    def close(self) -> None:
        self.comparison.close()


def points_of(trial: Trial, seed: int) -> ChosenData:
    return gallery_data(trial.data, trial.n_points, trial.noise, seed, trial.test_share)
