"""Why a run learns nothing: one sentence with what was measured, and the setting that mends it.

A pure function of a run's events. Only joint learning by SGD is told of: what it lowers is the
bound, which need not take the loss along, and what it may do depends on two numbers of one's own.
Greedy growth and TAO do not raise the loss, and annealed learning has no bound to compare with.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from treecore import Event, RunConfig
from treecore.training.registry import TREES
from ui.language.translate import _

LEAST_PASSES = 10
"""Passes before which nothing is said: the first ones often raise the loss."""

SLACK = 0.02
"""Share of its first value by which a loss may rise or fall without being better or worse."""

TIGHT = 0.1
"""A bound that exceeds the loss by no more than this share of it is as good as the loss."""

WRONG = 0.15
"""Share of the training rows, or of their variance, that is worth more leaves."""

WIDEN, CALM, TURN = 10, 5, 100
"""Factors: by which ν rises, and by which η and ν fall."""

STIFF = 100.0
"""The least ν that can keep splits from moving: the paper's greatest one."""

RIGHT = 0.01
"""Share of the training rows, or of their variance, that counts as something learnt."""


@dataclass(frozen=True)
class Diagnosis:
    """What is wrong with a run, and what may mend it.

    Attributes
    ----------
    sentence : str
        With the figures it is drawn from.
    change : dict
        The settings that would be others, by name.
    offer : str
        The change in words, for a button.
    """

    sentence: str
    change: dict[str, Any]
    offer: str


def diagnose(events: Sequence[Event], config: RunConfig) -> Diagnosis | None:
    """What is wrong with a run so far; None where it learns, or where nothing can be said yet.

    Parameters
    ----------
    events : sequence of Event
        Of the run's own method, one for every measured tree, the first that of its start.
    config : RunConfig
    """
    measured = [event for event in events if event.loss is not None and event.bound is not None]
    if len(measured) < 2 or measured[-1].done < LEAST_PASSES:
        return None
    first, last = measured[0], measured[-1]
    # The filter above has seen to it; said once more for the type checker.
    assert first.loss is not None
    assert first.bound is not None
    assert last.loss is not None
    assert last.bound is not None
    asleep = _asleep(last)
    if last.loss > (1 + SLACK) * first.loss:
        rise = _(
            "The loss has risen from {loss:.3g} to {loss2:.3g}", loss=first.loss, loss2=last.loss
        )
        if last.bound < first.bound:
            return _scaled(
                _(
                    "{rise} while its bound fell from {bound:.3g} to {bound2:.3g}{asleep}: "
                    "ν = {config:g} is too small, its margins are wider than the pattern.",
                    rise=rise,
                    bound=first.bound,
                    bound2=last.bound,
                    asleep=asleep,
                    config=_nu(config),
                ),
                config,
                "nu",
                WIDEN,
            )
        return _scaled(
            _(
                "{rise}, and its bound from {bound:.3g} to {bound2:.3g}{asleep}: "
                "steps of η = {config:g} are too large.",
                rise=rise,
                bound=first.bound,
                bound2=last.bound,
                asleep=asleep,
                config=_eta(config),
            ),
            config,
            "eta",
            1 / CALM,
        )
    tight = last.bound - last.loss <= TIGHT * last.loss
    still = last.loss > (1 - SLACK) * first.loss
    still = still and _share_wrong(first) - _share_wrong(last) < RIGHT
    if tight and still and _nu(config) > STIFF:
        return _scaled(
            _(
                "The bound, {bound:.3g}, lies on the loss, {loss:.3g}, which was "
                "{loss2:.3g} at the start: ν = {config:g} is so large that splits "
                "hardly move.",
                bound=last.bound,
                loss=last.loss,
                loss2=first.loss,
                config=_nu(config),
            ),
            config,
            "nu",
            1 / TURN,
        )
    if tight and last.progress >= 1 and not asleep and _share_wrong(last) > WRONG:
        return _deeper(last, config)
    return None


def _nu(config: RunConfig) -> float:
    return float(config.as_dict()["nu"])


def _eta(config: RunConfig) -> float:
    return float(config.as_dict()["eta"])


def _asleep(event: Event) -> str:
    if (
        event.active_leaves is None
        or event.n_leaves is None
        or event.n_leaves == event.active_leaves
    ):
        return ""
    return _(
        " and {active_leaves} of {n_leaves} leaves fell asleep",
        active_leaves=event.n_leaves - event.active_leaves,
        n_leaves=event.n_leaves,
    )


def _share_wrong(event: Event) -> float:
    right = event.accuracy if event.r2 is None else event.r2
    return 0.0 if right is None else 1.0 - right


def _scaled(sentence: str, config: RunConfig, name: str, factor: float) -> Diagnosis | None:
    """A setting of another size; None where it is as far as it goes."""
    known = next(s for s in TREES[config.method].definitions() if s.name == name)
    value = float(f"{config.as_dict()[name] * factor:.2g}")
    low, high = known.limits
    if not low <= value <= high:
        return None
    symbol = known.label.split()[0]
    return Diagnosis(
        sentence,
        {name: value},
        _("Begin again with {symbol} = {value:g}", symbol=symbol, value=value),
    )


def _deeper(event: Event, config: RunConfig) -> Diagnosis | None:
    known = next(s for s in TREES[config.method].definitions() if s.name == "depth")
    depth = config.as_dict()["depth"] + 2
    if known.high is not None and depth > known.high:
        return None
    wrong = f"{100 * _share_wrong(event):.0f} %"
    what = (
        _("of the examples are wrong") if event.r2 is None else _("of the variance is unexplained")
    )
    return Diagnosis(
        _(
            "All {n_leaves} leaves are in use, the bound lies on the loss, and {wrong} {what}: "
            "there are too few leaves.",
            n_leaves=event.n_leaves,
            wrong=wrong,
            what=what,
        ),
        {"depth": depth},
        _("Begin again with depth {depth}", depth=depth),
    )
