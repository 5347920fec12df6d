"""The estimators: scikit-learn's conventions, and the same trees as the door's."""

from itertools import pairwise

import numpy as np
import pytest
import sklearn
from sklearn.datasets import make_classification, make_moons
from sklearn.model_selection import GridSearchCV, cross_validate
from sklearn.pipeline import make_pipeline

from tests.helpers.estimators import DIABETES, IRIS, check_conventions, quick
from tests.helpers.same import assert_same
from treecore import (
    AnnealedTreeClassifier,
    ObliqueTreeClassifier,
    ObliqueTreeRegressor,
    SGDTreeClassifier,
    Trainer,
    evaluate,
)
from treecore.estimators.methods import CLASSIFIERS
from treecore.estimators.one_method import parameter_names
from treecore.estimators.parameters import LOSSES as OURS
from treecore.losses import LOSSES
from treecore.training.registry import TREES


@pytest.mark.parametrize("method", TREES)
def test_every_setting_reaches_the_run(method):
    names = parameter_names(method)
    for parameter, name in names.items():
        known = {known.name: known for known in TREES[method].settings.definitions()}[name]
        if known.choices:
            value = known.choices[-1]
        else:
            value = known.high if known.high != known.default else known.low
        estimator = CLASSIFIERS[method](**{parameter: value})
        assert getattr(estimator._run_config(0).settings, name) == value


def test_every_loss_of_numbers_has_the_name_that_scikit_learn_has_for_it():
    known = [name for name, loss in LOSSES.items() if loss.task == "regression"]
    assert list(OURS.values()) == known
    for name in OURS:
        quick(ObliqueTreeRegressor, loss=name).fit(*DIABETES)
    with pytest.raises(ValueError, match="loss='log' must be one of squared_error, huber"):
        quick(ObliqueTreeRegressor, loss="log").fit(*DIABETES)


@pytest.mark.parametrize("method", ["axis", "sgd", "annealed", "tao"])
@pytest.mark.parametrize(
    ("loss", "level"), [("quantile:0.1", 0.1), ("quantile:0.9", 0.9), ("absolute_error", 0.5)]
)
def test_by_a_quantile_as_many_targets_lie_below_their_leaf(method, loss, level, rng):
    X = rng.uniform(-1, 1, (600, 3))
    y = 100 * X[:, 0] + 50 * (1 + X[:, 1]) * rng.exponential(size=600)
    said = quick(ObliqueTreeRegressor, method, loss=loss).fit(X, y).predict(X)
    assert abs(np.mean(y <= said) - level) < 0.05
    with pytest.raises(ValueError, match=r"^loss='quantile:2' must .* above 0 and below 1$"):
        quick(ObliqueTreeRegressor, method, loss="quantile:2").fit(X, y)


@pytest.mark.parametrize("loss", ["absolute_error", "quantile:0.9"])
def test_the_regressor_that_chooses_refuses_what_is_about_no_mean(loss):
    with pytest.raises(ValueError, match=r"must be one of squared_error, huber$"):
        ObliqueTreeRegressor(loss=loss).fit(*DIABETES)


def test_parameters_are_searched_and_shown():
    estimator = SGDTreeClassifier(nu=3.0)
    assert repr(estimator) == "SGDTreeClassifier(nu=3.0)"
    assert "nu" in estimator._repr_html_()
    search = GridSearchCV(
        quick(ObliqueTreeClassifier), {"nu": [0.1, 30.0], "depth": [1, 4]}, cv=3
    ).fit(*IRIS)
    assert search.best_params_["depth"] == 4


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize("method", ["annealed", "tao"])
def test_scikit_learn_accepts_linear_leaves(method):
    check_conventions(quick(ObliqueTreeRegressor, method, leaf="linear"))


def test_an_answer_does_not_depend_on_what_a_row_arrives_in_or_with():
    """Plain arrays of floats skip scikit-learn's checks, lists and Fortran's order do not."""
    X, y = IRIS
    estimator = quick(ObliqueTreeClassifier, "axis").fit(X, np.array(["a", "b", "c"])[y])
    labels, shares = estimator.predict(X), estimator.predict_proba(X)
    assert_same(estimator.predict(X.tolist()), labels)
    assert_same(estimator.predict(np.asfortranarray(X)), labels)
    for i in (0, 75, 149):
        assert_same(estimator.predict(X[i : i + 1]), labels[i : i + 1])
        assert_same(estimator.predict([X[i].tolist()]), labels[i : i + 1])
        assert_same(estimator.predict_proba(X[i : i + 1]), shares[i : i + 1])
    for bad, what in ((X[0], "2D"), (X[:, :3], "3 features"), (X[:0], "0 sample")):
        with pytest.raises(ValueError, match=what):
            estimator.predict(bad)
    for number in (np.inf, -np.inf, 1e300):
        with pytest.raises(ValueError, match="infinit"):
            estimator.predict(np.where(X[3, 2] == X, number, X))


