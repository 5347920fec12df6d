"""How the site is built from this folder: ``make docs``."""

from __future__ import annotations

import json
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT))

from streamlit.logger import set_log_level  # noqa: E402

import treecore  # noqa: E402
from treecore._version import __version__  # noqa: E402

set_log_level("ERROR")  # no server runs here, and none need be

project = "treecore"
author = "the authors of treecore"
project_copyright = "%Y, the authors of treecore"
version = release = __version__

extensions = [
    "myst_parser",
    "sphinx.ext.autodoc",
    "sphinx.ext.autosummary",
    "sphinx.ext.napoleon",
    "sphinx.ext.viewcode",
    "docs.site.api",
    "docs.site.directives",
]
exclude_patterns = ["_build"]
source_suffix = {".md": "markdown", ".rst": "restructuredtext"}  # the latter is generated
templates_path = ["site/templates"]
autosummary_ignore_module_all = False
autosummary_context = {"public": treecore.__all__}
root_doc = "index"
highlight_language = "text"
suppress_warnings = ["ref.python"]  # attributes of several classes share a name

autodoc_member_order = "alphabetical"
autodoc_typehints = "none"  # docstrings say them, with shapes and units
autodoc_default_options = {
    "members": True,
    # scikit-learn writes these, and refers to pages of its own
    "exclude-members": "get_metadata_routing, set_fit_request, set_partial_fit_request, "
    "set_score_request",
}
napoleon_google_docstring = False
napoleon_use_rtype = False
napoleon_use_ivar = True

myst_enable_extensions = ["attrs_block", "attrs_inline", "colon_fence", "deflist"]
myst_heading_anchors = 3

html_theme = "furo"
html_title = f"treecore {__version__}"
PALETTE = json.loads((ROOT / "treecore/viewer/js/palette.json").read_text(encoding="utf-8"))["page"]
html_theme_options = {
    f"{theme}_css_variables": {
        "color-brand-primary": colours["accent"],
        "color-brand-content": colours["accent"],
        "color-brand-visited": colours["accent"],
    }
    for theme, colours in PALETTE.items()
}
html_show_sphinx = False
html_copy_source = False
html_static_path = ["site/static"]
html_css_files = ["site.css"]
html_js_files = [("site.js", {"defer": "defer"})]
