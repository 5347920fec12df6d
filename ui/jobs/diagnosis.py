"""Why a run learns nothing: one sentence with what was measured, and the setting that mends it.

Joint learning lowers a bound, which need not take the loss along, and has ν and η of its own. Of
any method that ends where it began, a setting far from the usual one is told.
"""

from __future__ import annotations

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

SLACK = 0.02
"""Share of its first value by which a loss may rise or fall without being better or worse."""

TIGHT = 0.1
"""A bound that exceeds the loss by no more than this share of it is as good as the loss."""

WRONG = 0.15
"""Share of the training rows, or of their variance, that is worth more leaves."""

WIDEN, CALM = 10, 5
"""Factors: by which ν rises at least, and by which η falls."""

STIFF = 100.0
"""The least ν that can keep splits from moving: the paper's greatest one."""

RIGHT = 0.01
"""Share of the training rows, or of their variance, that counts as something learnt."""

KEPT = 0.75
"""A run that keeps so much of its loss and of its mistakes has hardly learnt."""

GOOD = 0.05
"""A tree with fewer mistakes has nothing to explain."""

FAR = 5
"""A setting so many times the usual one, or less by as much, is far from it."""

STUCK = 0.85
"""A loss that stays above this share of its first value is that of splits that hardly move."""

UNCHANGED_SHARE = 0.95
"""A loss that stays above this share of its first value has not followed its bound."""

HALF = 0.5
"""Share of the leaves of a complete tree of which a grown start has few."""

USUAL_RANGES: Mapping[str, tuple[float, float]] = {
    "epochs": (MIN_PASSES, math.inf),
    "momentum": (0.0, 0.8),
    "sparsity": (0.0, 0.01),
    "ridge": (0.0, 1.0),
    "decay": (0.0, 1.5),
    "sharpness": (1.5, 100.0),
}
"""Values that do no harm, where that is not a matter of ratios."""

TOO_FAR: Mapping[str, tuple[str, str]] = {
    # What is wrong with a setting that is far above the usual one, and with one far below.
    "sparsity": (N_("a penalty of {value} pulls all weights to zero"), ""),
    "max_features": (N_("too few features per split ({value})"), ""),
    "momentum": (N_("with a momentum of {value}, steps overshoot"), ""),
    "smoothing": (N_("{value} imaginary examples in each leaf outweigh its own"), ""),
    "batch": (
        N_("batches of {value} examples leave too few steps"),
        N_("with batches of {value} examples the steps are too noisy"),
    ),
    "eta": (N_("steps of η = {value} are too large"), N_("steps of η = {value} are too small")),
    "epochs": ("", N_("too few epochs ({value})")),
    "rounds": ("", N_("too few rounds ({value})")),
    "decay": (N_("a weight decay of {value} keeps the splits soft"), ""),
    "sharpness": ("", N_("with a final sharpness of {value}, splits stay soft")),
    "C": ("", N_("with C = {value}, mistakes count too little against weights")),
    "ridge": (N_("a ridge penalty of {value} keeps the weights too small"), ""),
    "min_samples_split": (N_("nodes with fewer than {value} examples are not split"), ""),
    "min_samples_leaf": (N_("leaves need at least {value} examples"), ""),
    "min_gain": (N_("splits must gain at least {value}"), ""),
    "min_impurity": (N_("nodes purer than {value} are not split"), ""),
    "n_directions": ("", N_("too few directions tried per split ({value})")),
    "depth": ("", N_("a tree of depth {value} has too few leaves")),
}
"""Settings that keep a run from learning, the likeliest cause first."""

HOLDING = (
    "n_directions",
    "smoothing",
    "min_samples_split",
    "min_samples_leaf",
    "min_gain",
    "min_impurity",
    "depth",
)
"""Those that hold grown trees back, however well they fit, from what the data would allow."""

MUCH = 0.25
"""Share of the training rows, or of their variance, whose loss by one of those is worth telling."""


@dataclass(frozen=True)
class Diagnosis:
    """What is wrong with a run, the settings that may mend it, and an offer of these in words."""

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
    usual = {name: one.default for name, one in known.items()}
    if n_features is not None and config.as_dict().get("max_features", 0) >= n_features:
        known.pop("max_features", None)
    bounded = last.bound is not None and last.done >= MIN_PASSES
    found = None
    if (bounded or last.progress >= 1) and _stood_still(first, last):
        found = (
            _of_settings(first, last, config, known, usual)
            or _of_scaling(first, last, config, usual)
            or _of_start(first, last, config)
        )
    if found is None and bounded:
        found = _of_bound(first, last, config, known, usual)
    if found is None and last.progress >= 1 and _share_wrong(last) > MUCH:
        # Leaves that learn by steps get over what they began with; no tree over its depth.
        names = ("depth",) if last.unit == "epoch" else HOLDING
        held = {name: one for name, one in known.items() if name in names}
        found = _of_settings(first, last, config, held, usual)
    return found


