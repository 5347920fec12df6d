"""The verdict of a comparison: who is ahead, under which limit, and over how many draws."""

import math
from collections.abc import Sequence

import numpy as np
from scipy import stats

from treecore import RunConfig
from treecore.data import GENERATORS
from ui.jobs.chosen_data import ChosenData
from ui.jobs.run_title import NUMERALS, short_title
from ui.lab.choices import Limit
from ui.lab.draws import Draws, draws_of, learner_text
from ui.lab.seed_study import SeedResult, summary
from ui.language.translate import N_, _, ngettext, written
from ui.live.board import MeansOver
from ui.widgets.heading import data_title

LEVEL = 0.01
"""The error of a verdict: how often two equal learners would be told apart, at most."""

SAME_DIFFERENCE = 1e-9
"""Two learners whose differences in accuracy deviate by less have the same one in every draw."""


def verdict(
    data: ChosenData, configs: Sequence[RunConfig], limit: Limit, results: Sequence[SeedResult] = ()
) -> str:
    """Who is ahead, in a few sentences; empty without draws; results: of a visitor's draws."""
    scores = _of_results(results, len(configs))
    draws = draws_of(data, configs) if limit.unit == "leaves" else {}
    if not scores and (known := draws.get(limit.most)):
        scores = _scores(known, configs)
    if not scores:
        return ""
    share = 0.0
    if data.key[0] not in GENERATORS and data.held is not None:  # divisions of one table
        share = data.held.n_samples / data.train.n_samples
    names = _names(configs)
    means = [sum(one) / len(one) for one in scores]
    order = sorted(range(len(configs)), key=lambda i: -means[i])
    texts = _percents(means)
    found = ", ".join(f"**{names[i]}** {texts[i]}" for i in order)
    n = len(scores[0])
    what = _("{data}, test R²", data=data_title(data))
    head = ngettext(
        "{data}, {limit}, {n} draw: {found}.",
        "{data}, {limit}, {n} draws: {found}.",
        n,
        data=what if data.train.task == "regression" else data_title(data),
        limit=limit_text(limit),
        found=found,
    )
    said = [head, _ahead(order, names, scores, share)]
    others = [leaves for leaves in draws if leaves != limit.most]
    if others:
        leaves = max(others)
        there = _scores(draws[leaves], configs)
        texts = _percents([sum(one) / len(one) for one in there])
        listed = ", ".join(f"{names[i]} {texts[i]}" for i in order)
        # A visitor's own draws are others, and another number of them.
        if len(there[0]) != n:
            message = N_("With {leaves} leaves, {n} draws: {listed}.")
        else:
            message = N_("With {leaves} leaves: {listed}.")
        said.append(_(message, leaves=leaves, n=len(there[0]), listed=listed))
    return " ".join(said)


def _ahead(
    order: Sequence[int], names: Sequence[str], scores: Sequence[Sequence[float]], share: float
) -> str:
    """Whether the best one is ahead of all others, by a test of each pair."""
    best, *others = order
    worse = [i for i in others if p_value(scores[best], scores[i], share) < LEVEL]
    if len(scores[0]) < 2 or not others:
        return ""
    if len(worse) == len(others):
        return _("{name} is ahead.", name=names[best])
    close = [names[best], *(names[i] for i in others if i not in worse)]
    if len(others) == 1:
        return _("Too close to call.")
    names_of_all = _(" and ").join([", ".join(close[:-1]), close[-1]])
    return _("Too close to call between {names}.", names=names_of_all)


def means_over(data: ChosenData, configs: Sequence[RunConfig]) -> MeansOver:
    """Of every learner, for every limit, its mean active leaves and test accuracy in per cent."""
    draws = draws_of(data, configs)
    runs = [[draws[leaves].runs[learner_text(c)] for leaves in sorted(draws)] for c in configs]
    return [[(run.leaves, 100 * run.mean) for run in of_one] for of_one in runs]


def limit_text(limit: Limit) -> str:
    return {
        "leaves": lambda: ngettext("at most {n} leaf", "at most {n} leaves", limit.most),
        "weights": lambda: ngettext("at most {n} weight", "at most {n} weights", limit.most),
        "depth": lambda: _("depth at most {n}", n=limit.most),
    }[limit.unit]()


def _scores(draws: Draws, configs: Sequence[RunConfig]) -> list[tuple[float, ...]]:
    return [draws.runs[learner_text(config)].accuracies for config in configs]


def _of_results(results: Sequence[SeedResult], n: int) -> list[tuple[float, ...]]:
    """The figures of all learners, of the seeds of which every one is done."""
    summaries = [found for i in range(n) if (found := summary(results, i))]
    if len(summaries) < n:
        return []
    seeds = set.intersection(*(set(one.seeds) for one in summaries))
    if len(seeds) < 2:
        return []
    values = [dict(zip(one.seeds, one.values, strict=True)) for one in summaries]
    return [tuple(one[seed] for seed in sorted(seeds)) for one in values]


def _names(configs: Sequence[RunConfig]) -> list[str]:
    """Short names; where two are alike, with the numerals that stand above their trees."""
    names = [short_title(config.method) for config in configs]
    if len(set(names)) == len(names):
        return names
    return [f"{numeral} · {name}" for numeral, name in zip(NUMERALS, names, strict=False)]


def _percents(values: Sequence[float]) -> list[str]:
    """In whole per cent; in tenths where two of them would look alike."""
    whole = [written(value, ".0%") for value in values]
    alike = len(set(whole)) < len(whole)
    texts = [written(value, ".1%") for value in values] if alike else whole
    return [text.replace(" ", "\N{NO-BREAK SPACE}") for text in texts]


def p_value(first: Sequence[float], second: Sequence[float], test_per_train: float = 0.0) -> float:
    """Two-sided p-value of a paired t-test.

    test_per_train: held-out rows for each training row, where the draws are other divisions of one
    table. They share rows, so a plain t-test would be too sure; this is the correction of Nadeau
    and Bengio (2003), "Inference for the generalization error", equation 9. 0 for fresh points.
    """
    apart = np.subtract(first, second)
    n = len(apart)
    if n < 2 or not apart.any():
        return 1.0
    variance = float(np.var(apart, ddof=1))
    if variance < SAME_DIFFERENCE**2:  # then t is infinite after two draws: count signs instead
        return float(0.5 ** (n - 1))
    t = float(np.mean(apart)) / math.sqrt((1 / n + test_per_train) * variance)
    return float(2 * stats.t.sf(abs(t), n - 1))
