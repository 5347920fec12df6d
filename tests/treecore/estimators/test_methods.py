"""The estimators of one method: written from the registry, and the same trees as its runs."""

import ast
import dataclasses
import inspect
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from sklearn.base import clone

import treecore
from tests.helpers.estimators import DIABETES, IRIS, check_conventions
from tests.helpers.method_estimators import PATH, source
from tests.helpers.same import assert_same
from treecore import (
    AnnealedTreeClassifier,
    AxisTreeClassifier,
    AxisTreeRegressor,
    ObliqueForestRegressor,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
    RunConfig,
    SGDTreeClassifier,
    SGDTreeRegressor,
    StableSGDTreeClassifier,
    TAOTreeClassifier,
    predict,
)
from treecore.estimators.methods import CLASSIFIERS, REGRESSORS
from treecore.estimators.one_method import OneMethod
from treecore.persistence import TreeFormatError, to_json
from treecore.training.registry import TREES
from treecore.training.tree_trainer import TreeTrainer

ALL = [
    getattr(treecore, f"{name}{task}")
    for name in (method.estimator for method in TREES.values())
    for task in ("Classifier", "Regressor")
]
MISTAKES = Path(__file__).with_name("mistakes.py")
X, Y = IRIS


def data(estimator):
    return DIABETES if estimator._numeric else IRIS


def small(estimator, **more) -> OneMethod:
    """One of depth 2 that learns in a moment."""
    known = inspect.signature(estimator).parameters
    few = {name: 3 for name in ("epochs", "rounds") if name in known}
    return estimator(2, **({"random_state": 0} | few | more))


def test_the_module_is_what_the_registry_says():
    pytest.importorskip("ruff", reason="ruff formats the module")
    assert PATH.read_text(encoding="utf-8") == source(), "run `make generate`"


@pytest.mark.parametrize("estimator", ALL)
def test_defaults_are_those_of_a_run(estimator):
    loss = "squared" if estimator._numeric else "log"
    assert estimator()._run_config(3) == RunConfig(estimator.method, seed=3, loss=loss)


@pytest.mark.parametrize("estimator", ALL)
def test_the_tree_is_that_of_the_run_and_comes_back_from_a_file(estimator):
    rows, targets = data(estimator)
    fitted = small(estimator).fit(rows, targets)
    assert_same(fitted.tree_, TreeTrainer(fitted._run_config(0), rows, targets).run())
    again = estimator.from_json(fitted.to_json())
    np.testing.assert_array_equal(again.predict(rows), fitted.predict(rows))
    last = fitted.history_[-1]
    figure = last.r2 if estimator._numeric else last.accuracy
    assert figure == pytest.approx(fitted.score(rows, targets), abs=1e-6)
    assert again.get_params() == fitted.get_params() | {"random_state": None}
    other = ObliqueTreeRegressor if estimator._numeric else ObliqueTreeClassifier
    np.testing.assert_array_equal(
        other.from_json(fitted.to_json()).predict(rows), fitted.predict(rows)
    )
    assert clone(fitted).get_params() == fitted.get_params()
    another = REGRESSORS if not estimator._numeric else CLASSIFIERS
    with pytest.raises(TreeFormatError, match="read it with the other estimator"):
        another[estimator.method].from_json(fitted.to_json())


GROWN_AND_LEARNT = (AxisTreeClassifier, SGDTreeRegressor)
"""Of these scikit-learn's checks are quick enough to run every time."""


@pytest.mark.filterwarnings("default")  # the checks provoke some
@pytest.mark.parametrize(
    "estimator",
    [one if one in GROWN_AND_LEARNT else pytest.param(one, marks=pytest.mark.slow) for one in ALL],
)
def test_scikit_learn_accepts_every_one(estimator):
    check_conventions(estimator())


def test_rows_may_come_in_pieces_where_the_method_can():
    for made in (SGDTreeClassifier, StableSGDTreeClassifier, AnnealedTreeClassifier):
        assert small(made).partial_fit(X, Y, classes=[0, 1, 2]).score(X, Y) > 0.5
    own, choosing = (
        made(random_state=0).partial_fit(X, Y, classes=[0, 1, 2])
        for made in (AnnealedTreeClassifier, ObliqueTreeClassifier)
    )
    assert_same(own.tree_, choosing.tree_)
    assert choosing.decision_.summary().startswith(
        "An annealed tree: partial_fit has no validation rows"
    )


@pytest.mark.parametrize(("given", "number"), [("sqrt", 3), (0.5, 5), (0.01, 1), (1.0, 10), (4, 4)])
def test_features_drawn_for_a_split_may_be_a_share_of_all(given, number):
    rows, targets = DIABETES
    tree = AxisTreeRegressor(3, max_features=given, random_state=0).fit(rows, targets)
    same = AxisTreeRegressor(3, max_features=number, random_state=0).fit(rows, targets)
    assert_same(tree.tree_, same.tree_)


