"""The measured races: they are those of the page, and what is said of them follows from them."""

from __future__ import annotations

import math
from dataclasses import replace

import pytest

from treecore import RunConfig, Trainer, evaluate
from treecore.data.generators import GENERATORS
from treecore.training.registry import TREES
from ui.compare.fairness import depth_within
from ui.compare.link import BUDGETS, USUAL, USUALLY_SHOWN, Budget, with_depth
from ui.compare.luck import measured_race, over_seeds
from ui.compare.measured_races import (
    ENTROPY,
    FROM_AXIS,
    GINI,
    GREEDY,
    JOINT,
    OC1,
    RIVALS,
    SGD,
    MeasuredRace,
    MeasuredRun,
    lines,
    measured_races,
    rival,
)
from ui.compare.opening import OPENING_SIZE, opening
from ui.compare.seed_study import SeedResult
from ui.compare.where_view import honest_sentences, maps
from ui.jobs.chosen_data import ChosenData, trainer_builder
from ui.jobs.models import n_weights
from ui.widgets.data.picker import gallery_data
from ui.widgets.data_defaults import usual_settings

RACES = measured_races()


def rows_of(race: MeasuredRace, seed: int) -> ChosenData:
    """What the page has at the link of a race."""
    return gallery_data(race.data, race.size, race.noise, seed)


def config_of(data: str, text: str, depth: int, seed: int = 0) -> RunConfig:
    return rival(data, text).replace(depth=depth, seed=seed)


def test_there_are_races_and_each_has_all_methods_over_the_same_seeds():
    assert RACES
    for race in RACES.values():
        assert {*race.runs} == {*RIVALS, ENTROPY, FROM_AXIS}
        assert {len(run.accuracies) for run in race.runs.values()} == {race.n_seeds}
        assert race.n_seeds >= 5
        assert race.noise == (GENERATORS[race.data].noise if race.data in GENERATORS else None)
        assert all(0 <= a <= 1 for run in race.runs.values() for a in run.accuracies)


