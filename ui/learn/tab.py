"""Runs of a lesson that the visitor's browser learns: nothing to compile, no wire, no load here.

The page is told what learning begins with, and says what was measured once it is over; all that
lies between is in ``treecore/viewer/js/pages/lesson.js``.
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import streamlit as st

from treecore import Event, RunConfig
from treecore.training import METHODS
from treecore.viewer import LEARNING, Stage, feature_plane, living, pack
from ui.jobs.chosen_data import ChosenData, new_trainer
from ui.language.catalogue import ENGLISH
from ui.language.translate import _, language
from ui.learn.outcomes import Runs
from ui.live.component import browser_component

VARIABLE = "TREECORE_ENGINE"
ENGINES = ("browser", "server")
"""Where Home and lessons learn; a browser without WebAssembly leaves it to the server."""

COLUMNS = {"Bound": 1, "Loss": 2, "Active leaves": 6}
"""Charts that the browser draws of its runs, by title, and where their values stand."""

_KEY = "lesson_tab"
_FIGURES = (
    *("done", "bound", "loss", "validation_loss"),
    *("accuracy", "validation_accuracy", "active_leaves", "row_norm"),
)
"""Of a measured tree, as ``figures`` of ``treecore/wasm/kernels.py``; some have no bound, or W."""


def engine(environment: Mapping[str, str] = os.environ) -> str:
    """Where Home and lessons learn. Raises ValueError where the environment names another place."""
    chosen = environment.get(VARIABLE, "").strip().lower() or ENGINES[0]
    if chosen not in ENGINES:
        raise ValueError(f"{VARIABLE} is {chosen!r}; it may be {' or '.join(ENGINES)}")
    return chosen


@dataclass
class TabRuns:
    """Runs of a trial as the page knows them: what they are to do, and what was heard of them.

    name: of the session; starts: how each run begins.
    """

    name: str
    data: ChosenData
    configs: tuple[RunConfig, ...]
    starts: Sequence[bytes]
    state: str = "paused"
    plays: int = 0
    pauses: int = 0
    histories: Runs = ()
    language: str = ENGLISH

    @property
    def channel(self) -> TabRuns:
        """What views hear: the browser has it, by the address."""
        return self

    @property
    def address(self) -> str:
        return f"tab/{self.name}"

    @property
    def key(self) -> str:
        """Of what is learnt; another one begins anew."""
        return f"{self.data.key} {self.configs}"

    def are(self, data: ChosenData, configs: tuple[RunConfig, ...]) -> bool:
        return (self.data.key, self.configs) == (data.key, configs)

    def play(self) -> None:
        self.plays, self.state = self.plays + 1, "running"

    def pause(self) -> None:
        if self.state == "running":
            self.pauses, self.state = self.pauses + 1, "paused"

    def hear(self, said: Any) -> None:
        """What the browser says of this play; what cannot have been measured is passed over."""
        if not isinstance(said, dict):
            return
        if (said.get("key"), said.get("plays")) != (self.key, self.plays):
            return  # a late word of an earlier play would keep this one from being paused
        state, runs = said.get("state"), said.get("runs")
        if state == "finished":
            if not isinstance(runs, list) or len(runs) != len(self.configs):
                return
            pairs = zip(runs, self.configs, strict=True)
            histories = tuple(_history(run, config) for run, config in pairs)
            if not all(histories):
                return
            self.histories = histories
        if state in ("running", "paused", "finished", "failed"):
            self.state = state

    def show(self, names: Sequence[str], more: Mapping[str, Any]) -> None:
        """Mount what learns; more: entries of ``Told`` in the script."""

        def heard() -> None:
            self.hear((st.session_state.get(_KEY) or {}).get("said"))  # it may be gone by now

        counts = {"plays": self.plays, "pauses": self.pauses}
        own = {"address": self.address, "key": self.key, "names": list(names), "state": self.state}
        starts = {f"start{i}": np.frombuffer(one, np.uint8) for i, one in enumerate(self.starts)}
        mount = browser_component("lesson", "pages/lesson.js")
        mount(data=pack({**own, **counts, **more}, starts), key=_KEY, on_said_change=heard)


def tab_runs(
    name: str, data: ChosenData, configs: tuple[RunConfig, ...], chart: str
) -> TabRuns | None:
    """Runs for the browser, where it is to learn, can learn all of them and draw their chart."""
    learns = all(config.method in LEARNING for config in configs)
    if engine() != "browser" or not learns or chart not in ("", "nu", *COLUMNS):
        return None
    with st.spinner(_("Preparing")):
        starts = [_start(data, config, f"{data.key} {config} {language()}") for config in configs]
    known = [start for start in starts if isinstance(start, bytes)]
    return TabRuns(name, data, configs, known) if len(known) == len(starts) else None


@st.cache_resource(max_entries=64, show_spinner=False)
def _start(_data: ChosenData, _config: RunConfig, key: str) -> bytes | str:
    """How a run begins, or why it cannot; one for all visitors, by ``key``."""
    train, held = _data.train, _data.held
    stage = Stage(train, held, feature_plane(train, 0, 1), _config)
    return living(new_trainer(_data, _config), train, held, stage, _, alone=True)


def _history(rows: Any, config: RunConfig) -> tuple[Event, ...]:
    """Measured trees as a trainer's events; none where these are no such numbers."""
    method = METHODS[config.method]
    same: dict[str, Any] = {
        "stage": method.name,
        "unit": method.unit,
        "total": method.n_epochs(config.settings),
    }
    same |= {"progress": 1.0, "complete": True}
    events = []
    for row in rows if isinstance(rows, list) else []:
        if not isinstance(row, list) or len(row) != len(_FIGURES):
            return ()
        own = dict(zip(_FIGURES, row, strict=True))
        known = [value for name, value in own.items() if name not in ("bound", "row_norm")]
        if not all(type(value) in (int, float) for value in known):
            return ()
        own["active_leaves"] = round(own["active_leaves"])
        own["n_leaves"] = own["active_leaves"] if method.unit == "level" else 2**config.depth
        events.append(Event(**same, **own))
    return tuple(events)
