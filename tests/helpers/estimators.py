"""Quick estimators for tests, and the data that they learn."""

from __future__ import annotations

from sklearn.datasets import load_diabetes, load_iris
from sklearn.utils.estimator_checks import check_estimator

from treecore import ObliqueTreeClassifier, ObliqueTreeRegressor
from treecore.estimators.methods import CLASSIFIERS, REGRESSORS
from treecore.estimators.one_method import parameter_names

BOTH = (ObliqueTreeClassifier, ObliqueTreeRegressor)
QUICK = {"depth": 3, "max_depth": 3, "epochs": 5}

IRIS = load_iris(return_X_y=True)
DIABETES = load_diabetes(return_X_y=True)


def quick(chooser, method="sgd", **more):
    """An estimator of few passes, as far as the method knows them."""
    settings = {k: v for k, v in QUICK.items() if k in parameter_names(method)}
    made = (REGRESSORS if chooser is ObliqueTreeRegressor else CLASSIFIERS)[method]
    return made(**({"random_state": 0} | settings | more))


EXACT_IN_WEIGHTS = ("axis", "random-oblique", "oc1")
"""Methods to which a row of weight two is two equal rows, up to rounding."""

DRAWS_ROWS = {
    "check_sample_weight_equivalence_on_dense_data": "rows are drawn, visited in random order or "
    "held out one by one, and a row of weight two is one row"
}
"""scikit-learn's checks that all other methods are expected to fail, with the reason."""

CHOOSES = {
    "check_fit_score_takes_y": "partial_fit comes after fit there, and goes on from no tree with "
    "linear leaves, should such a one be chosen"
}
"""The same of those that choose."""


def check_conventions(estimator):
    """scikit-learn's own checks of an estimator."""
    exact = getattr(estimator, "method", None) in EXACT_IN_WEIGHTS
    known = ({} if exact else DRAWS_ROWS) | (CHOOSES if isinstance(estimator, BOTH) else {})
    results = check_estimator(estimator, on_skip=None, on_fail=None, expected_failed_checks=known)
    failed = {result["check_name"]: result["exception"] for result in results
              if result["status"] == "failed"}  # fmt: skip
    assert not failed
    skipped = {result["check_name"] for result in results if result["status"] == "skipped"}
    assert len(results) > 50
    # The first needs SCIPY_ARRAY_API in the environment, the second a decision_function.
    several = "check_classifiers_multilabel_output_format_decision_function"
    assert skipped <= {"check_array_api_input", several}
