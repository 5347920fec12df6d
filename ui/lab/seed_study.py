"""The spread over seeds: the same comparison again and again, each time with another seed.

The runs are done in a thread after those on the screen, for one visitor of the server at a time;
what is done stays when it is stopped.
"""

import functools
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from html import escape

import streamlit as st
from plotly.graph_objects import Figure

from treecore import RunConfig
from treecore.runs import make_trainer
from treecore.viewer import News
from ui.drawing.on_page import show
from ui.drawing.theme import PERCENT, SYMBOLS, add_dots, colour_numbers, dress, line_colour, paint
from ui.jobs.background import BackgroundJob, Steps
from ui.jobs.chosen_data import ChosenData
from ui.jobs.machine.line import JobLine, PlaceInLine
from ui.jobs.machine.scheduler import LAST_IN_LINE
from ui.jobs.machine.worker import Turns
from ui.jobs.metrics import good_title, goodness, time_left
from ui.jobs.run_title import NUMERALS
from ui.jobs.session import session_value
from ui.language.translate import _, ngettext, said, written
from ui.live.board import label
from ui.live.channel import WholeSource
from ui.live.comparison import Comparison
from ui.live.views import pulse_view
from ui.shell.safe_text import plain


@dataclass(frozen=True)
class SeedResult:
    """One finished run; ``good`` is the accuracy on held-out classes, or R² of held-out numbers."""

    contestant: int
    seed: int
    good: float


@dataclass(frozen=True)
class SeedProgress:
    """How far the runs are; seconds_left: None while too little is known; message: an error.

    waiting: whether they have to wait for those of another study.
    """

    results: tuple[SeedResult, ...]
    share: float
    seconds_left: float | None
    running: bool
    message: str
    waiting: bool = False


STUDIES = JobLine()
"""All studies of this server."""


class SeedStudy(BackgroundJob[SeedProgress]):
    """Runs of all contestants, one config each, for several seeds, on data with held-out rows."""

    kind = "seeds"
    forgotten_seconds = 600.0

    def __init__(
        self,
        data: Callable[[int], ChosenData],
        configs: Sequence[RunConfig],
        seeds: Sequence[int],
        turn: Turns | None = None,
        announce: Callable[[], None] | None = None,
    ):
        self._in_line = PlaceInLine(STUDIES, turn or Turns())
        super().__init__(playing=True, turn=self._in_line, announce=announce)
        self._data, self._configs, self._seeds = data, tuple(configs), seeds
        self._start()

    def _clear(self) -> None:
        self._results: list[SeedResult] = []
        self._present = (0, 0.0)  # contestant and share of the run being done
        self._durations: list[list[float]] = [[] for _ in self._configs]  # wall seconds

    def _snapshot(self) -> SeedProgress:
        contestant, share = self._present
        running, left = self.alive, None
        if running and all(self._durations):
            mean = [statistics.fmean(ended) for ended in self._durations]
            left = sum(
                seconds * (len(self._seeds) - len(ended))
                for seconds, ended in zip(mean, self._durations, strict=True)
            )
            left = max(0.0, left - share * mean[contestant])
        done = len(self._results) + (share if running else 0.0)
        share = min(1.0, done / (len(self._configs) * len(self._seeds)))
        waiting = running and self._in_line.waits
        return SeedProgress(tuple(self._results), share, left, running, self._message, waiting)

    def _elapsed(self) -> float:
        return LAST_IN_LINE

    def _steps(self) -> Steps:
        yield lambda: None  # there is nothing to prepare
        for seed in self._seeds:  # all contestants of a seed before the next one
            data = self._data(seed)
            for number, config in enumerate(self._configs):
                yield from self._run(number, config.replace(seed=seed), data)

    def _run(self, number: int, config: RunConfig, data: ChosenData) -> Steps:
        started = self._wall.now()
        trainer = make_trainer(config, data.train, data.held)
        while not trainer.finished:
            event = trainer.step()
            if not trainer.finished:
                share = event.progress if event.stage == config.method else 0.0
                yield functools.partial(self._show_share, number, share)
        good = goodness(event)
        assert good is not None, "there are held-out rows"
        result = SeedResult(number, config.seed, good)
        yield functools.partial(self._show_result, result, self._wall.now() - started)

    def _show_share(self, number: int, share: float) -> None:
        self._present = number, share
        self._announce()

    def _show_result(self, result: SeedResult, seconds: float) -> None:
        self._results.append(result)
        self._durations[result.contestant].append(seconds)
        self._present = result.contestant, 0.0
        self._announce()


