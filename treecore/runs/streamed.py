"""Learning from a stream: one piece after the other, a run folder, and memory that stays small.

Every piece is learnt from as ``partial_fit`` of the estimators does: one pass, from the present
tree as it is. What is added is known of the whole file beforehand: from the second piece on the
coordinates are those of all training rows, and the learning rate falls over the pieces of all
passes as the method's schedule has it over a run (annealed: half a cosine). After each pass the
tree is measured on all rows, in a pass of its own.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Generator, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from treecore.base.schedules import SCHEDULES
from treecore.base.state_file import CheckpointError, State
from treecore.core.routing import apply
from treecore.core.tree import Tree
from treecore.data.sources import Source
from treecore.data.stream import Chunk, Stream
from treecore.learners.nongreedy.settings import AnnealedSettings, SGDSettings
from treecore.learners.states import copied, read_tree
from treecore.losses import LOSSES
from treecore.losses.metrics import Tally
from treecore.persistence import Document
from treecore.runs.interrupts import uninterrupted
from treecore.runs.result import figures_of, trained_document
from treecore.runs.run_directory import RunDirectory, RunError
from treecore.training.config import RunConfig
from treecore.training.events import Event, read_event
from treecore.training.registry import check_streams, find_method
from treecore.training.trainer import Trainer

LOGGER = logging.getLogger(__name__)


@dataclass(frozen=True)
class StreamStep:
    """A piece was learnt from, or measured.

    Attributes
    ----------
    progress : float
        Share of all passes that is done, 0 to 1.
    measuring : bool
        Whether the pass at work is one of measuring.
    n_rows : int
        Rows of the pass so far.
    recent : float or None
        Accuracy, or explained variance, on the piece before it was learnt from; None at first.
    event : Event or None
        Set where a pass was measured to its end.
    """

    progress: float
    measuring: bool
    n_rows: int
    recent: float | None
    event: Event | None


class StreamRun:
    """A run on a stream, in a folder; :func:`begin_stream` and :func:`resume_stream` make it.

    Attributes
    ----------
    folder : RunDirectory
    stream : Stream
    passes : int
    tree : Tree or None
        As it is; None before the first piece.
    last : Event or None
        Of the last measured pass.
    """

    def __init__(self, folder: RunDirectory, stream: Stream, passes: int):
        self.folder, self.stream, self.passes = folder, stream, passes
        self.config = folder.config
        self.tree: Tree | None = None
        self.last: Event | None = None
        self._counts: np.ndarray | None = None
        self._pass = self._piece = self._learnt = 0
        self._seconds = 0.0

    @property
    def finished(self) -> bool:
        return self._pass == self.passes

    def save(self, state: str | None = None) -> None:
        """A checkpoint now; with ``state``, ``"stopped"`` or ``"finished"``, the tree as well."""
        saved = {name: getattr(self, name) for name in _NUMBERS}
        saved |= {"config": self.config.as_dict(), "counts": copied(self._counts)}
        saved["tree"] = None if self.tree is None else copied(self.tree)
        saved["last"] = None if self.last is None else self.last.as_dict()
        self.folder.write_checkpoint(saved, self._pass)
        if state is not None and self.tree is not None:
            self.folder.write_model(self.document())
            figures = None if self.last is None else figures_of(self.last)
            self.folder.write_metrics(state, figures)

    def take(self, state: State) -> None:
        """Go on where a run of the same config and file was; raises CheckpointError."""
        if state.get("config") != self.config.as_dict():
            raise CheckpointError("the checkpoint is of a run with other settings")
        try:
            tree, last = state["tree"], state["last"]
            self.tree = None if tree is None else read_tree(tree)
            self.last = None if last is None else read_event(last)
            self._counts = state["counts"]
            for name in _NUMBERS:
                setattr(self, name, state[name])
        except (KeyError, TypeError, ValueError) as error:
            raise CheckpointError(f"the state of this run is damaged: {error}") from error

    def document(self) -> Document:
        """The present tree; a RunError before there is one."""
        if self.tree is None:
            raise RunError("this run has no tree yet")
        stream = self.stream
        data = {
            "name": stream.name,
            "target": stream.target_name,
            "fingerprint": stream.fingerprint,
            "n_samples": stream.n_train,
            "source": stream.source.as_dict(),
            **stream.source.reading.as_dict(),
        }
        return trained_document(
            self.tree,
            self.config,
            stream,
            data,
            {} if self.last is None else figures_of(self.last),
            counts=self._counts,
            passes=self.passes,
        )

    # One pass -----------------------------------------------------------------------------------

    def learn(self) -> Iterator[StreamStep]:
        """The rest of the pass under way, piece by piece."""
        n_rows = 0
        for number, piece in enumerate(self.stream.pieces()):
            n_rows += len(piece.y)
            if number < self._piece:
                continue
            recent = self._learn_piece(piece)
            self._piece = number + 1
            yield self._step(False, n_rows, recent)

    def _learn_piece(self, piece: Chunk) -> float | None:
        train = np.flatnonzero(~piece.held)
        if not train.size:
            return None
        X, y = piece.X[train], piece.y[train]
        config, stream = _piece_config(self, len(y)), self.stream
        so_far = {} if self.tree is None else {"start": self.tree, "moments": stream.moments}
        trainer = Trainer(config, X, y, n_classes=len(stream.class_names) or None, **so_far)
        first = None
        while not trainer.finished:
            event = trainer.step()
            if first is None and event.complete:
                first = event
        trainer.close()
        known = self.tree is not None
        # A copy: the learner's own arrays end with it.
        self.tree = trainer.model.copy()
        self._counts = None
        self._learnt += 1
        self._seconds += event.seconds
        if not known:
            return None
        assert first is not None, "a run is measured before it learns"
        return first.accuracy if stream.class_names else first.r2

    def measure(self) -> Iterator[StreamStep]:
        """Measure the tree on all rows; the last step has the event of the pass."""
        stream, loss, tree = self.stream, LOSSES[self.config.loss], self.tree
        assert tree is not None, "every pass learns before it measures"
        centre, spread = np.zeros(1), np.ones(1)
        if not stream.class_names:
            centre, spread = stream.moments.targets
            spread = np.where(spread > 0, spread, 1.0)
        values = ((tree.values - centre) / spread).astype(np.float32)
        tallies, n_rows = {True: Tally(values, loss), False: Tally(values, loss)}, 0
        for piece in stream.pieces():
            leaf = apply(tree, piece.X)
            y = piece.y
            if not stream.class_names:
                y = ((y[:, None] - centre) / spread).astype(np.float32)
            for is_held, tally in tallies.items():
                rows = np.flatnonzero(piece.held == is_held)
                if rows.size:
                    tally.add(leaf[rows], y[rows], np.ones(len(rows)))
            n_rows += len(piece.y)
            yield self._step(True, n_rows, None)
        self._counts = tallies[False].counts
        figures = tallies[False].figures()
        held = tallies[True].figures() if stream.n_train < stream.n_rows else None
        self._pass, self._piece = self._pass + 1, 0
        self.last = Event(
            stage=self.config.method,
            unit="epoch",
            done=float(self._pass),
            total=self.passes,
            complete=True,
            progress=self._pass / self.passes,
            loss=figures.loss,
            validation_loss=held.loss if held else None,
            accuracy=figures.accuracy,
            validation_accuracy=held.accuracy if held else None,
            active_leaves=figures.active_leaves,
            n_leaves=len(values),
            seconds=self._seconds,
            r2=figures.r2,
            validation_r2=held.r2 if held else None,
        )
        yield StreamStep(self._pass / self.passes, True, n_rows, None, self.last)

    def _step(self, measuring: bool, n_rows: int, recent: float | None) -> StreamStep:
        # Measuring takes about half as long as learning.
        share = n_rows / self.stream.n_rows
        share = (2 + share) / 3 if measuring else share * 2 / 3
        return StreamStep((self._pass + share) / self.passes, measuring, n_rows, recent, None)


_NUMBERS = ("_pass", "_piece", "_learnt", "_seconds")
"""What changes in a run while it goes on, besides its tree and its last event."""


def _piece_config(run: StreamRun, n_rows: int) -> RunConfig:
    """Settings for the next piece: one pass, another order of the rows, a smaller step."""
    config = run.config
    seed = int(np.random.SeedSequence([config.seed, run._learnt]).generate_state(1)[0])
    settings_of = find_method(config.method).piece
    assert settings_of is not None, "the run was checked when it began"
    piece = settings_of(n_rows)
    if getattr(config.settings, "start", None) not in (None, "auto"):
        piece.pop("start", None)
    done = run._learnt / (run.passes * run.stream.n_pieces)
    settings = config.settings
    assert isinstance(settings, SGDSettings | AnnealedSettings), "those of the methods that stream"
    falling = SCHEDULES[getattr(settings, "schedule", "cosine")]
    eta = settings.eta * max(falling(done), 1e-3)
    lowest = next(known.limits[0] for known in settings.definitions() if known.name == "eta")
    return config.replace(seed=seed, eta=max(eta, lowest), **piece)


def check_stream_config(config: RunConfig) -> None:
    """Raise ValueError, in one sentence, where a config needs all rows at once."""
    check_streams(find_method(config.method), config.settings)
    if config.kernel != "none":
        raise ValueError("a kernel's features are made from all rows: leave out --kernel")
    if config.class_weight != "none":
        raise ValueError("balanced class weights need all rows at once: leave them out")


def begin_stream(path: str | Path, config: RunConfig, stream: Stream, passes: int = 1) -> StreamRun:
    """A new run in a new folder.

    Parameters
    ----------
    path : str or Path
        Of the folder, which holds no run yet.
    config : RunConfig
    stream : Stream
    passes : int
        Over all pieces.

    Raises
    ------
    ValueError
        In one sentence, where the method needs all rows at once, or the folder is in use.
    """
    check_stream_config(config)
    if stream.sparse and not find_method(config.method).sparse:
        raise ValueError(
            f"the method {config.method!r} needs a dense table, and {stream.name} is sparse: "
            "choose sgd or stable-sgd"
        )
    more = {"stream": {"passes": passes, "rows": stream.rows}}
    folder = RunDirectory.create(path, config, stream.source, stream.fingerprint, more)
    return StreamRun(folder, stream, passes)


def resume_stream(path: str | Path, source: Source | None = None) -> StreamRun:
    """The run of a folder where its last checkpoint left it.

    Parameters
    ----------
    path : str or Path
    source : Source or None
        Where the file has moved to.

    Raises
    ------
    ValueError
        In one sentence; among others where the file is not that which the run began with.
    """
    folder = RunDirectory.open(path)
    folder.hold()
    try:
        return _come_back(folder, source)
    except BaseException:
        folder.release()
        raise


def _come_back(folder: RunDirectory, source: Source | None) -> StreamRun:
    path = folder.path
    if not is_stream(folder):
        raise RunError(f"{path} holds a run on rows in memory: resume it as one")
    saved = folder.record["stream"]
    stream = Stream(source or folder.source, saved["rows"])
    if stream.fingerprint != folder.record["fingerprint"]:
        raise RunError(
            f"{stream.source.name} is not the file that this run began with: find the old one, "
            "or begin a new run"
        )
    run = StreamRun(folder, stream, saved["passes"])
    found = folder.read_checkpoint()
    if found is not None:
        run.take(found[0])
    folder.cut_events(run._pass)
    return run


def is_stream(folder: RunDirectory) -> bool:
    """Whether a folder's run is one on a stream."""
    return isinstance(folder.record.get("stream"), dict)


