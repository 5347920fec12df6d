"""scikit-learn estimators over the one door: a classifier and a regressor, any method.

::

    parameters.py   what can be set; which of it the method has; the RunConfig that follows
    shared.py       rows, weights, seeds and files, alike for all; classes, and numbers
    base.py         fit and partial_fit of one tree
    classifier.py   labels of any kind, probabilities
    regressor.py    numbers, one or several
    persistence.py  to and from JSON
    bagged.py       bagged trees        boosted.py   boosted ones
    hinge.py        random hinge forests and ferns
"""

from treecore.estimators.bagged import ObliqueForestClassifier, ObliqueForestRegressor
from treecore.estimators.boosted import BoostedTreeClassifier
from treecore.estimators.classifier import ObliqueTreeClassifier
from treecore.estimators.hinge import HingeForestClassifier, HingeForestRegressor
from treecore.estimators.regressor import ObliqueTreeRegressor

__all__ = [
    "BoostedTreeClassifier",
    "HingeForestClassifier",
    "HingeForestRegressor",
    "ObliqueForestClassifier",
    "ObliqueForestRegressor",
    "ObliqueTreeClassifier",
    "ObliqueTreeRegressor",
]
