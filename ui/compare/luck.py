"""What many seeds say of the race on the page, in one sentence above it."""

from __future__ import annotations

from collections.abc import Sequence

from benchmarks.marks import is_earlier
from treecore import RunConfig
from ui.compare.measured_races import (
    ENTROPY,
    GINI,
    TEST_SHARE,
    MeasuredRace,
    measured_races,
    rival_text,
)
from ui.compare.seed_study import SeedResult, summary
from ui.jobs.chosen_data import ChosenData
from ui.jobs.metrics import good_name
from ui.language.translate import N_, _, written
from ui.links.runs import run_text
from ui.live.comparison import NUMERALS

COMMAND = "python -m benchmarks.where_it_wins"
"""What has measured the races."""


OVER_SEEDS = N_(
    "Mean and standard deviation on the held-out examples. Each seed draws other points, holds out "
    "others and learns in another order; all settings are as they are here. Measured once by "
    "`{command}`, or by you under *Is it luck?*"
)
"""What stands behind the sentence."""


def measured_race(data: ChosenData, configs: Sequence[RunConfig]) -> MeasuredRace | None:
    """The measured race of these data and methods; None where none is just like it."""
    *origin, size, share, _ = data.key
    race = measured_races().get((origin[0], size, configs[0].as_dict().get("depth", 0)))
    if race is None or share != TEST_SHARE or (origin[1:] or [None])[0] != race.noise:
        return None
    same = all(
        config.as_dict().get("depth") == race.depth and config.class_weight == "none"
        for config in configs
    )
    return race if same and all(_measured_names(race, configs)) else None


def _measured_names(race: MeasuredRace, configs: Sequence[RunConfig]) -> list[str]:
    """What a race calls these methods; an empty name where none was measured with this code."""
    current = [name for name in race.runs if not is_earlier(name, race.measured)]
    known = {rival_text(race.data, name): name for name in current}
    return [known.get(run_text(config, leave_out=("depth",)), "") for config in configs]


def over_seeds(
    data: ChosenData, configs: Sequence[RunConfig], results: Sequence[SeedResult]
) -> str:
    """Mean and deviation of every contestant over seeds; empty where nothing is known."""
    summaries = [summary(results, number) for number in range(len(configs))]
    found = [(one.mean, one.deviation) for one in summaries if one and one.deviation is not None]
    what = good_name(configs[0].loss)
    if len(found) == len(configs):
        n_seeds = min(len(one.seeds) for one in summaries if one)
        return _(
            "Over {n_seeds} seeds, {what}: {found}, as run below.",
            n_seeds=n_seeds,
            what=what,
            found=_said(found),
        )
    race = measured_race(data, configs)
    if race is None:
        return ""
    names = _measured_names(race, configs)
    runs = [race.runs[name] for name in names]
    beside = ["" if name != GINI else _by_entropy(race) for name in names]
    said = _said([(run.mean, run.deviation) for run in runs], beside)
    typical = data.key[-1] == race.typical_seed(names)
    shown = _(" The seed shown is a typical one.") if typical else ""
    return _(
        "Over {n_seeds} seeds, {what}: {said}.{shown}",
        n_seeds=race.n_seeds,
        what=what,
        said=said,
        shown=shown,
    )


def _said(found: Sequence[tuple[float, float]], beside: Sequence[str] = ()) -> str:
    """Mean and deviation by numeral; ``beside`` stands behind each."""
    more = (*beside, *[""] * len(found))
    return ", ".join(
        f"**{numeral}\N{NO-BREAK SPACE}{_range(mean, deviation)}**{said}"
        for numeral, (mean, deviation), said in zip(NUMERALS, found, more, strict=False)
    )


def _by_entropy(race: MeasuredRace) -> str:
    """What the same greedy tree has that is grown by entropy."""
    run = race.runs.get(ENTROPY)
    if run is None:
        return ""
    return _(" (by entropy {range})", range=_range(run.mean, run.deviation))


def _range(mean: float, deviation: float) -> str:
    """Both as per cent, in one piece that no line's end breaks."""
    text = f"{written(100 * mean, '.0f')} ± {written(deviation, '.0%')}"
    return text.replace(" ", "\N{NO-BREAK SPACE}")