def go_on_stream(run: StreamRun, every: float = 30.0) -> Generator[StreamStep, None, None]:
    """Drive a run to its end; a step a piece, and checkpoints.

    The end, and closing this generator, leave a tree as well.

    Parameters
    ----------
    run : StreamRun
    every : float
        Seconds from one checkpoint to the next.
    """
    run.folder.hold()
    due = time.monotonic() + every
    try:
        while not run.finished:
            for part in (run.learn, run.measure):
                steps = part()
                while True:
                    with uninterrupted():  # a piece is learnt from and counted, or neither
                        step = next(steps, None)
                        if step is not None and step.event is not None:
                            run.folder.append(step.event)
                            LOGGER.info("%s: pass %d is done", run.folder.path, run._pass)
                    if step is None:
                        break
                    if time.monotonic() >= due and not step.measuring:
                        begun = time.monotonic()
                        run.save()
                        due = time.monotonic() + max(every, 9 * (time.monotonic() - begun))
                    yield step
    finally:
        try:
            run.save("finished" if run.finished else "stopped")
        finally:
            run.folder.release()


def peak_bytes() -> int:
    """The most memory that this process has ever held; 0 where the system does not say."""
    try:
        import resource
    except ImportError:
        return 0
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak if sys.platform == "darwin" else 1024 * peak