@dataclass(frozen=True)
class Summary:
    """What one contestant got right over seeds; deviation: of the sample, None for a single run."""

    values: tuple[float, ...]
    seeds: tuple[int, ...]
    mean: float
    deviation: float | None


def summary(results: Sequence[SeedResult], contestant: int) -> Summary | None:
    """What the finished runs of a contestant say; None before the first."""
    of_contestant = [result for result in results if result.contestant == contestant]
    if not of_contestant:
        return None
    values = tuple(result.good for result in of_contestant)
    deviation = statistics.stdev(values) if len(values) > 1 else None
    return Summary(
        values, tuple(r.seed for r in of_contestant), statistics.fmean(values), deviation
    )


USUAL_SEEDS, MOST_SEEDS = 5, 50
SEEDS = "seeds"
"""The view of the comparison's channel that has the results drawn anew."""


class SeedStudySession:
    def __init__(self):
        self.study: SeedStudy | None = None
        self.key: tuple | None = None
        self.configs: list[RunConfig] = []

    def start(self, comparison: Comparison, n: int) -> None:
        data, configs = comparison.data, comparison.configs
        assert data is not None, "the page has data"
        assert data.seeded is not None, "and they can be drawn or divided anew"
        self.close()
        seeds = [(configs[0].seed + i) % 2**32 for i in range(n)]
        self.key, self.configs = key_of(comparison), configs
        channel = comparison.channel
        self.study = SeedStudy(
            data.seeded, configs, seeds, comparison.client.turn(), announce=channel.announce
        )
        channel.show(SEEDS, WholeSource(self._beat, hurry=self._ended, gap=0.5))

    @property
    def running(self) -> bool:
        return self.study is not None and self.study.alive

    def _ended(self) -> bool:
        return not self.running

    def _beat(self) -> News:
        """What the results depend on, for the view that has them drawn anew."""
        assert self.study is not None, "it is shown once it has begun"
        look = self.study.look()
        state = "running" if look.running else "finished"
        done = [len(look.results), look.share, look.message, look.waiting]
        return {"state": state, "done": done}, {}

    def results_of(self, comparison: Comparison) -> tuple[SeedResult, ...]:
        if self.study is None or self.key != key_of(comparison):
            return ()
        return self.study.look().results

    def close(self) -> None:
        if self.study is not None:
            self.study.stop()


def key_of(comparison: Comparison) -> tuple:
    """What decides the runs over seeds, but for their number."""
    return (comparison.data and comparison.data.key, *comparison.configs)


