"""scikit-learn estimators over the one door: two that choose a method, and two of every method.

``methods.py`` has a classifier and a regressor a method, written by `make generate`.
"""

from typing import TYPE_CHECKING

from treecore.base.public import public_names

if TYPE_CHECKING:
    from treecore.estimators import persistence, tables

__getattr__, __dir__ = public_names(__name__)