def test_a_sparse_table_is_refused_in_a_sentence_that_names_a_way():
    from scipy.sparse import csr_array

    X, y = IRIS
    estimator = quick(ObliqueTreeClassifier)
    with pytest.raises(ValueError, match=r"sparse table.*X.toarray\(\).*TruncatedSVD"):
        estimator.fit(csr_array(X), y)
    with pytest.raises(ValueError, match="sparse table"):
        estimator.fit(X, y).predict(csr_array(X))


def test_class_weights_are_sample_weights():
    X, y = make_classification(300, weights=[0.9], random_state=0)
    by_class = quick(ObliqueTreeClassifier, class_weight={0: 1.0, 1: 5.0}).fit(X, y)
    rows = Trainer(by_class._run_config(0), X, y, sample_weight=np.where(y == 1, 5.0, 1.0))
    assert_same(by_class.tree_, rows.run())
    balanced = quick(ObliqueTreeClassifier, class_weight="balanced").fit(X, y)
    plain = quick(ObliqueTreeClassifier).fit(X, y)
    assert balanced.predict(X).sum() > plain.predict(X).sum()
    assert balanced._run_config(0).class_weight == "balanced"


def test_weights_are_routed_as_metadata():
    X, y = IRIS
    weight = np.random.default_rng(0).uniform(size=len(y))
    with sklearn.config_context(enable_metadata_routing=True):
        estimator = quick(ObliqueTreeClassifier).set_fit_request(sample_weight=True)
        estimator.set_partial_fit_request(classes=True, sample_weight=True)
        estimator.set_score_request(sample_weight=True)
        result = cross_validate(
            make_pipeline(estimator), X, y, params={"sample_weight": weight}, cv=3
        )
    assert result["test_score"].min() > 0.7


def test_the_tree_with_the_least_validation_loss_is_kept():
    X, y = make_moons(400, noise=0.4, random_state=0)
    estimator = SGDTreeClassifier(8, early_stopping=True, random_state=0).fit(X, y)
    losses = [event.validation_loss for event in estimator.history_]
    best = int(np.argmin(losses))
    assert len(losses) - 1 - best == 34  # patience ran out, and not before
    assert estimator.n_iter_ == len(losses) - 1 < 100
    trainer = Trainer(estimator._run_config(0).replace(validation=0.1), X, y)
    trees = []
    for _ in trainer.events():
        trees.append(trainer.model)
        if len(trees) > best:
            break
    assert_same(estimator.tree_, trees[best])
    assert evaluate(trees[best], trainer.held_out.X, trainer.held_out.y).loss == pytest.approx(
        losses[best]
    )


def test_callbacks_see_every_event_and_may_end_the_run():
    seen = []

    def stop_at_three(event):
        seen.append(event)
        return event.done == 3

    estimator = AnnealedTreeClassifier(
        start="random", callbacks=[stop_at_three], random_state=0
    ).fit(*IRIS)
    assert seen == estimator.history_
    assert estimator.n_iter_ == 3
    assert [event.done for event in seen] == [0, 1, 2, 3]
    assert estimator.score(*IRIS) == pytest.approx(seen[-1].accuracy)


@pytest.mark.parametrize("method", ["sgd", "axis"])
def test_paths_lead_from_the_root_to_the_leaf(method):
    X, y = IRIS
    estimator = quick(ObliqueTreeClassifier, method).fit(X, y)
    tree, leaf, path = estimator.tree_, estimator.apply(X), estimator.decision_path(X)
    assert path.shape == (len(X), tree.n_splits + tree.n_leaves)
    assert path.sum(axis=1).max() - 1 == estimator.get_depth()
    assert estimator.get_n_leaves() == tree.n_leaves
    for i in range(len(X)):
        nodes = path.indices[path.indptr[i] : path.indptr[i + 1]]
        assert nodes[0] == 0
        assert nodes[-1] == tree.n_splits + leaf[i]
        for parent, child in pairwise(nodes):
            reference = child if child < tree.n_splits else ~(child - tree.n_splits)
            assert reference in (tree.left[parent], tree.right[parent])
