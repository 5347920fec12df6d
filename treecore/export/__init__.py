"""Models in the formats of others, one file a format, and models of other packages (``readers``).

Every format writes the model that predicts, not the run that has learnt it.
"""

from typing import TYPE_CHECKING

from treecore.base.public import public_names

if TYPE_CHECKING:
    from treecore.export.formats import FORMATS, ExportFormat
    from treecore.export.readers import read_content
    from treecore.export.scores import ScoreView, close_rows, score_view
    from treecore.export.text import heading, tree_of_model

__all__ = [
    "FORMATS",
    "ExportFormat",
    "ScoreView",
    "close_rows",
    "heading",
    "read_content",
    "score_view",
    "tree_of_model",
]

__getattr__, __dir__ = public_names(__name__)
