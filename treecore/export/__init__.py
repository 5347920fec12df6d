"""Models in the formats of others, one file a format, and models of other packages (``readers``).

Every format writes the model that predicts, not the run that has learnt it.
"""

from treecore.export.formats import FORMATS, ExportFormat
from treecore.export.readers import read_content
from treecore.export.score_view import ScoreView, close_rows, score_view
from treecore.export.text import heading, tree_of_model
from treecore.export.written import NamedSet, named_sets

__all__ = [
    "FORMATS",
    "ExportFormat",
    "NamedSet",
    "ScoreView",
    "close_rows",
    "heading",
    "named_sets",
    "read_content",
    "score_view",
    "tree_of_model",
]
