"""XGBoost's and LightGBM's models answer 500 awkward rows as the libraries do, or are refused."""

import re

import numpy as np
import pytest
from numpy.testing import assert_allclose, assert_array_equal
from scipy.special import softmax
from sklearn.datasets import load_iris, load_wine

from tests.helpers.exports import labels_of, outputs_of
from tests.treecore.export.readers.make_models import rows
from treecore.export.readers import read_content
from treecore.persistence import TreeFormatError

pytest.importorskip("treelite")


def awkward(X, thresholds, seed=0):
    """500 rows on splits and one step beside them, with zeros, denormals and large numbers."""
    rng = np.random.default_rng(seed)
    edges = np.array(thresholds, dtype=np.float32)
    far = np.float32(np.inf)
    odd = np.array([0, -0.0, 1e-45, -1e-45, 1e-36, -1e-36, 1e-35, 3e38, -3e38], dtype=np.float32)
    cells = np.concatenate([edges, np.nextafter(edges, far), np.nextafter(edges, -far), odd])
    T = X[rng.integers(0, len(X), 500)].copy()
    there = rng.random(T.shape) < 0.7
    T[there] = rng.choice(cells, there.sum())
    return T


def targets(kind, y):
    kinds = {"binary": lambda: y > 0, "classes": lambda: np.digitize(y, [-0.5, 0.5]),
             "positive": lambda: np.abs(y) + 0.1, "two": lambda: np.c_[y, -2 * y]}  # fmt: skip
    return kinds[kind]().astype(float) if kind in kinds else y


XGBOOST = {
    "numbers": ("", {}),
    "absolute": ("", {"objective": "reg:absoluteerror"}),
    "base": ("", {"base_score": 7.5}),
    "binary": ("binary", {"objective": "binary:logistic"}),
    "raw": ("binary", {"objective": "binary:logitraw", "base_score": 0.2}),
    "classes": ("classes", {"objective": "multi:softprob", "num_class": 3}),
    "vector leaves": ("classes", {"objective": "multi:softprob", "num_class": 3,
                                  "multi_strategy": "multi_output_tree"}),
    "two numbers": ("two", {}),
    "two in a leaf": ("two", {"multi_strategy": "multi_output_tree"}),
    "dart": ("", {"booster": "dart", "rate_drop": 0.5}),
    "dart classes": ("classes", {"booster": "dart", "rate_drop": 0.5, "num_parallel_tree": 2,
                                 "objective": "multi:softmax", "num_class": 3}),
    "random forest": ("", {"num_parallel_tree": 5, "subsample": 0.6, "eta": 1}),
    "poisson": ("positive", {"objective": "count:poisson"}),
    "gamma": ("positive", {"objective": "reg:gamma"}),
    "logistic": ("binary", {"objective": "reg:logistic"}),
}  # fmt: skip


@pytest.mark.parametrize("form", ["json", "ubj"])
@pytest.mark.parametrize("name", XGBOOST)
def test_xgboosts_sums_of_awkward_rows(name, form):
    xgboost = pytest.importorskip("xgboost")
    kind, params = XGBOOST[name]
    X, y = rows(1, False)
    booster = xgboost.train(
        {"max_depth": 3, "eta": 0.7, **params}, xgboost.DMatrix(X, targets(kind, y)), 4
    )
    T = awkward(X, [float(t) for t in re.findall(r"<([-\d.e]+)\]", " ".join(booster.get_dump()))])
    sums = booster.predict(xgboost.DMatrix(T), output_margin=True).reshape(len(T), -1)
    document = read_content(bytes(booster.save_raw(form)))
    assert_allclose(outputs_of(document, T), sums, rtol=2e-6, atol=2e-6)
    assert document.training["method"].startswith("XGBoost")


