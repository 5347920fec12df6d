"""The spread over seeds on the page: a button, how far it is, and a strip for each contestant."""

from __future__ import annotations

import math

import streamlit as st

from treecore import RunConfig
from treecore.viewer import News
from ui.drawing.method_colours import colour_numbers
from ui.jobs.metrics import duration, good_title
from ui.jobs.session import session_value
from ui.lab.seed_study import SeedProgress, SeedResult, SeedStudy, summary
from ui.language.translate import _, said, written
from ui.live.board import label
from ui.live.channel import WholeSource
from ui.live.comparison import Comparison
from ui.live.comparison_views import strips_view
from ui.live.component import pulse_view
from ui.shell.safe_text import plain

USUAL_SEEDS, MOST_SEEDS = 5, 50
SEEDS = "seeds"
"""The view of the comparison's channel that has the results drawn anew."""

DRAWN_SECONDS = 0.5
"""Between two drawings of the results while they grow."""


class SeedStudySession:
    def __init__(self):
        self.study: SeedStudy | None = None
        self.key: tuple | None = None
        self.names: list[str] = []
        self.colours: list[int] = []
        self.loss = "log"

    def start(self, comparison: Comparison, configs: list[RunConfig], seed: int, n: int) -> None:
        data = comparison.data
        assert data is not None, "the page has data"
        assert data.seeded is not None, "and they can be drawn or divided anew"
        self.close()
        seeds = [(seed + i) % 2**32 for i in range(n)]
        self.names = [label(comparison, i) for i in range(len(configs))]
        self.colours = colour_numbers(comparison.methods)
        self.key, self.loss = key_of(comparison), comparison.loss
        channel = comparison.channel
        self.study = SeedStudy(
            data.seeded, configs, seeds, comparison.client.turn(), announce=channel.announce
        )
        channel.show(SEEDS, WholeSource(self._beat, hurry=self._ended, gap=DRAWN_SECONDS))

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
        return {"state": state, "done": [len(look.results), look.share, look.message]}, {}

    def results_of(self, comparison: Comparison) -> tuple[SeedResult, ...]:
        if self.study is None or self.key != key_of(comparison):
            return ()
        return self.study.look().results

    def close(self) -> None:
        if self.study is not None:
            self.study.stop()


def key_of(comparison: Comparison) -> tuple:
    """What decides the runs over seeds, but for their number."""
    return (
        comparison.data and comparison.data.key,
        *(one.config for one in comparison.contestants),
    )


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
            _("Seeds"),
            2,
            MOST_SEEDS,
            USUAL_SEEDS,
            key="spread_n",
            width=130,
            help=_(
                "Each seed draws new points (of generated data), new test examples and a new "
                "order of learning. The first seed is the one on the left. Raise the number when "
                "the result is too close to call."
            ),
            persist_state="session",
        )
        st.button(
            _("Run over seeds"),
            on_click=_start,
            args=(comparison,),
            icon=":material/scatter_plot:",
            disabled=running,
            key="spread",
            help=_("Trains every method once more for each seed, in the background."),
        )
        st.button(
            _("Stop"),
            on_click=session.close,
            icon=":material/stop:",
            disabled=not running,
            key="spread_stop",
            help=_("Stops the runs over seeds. Finished runs stay."),
        )
    if session.study is None:
        st.caption(_("One run may be luck. Run every method with several seeds to see the spread."))
        return

    @st.fragment
    def results() -> None:
        if (study := session.study) is None:
            return
        progress = study.look()
        if running:
            pulse_view(comparison.channel, SEEDS, "seeds_pulse", "running")
            left = progress.seconds_left
            text = written(progress.share, ".0%") + (
                "" if left is None else _(", about {left} left", left=duration(max(left, 0.1)))
            )
            st.progress(progress.share, text)
        if progress.message:
            st.error(plain(said(progress.message)), icon=":material/error:")
        _strips(session, progress)
        if running and not progress.running:
            st.rerun()

    results()
    if session.key != key_of(comparison):
        st.caption(_("These results are from before your last change. Run again to update them."))


def _start(comparison: Comparison) -> None:
    """Begin, unless it runs: a click may arrive twice, and with a number not yet on the page."""
    session = session_value(SeedStudySession)
    if session.running:
        return
    configs = [one.config for one in comparison.contestants]
    session.start(comparison, configs, configs[0].seed, st.session_state.spread_n)


def _strips(session: SeedStudySession, progress: SeedProgress) -> None:
    results = progress.results
    if not results:
        running = progress.running
        st.caption(_("The first run is in progress.") if running else _("No run finished."))
        return
    values = [result.good for result in results]
    low, high = _range(min(values), max(values))
    strips = []
    for number, name in enumerate(session.names):
        found = summary(results, number)
        numeral, title = name.split(" · ", 1)
        strips.append(
            {
                "numeral": numeral,
                "name": title,
                "colour": session.colours[number],
                "values": list(found.values) if found else [],
                "mean": found.mean if found else None,
                "deviation": found.deviation if found else None,
            }
        )
    st.caption(
        _(
            "{loss} in per cent. Each dot is one seed; the band is mean ± standard deviation.",
            loss=good_title(session.loss),
        )
    )
    strips_view(low, high, strips, key="strips")


def _range(low: float, high: float) -> tuple[float, float]:
    """Round ends of the axis that all strips share."""
    step = 0.01 if high - low < 0.06 else 0.05
    below = step * math.floor((low - step / 4) / step)
    low = below if low < 0 else max(0.0, below)  # R² may be less than nothing
    return low, min(1.0, step * math.ceil((high + step / 4) / step))
