"""Models of other packages as documents of treecore, to be looked at, pruned and exported again.

::

    files.py      which reader a file is for
    nodes.py      nodes of other packages as trees, where rows fall as they fall there
    sklearn.py    trees and forests of scikit-learn (objects, as nothing here is unpickled)
    boosted.py    models that XGBoost saves as JSON or UBJSON and LightGBM as text, by treelite
    trees_by_treelite.py   what treelite does, in a process of its own
    ubjson.py     the values of a file of UBJSON
    onnx.py       tree ensembles in ONNX

treecore sends x to the left where ``x <= threshold`` in float32. Thresholds of others are moved to
the float32 number that divides the float32 numbers as theirs does, so rows of float32 numbers reach
the same leaves.
"""

from treecore.export.readers.boosted import from_lightgbm, from_xgboost
from treecore.export.readers.files import read_any, read_content
from treecore.export.readers.onnx import from_onnx
from treecore.export.readers.sklearn import from_sklearn

__all__ = [
    "from_lightgbm",
    "from_onnx",
    "from_sklearn",
    "from_xgboost",
    "read_any",
    "read_content",
]
