"""Why a run learns nothing: one sentence with what was measured, and the setting that mends it.

Joint learning lowers a bound, which need not take the loss along, and has ν and η of its own. Of
any method that ends where it began, a setting far from the usual one is told.
"""

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from treecore import Event, RunConfig
from treecore.base import Setting
from treecore.training import TREES
from ui.language.translate import N_, _, written

MIN_PASSES = 10
"""Passes before which nothing is said: the first ones often raise the loss."""

HARMFUL = {
    **dict.fromkeys(("sparsity", "max_features", "momentum", "smoothing"), "above"),
    **dict.fromkeys(("batch", "eta"), "above or below"),
    **dict.fromkeys(("epochs", "rounds"), "below"),
    **{"decay": "above", "sharpness": "below", "C": "below", "ridge": "above"},
    **dict.fromkeys(("min_samples_leaf", "min_gain", "min_impurity"), "above"),
    **dict.fromkeys(("n_directions", "depth"), "below"),
}
"""Settings that keep a run from learning, the likeliest first, and on which side of the usual."""

HOLDING = ("n_directions", "smoothing", "min_samples_leaf", "min_gain", "min_impurity", "depth")
"""Those that hold grown trees back, however well they fit, from what the data would allow."""

USUAL_RANGES: Mapping[str, tuple[float, float]] = {
    "epochs": (MIN_PASSES, math.inf),
    "momentum": (0.0, 0.8),
    "sparsity": (0.0, 0.01),
    "ridge": (0.0, 1.0),
    "decay": (0.0, 1.5),
    "sharpness": (1.5, 100.0),
}
"""Values that do no harm, where that is not a matter of ratios: others are far from the usual one
that are five times as large or as small."""


@dataclass(frozen=True)
class Diagnosis:
    """What is wrong with a run, the setting that may mend it, and an offer of that in words."""

    sentence: str
    change: dict[str, Any]
    offer: str


def diagnose(
    events: Sequence[Event], config: RunConfig, n_features: int | None = None
) -> Diagnosis | None:
    """What is wrong with a run so far; None where it learns, or where nothing can be said yet."""
    measured = [event for event in events if event.loss is not None]
    if not measured:
        return None
    first, last = measured[0], measured[-1]
    known = {one.name: one for one in TREES[config.method].definitions()}
    if n_features is not None and config.as_dict().get("max_features", 0) >= n_features:
        known.pop("max_features", None)
    over, bounded = last.progress >= 1, last.bound is not None and last.done >= MIN_PASSES
    found = None
    if (bounded or over) and _stood_still(first, last):
        found = _of_settings(first, last, config, known) or _of_start(first, last, config, known)
    if found is None and bounded:
        found = _of_bound(first, last, config, known)
    if found is None and over and _share_wrong(last) > 0.25:
        # Leaves that learn by steps get over what they began with; no tree over its depth.
        names = ("depth",) if last.unit == "epoch" else HOLDING
        found = _of_settings(
            first, last, config, {name: one for name, one in known.items() if name in names}
        )
    return found


def _stood_still(first: Event, last: Event) -> bool:
    """Whether a tree is hardly better than it was at the start, or worse."""
    assert first.loss is not None
    assert last.loss is not None
    before, after = _share_wrong(first), _share_wrong(last)
    worse = last.bound is not None and last.loss > 1.02 * first.loss
    if after < 0.05 and not worse:  # there is nothing to explain
        return False
    return (last.loss > 0.75 * first.loss and after > 0.75 * before) or after > before + 0.01


def _of_settings(
    first: Event, last: Event, config: RunConfig, known: Mapping[str, Setting]
) -> Diagnosis | None:
    present = config.as_dict()
    far = [name for name in HARMFUL if name in known and _is_far(known[name], present[name])]
    if last.done < present.get("epochs", present.get("rounds", 0)):  # it has ended by itself
        far = [name for name in far if name not in ("epochs", "rounds")]
    if present.get("scaling") == "together" and "scaling" in known:  # small ranges hardly count
        far += ["scaling"] if known["scaling"].default != "together" else []
    if not far:
        return None
    setting = known[far[0]]
    sentence = _(
        "{told} The likely cause: {setting}, where the default is {usual}.",
        told=_wrong_now(first, last),
        setting=_equation(setting, present[setting.name]),
        usual=_written(setting.default),
    )
    return _changed(sentence, setting, setting.default)


def _is_far(setting: Setting, value: float) -> bool:
    """Whether a value is far from the usual one, on a side where that does harm."""
    usual, side = setting.default, HARMFUL[setting.name]
    low, high = USUAL_RANGES.get(setting.name, (usual / 5, usual * 5))
    above = "above" in side and value > max(high, usual)
    return above or ("below" in side and value < min(low, usual))


def _of_start(
    first: Event, last: Event, config: RunConfig, known: Mapping[str, Setting]
) -> Diagnosis | None:
    """What grown trees hold TAO to: it changes a split where that alone lowers the error."""
    is_held = config.method == "tao" and config.as_dict()["start"] != "random"
    if not is_held or last.r2 is not None:
        return None
    sentence = _(
        "{told} From this start, TAO finds almost no single split whose change would fix mistakes.",
        told=_wrong_now(first, last),
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


def _wrong_now(first: Event, last: Event) -> str:
    message = N_("{after} of the variance is unexplained, {before} at the start.")
    if last.r2 is None:
        message = N_(
            "{after} of the training examples are misclassified; at the start it was {before}."
        )
    after, before = (written(_share_wrong(event), ".0%") for event in (last, first))
    return _(message, after=after, before=before)


def _share_wrong(event: Event) -> float:
    right = event.accuracy if event.r2 is None else event.r2
    return 0.0 if right is None else 1.0 - right


def _changed(sentence: str, setting: Setting, value: Any) -> Diagnosis | None:
    """A setting of another value; None where it is beyond its range."""
    if not setting.choices and not isinstance(setting.default, int):
        value = float(f"{value:.2g}")
    if not setting.allows(value):
        return None
    offer = _("Start again with {setting}", setting=_equation(setting, value))
    return Diagnosis(sentence, {setting.name: value}, offer)


def _equation(setting: Setting, value: Any) -> str:
    return f"{_(setting.label).split(' (')[0]} = {_written(value)}"


def _written(value: Any) -> str:
    return value if isinstance(value, str) else f"{value:g}"
