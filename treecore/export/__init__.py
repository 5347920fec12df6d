"""Models in the formats of others, one file a format, and models of other packages (``readers``).

Every format writes the model that predicts, not the run that has learnt it.
"""

from treecore.export.formats import FORMATS, ExportFormat
from treecore.export.score_view import ScoreView, close_rows, score_view

__all__ = ["FORMATS", "ExportFormat", "ScoreView", "close_rows", "score_view"]