@pytest.mark.parametrize("key", [*RACES][:: max(1, len(RACES) // 4)], ids=str)
def test_the_page_comes_to_the_accuracies_of_the_file(key):
    race, seed = RACES[key], 1
    data = rows_of(race, seed)
    for text in GREEDY:
        tree = trainer_builder(data, config_of(race.data, text, race.depth, seed))().run()
        right = evaluate(tree, data.held.X, data.held.y).accuracy
        assert race.runs[text].accuracies[seed] == pytest.approx(right, abs=1e-4), text


def test_a_file_says_what_it_is_written_from(tmp_path, monkeypatch):
    monkeypatch.setattr("ui.compare.measured_races.FILE", tmp_path / "races.jsonl")
    (tmp_path / "races.jsonl").write_text(lines(RACES.values()))
    measured_races.cache_clear()
    try:
        assert measured_races() == RACES
    finally:
        measured_races.cache_clear()


def race_of(**accuracies) -> MeasuredRace:
    names = {"gini": GINI, "oc1": OC1, "sgd": SGD}
    worst = tuple(0.1 for _ in next(iter(accuracies.values())))
    runs = {name: MeasuredRun(worst, 4, 4) for name in (*RIVALS, ENTROPY, FROM_AXIS)}
    runs |= {names[name]: MeasuredRun(values, 4, 4) for name, values in accuracies.items()}
    return MeasuredRace("moons", 0.4, 500, 3, runs)


def test_a_lead_is_over_the_best_of_the_other_kind_with_its_standard_error():
    race = race_of(gini=(0.5, 0.6), oc1=(0.8, 0.8), sgd=(0.9, 1.0))
    winner, lead, error = race.win()
    assert winner == SGD
    assert lead == pytest.approx(0.15)
    assert error == pytest.approx(0.05)
    back, same = race.lead(OC1, SGD)
    assert (back, same) == (pytest.approx(-lead), pytest.approx(error))
    assert race.best(GREEDY) == OC1
    assert race.best(JOINT) == SGD


def test_the_typical_seed_is_the_one_nearest_to_the_means():
    race = race_of(gini=(0.5, 0.7, 0.6), sgd=(0.9, 0.9, 0.9))
    assert race.typical_seed([GINI, SGD]) == 2
    assert race.typical_seed([GINI]) == 2


def test_cells_without_a_clear_lead_say_so():
    sure = race_of(gini=(0.5, 0.5), oc1=(0.5, 0.5), sgd=(0.9, 0.9))
    luck = replace(race_of(gini=(0.5, 0.9), sgd=(0.9, 0.52)), depth=4)
    (shown,) = maps([sure, luck])
    first, second = shown["rows"][0]["cells"]
    assert (first["winner"], first["text"]) == (RIVALS.index(SGD), "+40")
    assert (second["winner"], second["text"]) == (-1, "≈")
    assert shown["columns"] == [3, 4]
    counted = honest_sentences({race.key: race for race in (sure, luck)})[0]
    assert "**1** clearly and greedy ones **0**" in counted


def test_data_open_at_their_depth_with_the_typical_seed_of_the_methods_shown():
    for name in GENERATORS:
        depth, seed = opening(name)
        race = RACES.get((name, OPENING_SIZE, depth))
        if race is None:
            assert seed == 0
            continue
        shown = [race.runs[text] for text in (GINI, SGD, OC1)]

        def off(seed, shown=shown):
            return math.hypot(*(run.accuracies[seed] - run.mean for run in shown))

        assert off(seed) == min(map(off, range(race.n_seeds)))
    assert opening("xor")[0] == 2


# The sentence over the race --------------------------------------------------------------------


def usual(race: MeasuredRace, seed: int = 0) -> list[RunConfig]:
    """What the page shows of these data at first."""
    return [
        with_depth(
            c.method,
            race.depth,
            seed,
            **({"criterion": "gini"} if i == 0 else {}),
            **usual_settings(race.data, c.method),
        )
        for i, c in enumerate(USUAL[:USUALLY_SHOWN])
    ]


def test_the_sentence_tells_of_the_very_same_race_only():
    race = next(iter(RACES.values()))
    data, configs = rows_of(race, 0), usual(race)
    assert measured_race(data, configs) == race
    plain = over_seeds(data, configs, []).replace("\u00a0", " ")
    assert plain.startswith(f"Over {race.n_seeds} seeds, test accuracy: **I ")
    for numeral, text in zip(("I", "II", "III"), (GINI, SGD, OC1), strict=True):
        run = race.runs[text]
        assert f"**{numeral} {100 * run.mean:.0f} ± {100 * run.deviation:.0f} %**" in plain
    other = replace(data, key=(*data.key[:-2], 30, 0))
    assert over_seeds(other, configs, []) == "", "another test share"
    assert over_seeds(data, [configs[0], configs[1].replace(nu=3.0)], []) == ""
    assert over_seeds(data, [c.replace(class_weight="balanced") for c in configs], []) == ""
    assert over_seeds(data, [c.replace(depth=11) for c in configs], []) == ""
    assert over_seeds(data, [configs[0], configs[1].replace(depth=11)], []) == ""


def test_runs_of_the_visitor_are_told_in_place_of_what_was_measured():
    race = next(iter(RACES.values()))
    data, configs = rows_of(race, 0), usual(race)[:2]
    results = [SeedResult(i, s, 0.5 + 0.2 * i + 0.1 * s, 0, 0) for i in (0, 1) for s in (0, 1)]
    said = over_seeds(data, configs, results)
    assert "Over 2 seeds" in said
    assert "**I 55 ± 7 %**, **II 75 ± 7 %**" in said.replace("\u00a0", " ")
    assert "Over 2 seeds" not in over_seeds(data, configs, results[:3]), "not all have run"


# Fair by leaves or weights ---------------------------------------------------------------------


@pytest.mark.parametrize("name", [n for n in TREES if n != "annealed"])
@pytest.mark.parametrize("unit", ["leaves", "weights"])
def test_the_depth_within_a_budget_is_the_greatest(name, unit):
    data = gallery_data("moons", 200, 0.4).train
    quick = {"epochs": 2} if "epochs" in {s.name for s in TREES[name].definitions()} else {}
    budget = Budget(unit, 16)

    def tree(depth):
        config = RunConfig(name, depth=depth, **quick)
        return Trainer(config, data.X, data.y, n_classes=2).run()

    def size(depth):
        return tree(depth).n_leaves if unit == "leaves" else n_weights(tree(depth))

    depth = depth_within(RunConfig(name, **quick), data, budget)
    assert size(depth) <= budget.most
    if name in ("axis", "oc1", "random-oblique", "co2", "sgd", "stable-sgd"):
        assert size(depth + 1) > budget.most or size(depth + 1) == size(depth)


def test_budgets_only_make_trees_larger():
    data = gallery_data("spirals", 200, 0.15).train
    for name in ("axis", "sgd"):
        depths = [depth_within(RunConfig(name), data, Budget("leaves", n)) for n in BUDGETS]
        assert depths == sorted(depths)
        assert depths[0] == 1
