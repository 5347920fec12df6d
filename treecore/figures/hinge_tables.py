"""Tables 2 and 3 of Lay et al. 2018, drawn as bars: random hinge forests and ferns."""

from __future__ import annotations

import numpy as np

from treecore.figures.drawing import BLACK, BLUE, GREEN, RED, bars, legend_below
from treecore.figures.figure import Figure, Setup
from treecore.figures.hinge_data import DATASETS, runs
from treecore.figures.hinge_runs import (
    KINDS,
    MOST,
    TABLE2,
    TABLE3,
    config_of,
    random_forest,
    run,
    shorter,
    table2_settings,
    validated,
)
from treecore.figures.papers import published
from treecore.figures.protocol import hold_out
from treecore.figures.tables import Table, make_table

RUNS, QUICK_RUNS = 3, 1
IRIS_RUNS, QUICK_IRIS_RUNS = 15, 3
QUICK_MOST = 1500
"""Mini-batches of a run of Table 2 at most."""
QUICK_SHARE = 20
"""A quick run of Table 3 has a share of the mini-batches: one in so many."""
RANDOM_FOREST = "random forest"

NAMES = {"forest": "hinge forest", "fern": "hinge ferns", RANDOM_FOREST: RANDOM_FOREST}
COLOURS = {"forest": BLUE, "fern": GREEN, RANDOM_FOREST: BLACK}
THEIR_KEYS = {"forest": "hinge_forest", "fern": "hinge_fern", RANDOM_FOREST: "random_forest"}
REGRESSION = "abalone_regression_r2"

_DIGITS = dict.fromkeys(("test", "deviation", "best", "published", "published_deviation"), 2)


# Table 2 ------------------------------------------------------------------------------------------


def points2(setup: Setup) -> list[dict]:
    """One for every row of the table, method and run."""
    keys = []
    for name, dataset in DATASETS.items():
        if dataset not in setup.datasets:
            continue
        n = _n_runs(name, setup.quick)
        keys += [
            {"problem": name, "method": method, "run": number}
            for number in range(n)
            for method in (*KINDS, RANDOM_FOREST)
        ]
    return keys


def _n_runs(name: str, quick: bool) -> int:
    if name == "iris":
        return QUICK_IRIS_RUNS if quick else IRIS_RUNS
    return QUICK_RUNS if quick else RUNS


def measure2(key: dict, setup: Setup) -> list[dict]:
    """All candidates of a run: validation error and test score, errors in percent."""
    name, number = key["problem"], key["run"]
    parts = setup.once(("runs", name), lambda: runs(name, setup.papers, RUNS))[number]
    regression = name == REGRESSION
    shared = {"problem": name, "method": key["method"], "run": number}
    if key["method"] == RANDOM_FOREST:
        return [{**shared, "test": round(random_forest(parts, regression, number), 4)}]
    rows = []
    for candidate in TABLE2[name][:3] if setup.quick else TABLE2[name]:
        most = QUICK_MOST if setup.quick else MOST
        config = table2_settings(name, candidate, key["method"], len(parts[0].y), regression, most)
        least, test = validated(config, parts, number)
        said = f"{candidate['trees']}/{candidate['depth']} {config.settings.features}"
        rows.append(
            {**shared, "candidate": said, "validation": round(least, 6), "test": round(test, 4)}
        )
    return rows


def summary2(rows: list[dict]) -> list[dict]:
    """A line for every row of the paper's table and method, by both rules of selection."""
    theirs = published("hinge2018_tables")["table2"]
    found = []
    for name in DATASETS:
        for method in NAMES:
            own = [r for r in rows if r["problem"] == name and r["method"] == method]
            if not own:
                continue
            numbers = sorted({row["run"] for row in own})
            by_run = [[row for row in own if row["run"] == number] for number in numbers]
            test = np.array([[row["test"] for row in lines] for lines in by_run])
            line = {"problem": name, "method": NAMES[method], "runs": len(numbers)}
            if method == RANDOM_FOREST:
                chosen = test[:, 0]
            else:
                error = np.array([[row["validation"] for row in lines] for lines in by_run])
                chosen = test[np.arange(len(test)), error.argmin(axis=1)]
                means = test.mean(axis=0)
                at = means.argmax() if name == REGRESSION else means.argmin()
                line["best"] = float(means[at])
                line["settings"] = by_run[0][at]["candidate"]
            line |= {"test": float(chosen.mean()), "deviation": float(chosen.std())}
            paper = theirs[name][THEIR_KEYS[method]]
            found.append(line | {"published": paper[0], "published_deviation": paper[1]})
    return found


