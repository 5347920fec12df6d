"""A run, recorded from its first tree to its last: the messages that a live view would have had."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.base.filled import Filled
from treecore.core.tree import Tree
from treecore.data.dataset import Dataset
from treecore.training.config import RunConfig
from treecore.training.events import Event
from treecore.training.registry import METHODS, find_method
from treecore.training.trainer import Trainer
from treecore.viewer.messages.message import LARGEST_SHOWN, Stage
from treecore.viewer.messages.planes import Plane, usual_plane
from treecore.viewer.messages.status import Frame, Status
from treecore.viewer.messages.wire import Have, News, pack, spoken
from treecore.viewer.pages.live import living
from treecore.viewer.pages.thinning import evenly, every_second

FRAMES = 160
"""Trees of a recording at most, every one of which existed."""

SHOWN = 24
"""Of these, those with weights and counts of rows; the others show the last ones told. A page that
trains has these alone: it plays its recording only where it cannot train."""


FIRST, GROWTH = 1 / 16, 1 / 50
"""Passes between two trees, at least, and as a share of the passes done: most happens first."""

Seen = tuple[Event, Tree, np.ndarray | None]
"""A tree of a run, the event that it was left by, and the leaves that its rows are assigned to."""


@dataclass(frozen=True)
class RecordedRun:
    """What a page shows of a run: title and facts, and its messages, the first of them whole.

    live: what the page learns by, or a sentence why it only plays the recording; None: not asked.
    """

    title: str
    facts: tuple[str, ...]
    messages: tuple[bytes, ...]
    live: bytes | Filled | None = None

    def joined(self) -> bytes:
        """All messages as one, see :func:`joined`."""
        return joined(self.messages)


def joined(messages: Sequence[bytes]) -> bytes:
    """Messages one after the other, each behind four bytes that say how long it is."""
    return b"".join(len(one).to_bytes(4, "little") + one for one in messages)


def record(
    trainer: Trainer,
    train: Dataset,
    held: Dataset | None = None,
    *,
    plane: Plane | None = None,
    until: float = math.inf,
    say: Callable[[str], str] = str,
    live: bool = False,
) -> RecordedRun:
    """Drive a trainer of a single tree, at most ``until`` passes, and record what it goes through.

    live: the page is to learn by itself, where it can.
    Raises ValueError for a run that has no single tree, or whose tree cannot be drawn.
    """
    check_recordable(trainer, train)
    recorder = RunRecorder(trainer.config.method)
    while not trainer.finished and recorder.done < until:
        recorder.step(trainer)
    seen = recorder.seen
    n_leaves = seen[-1][1].n_leaves if seen else 0
    if n_leaves > LARGEST_SHOWN:
        raise ValueError(
            f"the tree has {n_leaves} leaves, and more than {LARGEST_SHOWN} cannot "
            "be drawn: choose a smaller depth"
        )
    stage = Stage(train, held, plane or usual_plane(train), trainer.config)
    state = "finished" if trainer.finished else "paused"
    learns = living(trainer, train, held, stage, say) if live else None
    return recorded_run(
        stage, train.name, trainer.config, seen, recorder.history, state, say, learns
    )


def recorded_run(
    stage: Stage,
    name: str,
    config: RunConfig,
    seen: Sequence[Seen],
    history: Sequence[Event],
    state: str,
    say: Callable[[str], str] = str,
    live: bytes | Filled | None = None,
) -> RecordedRun:
    """A recording of trees that are at hand, oldest first; of very many, some are chosen."""
    if not seen:
        raise ValueError("there is no tree yet to record: start the run first")
    most = SHOWN if isinstance(live, bytes) else FRAMES
    chosen = [seen[i] for i in evenly(len(seen), most)]
    # It plays for nine seconds at most: the run may have taken a blink, or a night.
    frames = [Frame(i, 9.0 * i / most, *one) for i, one in enumerate(chosen)]
    title = Filled(
        "{data}, {method}",
        data=name if "." in name else f"{name[:1].upper()}{name[1:]}",  # a file's is as it is
        method=METHODS[config.method].title,
    )
    messages = tuple(
        pack(spoken(meta, say), arrays)
        for meta, arrays in _news(stage, frames, history or [frames[-1].event], state)
    )
    return RecordedRun(title, _facts(config.seed, frames[-1]), messages, live)


def check_recordable(trainer: Trainer, train: Dataset) -> None:
    """Refuse, in one sentence, a run that no map can show."""
    method = find_method(trainer.config.method)
    if method.family != "tree":
        raise ValueError(f"{method.title} learns no single tree, and only such a run is recorded")
    if trainer.config.kernel != "none":
        raise ValueError("this tree reads features of a kernel, which have no map")


class RunRecorder:
    """Drives a trainer in steps fine enough to be watched; keeps up to ``2 * FRAMES`` trees."""

    def __init__(self, method: str):
        self._method, self._wider = method, 1
        self.seen: list[Seen] = []
        self.history: list[Event] = []
        self.done = 0.0

    def step(self, trainer: Trainer) -> Event:
        """One step of a trainer that has not finished."""
        share = self._wider * max(FIRST, GROWTH * self.done)
        event = trainer.step(share=min(1.0, share))
        if event.stage == self._method:
            self.done = event.done
            if event.complete:
                self.history.append(event)
        if len(self.history) > 800:
            self.history = every_second(self.history)
        if trainer.started:
            assigned = getattr(getattr(trainer, "learner", None), "assigned", None)
            self.seen.append((event, trainer.present, assigned))
            if len(self.seen) > 2 * FRAMES:
                self.seen, self._wider = every_second(self.seen), 2 * self._wider
        return event


def _news(
    stage: Stage, frames: Sequence[Frame], history: Sequence[Event], state: str
) -> Iterator[News]:
    """One message for each group of frames, as a view would have asked for them."""
    run, have = "recorded", ViewKnowledge()
    for group in np.array_split(np.arange(len(frames)), min(SHOWN, len(frames))):
        part = tuple(frames[i] for i in group)
        last = part[-1] is frames[-1]
        so_far = tuple(history) if last else tuple(_until(history, part[-1].event))
        status = Status(state if last else "running", "", part[-1].event, part, so_far, None)
        news = stage.news(status, run, have.words())
        if news is not None:
            have.receive(*news)
            yield news


def _until(history: Sequence[Event], event: Event) -> list[Event]:
    return [one for one in history if one.stage == event.stage and one.done <= event.done]


class ViewKnowledge:
    """What a view has of its run, by the messages sent to it; see ``have`` in ``receive.js``."""

    def __init__(self) -> None:
        self._meta: dict[str, Any] = {}
        self._newest = -1
        self._curves: list[float] = [0, 0.0]

    def receive(self, meta: dict[str, Any], arrays: dict[str, np.ndarray]) -> None:
        """A message has been sent."""
        self._meta |= {name: meta[name] for name in ("run", "mark", "detail") if name in meta}
        self._newest = max([self._newest, *(entry["n"] for entry in meta["frames"])])
        rows = arrays["curves"]
        if len(rows):
            self._curves = [meta["curves"] + len(rows), float(rows[-1, 0])]

    def words(self) -> Have:
        """As :meth:`treecore.viewer.messages.message.Stage.news` reads them."""
        if not self._meta:
            return {}
        return self._meta | {"n": self._newest, "curves": self._curves}


def _facts(seed: int, last: Frame) -> tuple[str, ...]:
    event, leaves = last.event, last.tree.n_leaves
    facts = [Filled("seed {seed}", seed=seed)]
    for name, value in (("accuracy", event.accuracy), ("R²", event.r2)):
        if value is not None:
            facts.append(Filled("training {name} {value:.1%}", name=name, value=value))
    for name, value in (("accuracy", event.validation_accuracy), ("R²", event.validation_r2)):
        if value is not None:
            facts.append(Filled("test {name} {value:.1%}", name=name, value=value))
    facts.append(Filled("1 leaf") if leaves == 1 else Filled("{n} leaves", n=leaves))
    return tuple(facts)
