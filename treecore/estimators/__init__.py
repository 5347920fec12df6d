"""scikit-learn estimators over the one door: two that choose a method, and two of every method.

``methods.py`` has a classifier and a regressor a method, written by `make generate`.
"""
