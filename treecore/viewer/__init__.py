"""What a run looks like in a browser: messages made of its frames, and the scripts that draw them.

The app serves the ES modules of ``js``, a page of its own and a notebook carry them along. Nothing
here opens a connection, and nothing draws in Python.
"""

from pathlib import Path
from typing import TYPE_CHECKING

from treecore.base.public import public_names

ASSETS = Path(__file__).parent / "js"
"""The folder of the scripts, their style and their palette."""

if TYPE_CHECKING:
    from treecore.viewer.glossary import GLOSSARY, NUMBERS
    from treecore.viewer.messages.message import DEEPEST_SHOWN, LARGEST_SHOWN, Stage
    from treecore.viewer.messages.planes import (
        Plane,
        feature_plane,
        principal_plane,
        split_shares,
        telling_features,
        usual_plane,
    )
    from treecore.viewer.messages.standing_tree import standing_message
    from treecore.viewer.messages.status import Frame, History, Status
    from treecore.viewer.messages.wire import Have, News, pack, spoken
    from treecore.viewer.pages.bundle import script_of
    from treecore.viewer.pages.live import LEARNING, living
    from treecore.viewer.pages.page import page_html, safe
    from treecore.viewer.pages.recorded import FIRST, RecordedRun, RunRecorder, record, recorded_run
    from treecore.viewer.pages.thinning import evenly, every_second
    from treecore.viewer.palette import PALETTE
    from treecore.viewer.pictures.svg import SvgCanvas
    from treecore.viewer.pictures.tree_picture import tree_svg
    from treecore.wasm.tab import MODULE

__getattr__, __dir__ = public_names(__name__)
