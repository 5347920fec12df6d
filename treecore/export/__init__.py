"""Models in the formats of others: programs, drawings, queries, and models of other packages.

::

    score_view.py   an oblique tree as a linear map and an axis-aligned tree over its scores
    tables.py       the arrays that every format writes
    formats.py      the list of all formats
    python.py  c.py  javascript.py  sql.py  dot.py  text.py      one format each
    onnx.py  onnx_hinge.py  sklearn.py                           those that stand on the score view
    literals.py     numbers and names as source code
    readers/        models of other packages, as documents

Every format writes the model that predicts, not the run that has learnt it.
"""

from treecore.export.formats import FORMATS, ExportFormat
from treecore.export.score_view import ScoreView, close_rows, score_view

__all__ = ["FORMATS", "ExportFormat", "ScoreView", "close_rows", "score_view"]