def test_a_greedy_tree_may_be_as_deep_as_its_rows_ask_for():
    rows, targets = np.arange(200.0)[:, None], np.arange(200) % 2  # every split cuts one row off
    tree = AxisTreeClassifier(max_depth=None).fit(rows, targets)
    assert tree.score(rows, targets) == 1
    assert tree.get_depth() > 20
    again = AxisTreeClassifier.from_json(tree.to_json())
    np.testing.assert_array_equal(again.predict(rows), targets)


def test_a_random_state_may_be_a_generator():
    shared = np.random.RandomState(3)
    rng = np.random.default_rng
    states = rng(1), rng(1), rng(2), np.random.RandomState(3), shared, shared
    first, second, third, old, same, moved = (
        SGDTreeClassifier(2, epochs=1, random_state=state).fit(X, Y).tree_ for state in states
    )
    assert_same(first, second)
    assert_same(old, same)
    assert not np.array_equal(first.weights, third.weights)
    assert not np.array_equal(same.weights, moved.weights)


def test_verbose_prints_a_line_for_every_measured_tree(capsys):
    SGDTreeClassifier(2, epochs=3, random_state=0, verbose=1).fit(X, Y)
    lines = capsys.readouterr().out.splitlines()
    assert [line.partition(":")[0] for line in lines] == [f"sgd, epoch {i} of 3" for i in range(4)]
    small(SGDTreeClassifier).fit(X, Y)
    assert not capsys.readouterr().out


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: SGDTreeClassifier(max_depth=3), "no parameter 'max_depth'; perhaps depth is"),
        (lambda: AxisTreeClassifier(depth=3), "no parameter 'depth'; perhaps max_depth is"),
        (lambda: AnnealedTreeClassifier(epochs=3), "no parameter 'epochs'; perhaps rounds is"),
        (lambda: SGDTreeClassifier(3, 0.5), "takes all parameters but depth by name"),
        (lambda: SGDTreeClassifier(momentun=0.5), "'momentun'; perhaps momentum is meant"),
        (lambda: AxisTreeClassifier(kernel="fourier"), "no parameter 'kernel': put a Nystroem, an"),
        (lambda: SGDTreeClassifier(monotonic_cst=[1]), "axis-aligned and annealed trees have: see"),
        (lambda: AxisTreeClassifier(q=1), "no parameter 'q'; it has max_depth,"),
        (lambda: ObliqueTreeClassifier("auto"), "chooses its method: leave method='auto' out"),
        (lambda: ObliqueTreeClassifier(clas_weight={}), "perhaps class_weight is meant"),
        (lambda: ObliqueTreeRegressor(rounds=1), "those that have it are AnnealedTreeRegressor"),
        (lambda: SGDTreeClassifier().set_params(max_depth=3), "'max_depth'; perhaps depth is"),
        (lambda: small(AxisTreeRegressor).set_params(estimator__q=3), "no parameter 'estimator'"),
    ],
)
def test_a_parameter_that_is_not_there_is_answered_by_the_one_that_was_meant(make, message):
    with pytest.raises((TypeError, ValueError), match=message):
        make()


@pytest.mark.parametrize(
    ("estimator", "message"),
    [
        (AxisTreeClassifier(0), "max_depth=0 must be between 1 and"),
        (AxisTreeClassifier(max_leaf_nodes="many"), "max_leaf_nodes='many' must be a whole number"),
        (AxisTreeRegressor(criterion="gini"), "criterion='gini' must be 'squared_error'"),
        (AxisTreeRegressor(max_features=1.5), "max_features=1.5 must be a number of features"),
        (AxisTreeRegressor(max_features="log2"), "max_features='log2' must be a number of"),
        (TAOTreeClassifier(newton_steps=0), "newton_steps=0 must be between 1 and"),
        (SGDTreeClassifier(min_weight_fraction_leaf=1), "min_weight_fraction_leaf=1 must be"),
        (ObliqueForestRegressor(small(AxisTreeRegressor, verbose=1)), "verbose=1 is for single"),
        (SGDTreeClassifier(verbose=7), "verbose=7 must be 0, or 1"),
        (SGDTreeClassifier(start="cart"), "start='cart' must be one of random, axis"),
        (SGDTreeClassifier(early_stopping="yes"), "early_stopping='yes' must be True or False"),
        (ObliqueTreeClassifier(leaf="linear"), "leaf='linear' must be None or 'constant'"),
        (ObliqueForestRegressor(ObliqueTreeRegressor()), "or an estimator of one method for the"),
    ],
)
def test_a_value_that_cannot_be_is_named_as_the_caller_named_it(estimator, message):
    with pytest.raises(ValueError, match=message):
        estimator.fit(*data(estimator))


def test_a_file_of_another_method_is_refused():
    text = small(AxisTreeClassifier).fit(X, Y).to_json()
    with pytest.raises(TreeFormatError, match="by 'axis', not by 'sgd'; read it with ObliqueTreeC"):
        SGDTreeClassifier.from_json(text)


