"""Forests beside those of well-kept libraries: error by number of trees and by seconds.

Seconds are of processor time, all threads together: other work on the machine adds none.

``python -m benchmarks.forests digits`` (or letter, mnist, iris, speed), each runnable alone.

digits, letter, mnist
    Boosted and bagged trees of ours; scikit-learn's random forest, AdaBoost over CART and
    histogram gradient boosting, and XGBoost where it can be imported. Settings are chosen on
    held-out training rows (a fifth; the mean of four such draws where there are less than 5000);
    the winners learn from all training rows, once a seed, and
    only they see the test rows. Gradient boosting grows a tree for every class in each iteration,
    and is counted so.
iris
    The figure of Wang's slides: forests of 50 OC1 and of 50 CART trees, by the share of rows that
    they learn from.
speed
    Prediction by 100 axis-aligned trees, and by 100 of scikit-learn's, on the same rows.

``--quick`` takes one candidate each; ``--rows`` the first training rows only; ``--models`` some of
the models only.
"""

from __future__ import annotations

import argparse
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
from sklearn.datasets import load_digits, load_iris
from sklearn.ensemble import (
    AdaBoostClassifier,
    HistGradientBoostingClassifier,
    RandomForestClassifier,
)
from sklearn.tree import DecisionTreeClassifier

from benchmarks.protocol import HELD_OUT, Part, load
from treecore import EnsembleConfig, ForestTrainer, RunConfig, warm_up
from treecore.datasets import split_rows
from treecore.forest_config import PRESETS

try:
    from xgboost import XGBClassifier
except ImportError:
    XGBClassifier = None

SHOWN = (1, 2, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000, 2000, 3000, 5000, 10_000)


class Curve(NamedTuple):
    """Test error in percent after so many trees, and the seconds that they took."""

    trees: np.ndarray
    error: np.ndarray
    seconds: np.ndarray


@dataclass(frozen=True)
class Model:
    """One way to make a forest, with the settings to choose among."""

    name: str
    grow: Callable[[dict, int, Part, Part], Curve]
    candidates: tuple[dict, ...]


def ours(given: dict, seed: int, training: Part, held: Part) -> Curve:
    """A forest of ours; ``given`` are the arguments of an EnsembleConfig, and those of its base."""
    own = dict(given)
    config = EnsembleConfig(
        own.pop("kind"), RunConfig(own.pop("method"), **own.pop("base")), seed=seed, **own
    )
    begun = time.process_time()
    told = [
        (event.done, 100 * event.validation_error, time.process_time() - begun)
        for event in ForestTrainer(config, *training, validation=held).events()
    ]
    return Curve(*(np.array(column) for column in zip(*told, strict=True)))


def _timed(model, training: Part) -> float:
    begun = time.process_time()
    model.fit(*training)
    return time.process_time() - begun


def _curve(predictions, held: Part, seconds: float, trees_each: int = 1) -> Curve:
    """Of staged predictions; each stage took the same time."""
    error = np.array([100 * np.mean(told != held.y) for told in predictions])
    stage = np.arange(1, len(error) + 1)
    return Curve(trees_each * stage, error, seconds * stage / len(error))


def random_forest(given: dict, seed: int, training: Part, held: Part) -> Curve:
    """scikit-learn's random forest."""
    model = RandomForestClassifier(random_state=seed, **given)
    seconds = _timed(model, training)
    shares = np.cumsum([tree.predict_proba(held.X) for tree in model.estimators_], axis=0)
    return _curve((model.classes_[share.argmax(axis=1)] for share in shares), held, seconds)


def adaboost(given: dict, seed: int, training: Part, held: Part) -> Curve:
    """scikit-learn's AdaBoost (SAMME) over CART."""
    own = dict(given)
    tree = DecisionTreeClassifier(max_depth=own.pop("depth"), random_state=seed)
    model = AdaBoostClassifier(tree, random_state=seed, **own)
    return _curve(model.staged_predict(held.X), held, _timed(model, training))