def _stood_still(first: Event, last: Event) -> bool:
    """Whether a tree is hardly better than it was at the start, or worse."""
    assert first.loss is not None
    assert last.loss is not None
    before, after = _share_wrong(first), _share_wrong(last)
    worse = last.bound is not None and last.loss > (1 + SLACK) * first.loss
    if after < GOOD and not worse:
        return False
    kept = last.loss > KEPT * first.loss and after > KEPT * before
    return kept or after > before + RIGHT


def _of_settings(
    first: Event,
    last: Event,
    config: RunConfig,
    known: Mapping[str, Setting],
    usual: Mapping[str, Any],
) -> Diagnosis | None:
    """The likeliest of the settings that are far from the usual ones."""
    present = config.as_dict()
    for name in TOO_FAR:
        if name not in known or not (why := _too_far(name, present[name], usual[name])):
            continue
        if name in ("epochs", "rounds") and last.done < present[name]:
            continue  # the run has ended by itself
        sentence = _(
            "{told} The likely cause: {why}.",
            told=_wrong_now(first, last),
            why=_(why, value=f"{present[name]:g}"),
        )
        return _changed(sentence, known[name], usual[name])
    return None


def _of_scaling(
    first: Event, last: Event, config: RunConfig, usual: Mapping[str, Any]
) -> Diagnosis | None:
    """What one deviation for all features does where their ranges differ."""
    if config.as_dict().get("scaling") != "together" or usual["scaling"] == "together":
        return None
    return Diagnosis(
        _(
            "{told} The likely cause: all features are scaled together, and those with small "
            "ranges hardly count.",
            told=_wrong_now(first, last),
        ),
        {"scaling": usual["scaling"]},
        _("Start again with default scaling"),
    )


def _of_start(first: Event, last: Event, config: RunConfig) -> Diagnosis | None:
    """What grown trees hold TAO to: it changes a split where that alone lowers the error."""
    is_held = config.method == "tao" and config.as_dict()["start"] != "random"
    if not is_held or last.r2 is not None:
        return None
    return Diagnosis(
        _(
            "{told} From this start, TAO finds almost no single split whose change would fix "
            "mistakes.",
            told=_wrong_now(first, last),
        ),
        {"start": "random"},
        _("Start again from random splits"),
    )


def _wrong_now(first: Event, last: Event) -> str:
    """How wrong the tree is and was, as a sentence."""
    message = N_("{after} of the variance is unexplained, {before} at the start.")
    if last.r2 is None:
        message = N_(
            "{after} of the training examples are misclassified; at the start it was {before}."
        )
    after, before = (written(_share_wrong(event), ".0%") for event in (last, first))
    return _(message, after=after, before=before)


def _too_far(name: str, value: float, usual: float) -> str:
    """What is wrong with a setting that is so far from the usual one; empty where it is not."""
    above, below = TOO_FAR[name]
    low, high = USUAL_RANGES.get(name, (usual / FAR, usual * FAR))
    if value > max(high, usual):
        return above
    return below if value < min(low, usual) else ""


