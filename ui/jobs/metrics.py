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


def time_left(seconds: float) -> str:
    """What a progress bar says, in whole seconds: ``about 12 s left``, ``about 2 min left``."""
    left = duration(seconds) if seconds >= 120 else f"{max(1, round(seconds))} s"
    return _("about {left} left", left=left)


OUT_OF_BAG = N_(
    "Each training example is judged only by the trees that did not draw it. This needs no test "
    "examples."
)


def out_of_bag(event: Event) -> float | None:
    """As :func:`goodness`, of the training examples by the trees that have not drawn them."""
    return event.oob_r2 if event.oob_accuracy is None else event.oob_accuracy


def oob_title(loss: str) -> str:
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
    bagged = any(METHODS[name].algorithm == "bagging" for name in methods)
    good_share, loss_value = writing(".1%"), writing(".3f")
    oob = Column(
        oob_title(loss), _(OUT_OF_BAG), lambda shot: out_of_bag(shot.event), good_share, max
    )
    return (
        Column(good_title(loss), good, lambda shot: goodness(shot.event), good_share, max),
        Column(
            loss_title(loss), cost, lambda shot: loss_of(shot, "validation_loss"), loss_value, min
        ),
        *([oob] if bagged else []),
        *_shape(),
    )


def _shape() -> tuple[Column, ...]:
    """Columns about the tree and its making, whatever it predicts."""
    count, more = writing(",.0f"), _(" Of two equally accurate trees, the smaller one is simpler.")
    weights = _(
        "The number of weights other than zero, over all splits. A split on one feature has one."
    )
    depth = _("The largest number of splits between the root and a leaf.")
    seconds = _("Time spent learning up to this tree. Measuring and drawing do not count.")
    splits, active = _("The number of splits in the tree."), _(GLOSSARY["active"]) + more
    return (
        Column(_("Splits"), splits, lambda shot: shot.n_splits, count, min, True),
        Column(_("Active leaves"), active, lambda shot: shot.event.active_leaves, count, min, True),
        Column(_("Weights"), weights, lambda shot: shot.n_weights, count, min, True),
        Column(_("Depth"), depth, lambda shot: shot.depth, count, min, True),
        Column(_("Learning"), seconds, lambda shot: shot.event.seconds, duration, min, True),
    )


def charts_of(loss: str, methods: Sequence[str], by_clock: bool = False) -> tuple[Chart, ...]:
    """What is drawn of what one of the methods has at least; by_clock: all of it over the clock."""
    single = any(METHODS[name].family == "tree" for name in methods)
    bagged = any(METHODS[name].algorithm == "bagging" for name in methods)
    numbers = of_numbers(loss)
    unit = _("squared deviations, training") if numbers else _("nats, training")
    words = GLOSSARY | NUMBERS if numbers else GLOSSARY
    trail = _(
        " Each learner leaves a trail while it learns. Pale dots are means over earlier draws, one "
        "for each limit."
    )
    over = _("%, over active leaves") if single else _("%, over leaves")
    charts = [
        Chart(
            good_title(loss),
            "%" if by_clock else over,
            _(words["r2" if numbers else "accuracy"]) + trail * (not by_clock),
            lambda shot: _percent(goodness(shot.event)),
            share=True,
            over=None if by_clock else lambda shot: shot.n_leaves,
        ),
        Chart(_("Loss"), unit, _(words["loss"]), lambda shot: loss_of(shot, "loss")),
    ]
    if any(issubclass(METHODS[name].settings, SGDSettings) for name in methods):
        charts.append(Chart(_("Bound"), unit, _(words["bound"]), lambda shot: shot.event.bound))
    if single:
        title, help = _("Active leaves"), _(words["active"])
        charts.append(
            Chart(title, _("count"), help, lambda shot: shot.event.active_leaves, entire=True)
        )
    if bagged:
        title, help = oob_title(loss), _(OUT_OF_BAG)
        charts.append(
            Chart(title, "%", help, lambda shot: _percent(out_of_bag(shot.event)), share=True)
        )
    return tuple(charts)


def _percent(value: float | None) -> float | None:
    return None if value is None else 100 * value