def histogram(given: dict, seed: int, training: Part, held: Part) -> Curve:
    """scikit-learn's histogram gradient boosting."""
    model = HistGradientBoostingClassifier(early_stopping=False, random_state=seed, **given)
    seconds = _timed(model, training)
    n_classes = len(model.classes_)
    return _curve(model.staged_predict(held.X), held, seconds, 1 if n_classes == 2 else n_classes)


def xgboost(given: dict, seed: int, training: Part, held: Part) -> Curve:
    """XGBoost, where it is installed."""
    model = XGBClassifier(random_state=seed, n_jobs=-1, tree_method="hist", **given)
    seconds = _timed(model, training)
    n_rounds = model.get_booster().num_boosted_rounds()
    n_classes = len(model.classes_)
    # A prediction by n rounds goes through all of their trees: not after every round.
    rounds = np.array([n for n in SHOWN if n < n_rounds] + [n_rounds])
    told = (model.predict(held.X, iteration_range=(0, n)) for n in rounds.tolist())
    error = np.array([100 * np.mean(classes != held.y) for classes in told])
    return Curve((1 if n_classes == 2 else n_classes) * rounds, error, seconds * rounds / n_rounds)


def tao(kind: str, depth: int, C: float, path: float = 1.0, **more) -> dict:
    """Settings of a forest of TAO trees, from complete random trees as in Gabidolla et al."""
    base = {"depth": depth, "C": C, "solver": "newton", "path": path}
    base |= {name: more.pop(name, usual) for name, usual in (("start", "random"), ("epochs", 10))}
    return _forest(kind, "tao", base, more)


def annealed(kind: str, depth: int, rounds: int = 30, scaling: str = "auto", **more) -> dict:
    """Settings of a forest of annealed trees."""
    base = {"depth": depth, "rounds": rounds, "start": "random", "scaling": scaling}
    return _forest(kind, "annealed", base, more)


def _forest(kind: str, method: str, base: dict, more: dict) -> dict:
    """Settings of 30 such trees, if nothing else is said."""
    ending = {} if kind == "bagging" else {"ending": "restart"}
    return {"kind": kind, "method": method, "base": base, "n_trees": 30, **ending, **more}


def cart(depth: int, n_trees: int = 100) -> dict:
    """Settings of boosted CART, ours."""
    return {"kind": "samme", "method": "axis", "base": {"depth": depth}, "n_trees": n_trees}


def libraries(boosted_depths: tuple[int, ...]) -> tuple[Model, ...]:
    """The forests of the libraries; AdaBoost over CART with one of these depths."""
    shares = ("sqrt", 0.1, 0.3)
    models = (
        Model(
            "random forest",
            random_forest,
            tuple({"n_estimators": 300, "max_features": share} for share in shares),
        ),
        Model(
            "AdaBoost over CART",
            adaboost,
            tuple({"n_estimators": 100, "depth": depth} for depth in boosted_depths),
        ),
        Model(
            "gradient boosting (hist)",
            histogram,
            tuple(
                {"max_iter": 200, "learning_rate": 0.1, "max_leaf_nodes": leaves}
                for leaves in (31, 8)
            ),
        ),
    )
    if XGBClassifier is None:
        return models
    candidates = tuple(
        {"n_estimators": n_rounds, "learning_rate": rate, "max_depth": depth}
        for n_rounds, rate, depth in ((200, 0.3, 6), (200, 0.3, 3), (500, 0.2, 8))
    )
    return (*models, Model("XGBoost", xgboost, candidates))


LIBRARIES = {"digits": libraries((8, 6, 10)), "letter": libraries((16,)), "mnist": libraries((12,))}

