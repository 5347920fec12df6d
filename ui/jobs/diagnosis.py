"""Why a run learns nothing: one sentence with what was measured, and the setting that mends it.

Joint learning lowers a bound, which need not take the loss along, and has ν and η of its own; TAO
may find nothing to change in a grown tree.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treecore import Event, RunConfig
from treecore.base import Setting
from treecore.training import TREES
from ui.language.translate import N_, _, written

MIN_PASSES = 10
"""Passes before which nothing is said: the first ones often raise the loss."""


@dataclass(frozen=True)
class Diagnosis:
    """What is wrong with a run, the setting that may mend it, and an offer of that in words."""

    sentence: str
    change: dict[str, Any]
    offer: str


def diagnose(events: Sequence[Event], config: RunConfig) -> Diagnosis | None:
    """What is wrong with a run so far; None where it learns, or where nothing can be said yet."""
    measured = [event for event in events if event.loss is not None]
    if not measured:
        return None
    first, last = measured[0], measured[-1]
    known = {one.name: one for one in TREES[config.method].definitions()}
    if last.bound is None:
        return _of_start(first, last, config, known)
    return _of_bound(first, last, config, known) if last.done >= MIN_PASSES else None


def _stood_still(first: Event, last: Event) -> bool:
    """Whether a tree is hardly better than it was at the start, or worse."""
    assert first.loss is not None
    assert last.loss is not None
    before, after = _share_wrong(first), _share_wrong(last)
    worse = last.bound is not None and last.loss > 1.02 * first.loss
    if after < 0.05 and not worse:  # there is nothing to explain
        return False
    return (last.loss > 0.75 * first.loss and after > 0.75 * before) or after > before + 0.01


def _of_start(
    first: Event, last: Event, config: RunConfig, known: Mapping[str, Setting]
) -> Diagnosis | None:
    """What grown trees hold TAO to: it changes a split where that alone lowers the error."""
    is_held = config.method == "tao" and config.as_dict()["start"] != "random"
    over = last.progress >= 1 and _stood_still(first, last)
    if not (is_held and over) or last.r2 is not None:
        return None
    after, before = (written(_share_wrong(event), ".0%") for event in (last, first))
    sentence = _(
        "{after} of the training examples are misclassified; at the start it was {before}. From "
        "this start, TAO finds almost no single split whose change would fix mistakes.",
        after=after,
        before=before,
    )
    return _changed(sentence, known["start"], "random")


def _of_bound(
    first: Event, last: Event, config: RunConfig, known: Mapping[str, Setting]
) -> Diagnosis | None:
    """What loss and bound of joint learning tell of ν, η and the number of leaves."""
    # Joint learning has both at every tree; said once more for the type checker.
    assert first.loss is not None
    assert first.bound is not None
    assert last.loss is not None
    assert last.bound is not None
    settings, usual_nu = config.as_dict(), known["nu"].default
    nu, eta, at_random = settings["nu"], settings["eta"], settings["start"] == "random"
    room, n_leaves = 2 ** settings["depth"], last.n_leaves or 0
    asleep = n_leaves - (n_leaves if last.active_leaves is None else last.active_leaves)
    figures = _(
        "The loss went from {loss:.3g} to {loss2:.3g}, its bound from {bound:.3g} to {bound2:.3g}",
        loss=first.loss,
        loss2=last.loss,
        bound=first.bound,
        bound2=last.bound,
    )
    if asleep:
        figures += _(
            ", and {active_leaves} of {n_leaves} leaves became inactive",
            active_leaves=asleep,
            n_leaves=n_leaves,
        )

    def told(cause: str, name: str, value: Any, **values: Any) -> Diagnosis | None:
        return _changed(f"{figures}. {_(cause, **values)}", known[name], value)

    still = _stood_still(first, last)
    # Early in a run margins may cost more loss than fewer mistakes spare: that is learning.
    unlearnt = _share_wrong(last) > 0.75 * _share_wrong(first)
    risen = unlearnt and last.loss > 1.02 * first.loss
    tight = last.bound <= 1.1 * last.loss
    stuck = tight and still and last.loss > 0.85 * first.loss
    if risen and last.bound >= first.bound:
        return told(N_("Steps of η = {eta:g} are too large."), "eta", eta / 5, eta=eta)
    # Where ν is far too small, leaves all give way to one, however many there are.
    grown = nu >= usual_nu / 5 and not at_random and settings["shape"] != "complete"
    if grown and (risen or stuck) and 0 < n_leaves <= room / 2:
        cause = N_(
            "The starting tree has only {n_leaves} of {room} leaves: too few splits to adjust."
        )
        return told(cause, "shape", "complete", n_leaves=n_leaves, room=room)
    has_followed = last.loss <= 0.95 * first.loss
    if risen or (still and asleep and not has_followed and last.bound < first.bound):
        cause = N_("ν = {nu:g} is too small: the margins are wider than the pattern.")
        return told(cause, "nu", usual_nu if nu < usual_nu else 10 * nu, nu=nu)
    if stuck and at_random and nu > 100 and nu >= 5 * usual_nu:
        cause = N_("ν = {nu:g} is so large that splits hardly move.")
        return told(cause, "nu", usual_nu, nu=nu)
    if tight and last.progress >= 1 and not asleep and _share_wrong(last) > 0.15:
        cause = N_("All leaves are active, and the bound is as low as the loss: too few leaves.")
        return told(cause, "depth", settings["depth"] + 2)
    return None


def _share_wrong(event: Event) -> float:
    right = event.accuracy if event.r2 is None else event.r2
    return 0.0 if right is None else 1.0 - right


def _changed(sentence: str, setting: Setting, value: Any) -> Diagnosis | None:
    """A setting of another value; None where it is beyond its range."""
    if not setting.choices and not isinstance(setting.default, int):
        value = float(f"{value:.2g}")
    if not setting.allows(value):
        return None
    text = value if isinstance(value, str) else f"{value:g}"
    equation = f"{_(setting.label).split(' (')[0]} = {text}"
    offer = _("Start again with {setting}", setting=equation)
    return Diagnosis(sentence, {setting.name: value}, offer)