def table2(rows: list[dict]) -> Table:
    """The paper's table, ours beside it."""
    columns = {
        "problem": "data",
        "method": "method",
        "runs": "runs",
        "test": "test error, % (or R²)",
        "deviation": "deviation",
        "best": "best candidate on test rows",
        "published": "published",
        "published_deviation": "deviation",
        "settings": "best candidate (trees/depth, features)",
    }
    return make_table(summary2(rows), columns, _DIGITS)


def draw2(canvas, rows: list[dict]) -> None:
    """Errors on the left, R² on the right where it was measured."""
    lines = summary2(rows)
    errors = [n for n in DATASETS if n != REGRESSION and any(r["problem"] == n for r in lines)]
    groups = [
        names for names in (errors, [REGRESSION]) if any(r["problem"] in names for r in lines)
    ]
    widths = [len(names) + 0.6 for names in groups]
    axes = canvas.subplots(1, len(groups), width_ratios=widths, squeeze=False)[0]
    for at, names in zip(axes, groups, strict=True):
        titles = [n.replace("_regression_r2", "\n(rings)").replace("_", " ") for n in names]
        bars(at, titles, _series(COLOURS, names, lines, "measured"))
        at.set_ylim(bottom=0)
        at.set_ylabel("R² on test rows" if names == [REGRESSION] else "test error, %")
    legend_below(canvas, axes, 3)


def _series(methods, names: list[str], lines: list[dict], ours_is: str) -> list[tuple]:
    """Ours and the published bars of every method, with their deviations; None where missing."""
    series = []
    for method in methods:
        own = {line["problem"]: line for line in lines if line["method"] == NAMES[method]}
        for ours in (True, False):
            columns = ("test", "deviation") if ours else ("published", "published_deviation")
            title = f"{NAMES[method]}, {ours_is if ours else 'published'}"
            values = [[own[n][c] if n in own else None for n in names] for c in columns]
            series.append((title, COLOURS[method], ours, *values))
    return series


def notes2(setup: Setup) -> list[str]:
    """How it was measured."""
    n = _n_runs("", setup.quick)
    said = [
        "Test error: the candidate and the state that err least on validation rows, in every run. "
        "Best candidate on test rows: that of the best mean test error, which has seen them.",
        f"Runs: {n} with other rows and seeds (iris {_n_runs('iris', setup.quick)}); the "
        "paper has 10 (iris 15). Its grid is 20 sizes of forests with AdaGrad; ours "
        f"{3 if setup.quick else 'two to six'} with Adam.",
        "Poker: 100,000 test hands are dealt and labelled by the rules, others in every run; the "
        "paper's are the million of UCI. Random forest: scikit-learn's, 100 trees of depth 10.",
    ]
    if setup.quick:
        said.append(f"Quick: at most {QUICK_MOST} mini-batches a run.")
    return said


# Table 3 ------------------------------------------------------------------------------------------


def points3(setup: Setup) -> list[dict]:
    """The candidates, where there are several, then the winner once a seed."""
    keys = []
    for dataset, (_, candidates) in TABLE3.items():
        if dataset not in setup.datasets:
            continue
        for kind in KINDS:
            shared = {"dataset": dataset, "kind": kind}
            if len(candidates) > 1 and not setup.quick:
                keys += [{**shared, "candidate": i} for i in range(len(candidates))]
            keys += [{**shared, "seed": i} for i in range(QUICK_RUNS if setup.quick else RUNS)]
    return keys


def measure3(key: dict, setup: Setup) -> list[dict]:
    """Last and least error of one run in percent."""
    dataset, kind = key["dataset"], key["kind"]
    fixed, candidates = TABLE3[dataset]
    training, test = setup.papers.load(dataset)
    number = key.get("candidate")
    seed = 0
    if number is None:
        seed = key["seed"]
        tried = [
            row
            for row in setup.rows
            if row["candidate"] is not None and (row["dataset"], row["kind"]) == (dataset, kind)
        ]
        number = min(tried, key=lambda row: row["test"])["tried"] if tried else 0
    else:
        training, test = hold_out(training)
    config = config_of(**fixed | candidates[number], kind=kind)
    if setup.quick:
        config = shorter(config, QUICK_SHARE)
    last, least, seconds = run(config, training, test, seed)
    return [
        {
            **key,
            "candidate": key.get("candidate"),
            "tried": number,
            "test": round(last, 4),
            "least": round(least, 4),
            "seconds": round(seconds, 2),
            "batches": config.settings.batches,
            "settings": f"η {config.settings.eta:g}, dropout {config.settings.dropout:g}",
        }
    ]


