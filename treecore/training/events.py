"""What comes out of every step of training, whatever learns: one event for all families."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from treecore.learners.base import Reassignment


@dataclass(frozen=True)
class Event:
    """What one step of training did, and how good the model is.

    The figures are those of the last *measured* model: a tree is measured before the first update
    and at the end of every pass, a forest after every tree, a hinge forest after every hundred
    mini-batches. A step between two measurements repeats them. Means are weighted where rows have
    weights. A figure that nobody has measured, or that the family does not have, is None.

    Attributes
    ----------
    stage : str
        The method at work: the run's own, or the one that grows its starting tree.
    unit : str
        What ``done`` counts: ``"epoch"``, ``"round"``, ``"level"``, ``"tree"`` or ``"batch"``.
    done : float
        Units of this stage so far; of epochs, rounds and levels fractional inside one.
    total : int
        Units of the whole stage, at most.
    progress : float
        Share of this stage that is done, 0 to 1; moves inside a unit as well.
    complete : bool
        Whether this step finished a measurement, so that the figures are new.
    loss, validation_loss : float or None
        Mean loss, in nats for the log loss. That of numbers is in squared standard deviations of
        the training targets, summed over the outputs; boosting has the exponential loss.
    accuracy, validation_accuracy, oob_accuracy : float or None
        Share of rows classified correctly, 0 to 1, on the training rows, the held-out rows, and on
        every training row by the trees that have not seen it; None where targets are numbers.
    r2, validation_r2, oob_r2 : float or None
        Share of the targets' variance that is explained, at most 1; None for classes.
    mse, validation_mse, oob_mse : float or None
        Mean squared error in the targets' own units, of forests; None for classes.
    seconds : float
        Time spent learning so far, measuring not included.
    note : str
        Why the run has ended before its time, in a sentence; empty otherwise.
    bound : float or None
        Mean surrogate bound over the training rows, in the units of the loss.
    active_leaves, n_leaves : int or None
        Leaves reached by at least one training row, and all leaves of the tree.
    row_norm : float or None
        Mean Euclidean norm of the rows of W, offset included, in training coordinates.
    inner_products : float or None
        Inner products spent per training row in the present or last pass.
    reassignment : Reassignment or None
        Set where the pass that ended here ended with one.
    """

    stage: str
    unit: str
    done: float
    total: int
    progress: float
    complete: bool
    loss: float | None = None
    validation_loss: float | None = None
    accuracy: float | None = None
    validation_accuracy: float | None = None
    oob_accuracy: float | None = None
    r2: float | None = None
    validation_r2: float | None = None
    oob_r2: float | None = None
    mse: float | None = None
    validation_mse: float | None = None
    oob_mse: float | None = None
    seconds: float = 0.0
    note: str = ""
    bound: float | None = None
    active_leaves: int | None = None
    n_leaves: int | None = None
    row_norm: float | None = None
    inner_products: float | None = None
    reassignment: Reassignment | None = None

    @property
    def error(self) -> float | None:
        """Share of the training rows classified wrongly, or their mean squared error."""
        return _error(self.accuracy, self.mse)

    @property
    def validation_error(self) -> float | None:
        """As :attr:`error`, on the held-out rows."""
        return _error(self.validation_accuracy, self.validation_mse)

    @property
    def oob_error(self) -> float | None:
        """As :attr:`error`, by the trees that have not seen the row."""
        return _error(self.oob_accuracy, self.oob_mse)

    def as_dict(self) -> dict[str, Any]:
        """All fields that are not None, as JSON values; :func:`read_event` reads them."""
        values = dataclasses.asdict(self)
        return {name: value for name, value in values.items() if value is not None}


def _error(accuracy: float | None, mse: float | None) -> float | None:
    return mse if accuracy is None else 1.0 - accuracy


def read_event(record: Mapping[str, Any], unit: str = "epoch") -> Event:
    """Read a record of :meth:`Event.as_dict`; ``unit`` is for earlier versions, which had none."""
    record = dict(record)
    if "epoch" in record:
        done, progress = record.pop("epoch"), record["progress"]
        total = round(done / progress) if progress else 0
        record = {"unit": unit, "done": done, "total": total} | record
    moved = record.pop("reassignment", None)
    return Event(**record, reassignment=moved and Reassignment(**moved))
