"""Figure 2 of Norouzi et al. 2015: accuracy by depth, five ways to grow one tree.

Ours of the non-greedy trees are annealed ones, our most accurate method; their settings are chosen
anew at every depth by the protocol of :mod:`treecore.figures.protocol`. The baselines have one
setting each, and grow level by level: the tree of depth 8 is on the way to that of depth 18, so
one run gives a whole curve.
"""

from __future__ import annotations

from treecore.config import RunConfig
from treecore.figures.drawing import BLACK, BLUE, GREEN, ORANGE, PINK, curve, legend_below
from treecore.figures.figure import Figure, Setup
from treecore.figures.papers import Part, published
from treecore.figures.protocol import choose, train
from treecore.figures.tables import Table, make_table
from treecore.training import Trainer

NAMES = {"connect4": "Connect4", "mnist": "MNIST", "protein": "Protein", "sensit": "SensIT"}
DEPTHS, QUICK_DEPTHS = (6, 8, 10, 12, 14, 16, 18), (6, 10, 14)
QUICK_ROWS = 1500

COLOURS = {
    "Non-greedy": BLUE,
    "CO2": ORANGE,
    "Axis-aligned": GREEN,
    "OC1": PINK,
    "Random": BLACK,
}

BASELINES = {
    "Axis-aligned": {"method": "axis"},
    "CO2": {"method": "co2"},
    "Random": {"method": "random-oblique", "n_directions": 20},
    "OC1": {"method": "oc1", "order": "random", "restarts": 0, "jumps": 0},
}

NON_GREEDY = [
    {"method": "annealed", "start": start, "decay": decay}
    for start in ("random", "axis")
    for decay in (0.3, 1.0)
]
ROUNDS, QUICK_ROUNDS = 40, 10
DEEPEST_COMPLETE = 10
"""A complete tree has 2^depth leaves; beyond this depth only a grown start is tried."""


def candidates(depth: int, rounds: int) -> list[dict]:
    """The non-greedy candidates at one depth."""
    kept = [c for c in NON_GREEDY if c["start"] != "random" or depth <= DEEPEST_COMPLETE]
    return [{**candidate, "depth": depth, "rounds": rounds} for candidate in kept]


def points(setup: Setup) -> list[dict]:
    """A point for a baseline's whole curve, and one for every non-greedy tree."""
    keys = []
    for dataset in setup.datasets:
        keys += [{"dataset": dataset, "method": method} for method in BASELINES]
        keys += [
            {"dataset": dataset, "method": "Non-greedy", "depth": depth} for depth in depths(setup)
        ]
    return keys


def depths(setup: Setup) -> tuple[int, ...]:
    """Those that are shown."""
    return setup.depths or (QUICK_DEPTHS if setup.quick else DEPTHS)


def measure(key: dict, setup: Setup) -> list[dict]:
    """Train what the key says; accuracies in percent."""
    training, test = setup.papers.load(key["dataset"])
    training = training.sample(QUICK_ROWS if setup.quick else None)
    if key["method"] != "Non-greedy":
        return _curve(key, setup, training, test)
    depth = key["depth"]
    tried = candidates(depth, QUICK_ROUNDS if setup.quick else ROUNDS)
    chosen = choose(tried, training)
    outcome, _ = train(RunConfig(**chosen, seed=0), training, test)
    settings = f"{chosen['start']} start, decay {chosen['decay']}"
    return [
        _row(
            key["dataset"],
            "Non-greedy",
            depth,
            outcome.accuracy,
            outcome.training_accuracy,
            outcome.active_leaves,
            outcome.seconds,
            settings,
        )
    ]


def _curve(key: dict, setup: Setup, training: Part, test: Part) -> list[dict]:
    wanted = depths(setup)
    config = RunConfig(**BASELINES[key["method"]], depth=wanted[-1], seed=0)
    events = list(Trainer(config, *training, validation=test).events())
    # A tree that stopped growing before is the tree of all greater depths.
    found = [(d, [event for event in events if event.done <= d][-1]) for d in wanted]
    return [
        _row(
            key["dataset"],
            key["method"],
            depth,
            100 * event.validation_accuracy,
            100 * event.accuracy,
            event.active_leaves,
            event.seconds,
        )
        for depth, event in found
    ]