def test_a_tree_behind_a_kernel_is_read_from_a_file():
    trainer = TreeTrainer(RunConfig("sgd", depth=2, epochs=3, kernel="fourier"), X, Y)
    tree = trainer.run()
    document = dataclasses.replace(small(SGDTreeClassifier).fit(X, Y).to_document(),
        model=tree, feature_map=trainer.feature_map, counts=None)  # fmt: skip
    again = SGDTreeClassifier.from_json(to_json(document))
    np.testing.assert_array_equal(again.predict(X), predict(tree, trainer.feature_map(X)))


@pytest.mark.parametrize(
    ("made", "earlier", "now"),
    [
        (ObliqueTreeClassifier, {"method": "sgd", "depth": 3}, SGDTreeClassifier(3)),
        (ObliqueTreeClassifier, {"method": "axis", "depth": 3}, AxisTreeClassifier(3)),
        (
            ObliqueTreeRegressor,
            {"method": "sgd", "nu": 3.0, "batch": None, "loss": "squared"},
            SGDTreeRegressor(nu=3.0),
        ),
    ],
)
def test_a_method_given_by_its_name_is_its_class_with_a_warning(made, earlier, now):
    name = earlier["method"]
    message = rf"{made.__name__}\(method='{name}'\) is {type(now).__name__}\(\), write that instead"
    with pytest.warns(FutureWarning, match=message) as warned:
        found = made(**earlier)
    assert warned[0].filename == __file__
    assert repr(found) == repr(now)
    with pytest.warns(FutureWarning):
        assert type(made(name)) is type(found)
    with pytest.raises(ValueError, match="there is no method 'cart'; known are sgd"):
        made("cart")


def test_a_type_checker_finds_most_mistakes_and_every_misspelt_parameter(tmp_path):
    pytest.importorskip("mypy")
    misspelt = tmp_path / "misspelt.py"
    lines = [f"treecore.{name}(n_treez=3)" for name in ESTIMATOR_NAMES]
    misspelt.write_text("\n".join(["import treecore", *lines]), encoding="utf-8")
    lines = MISTAKES.read_text(encoding="utf-8").splitlines()
    first = lines.index("X, y = np.zeros((4, 2)), np.array([0, 1, 0, 1])") + 1
    mistakes = {i for i, line in enumerate(lines, 1) if i > first and line}
    assert len(mistakes) == 20
    command = [sys.executable, "-m", "mypy", "--no-error-summary", "--follow-imports=silent"]
    command += [str(MISTAKES), str(misspelt)]
    reported = subprocess.run(command, capture_output=True, text=True).stdout.splitlines()
    assert sum('argument "n_treez" for' in line for line in reported) == len(ESTIMATOR_NAMES)
    reported = [line for line in reported if MISTAKES.name in line]
    found = {int(line.split(":")[1]) for line in reported if ": error:" in line}
    assert found <= mistakes
    assert len(found) >= 16, sorted(mistakes - found)


def learn(code, space):
    eval(code, space).fit(space["X"], space["y"])


def test_every_mistake_is_told_in_one_sentence_when_it_is_made_or_fitted():
    module = ast.parse(MISTAKES.read_text(encoding="utf-8"))
    space: dict = {}
    for statement in module.body:
        code = compile(ast.Module([statement], []), str(MISTAKES), "exec")
        if not isinstance(statement, ast.Expr) or isinstance(statement.value, ast.Constant):
            exec(code, space)
            continue
        with pytest.raises((TypeError, ValueError, AttributeError), match=r"^[^\n]+$"):
            learn(compile(ast.Expression(statement.value), str(MISTAKES), "eval"), space)


ESTIMATOR_NAMES = [name for name in treecore.__all__ if name.endswith(("Classifier", "Regressor"))]
ESTIMATORS = [getattr(treecore, name) for name in ESTIMATOR_NAMES]


def explained(estimator) -> list[str]:
    """The parameters that a docstring explains."""
    text = inspect.getdoc(estimator)
    if "Parameters\n---" not in text:
        return []
    text = text[text.index("Parameters\n---") :]
    lines = re.findall(r"^(\w+(?:, \w+)*)(?: : .+)?\n {4}", text.partition("\nAttributes")[0], re.M)
    return [name for line in lines for name in line.split(", ")]


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_every_parameter_is_explained_once_and_nothing_else(estimator):
    names = explained(estimator)
    assert len(names) == len(set(names))
    if estimator._numeric:  # whose parameters the classifier explains, but for those of numbers
        names += explained(getattr(treecore, estimator.__name__.replace("Regressor", "Classifier")))
        assert set(inspect.signature(estimator).parameters) <= set(names)
    else:
        assert set(names) == set(inspect.signature(estimator).parameters)
    assert max(map(len, estimator.__doc__.splitlines())) <= 100


@pytest.mark.parametrize("estimator", ESTIMATORS)
def test_no_estimator_has_more_than_24_and_all_but_the_first_are_named(estimator):
    parameters = list(inspect.signature(estimator).parameters.values())
    assert len(parameters) <= 24
    assert all(one.kind is inspect.Parameter.KEYWORD_ONLY for one in parameters[1:])