def test_xgboosts_estimators_stop_at_the_best_round_and_so_does_what_is_read():
    xgboost = pytest.importorskip("xgboost")
    for kind, form, options in (
        ("", "json", {}),
        ("", "ubj", {"num_parallel_tree": 3, "subsample": 0.7}),
        ("classes", "ubj", {}),
    ):
        X, y = rows(0, False)
        y = targets(kind, y)
        which = xgboost.XGBClassifier if kind else xgboost.XGBRegressor
        model = which(n_estimators=30, early_stopping_rounds=2, learning_rate=1.0, **options)
        model.fit(X[:100], y[:100], eval_set=[(X[100:], y[100:])], verbose=False)
        assert model.best_iteration + 1 < model.get_booster().num_boosted_rounds()
        document = read_content(bytes(model.get_booster().save_raw(form)))
        said = outputs_of(document, X)
        if kind:
            assert_allclose(softmax(said, axis=1), model.predict_proba(X), atol=2e-6)
        else:
            assert_allclose(said[:, 0], model.predict(X), rtol=1e-5, atol=1e-5)


LIGHTGBM = {
    "numbers": ("", {}),
    "absolute": ("", {"objective": "regression_l1"}),
    "binary": ("binary", {"objective": "binary"}),
    "other sigmoid": ("binary", {"objective": "binary", "sigmoid": 2.0}),
    "entropy": ("binary", {"objective": "cross_entropy"}),
    "classes": ("classes", {"objective": "multiclass", "num_class": 3}),
    "each class": ("classes", {"objective": "multiclassova", "num_class": 3}),
    "dart": ("", {"boosting": "dart", "drop_rate": 0.5, "skip_drop": 0.0}),
    "random forest": ("", {"boosting": "rf", "bagging_freq": 1, "bagging_fraction": 0.6}),
    "forest of classes": ("classes", {"boosting": "rf", "bagging_freq": 1, "num_class": 3,
                                      "bagging_fraction": 0.6, "objective": "multiclass"}),
    "poisson": ("positive", {"objective": "poisson"}),
    "roots": ("positive", {"reg_sqrt": True}),
}  # fmt: skip


def lightgbm_booster(lightgbm, X, y, rounds=4, **params):
    params = {"num_leaves": 6, "min_data_in_leaf": 3, "verbose": -1, "learning_rate": 0.7, **params}
    return lightgbm.train(params, lightgbm.Dataset(X, y), rounds)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("name", LIGHTGBM)
def test_lightgbms_sums_of_awkward_rows(name):
    lightgbm = pytest.importorskip("lightgbm")
    kind, params = LIGHTGBM[name]
    X, y = rows(2, False)
    X[:40, 3] = 0.0
    booster = lightgbm_booster(lightgbm, X, targets(kind, y), **params)
    T = awkward(X, booster.trees_to_dataframe()["threshold"].dropna())
    T[::5, :2] = np.nan  # read as 0, as none were seen
    document = read_content(booster.model_to_string().encode())
    said = outputs_of(document, T)
    if params.get("boosting") == "rf":  # whose raw scores are not yet averaged
        wanted = booster.predict(T)
        said = softmax(said, axis=1) if kind else said[:, 0]
    else:
        wanted = booster.predict(T, raw_score=True).reshape(len(T), -1)
    assert_allclose(said, wanted, rtol=2e-6, atol=2e-6)


@pytest.mark.filterwarnings("ignore")
def test_lightgbms_best_round_is_where_its_files_end():
    lightgbm = pytest.importorskip("lightgbm")
    X, y = rows(0, False)
    model = lightgbm.LGBMRegressor(
        n_estimators=200, learning_rate=1.0, verbose=-1, min_child_samples=3
    )
    model.fit(X[:100], y[:100], eval_set=[(X[100:], y[100:])],
              callbacks=[lightgbm.early_stopping(2, verbose=False)])  # fmt: skip
    assert model.best_iteration_ < 200
    document = read_content(model.booster_.model_to_string().encode())
    assert_allclose(outputs_of(document, X)[:, 0], model.predict(X), rtol=1e-5, atol=1e-5)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("package", ["xgboost", "lightgbm"])
