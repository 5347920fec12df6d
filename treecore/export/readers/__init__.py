"""Models of other packages as documents of treecore, to be looked at, pruned and exported again.

::

    files.py      which reader a file is for
    nodes.py      nodes of other packages as trees, where rows fall as they fall there
    sklearn.py    trees and forests of scikit-learn (objects, as nothing here is unpickled)
    xgboost.py    models that XGBoost saves as JSON
    lightgbm.py   models that LightGBM saves as text
    onnx.py       tree ensembles in ONNX

treecore sends x to the left where ``x <= threshold`` in float32. Thresholds of others are moved to
the float32 number that divides the float32 numbers as theirs does, so rows of float32 numbers reach
the same leaves.
"""

from treecore.export.readers.files import read_any, read_content
from treecore.export.readers.lightgbm import from_lightgbm
from treecore.export.readers.onnx import from_onnx
from treecore.export.readers.sklearn import from_sklearn
from treecore.export.readers.xgboost import from_xgboost

__all__ = [
    "from_lightgbm",
    "from_onnx",
    "from_sklearn",
    "from_xgboost",
    "read_any",
    "read_content",
]
