"""scikit-learn estimators over the one door: two that choose a method, and two of every method.

::

    shared.py       rows, weights, seeds and files, alike for all; classes, and numbers
    base.py         the run that the parameters ask for; fit and partial_fit of one tree
    classifier.py   labels of any kind, probabilities
    regressor.py    numbers, one or several
    one_method.py   what the estimators of one method share
    methods.py      a classifier and a regressor a method, written by `make generate`
    conformal.py    intervals and sets of classes
    choosing.py     the two that choose a method
    persistence.py  to and from JSON
    bagged.py       bagged trees        boosted.py   boosted ones
    hinge.py        random hinge forests and ferns
"""
