"""The way into the app: what must be so before any page runs."""

import subprocess
import sys

from tests.helpers.paths import ROOT
from ui.shell.router import PAGES

LOOK = """
import ast, importlib, pathlib, sys
from ui.shell.router import load

def ours():
    return {name for name in sys.modules if name.split(".")[0] in ("treecore", "ui")}

load()
known = ours()
pages = sorted(pathlib.Path("pages").glob("*.py"))
for page in pages:
    for node in ast.walk(ast.parse(page.read_text())):
        if isinstance(node, ast.ImportFrom):
            importlib.import_module(node.module)
        elif isinstance(node, ast.Import):
            [importlib.import_module(name.name) for name in node.names]
print(len(pages), sorted(ours() - known))
"""


def test_no_page_imports_what_was_not_there_before():
    # Two threads that import the same modules in another order may end in an error of one.
    found = subprocess.run(
        [sys.executable, "-c", LOOK], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert found.stdout.split(maxsplit=1) == [str(len(PAGES)), "[]\n"]