OURS = {
    "digits": (
        Model(
            "boosted TAO",
            ours,
            (tao("samme", 7, 3.0, 30.0), tao("samme", 6, 3.0, 30.0), tao("samme", 5, 1.0, 1.0)),
        ),
        Model("boosted TAO (M1)", ours, (tao("adaboost-m1", 7, 3.0, 30.0),)),
        Model("bagged TAO", ours, (tao("bagging", 8, 3.0, 30.0),)),
        Model(
            "boosted annealed",
            ours,
            tuple(annealed("samme", depth, sampling="draw") for depth in (5, 4)),
        ),
        Model("bagged annealed", ours, (annealed("bagging", 6),)),
        Model("boosted CART", ours, tuple(cart(depth) for depth in (6, 8))),
    ),
    "letter": (
        Model(
            "boosted TAO",
            ours,
            (
                tao("adaboost-m1", 12, 1e3, start="axis", epochs=2, sampling="draw"),
                tao("adaboost-m1", 14, 30.0, start="axis", epochs=3, sampling="draw")
                | {"feature_share": 0.75},
            ),
        ),
        Model(
            "boosted annealed",
            ours,
            tuple(annealed("adaboost-m1", depth, 10, sampling="draw") for depth in (9, 10)),
        ),
    ),
    "mnist": (
        Model(
            "boosted TAO",
            ours,
            tuple(
                tao("adaboost-m1", depth, C, start="axis", epochs=2, sampling="draw")
                for depth, C in ((10, 1.0), (12, 30.0))
            ),
        ),
        Model(
            "boosted annealed",
            ours,
            tuple(
                annealed("adaboost-m1", depth, 10, sampling="draw", scaling="together")
                for depth in (8, 9)
            ),
        ),
    ),
}
"""Our forests for each data set; the first candidate is the one of ``--quick``."""


def choose(model: Model, part: Part) -> dict:
    """The candidate of least error on held-out rows; the first one of equals."""
    if len(model.candidates) == 1:
        return model.candidates[0]
    errors = np.zeros(len(model.candidates))
    for split in range(4 if len(part.y) < 5000 else 1):  # few rows tell little at a time
        kept, held = split_rows(part.y, HELD_OUT, split)
        inner, outer = Part(part.X[kept], part.y[kept]), Part(part.X[held], part.y[held])
        errors += [model.grow(given, split, inner, outer).error[-1] for given in model.candidates]
    return model.candidates[errors.argmin()]


