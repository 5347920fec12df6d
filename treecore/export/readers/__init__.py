"""Models of other packages as documents of treecore, to be looked at, pruned and exported again.

treecore sends x left where ``x <= threshold`` in float32. Thresholds of others are moved to the
float32 number that divides the float32 numbers as theirs does, so rows reach the same leaves.
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
