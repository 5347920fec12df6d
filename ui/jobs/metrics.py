"""What is measured of every run of a comparison: columns of the table, and charts.

Classes and numbers differ in two figures only, how much is right and what errors cost; which
those are follows from the loss.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from treecore import Event
from treecore.losses import find_loss
from treecore.training import METHODS, SGDSettings
from treecore.viewer import GLOSSARY, NUMBERS
from ui.jobs.recorder import Snapshot
from ui.language.translate import N_, _, writing, written


@dataclass(frozen=True)
class Column:
    """A column of the table; of_shape: it tells of the tree, and not how well it predicts."""

    title: str
    help: str
    value: Callable[[Snapshot], float | None]
    text: Callable[[float], str]
    best: Callable
    of_shape: bool = False


@dataclass(frozen=True)
class Chart:
    """A chart over the clock, or ``over`` a count; share: per cent; entire: values are counts."""

    title: str
    unit: str
    help: str
    value: Callable[[Snapshot], float | None]
    share: bool = False
    entire: bool = False
    over: Callable[[Snapshot], float | None] | None = None


def of_numbers(loss: str) -> bool:
    return find_loss(loss).task == "regression"


def goodness(event: Event) -> float | None:
    """How much is right of the held-out examples, at most 1: accuracy of classes, R² of numbers."""
    return event.validation_r2 if event.accuracy is None else event.validation_accuracy


def loss_of(snapshot: Snapshot, name: str) -> float | None:
    """A loss of a snapshot; boosting has another one, which says nothing beside the others'."""
    return None if METHODS[snapshot.event.stage].is_boosting else getattr(snapshot.event, name)


def good_title(loss: str) -> str:
    """What :func:`goodness` is called."""
    return _("Test R²") if of_numbers(loss) else _("Test accuracy")


def loss_title(loss: str) -> str:
    return {
        "log": _("Log loss"),
        "squared": _("Squared error"),
        "huber": _("Huber loss"),
        "absolute": _("Absolute error"),
    }.get(loss) or find_loss(loss).title


def duration(seconds: float) -> str:
    """Seconds as a short text with its unit: ``0.4 ms``, ``12 ms``, ``3.1 s``, ``2 min``."""
    if seconds >= 120:
        return f"{written(seconds / 60, '.0f')} min"
    if seconds >= 1:
        return f"{written(seconds, '.1f')} s"
    milliseconds = 1000 * seconds
    return (
        f"{written(milliseconds, '.0f')} ms"
        if milliseconds >= 10
        else f"{written(milliseconds, '.2g')} ms"
    )


OUT_OF_BAG = N_(
    "Each training example is judged only by the trees that did not draw it. This needs no test "
    "examples."
)


def out_of_bag(event: Event) -> float | None:
    """As :func:`goodness`, of the training examples by the trees that have not drawn them."""
    return event.oob_r2 if event.oob_accuracy is None else event.oob_accuracy


def oob_title(loss: str) -> str:
    """What :func:`out_of_bag` is called."""
    return _("Out-of-bag R²") if of_numbers(loss) else _("Out-of-bag accuracy")


def columns_of(loss: str, methods: Sequence[str]) -> tuple[Column, ...]:
    good = _("The share of test examples whose class the tree predicts correctly.")
    cost = _(
        "Minus the logarithm of the probability given to the right class, averaged over the test "
        "examples. It punishes confident mistakes; 0 is perfect."
    )
    if of_numbers(loss):
        good = _(GLOSSARY["r2"]) + _(" Measured on the test examples.")
        cost = _(NUMBERS["loss"]) + _(" Measured on the test examples.")
    return (
        Column(
            good_title(loss),
            good,
            lambda snapshot: goodness(snapshot.event),
            writing(".1%"),
            max,
        ),
        Column(
            loss_title(loss),
            cost,
            lambda snapshot: loss_of(snapshot, "validation_loss"),
            writing(".3f"),
            min,
        ),
        *_of_bagging(loss, methods),
        *_shape(),
    )


def _of_bagging(loss: str, methods: Sequence[str]) -> tuple[Column, ...]:
    if not any(METHODS[name].algorithm == "bagging" for name in methods):
        return ()
    return (
        Column(
            oob_title(loss),
            _(OUT_OF_BAG),
            lambda snapshot: out_of_bag(snapshot.event),
            writing(".1%"),
            max,
        ),
    )


def _shape() -> tuple[Column, ...]:
    return (
        Column(
            _("Splits"),
            _("The number of splits in the tree."),
            lambda snapshot: snapshot.n_splits,
            writing(".0f"),
            min,
            of_shape=True,
        ),
        Column(
            _("Active leaves"),
            _(GLOSSARY["active"])
            + _(" Of two equally accurate trees, the smaller one is simpler."),
            lambda snapshot: snapshot.event.active_leaves,
            writing(".0f"),
            min,
            of_shape=True,
        ),
        Column(
            _("Weights"),
            _(
                "The number of weights other than zero, over all splits. A split on one feature "
                "has one."
            ),
            lambda snapshot: snapshot.n_weights,
            writing(".0f"),
            min,
            of_shape=True,
        ),
        Column(
            _("Depth"),
            _("The largest number of splits between the root and a leaf."),
            lambda snapshot: snapshot.depth,
            writing(".0f"),
            min,
            of_shape=True,
        ),
        Column(
            _("Learning"),
            _("Time spent learning up to this tree. Measuring and drawing do not count."),
            lambda snapshot: snapshot.event.seconds,
            duration,
            min,
            of_shape=True,
        ),
    )
    """Columns about the tree and its making, whatever it predicts."""


def charts_of(loss: str, methods: Sequence[str]) -> tuple[Chart, ...]:
    """What is drawn over a clock, of what one of the methods has at least."""
    single = any(METHODS[name].family == "tree" for name in methods)
    bagged = any(METHODS[name].algorithm == "bagging" for name in methods)
    numbers = of_numbers(loss)
    unit = _("squared deviations, training") if numbers else _("nats, training")
    words = GLOSSARY | NUMBERS if numbers else GLOSSARY
    charts = [
        Chart(
            good_title(loss),
            _("%, over active leaves") if single else _("%, over leaves"),
            _(words["r2" if numbers else "accuracy"])
            + _(
                " Each learner leaves a trail while it learns. Pale dots are means over earlier "
                "draws, one for each limit."
            ),
            lambda snapshot: _percent(goodness(snapshot.event)),
            share=True,
            over=lambda snapshot: snapshot.n_leaves,
        ),
        Chart(_("Loss"), unit, _(words["loss"]), lambda snapshot: loss_of(snapshot, "loss")),
    ]
    if any(issubclass(METHODS[name].settings, SGDSettings) for name in methods):
        charts.append(
            Chart(_("Bound"), unit, _(words["bound"]), lambda snapshot: snapshot.event.bound)
        )
    if single:
        charts.append(
            Chart(
                _("Active leaves"),
                _("count"),
                _(words["active"]),
                lambda snapshot: snapshot.event.active_leaves,
                entire=True,
            )
        )
    if bagged:
        charts.append(
            Chart(
                oob_title(loss),
                "%",
                _(OUT_OF_BAG),
                lambda snapshot: _percent(out_of_bag(snapshot.event)),
                share=True,
            )
        )
    return tuple(charts)


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value