def spread_control(comparison: Comparison) -> None:
    """Everything about seeds; a fragment of its own while it runs."""
    st.header(_("Is it luck?"), anchor="seeds")
    session = session_value(SeedStudySession)
    if comparison.data is None or comparison.data.held is None:
        st.caption(_("There are no test examples to measure on. Raise the test share."))
        return
    running = session.running

    with st.container(horizontal=True, vertical_alignment="bottom", gap="small"):
        st.number_input(
            _("Draws"),
            2,
            MOST_SEEDS,
            USUAL_SEEDS,
            key="spread_n",
            width=130,
            help=_(
                "Each draw has new points (of generated data), new test examples and a new "
                "order of learning. The first one has the seed under *More*. Raise the number "
                "when the result is too close to call."
            ),
            persist_state="session",
        )
        st.button(
            _("Run more draws"),
            on_click=_start,
            args=(comparison,),
            icon=":material/scatter_plot:",
            disabled=running,
            key="spread",
            help=_("Trains every method once more for each draw, in the background."),
        )
        st.button(
            _("Stop"),
            on_click=session.close,
            icon=":material/stop:",
            disabled=not running,
            key="spread_stop",
            help=_("Stops these runs. Finished runs stay."),
        )
    if session.study is None:
        st.caption(_("One run may be luck. Run every method on several draws to see the spread."))
        return

    @st.fragment
    def results() -> None:
        if (study := session.study) is None:
            return
        progress = study.look()
        if running:
            pulse_view(comparison.channel, SEEDS, "seeds_pulse", "running")
            _progress(progress)
        if progress.message:
            st.error(plain(said(progress.message)), icon=":material/error:")
        _spread(session, progress)
        if running and not progress.running:
            st.rerun()

    results()
    if session.key != key_of(comparison):
        st.caption(_("These results are from before your last change. Run again to update them."))


def _start(comparison: Comparison) -> None:
    """Begin, unless it runs: a click may arrive twice, and with a number not yet on the page."""
    session = session_value(SeedStudySession)
    if not session.running:
        session.start(comparison, st.session_state.spread_n)


def _progress(progress: SeedProgress) -> None:
    left, text = progress.seconds_left, written(progress.share, ".0%")
    if left is not None:
        text += f", {time_left(left)}"
    if progress.waiting:
        text = _("Other draws are in progress on this server; yours start after them.")
    st.progress(progress.share, text)


def _spread(session: SeedStudySession, progress: SeedProgress) -> None:
    results = progress.results
    if not results:
        if not progress.waiting:
            running = progress.running
            st.caption(_("The first run is in progress.") if running else _("No run finished."))
        return
    st.caption(_("Each dot is one draw; the bar is mean ± standard deviation."))
    title = good_title(session.configs[0].loss)
    alt = _("{title} of each learner, a dot for each draw.", title=title)
    show(_figure(session, results, title), "seeds_figure", alt)


def _figure(session: SeedStudySession, results: Sequence[SeedResult], title: str) -> Figure:
    """A row of dots for each learner, over it their mean and deviation."""
    figure, colours, configs = Figure(), paint(), session.configs
    numbers = colour_numbers([config.method for config in configs])
    for number in range(len(configs)):
        if not (found := summary(results, number)):
            continue
        n, name = len(found.values), label(configs, number)
        colour = line_colour(numbers[number], colours.dark)
        marker = {
            "color": colour,
            "symbol": SYMBOLS[numbers[number] % len(SYMBOLS)],
            "line": {"width": 1, "color": colours.back},
        }
        figure.add_box(
            x=list(found.values),
            y=[NUMERALS[number]] * n,
            name=escape(name),
            orientation="h",
            boxpoints="all",
            pointpos=0,
            jitter=0.6,
            marker=marker | {"size": 9, "opacity": 0.5},
            line={"width": 0},
            fillcolor="rgba(0,0,0,0)",
            hoveron="points",
            hovertemplate="%{x:.1%}",
            showlegend=False,
        )
        figures, bar = written(100 * found.mean, ".1f"), None
        if found.deviation is not None:
            figures += f" ± {written(100 * found.deviation, '.1f')}"
            bar = {"type": "data", "array": [found.deviation], "color": colour, "thickness": 3}
        of_all = ngettext(
            "{name}: {figures} %, {n} draw",
            "{name}: {figures} %, {n} draws",
            n,
            name=name,
            figures=figures,
        )
        add_dots(
            figure,
            [found.mean],
            [NUMERALS[number]],
            marker | {"size": 14},
            name=escape(of_all),
            error_x=bar,
            hovertemplate="%{x:.1%}",
        )
    dress(figure, colours, 60 + 80 * len(configs))
    figure.update_xaxes(title=title, tickformat=PERCENT)
    figure.update_yaxes(title=_("Learner"), autorange="reversed")
    return figure