def compare(name: str, seeds: int, quick: bool, rows: int | None, wanted: list[str]) -> None:
    """Print the models' errors, and their curves by trees and by seconds."""
    parts = load(name)
    if parts is None:
        print(f"{name}: not at hand; TREECORE_DATA names the folder with {name}.npz")
        return
    training, test = parts
    training = Part(training.X[:rows], training.y[:rows])
    training, test = (Part(p.X.astype(np.float32), p.y.astype(np.int64)) for p in (training, test))
    print(f"\n{name}: {len(training.y)} training rows, {len(test.y)} test rows, {seeds} seeds\n")
    print("| model | trees | test error, % | seconds | settings |\n" + "|" + " --- |" * 5)
    curves = {}
    for model in (*OURS[name], *LIBRARIES[name]):
        if wanted and not any(word in model.name for word in wanted):
            continue
        chosen = model.candidates[0] if quick else choose(model, training)
        runs = [model.grow(chosen, seed, training, test) for seed in range(seeds)]
        last = np.array([run.error[-1] for run in runs])
        n_trees = np.mean([run.trees[-1] for run in runs])
        seconds = np.mean([run.seconds[-1] for run in runs])
        told = ", ".join(f"{k}={v}" for k, v in flat(chosen).items())
        print(
            f"| {model.name} | {n_trees:.0f} | {last.mean():.2f} ± {last.std():.2f} "
            f"| {seconds:.1f} | {told} |",
            flush=True,
        )
        curves[model.name] = runs
    print("\nTest error, %, after so many trees (and seconds), mean over the seeds:\n")
    for model, runs in curves.items():
        common = sorted(set.intersection(*(set(run.trees) for run in runs)))
        shown = [n for n in common if n // common[0] in SHOWN]  # so many rounds
        cells = []
        for n in shown:
            at = [(run.error[run.trees == n][0], run.seconds[run.trees == n][0]) for run in runs]
            error, seconds = np.mean(at, axis=0)
            cells.append(f"{n}: {error:.2f} ({seconds:.3g} s)")
        print(f"{model:26} {'  '.join(cells)}")


def flat(settings: dict) -> dict:
    """Settings without nesting."""
    own = {k: v for k, v in settings.items() if k != "base"}
    return own | settings.get("base", {})


def iris(seeds: int) -> None:
    """The slides' figure: test accuracy of forests by the share of rows that they learn from."""
    X, y = load_iris(return_X_y=True)
    print(f"\niris: test accuracy in percent of forests of 50 trees, {seeds} seeds\n")
    print("| training share | OC1 forest | CART forest | scikit-learn's random forest |")
    print("|" + " --- |" * 4)
    for tenths in range(1, 10):
        accuracy = []
        for seed in range(seeds):
            train, test = split_rows(y, 1 - tenths / 10, seed)
            row = []
            for name in ("oc1-forest", "cart-forest"):
                config = PRESETS[name].config.replace(n_trees=50, seed=seed)
                forest = ForestTrainer(config, X[train], y[train], n_classes=3).run()
                row.append(np.mean(forest.predict(X[test]) == y[test]))
            model = RandomForestClassifier(50, random_state=seed).fit(X[train], y[train])
            accuracy.append([*row, model.score(X[test], y[test])])
        cells = zip(np.mean(accuracy, axis=0), np.std(accuracy, axis=0), strict=True)
        told = " | ".join(f"{100 * mean:.1f} ± {100 * spread:.1f}" for mean, spread in cells)
        print(f"| {tenths / 10} | {told} |", flush=True)


def speed() -> None:
    """Seconds to predict rows with 100 axis-aligned trees: the best of seven."""

    def best(predict: Callable, rows: np.ndarray) -> float:
        seconds = []
        for _ in range(8):  # the first one compiles, or warms the caches
            begun = time.perf_counter()
            predict(rows)
            seconds.append(time.perf_counter() - begun)
        return min(seconds[1:])

    print("\nPrediction by 100 trees on one processor, milliseconds\n")
    print("| data | rows | leaves a tree | ours | scikit-learn's random forest | ratio |")
    print("|" + " --- |" * 6)
    digits = load_digits(return_X_y=True)
    for name, parts in (("digits", [Part(*digits)] * 2), ("letter", load("letter"))):
        if parts is None:
            continue
        training, held = (Part(p.X.astype(np.float32), p.y.astype(np.int64)) for p in parts)
        config = PRESETS["random-forest"].config.replace(n_trees=100)
        forest = ForestTrainer(config, *training).run()
        theirs = RandomForestClassifier(100, random_state=0, n_jobs=1).fit(*training)
        for rows in (held.X[:1], held.X, np.tile(held.X, (10, 1))):
            a, b = best(forest.predict, rows), best(theirs.predict, rows)
            print(
                f"| {name} | {len(rows)} | {forest.n_leaves / 100:.0f} | {1000 * a:.3g} "
                f"| {1000 * b:.3g} | {b / a:.1f} |",
                flush=True,
            )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("what", choices=(*OURS, "iris", "speed"))
    parser.add_argument("--seeds", type=int, default=3)
    parser.add_argument("--quick", action="store_true", help="the first candidate each")
    parser.add_argument("--rows", type=int, help="so many training rows, the first ones")
    parser.add_argument("--models", nargs="*", default=[], help="words of the models' names")
    arguments = parser.parse_args()
    warm_up()
    if arguments.what == "iris":
        iris(arguments.seeds)
    elif arguments.what == "speed":
        speed()
    else:
        compare(arguments.what, arguments.seeds, arguments.quick, arguments.rows, arguments.models)


if __name__ == "__main__":
    main()
