"""The one protocol of training: settings go in, a trainer steps, an event comes out of every step.

::

    RunConfig ──> Trainer ── step() ──> Event ──> page | progress bar | run folder | test
                     └── model, finished, state() ──> from_state()

``Trainer(config, X, y)`` gives the trainer of the method's family, one of those that
:mod:`treecore.training` lists. Pages, estimators, command line, sweeps and tests all come through
here, so what a screen shows is what the tests check.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping
from functools import cached_property
from typing import Any, Literal, Self

import numpy as np

from treecore import training
from treecore.base.state_file import CheckpointError, State
from treecore.data.validation import TargetScaling
from treecore.rows.training_rows import TrainingRows
from treecore.training.config import RunConfig
from treecore.training.events import Event
from treecore.training.registry import find_method

STATE = 5
"""Version of all states; another number for another meaning."""


class Trainer:
    """One run: learns a model by ``config`` from rows and targets, a few milliseconds a step.

    Parameters
    ----------
    config : RunConfig
        Its method decides of which family the trainer is.
    X : array of numbers, shape (n_samples, n_features)
        NaN stands for a missing value, which is read as its column's mean, here and by the model.
    y : array
        Class indices from 0, shape (n_samples,); for a loss on numbers those, of shape
        (n_samples,) or (n_samples, n_outputs).
    sample_weight : array, shape (n_samples,), or None
        What each row counts, not negative; but for smoothing only ratios matter. None: all 1.
    validation : (X, y), (X, y, weight) or None
        Rows to be measured only. None: ``config.validation`` of the rows are held out.
    n_classes : int or None
        Classes there are, where y might not show all of them.
    more
        What a family takes besides, see :class:`treecore.training.tree_trainer.TreeTrainer`,
        :class:`treecore.training.ensemble_trainer.ForestTrainer` and
        :class:`treecore.training.hinge_trainer.HingeTrainer`.

    Attributes
    ----------
    config : RunConfig
    rows, held_out : TrainingRows
        What is learnt from, and what is measured only; the second may have no rows.
    finished : bool
    measuring : str
        How often a tree is measured on its way: ``"always"``, at the end of every pass;
        ``"seldom"``, not before passes over parts of the rows have seen all of them eight times, so
        that it takes little of the time; ``"last"``, only when the run has ended. Changes nothing
        else, and may be set at any time. Forests know ``"last"`` alone, those of classes.

    Raises
    ------
    ValueError
        In one sentence, for rows, targets or weights that nothing can be learnt from.

    Examples
    --------
    >>> import numpy as np
    >>> from treecore import RunConfig, Trainer
    >>> X = np.random.default_rng(0).normal(size=(200, 2))
    >>> trainer = Trainer(RunConfig("sgd", depth=2, epochs=5), X, (X[:, 0] > X[:, 1]).astype(int))
    >>> for event in trainer.events():
    ...     pass
    >>> event.done, event.accuracy > 0.9
    (5.0, True)
    """

    config: RunConfig
    rows: TrainingRows
    held_out: TrainingRows
    finished: bool
    measuring: Literal["always", "seldom", "last"] = "always"
    units: TargetScaling
    """How numbers are scaled for training: a learner's tree is in these units."""

    def __new__(cls, config: RunConfig, *arguments, **more):
        if not isinstance(config, RunConfig):
            raise TypeError(
                "a Trainer takes a RunConfig, then X and y: its first argument has the type "
                f"{type(config).__name__}"
            )
        family = find_method(config.method).family
        if family == "tree":
            return super().__new__(training.TreeTrainer)
        return super().__new__(
            training.ForestTrainer if family == "ensemble" else training.HingeTrainer
        )

    # To be written by a family -------------------------------------------------------------------

    @property
    def model(self):
        """What has been learnt so far, a Tree, Forest or HingeForest; it reads raw features."""
        raise NotImplementedError

    @property
    def started(self) -> bool:
        """Whether there is a model."""
        raise NotImplementedError

    def _step(self, share: float | None) -> Event:
        raise NotImplementedError

    def _state(self) -> State:
        """The state besides config and data."""
        raise NotImplementedError

    def _load_state(self, state: State) -> None:
        """Go on from what :meth:`_state` gave; may raise KeyError, TypeError or ValueError."""
        raise NotImplementedError

    # The same for all ----------------------------------------------------------------------------

    def step(self, share: float | None = None) -> Event:
        """Work for a few milliseconds.

        Parameters
        ----------
        share : float or None
            Do not do more than this share of a pass (at least one unit), so that a viewer can
            see every pass in as many pictures as wanted. How a run is cut into steps never
            changes its model.

        Raises
        ------
        StopIteration
            When the run was finished before this step; see ``finished``.
        ValueError
            When ``share`` is not a positive number.
        """
        if share is not None and not 0 < share < np.inf:
            raise ValueError(f"share={share!r} must be a positive number, or None")
        if self.finished:
            raise StopIteration("the run has ended; there is no step left")
        return self._step(share)

    def events(self, n_jobs: int | None = None) -> Iterator[Event]:
        """Run to the end; give the event of every measurement.

        Parameters
        ----------
        n_jobs : int or None
            Trees that grow at a time; -1 is one for every processor. None: one after the other,
            here. Never changes the model. Bagged trees grow in the processes of joblib's present
            backend (see ``joblib.parallel_config``); boosted ones wait for each other.
        """
        while not self.finished:
            event = self.step()
            if event.complete:
                yield event

    def run(self, n_jobs: int | None = None):
        """Run to the end, see :meth:`events`; give the finished model, which alone is measured."""
        self.measuring = "last"
        for _ in self.events(n_jobs):
            pass
        return self.model

    @property
    def present(self):
        """The model as the last step left it; ``model`` of a hinge forest is the best so far."""
        return self.model

    def measures_model(self, event: Event) -> bool:
        """Whether the figures of a complete event are those of the present ``model``."""
        return True

    def targets(self, rows: TrainingRows) -> np.ndarray:
        """The targets of ``rows`` or ``held_out`` as they were given: classes, or numbers."""
        if not self.units.spread.size:
            return rows.y
        return rows.y * self.units.spread + self.units.centre

    def close(self) -> None:
        """End the run where it is. Its model stays, and its rows may be forgotten at once."""
        self.finished = True

    def state(self) -> State:
        """All that the rest of the run depends on besides the rows and the other arguments.

        Arrays of numbers, JSON values and dictionaries of these, by name; arrays are copies.
        :mod:`treecore.base.state_file` writes it to a file.
        """
        common = {"version": STATE, "config": self.config.as_dict(), "data": self._data_name}
        return common | self._state()

    @classmethod
    def from_state(cls, state: Mapping[str, Any], config: RunConfig, X, y, **more) -> Self:
        """A trainer that goes on where another one was that had the same config and rows.

        What comes out is bit for bit what that one would have made. A forest may get another
        ``n_trees`` by its config.

        Parameters
        ----------
        state : mapping
            What :meth:`state` gave.
        config, X, y, more
            As for a new trainer.

        Raises
        ------
        CheckpointError
            In one sentence, where the state is damaged, or that of another run or other rows.
        """
        trainer = cls(config, X, y, **more)
        if not isinstance(state, Mapping) or state.get("version") != STATE:
            raise CheckpointError("this is not the state of a run that this version reads")
        trainer._check_config(state.get("config"))
        if state.get("data") != trainer._data_name:
            raise CheckpointError(
                "the state is of a run on other data; continue with the same rows"
            )
        try:
            trainer._load_state(dict(state))
        except CheckpointError:
            raise
        except KeyError as error:
            raise CheckpointError(f"the state of this run lacks {error}") from error
        except (TypeError, ValueError, AttributeError, IndexError) as error:
            raise CheckpointError(f"the state of this run is damaged: {error}") from error
        return trainer

    def _check_config(self, config: Any) -> None:
        """Raise CheckpointError where a state's config is not this run's."""
        try:
            before = RunConfig.of_saved(config).as_dict()
        except (AttributeError, TypeError, ValueError) as error:
            raise CheckpointError(f"the state's settings cannot be read: {error}") from error
        now = self.config.as_dict()
        if before != now:
            names = [name for name in before | now if before.get(name) != now.get(name)]
            other = [f"{name}={before.get(name)!r}, not {now.get(name)!r}" for name in names[:3]]
            raise CheckpointError(f"the state is of a run with other settings: {'; '.join(other)}")

    @cached_property
    def _data_name(self) -> str:
        """A name for rows, their targets and weights, that changes with any of them."""
        rows, units, digest = self.rows, self.units, hashlib.sha256()
        arrays = [rows.X, rows.y, rows.weight, units.missing, units.centre, units.spread]
        said = rows.monotonic, rows.categories
        arrays += [array for array in said if array is not None]
        for array in arrays:
            digest.update(f"{array.dtype} {array.shape}".encode())
            digest.update(np.ascontiguousarray(array).reshape(-1).view(np.uint8).data)
        return digest.hexdigest()