def test_splits_on_categories_are_refused(package, rng):
    library = pytest.importorskip(package)
    X = rng.integers(0, 6, (200, 2)).astype(np.float32)
    y = np.isin(X[:, 0], [1, 4]) + 0.1 * X[:, 1]
    if package == "xgboost":
        data = library.DMatrix(X, y, feature_types=["c", "q"], enable_categorical=True)
        content = bytes(library.train({"max_cat_to_onehot": 1}, data, 2).save_raw("json"))
    else:
        data = library.Dataset(X, y, categorical_feature=[0])
        params = {"verbose": -1, "min_data_in_leaf": 2, "min_data_per_group": 2}
        content = library.train(params, data, 2).model_to_string().encode()
    with pytest.raises(TreeFormatError, match="tests categories"):
        read_content(content)


@pytest.mark.filterwarnings("ignore")
@pytest.mark.parametrize("load", [load_iris, load_wine])
def test_lightgbm_of_a_table_of_decimals(load):
    lightgbm = pytest.importorskip("lightgbm")
    X, y = load(return_X_y=True)
    booster = lightgbm_booster(lightgbm, X, y)
    cells = np.round(X + np.random.default_rng(0).choice([-0.05, 0.005, 0, 0.05], X.shape), 3)
    document = read_content(booster.model_to_string().encode())
    assert_allclose(outputs_of(document, cells)[:, 0], booster.predict(cells), atol=1e-6)


@pytest.mark.filterwarnings("ignore")
def test_linear_leaves_and_linear_boosters_are_refused():
    lightgbm = pytest.importorskip("lightgbm")
    xgboost = pytest.importorskip("xgboost")
    X, y = rows(0, False)
    booster = lightgbm_booster(lightgbm, X, y, linear_tree=True)
    with pytest.raises(TreeFormatError, match="a leaf has a linear model"):
        read_content(booster.model_to_string().encode())
    linear = xgboost.train({"booster": "gblinear"}, xgboost.DMatrix(X, y), 2)
    for form in ("json", "ubj"):
        with pytest.raises(TreeFormatError, match="booster is gblinear"):
            read_content(bytes(linear.save_raw(form)))


def test_a_single_tree_of_two_classes_has_probabilities_and_labels():
    xgboost = pytest.importorskip("xgboost")
    X, y = rows(1, False)
    model = xgboost.XGBClassifier(n_estimators=1, max_depth=3).fit(X, y > 0)
    document = read_content(bytes(model.get_booster().save_raw("ubj")))
    assert_allclose(outputs_of(document, X), model.predict_proba(X), atol=1e-6)
    assert_array_equal(labels_of(document, X), model.predict(X).astype(str))


def test_what_would_end_treelites_process_is_one_sentence():
    from tests.treecore.export.readers.test_readers import kept

    text, _, _ = kept("lightgbm-numbers")
    text = re.sub("tree_sizes=.*", "", text)  # or its sum would tell
    for pattern, other in (
        ("left_child=[^ ]*", "left_child=-99999999"),
        ("left_child=[^ ]*", "left_child=999"),
        ("num_leaves=.*", "num_leaves=2000000000"),
    ):
        with pytest.raises(TreeFormatError, match="not a complete model of LightGBM") as caught:
            read_content(re.sub(pattern, other, text, count=1).encode())
        assert "\n" not in str(caught.value)
    text, _, _ = kept("xgboost-numbers")
    with pytest.raises(TreeFormatError, match="treelite crashes on it"):
        read_content(re.sub(r'"tree_info":\[[^\]]*\]', '"tree_info":[]', text).encode())


def test_names_of_ubjson_are_those_of_the_features():
    xgboost = pytest.importorskip("xgboost")
    X, y = rows(0, False)
    names = ["best_iteration", "3", "Öl", "d"]
    booster = xgboost.train({"max_depth": 2}, xgboost.DMatrix(X, y, feature_names=names), 3)
    document = read_content(bytes(booster.save_raw("ubj")))
    assert list(document.feature_names) == names
    assert document.n_trees == 4  # and the base