def summary3(rows: list[dict]) -> list[dict]:
    """A line for every dataset and kind, over the seeds."""
    theirs = published("hinge2018_tables")["table3"]
    found = []
    for dataset in TABLE3:
        for kind in KINDS:
            own = [
                r
                for r in rows
                if (r["dataset"], r["kind"]) == (dataset, kind) and r["candidate"] is None
            ]
            if not own:
                continue
            paper = theirs[dataset]["hinge_forest" if kind == "forest" else "hinge_ferns"]
            test, least, seconds = np.array([[r[c] for c in ("test", "least", "seconds")]
                                             for r in own]).T  # fmt: skip
            found.append(
                {
                    "problem": dataset,
                    "method": NAMES[kind],
                    "runs": len(own),
                    "test": float(test.mean()),
                    "deviation": float(test.std()),
                    "best": float(least.mean()),
                    "published": paper[0],
                    "published_deviation": paper[1],
                    "batches": own[0]["batches"],
                    "seconds": float(seconds.mean()),
                    "settings": own[0]["settings"],
                }
            )
    return found


def table3(rows: list[dict]) -> Table:
    """The paper's table, ours beside it."""
    columns = {
        "problem": "data",
        "method": "method",
        "runs": "runs",
        "test": "test error, %",
        "deviation": "deviation",
        "best": "best state on test rows, %",
        "published": "published (best state), %",
        "published_deviation": "deviation",
        "batches": "mini-batches",
        "seconds": "seconds a run",
        "settings": "settings",
    }
    return make_table(summary3(rows), columns, _DIGITS)


def draw3(canvas, rows: list[dict]) -> None:
    """Ours, filled, beside the paper's methods, hollow."""
    lines = summary3(rows)
    names = [name for name in TABLE3 if any(row["problem"] == name for row in lines)]
    theirs = published("hinge2018_tables")["table3"]
    axes = canvas.subplots()
    series = _series(KINDS, names, lines, "ours")
    for key, title, colour in (
        ("alternating_decision_forest", "alternating decision forest, published", BLACK),
        ("neural_decision_forest", "neural decision forest, published", RED),
    ):
        columns = zip(*(theirs[name][key] for name in names), strict=True)
        series.append((title, colour, False, *map(list, columns)))
    bars(axes, names, series)
    axes.set_ylim(bottom=0)
    axes.set_ylabel("test error, %")
    legend_below(canvas, [axes], 3)


def notes3(setup: Setup) -> list[str]:
    """How it was measured."""
    said = [
        "Test error: after the last mini-batch, with settings chosen on held-out training rows. "
        "Best state on test rows: the least error over all measured states, which has seen the "
        "test rows; the published numbers are of this kind.",
        "100 trees or ferns of depth 10, 100 inner products (MNIST: 80 filters of 5 × 5, stride "
        f"3), as in the paper; {QUICK_RUNS if setup.quick else RUNS} runs where the paper has 10.",
    ]
    if setup.quick:
        said.append(
            f"Quick: a {QUICK_SHARE}th of the mini-batches, and the first candidate without a "
            "choice."
        )
    return said


TABLE2_FIGURE = Figure(
    name="hinge-table2",
    title="Random hinge forests on small tables",
    sentence="Hinge forests and ferns, whose splits are learnt by gradients, against random "
    "forests on tables of UCI.",
    source="Lay et al. 2018, table 2",
    datasets=tuple(dict.fromkeys(DATASETS.values())),
    points=points2,
    measure=measure2,
    table=table2,
    draw=draw2,
    notes=notes2,
    size=(10.0, 5.5),
)

TABLE3_FIGURE = Figure(
    name="hinge-table3",
    title="Random hinge forests on letters and digits",
    sentence="A hundred hinge trees or ferns of depth 10, with features that are learnt together "
    "with them, beside other forests that are learnt as a whole.",
    source="Lay et al. 2018, table 3",
    datasets=tuple(TABLE3),
    points=points3,
    measure=measure3,
    table=table3,
    draw=draw3,
    notes=notes3,
    size=(9.0, 5.5),
)