def _of_bound(
    first: Event,
    last: Event,
    config: RunConfig,
    known: Mapping[str, Setting],
    usual: Mapping[str, Any],
) -> Diagnosis | None:
    """What loss and bound of joint learning tell of ν, η and the number of leaves."""
    # Joint learning has both at every tree; said once more for the type checker.
    assert first.loss is not None
    assert first.bound is not None
    assert last.loss is not None
    assert last.bound is not None
    asleep, still = _asleep(last), _stood_still(first, last)
    settings = config.as_dict()
    nu, eta, at_random = settings["nu"], settings["eta"], settings["start"] == "random"
    measured = {
        "loss": first.loss,
        "loss2": last.loss,
        "bound": first.bound,
        "bound2": last.bound,
        "asleep": asleep,
        "config": nu,
    }
    # Early in a run margins may cost more loss than fewer mistakes spare: that is learning.
    unlearnt = _share_wrong(last) > KEPT * _share_wrong(first)
    risen = unlearnt and last.loss > (1 + SLACK) * first.loss
    tight = last.bound - last.loss <= TIGHT * last.loss
    stuck = still and last.loss > STUCK * first.loss
    if risen and last.bound >= first.bound:
        return _changed(
            _(
                "The loss rose from {loss:.3g} to {loss2:.3g}, and its bound went from "
                "{bound:.3g} to {bound2:.3g}{asleep}. Steps of η = {config:g} are too large.",
                **measured | {"config": eta},
            ),
            known["eta"],
            eta / CALM,
        )
    # Where ν is far too small, leaves all give way to one, however many there are.
    held = nu >= usual["nu"] / FAR and (risen or (tight and stuck))
    if held and not at_random and (few := _few_splits(last, config, measured)):
        return few
    wider = usual["nu"] if nu < usual["nu"] else WIDEN * nu
    if risen:
        return _changed(
            _(
                "The loss rose from {loss:.3g} to {loss2:.3g} while its bound fell from "
                "{bound:.3g} to {bound2:.3g}{asleep}. ν = {config:g} is too small: the margins "
                "are wider than the pattern.",
                **measured,
            ),
            known["nu"],
            wider,
        )
    if tight and stuck and at_random and nu > STIFF and nu >= FAR * usual["nu"]:
        return _changed(
            _(
                "The bound ({bound2:.3g}) is as low as the loss ({loss2:.3g}, {loss:.3g} at the "
                "start). ν = {config:g} is so large that splits hardly move.",
                **measured,
            ),
            known["nu"],
            usual["nu"],
        )
    has_followed = last.loss <= UNCHANGED_SHARE * first.loss
    if still and asleep and not has_followed and last.bound < first.bound:
        return _changed(
            _(
                "The loss hardly fell, from {loss:.3g} to {loss2:.3g}, while its bound fell from "
                "{bound:.3g} to {bound2:.3g}{asleep}. ν = {config:g} is too small: the margins "
                "are wider than the pattern.",
                **measured,
            ),
            known["nu"],
            wider,
        )
    if tight and last.progress >= 1 and not asleep and _share_wrong(last) > WRONG:
        return _deeper(last, config)
    return None


def _few_splits(last: Event, config: RunConfig, measured: Mapping[str, Any]) -> Diagnosis | None:
    """What a grown start lacks that has far fewer leaves than there is room for at its depth."""
    settings = config.as_dict()
    room = 2 ** settings["depth"]
    if settings["shape"] == "complete" or last.n_leaves is None or last.n_leaves > HALF * room:
        return None
    return Diagnosis(
        _(
            "The loss went from {loss:.3g} to {loss2:.3g} and its bound from {bound:.3g} to "
            "{bound2:.3g}{asleep}. The starting tree has only {n_leaves} of {room} leaves: too "
            "few splits to adjust.",
            n_leaves=last.n_leaves,
            room=room,
            **measured,
        ),
        {"shape": "complete"},
        _("Start again with {room} leaves", room=room),
    )


def _asleep(event: Event) -> str:
    n_leaves, active = event.n_leaves, event.active_leaves
    if n_leaves is None or active is None or n_leaves == active:
        return ""
    message = N_(", and {active_leaves} of {n_leaves} leaves became inactive")
    return _(message, active_leaves=n_leaves - active, n_leaves=n_leaves)


def _share_wrong(event: Event) -> float:
    right = event.accuracy if event.r2 is None else event.r2
    return 0.0 if right is None else 1.0 - right


def _changed(sentence: str, setting: Setting, value: float) -> Diagnosis | None:
    """A setting of another value; None where it is beyond its range."""
    value = value if isinstance(setting.default, int) else float(f"{value:.2g}")
    if not setting.allows(value):
        return None
    symbol = _(setting.label).split(" (")[0]
    offer = _("Start again with {symbol} = {value:g}", symbol=symbol, value=value)
    return Diagnosis(sentence, {setting.name: value}, offer)


def _deeper(event: Event, config: RunConfig) -> Diagnosis | None:
    known = next(s for s in TREES[config.method].definitions() if s.name == "depth")
    depth = config.as_dict()["depth"] + 2
    if known.high is not None and depth > known.high:
        return None
    numbers = event.r2 is not None
    what = (
        N_("of the variance is unexplained") if numbers else N_("of the examples are misclassified")
    )
    return Diagnosis(
        _(
            "All {n_leaves} leaves are active, the bound is as low as the loss, and {wrong} "
            "{what}. The tree has too few leaves.",
            n_leaves=event.n_leaves,
            wrong=written(_share_wrong(event), ".0%"),
            what=_(what),
        ),
        {"depth": depth},
        _("Start again with depth {depth}", depth=depth),
    )
