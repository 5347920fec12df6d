"""A notebook in a real JupyterLab."""

import contextlib
import json
from collections.abc import Iterator, Sequence
from pathlib import Path

from tests.helpers.browser import answering
from tests.helpers.paths import ROOT

VIEW = ".tc[data-testid=live]"
"""The live view in a page."""

_TOKEN = "a-token-of-this-test"


def own_places(folder: Path) -> dict[str, str]:
    """The environment of a server of notebooks that leaves nothing outside ``folder``."""
    names = ("JUPYTER_CONFIG_DIR", "IPYTHONDIR")
    return {name: str(folder / name) for name in names} | {"PYTHONPATH": str(ROOT)}


@contextlib.contextmanager
def jupyterlab(folder: Path, cells: Sequence[str]) -> Iterator[str]:
    """Serve a notebook of these cells; gives the address at which JupyterLab shows it."""
    reported = [
        {"cell_type": "code", "id": f"c{i}", "metadata": {}, "source": source, "outputs": [],
         "execution_count": None}
        for i, source in enumerate(cells)
    ]  # fmt: skip
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": reported, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (folder / "run.ipynb").write_text(json.dumps(notebook))
    words = ["jupyterlab", "--no-browser", "--allow-root", "--port={port}"]
    words += [f"--IdentityProvider.token={_TOKEN}"]
    with answering(words, "/api", folder, folder, own_places(folder)) as (address, _):
        yield f"{address}/lab/tree/run.ipynb?token={_TOKEN}"


def run_cell(page, number: int) -> None:
    """Run a cell of the notebook that a page shows."""
    page.locator(".jp-Notebook .cm-content").nth(number).click()
    page.keyboard.press("Shift+Enter")
