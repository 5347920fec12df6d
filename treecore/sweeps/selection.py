"""The papers' protocol: choose on validation rows, learn anew with them, test once.

1. Every candidate learns from the training rows, once a seed, and is measured on the validation
   rows. With halving it does so in rungs: few epochs for all, more for the best third, all of
   them for the best third of those.
2. The candidate of the best mean is chosen; of equals the first one.
3. It learns from training and validation rows together, once a seed. Only these trees see the
   test rows, and only when they are finished.
"""

from __future__ import annotations

import hashlib
import json
import math
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from treecore.losses import find_loss
from treecore.sweeps.spec import SearchSpec
from treecore.training.config import RunConfig
from treecore.training.method import LENGTHS
from treecore.training.registry import find_method

BUDGET = {unit: name for unit, name in LENGTHS.items() if unit != "level"}
"""The setting that makes a run longer, by its method's unit. Levels are no matter of time."""


@dataclass(frozen=True)
class Job:
    """One run.

    - key: name of the run: the same for the same rows, division, stage and config, and only then.
    - stage: ``"search"`` or ``"final"``.
    - rung: rung of halving, from 0.
    - candidate: what is the same for all seeds and rungs of a candidate.
    - checkpoint: path of its checkpoints; none are kept where it is empty.
    """

    key: str
    stage: str
    rung: int
    candidate: str
    config: RunConfig
    checkpoint: str = ""


def name_of(candidate: RunConfig) -> str:
    """A candidate's name, eight hex digits."""
    return digest(candidate.replace(seed=0).as_dict())[:8]


def digest(what: Any) -> str:
    """A name of sixteen hex digits for what JSON can hold."""
    text = json.dumps(what, sort_keys=True).encode()
    return hashlib.blake2b(text, digest_size=8).hexdigest()


def make_job(stage: str, rung: int, candidate: RunConfig, config: RunConfig, rows: str) -> Job:
    """A run by its own config, with its key; rows: digest of the rows and their division."""
    key = digest([rows, stage, config.as_dict()])
    return Job(key, stage, rung, name_of(candidate), config)


def halving_jobs(
    candidates: Sequence[RunConfig], search: SearchSpec, rung: int, rows: str
) -> list[Job]:
    """The runs of one rung of successive halving: every candidate with every seed.

    They come seed by seed, and methods take turns: what a stopped sweep has done can be compared.
    """
    return [
        make_job("search", rung, candidate, shortened(candidate, search, rung, seed), rows)
        for seed in search.seeds
        for candidate in _in_turns(candidates)
    ]


def _in_turns(candidates: Sequence[RunConfig]) -> list[RunConfig]:
    """The first candidate of every method, then the second ones, and so on."""
    seen: Counter[str] = Counter()
    turns = []
    for candidate in candidates:
        turns.append(seen[candidate.method])
        seen[candidate.method] += 1
    order = sorted(range(len(turns)), key=turns.__getitem__)
    return [candidates[i] for i in order]


def shortened(candidate: RunConfig, search: SearchSpec, rung: int, seed: int) -> RunConfig:
    """The config of a candidate's run in a rung; in the last one with all of its epochs."""
    setting = BUDGET.get(find_method(candidate.method).unit)
    if setting is None or rung == search.rungs - 1:
        return candidate.replace(seed=seed)
    full_length = getattr(candidate.settings, setting)
    share = search.keep ** (search.rungs - 1 - rung)
    return candidate.replace(seed=seed, **{setting: max(1, round(full_length / share))})


def rung_sizes(n_candidates: int, search: SearchSpec) -> list[int]:
    """How many candidates are in each rung."""
    sizes = [n_candidates]
    while len(sizes) < search.rungs:
        sizes.append(max(1, sizes[-1] // search.keep))
    return sizes


def final_jobs(chosen: RunConfig, seeds: Sequence[int], rows: str) -> list[Job]:
    """The final runs: the chosen candidate with every seed."""
    return [make_job("final", 0, chosen, chosen.replace(seed=seed), rows) for seed in seeds]


def score_of(row: Mapping[str, Any], config: RunConfig) -> float:
    """Accuracy, or R², on the validation rows; minus infinity where the run failed."""
    classes = find_loss(config.loss).task == "classification"
    value = row.get("validation_accuracy" if classes else "validation_r2")
    if row.get("error") or value is None or not math.isfinite(value):
        return -math.inf
    return float(value)


def ranked(
    candidates: Sequence[RunConfig], jobs: Sequence[Job], rows: Mapping[str, Mapping[str, Any]]
) -> list[tuple[float, RunConfig]]:
    """Candidates with the means of their runs' scores, the best first, equals in their order.

    rows: results by the key of the job; one that failed makes a score of minus infinity.
    """
    scores: dict[str, list[float]] = {}
    for job in jobs:
        scores.setdefault(job.candidate, []).append(score_of(rows[job.key], job.config))
    scored = [(float(np.mean(scores[name_of(c)])), c) for c in candidates]
    return sorted(scored, key=lambda pair: -pair[0])


def best_of_methods(ranking: Sequence[tuple[float, RunConfig]]) -> list[RunConfig]:
    """The first candidate of every method in a ranking, and none whose runs failed."""
    found: dict[str, RunConfig] = {}
    for score, config in ranking:
        if math.isfinite(score):
            found.setdefault(config.method, config)
    return list(found.values())


def mean_and_deviation(rows: Sequence[Mapping[str, Any]], name: str) -> tuple[float, float] | None:
    """Mean and sample standard deviation (0 of one row) of a figure, where some rows have it."""
    values = [row[name] for row in rows if row.get(name) is not None]
    if not values:
        return None
    return float(np.mean(values)), float(np.std(values, ddof=1)) if len(values) > 1 else 0.0