def _row(dataset, method, depth, test, training, leaves, seconds, settings=None) -> dict:
    figure = published("norouzi2015_figures")["figure2"]
    row = {
        "dataset": NAMES[dataset],
        "method": method,
        "depth": depth,
        "test": round(test, 4),
        "training": round(training, 4),
    }
    for kind in ("test", "training"):
        theirs = figure[f"{kind}_accuracy"].get(NAMES[dataset], {}).get(method)
        at = figure["depth"].index(depth) if depth in figure["depth"] else None
        row[f"{kind}_published"] = None if theirs is None or at is None else 100 * theirs[at]
    return row | {"leaves": leaves, "seconds": round(seconds, 3), "settings": settings}


def table(rows: list[dict]) -> Table:
    """One line a tree."""
    columns = {
        "dataset": "data",
        "method": "method",
        "depth": "depth",
        "test": "test accuracy, %",
        "test_published": "published, %",
        "training": "training accuracy, %",
        "training_published": "published, %",
        "leaves": "active leaves",
        "seconds": "seconds",
        "settings": "settings chosen",
    }
    digits = dict.fromkeys(("test", "test_published", "training", "training_published"), 1)
    ordered = sorted(
        rows, key=lambda r: (list(NAMES.values()).index(r["dataset"]), r["depth"], r["method"])
    )
    return make_table(ordered, columns, digits | {"seconds": 1})


def draw(canvas, rows: list[dict]) -> None:
    """Two rows of axes, test and training; a column a dataset."""
    names = [name for name in NAMES.values() if any(row["dataset"] == name for row in rows)]
    axes = canvas.subplots(2, len(names), sharex=True, sharey="col", squeeze=False)
    for column, name in enumerate(names):
        for line, kind in enumerate(("test", "training")):
            at = axes[line, column]
            for method, colour in COLOURS.items():
                own = sorted(
                    (r for r in rows if r["dataset"] == name and r["method"] == method),
                    key=lambda row: row["depth"],
                )
                x = [row["depth"] for row in own]
                theirs = [row[f"{kind}_published"] for row in own]
                curve(at, x, theirs, f"{method}, published", colour, False)
                curve(at, x, [row[kind] for row in own], f"{method}, ours", colour, True)
            at.set_title(f"{name}, {kind} rows", fontsize=10)
            at.set_ylabel("accuracy, %")
        axes[1, column].set_xlabel("greatest depth of the tree")
        axes[1, column].set_xticks(sorted({row["depth"] for row in rows}))
    legend_below(canvas, axes.flat, 5)


def notes(setup: Setup) -> list[str]:
    """How it was measured."""
    said = [
        "Non-greedy, ours: annealed trees, learnt from soft turns to hard ones, with settings "
        "chosen at every depth on a fifth of the training rows; published: SGD on the surrogate "
        "bound.",
        "Baselines have one setting each. OC1 perturbs coefficients in random order without "
        "restarts or jumps; Random takes the best of 20 hyperplanes at every split.",
        "Where there is no official split a fifth of the rows, drawn by class, are for the test; "
        "the paper drew its own.",
    ]
    if setup.quick:
        said.append(
            f"Quick: at most {QUICK_ROWS} training rows and {QUICK_ROUNDS} rounds of annealing, "
            "all test rows."
        )
    else:
        said.append(f"{ROUNDS} rounds of annealing.")
    return said


FIGURE = Figure(
    name="figure2",
    title="Accuracy by depth of one tree, five ways to grow it",
    sentence="The paper's claim: trees whose splits are learnt together classify more test rows "
    "rightly than trees grown greedily, at every depth, and learn less by heart when deep.",
    source="Norouzi et al. 2015, figure 2, read off the paper to about 0.2 points",
    datasets=tuple(NAMES),
    points=points,
    measure=measure,
    table=table,
    draw=draw,
    notes=notes,
    depths=True,
    size=(10.0, 7.0),
)
