"""The widget in a real JupyterLab and in marimo."""

import contextlib
import importlib.util
import json

import pytest

from tests.helpers.browser import answering
from tests.helpers.paths import ROOT
from tests.helpers.wait import SECONDS

pytestmark = pytest.mark.slow

VIEW = ".tc[data-testid=live]"

CELLS = (
    """\
from treecore import ObliqueTreeClassifier, watch
from treecore.data.generators import generate
data = generate("spirals", 200, 0.1, 0)
view = watch(ObliqueTreeClassifier("sgd", depth=4, random_state=0))
fitted = view.fit(data.X, data.y)""",
    "print('picked', view.picked)",
)


def needs(name):
    found = importlib.util.find_spec(name) and importlib.util.find_spec("anywidget")
    return pytest.mark.skipif(not found, reason=f"{name} and anywidget are not installed")


@pytest.fixture
def page(own_context):
    """A tab that waits for notebooks, which are slow to begin."""
    page = own_context(viewport={"width": 1300, "height": 1000}).new_page()
    page.set_default_timeout(4000 * SECONDS)
    return page


def own_places(folder):
    """The environment of a server of notebooks that leaves nothing outside ``folder``."""
    names = ("JUPYTER_CONFIG_DIR", "IPYTHONDIR")
    return {name: str(folder / name) for name in names} | {"PYTHONPATH": str(ROOT)}


@contextlib.contextmanager
def jupyterlab(folder):
    """Serve a notebook of these cells; gives the address at which JupyterLab shows it."""
    cells = [
        {"cell_type": "code", "id": f"c{i}", "metadata": {}, "source": source, "outputs": [],
         "execution_count": None}
        for i, source in enumerate(CELLS)
    ]  # fmt: skip
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (folder / "run.ipynb").write_text(json.dumps(notebook))
    words = ["jupyterlab", "--no-browser", "--allow-root", "--port={port}"]
    words += ["--IdentityProvider.token=our-own"]
    with answering(words, "/api", folder, folder, own_places(folder)) as (address, _):
        yield f"{address}/lab/tree/run.ipynb?token=our-own"


def run_cell(page, number):
    page.locator(".jp-Notebook .cm-content").nth(number).click()
    page.keyboard.press("Shift+Enter")


@needs("jupyterlab")
def test_jupyterlab_shows_a_tree_at_work_and_hears_what_is_picked(page, tmp_path):
    with jupyterlab(tmp_path) as address:
        page.goto(address)
        run_cell(page, 0)
        page.locator(f"{VIEW}[data-state=finished]").wait_for()
        assert page.locator(VIEW).get_attribute("data-dark") == "0"
        assert page.locator(VIEW).evaluate("(root) => root.view.player.frames.length") > 20
        page.locator(VIEW).evaluate(
            "(root) => root.view.pin({ point: 3, leaf: -1, split: -1, gap: -1 })"
        )
        run_cell(page, 1)
        page.get_by_text("picked {'point': 3").wait_for()
        # The view takes the colours of the notebook, also when they change.
        page.evaluate(
            "document.querySelectorAll('.jp-Notebook').forEach((e) => e.style.background = '#111')"
        )
        page.evaluate("document.body.dataset.jpThemeLight = 'false'")
        page.locator(f"{VIEW}[data-dark='1']").wait_for()


@needs("marimo")
def test_marimo_shows_it(page, tmp_path):
    (tmp_path / "run.py").write_text(
        "import marimo\n"
        "app = marimo.App()\n"
        "@app.cell\n"
        "def _():\n"
        + "".join(f"    {line}\n" for line in CELLS[0].splitlines())
        + "    return (view,)\n"
        "@app.cell\n"
        "def _(view):\n"
        "    import marimo as mo\n"
        "    shown = mo.ui.anywidget(view)\n"
        "    shown\n"
        "    return (shown,)\n"
        "if __name__ == '__main__':\n"
        "    app.run()\n"
    )
    words = ["marimo", "run", "run.py", "--headless", "--no-token", "--port={port}"]
    with answering(words, "/health", tmp_path, tmp_path, own_places(tmp_path)) as (address, _):
        page.goto(address)
        page.locator(f"{VIEW}[data-state=finished]").wait_for()
        assert page.locator(VIEW).evaluate("(root) => root.view.player.frames.length") > 20
