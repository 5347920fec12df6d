"""The widget in a real JupyterLab and in marimo."""

from __future__ import annotations

import importlib.util
import json
import os
import socket
import subprocess
import sys
import urllib.error
import urllib.request

import pytest

from tests.helpers.paths import ROOT
from tests.helpers.wait import SECONDS, until

pytestmark = pytest.mark.slow

TOKEN = "a-token-of-this-test"
CELLS = (
    """\
from treecore import ObliqueTreeClassifier, watch
from treecore.data.generators import generate
data = generate("spirals", 200, 0.1, 0)
view = watch(ObliqueTreeClassifier("sgd", depth=4, random_state=0))
fitted = view.fit(data.X, data.y)""",
    "print('picked', view.picked)",
)
VIEW = ".tc[data-testid=live]"


def needs(name):
    found = importlib.util.find_spec(name) and importlib.util.find_spec("anywidget")
    return pytest.mark.skipif(not found, reason=f"{name} and anywidget are not installed")


@pytest.fixture
def serve(tmp_path):
    """``serve("jupyterlab", ...)`` runs a module as a server at a free port; gives its address."""
    started = []

    def serve(module, *words, ready):
        with socket.socket() as free:
            free.bind(("127.0.0.1", 0))
            port = free.getsockname()[1]
        own = {name: str(tmp_path / name) for name in ("JUPYTER_CONFIG_DIR", "IPYTHONDIR")}
        environment = os.environ | own | {"PYTHONPATH": str(ROOT)}
        log = open(tmp_path / "log.txt", "w")  # noqa: SIM115
        command = [sys.executable, "-m", module, *(w.format(port=port) for w in words)]
        started.append(
            (subprocess.Popen(command, cwd=tmp_path, env=environment, stdout=log, stderr=log), log)
        )
        address = f"http://127.0.0.1:{port}"

        def answers():
            assert started[-1][0].poll() is None, (tmp_path / "log.txt").read_text()
            try:
                return urllib.request.urlopen(address + ready, timeout=5).status == 200
            except (urllib.error.URLError, ConnectionError, TimeoutError):
                return False

        until(answers, f"for {module}", 90)
        return address

    yield serve
    for process, log in started:
        process.terminate()
        process.wait(30)
        log.close()


@pytest.fixture
def open_page(chromium):
    pages = []

    def open_page(address):
        page = chromium.new_page(viewport={"width": 1300, "height": 1000})
        page.set_default_timeout(4000 * SECONDS)
        page.goto(address)
        pages.append(page)
        return page

    yield open_page
    for page in pages:
        page.close()


@needs("jupyterlab")
def test_jupyterlab_shows_a_tree_at_work_and_hears_what_is_picked(serve, open_page, tmp_path):
    cells = [
        {"cell_type": "code", "id": f"c{i}", "metadata": {}, "source": source, "outputs": [],
         "execution_count": None}
        for i, source in enumerate(CELLS)
    ]  # fmt: skip
    kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3", "language": "python"}}
    notebook = {"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "run.ipynb").write_text(json.dumps(notebook))
    words = ("--no-browser", "--allow-root", "--port={port}", f"--IdentityProvider.token={TOKEN}")
    address = serve("jupyterlab", *words, ready="/api")
    page = open_page(f"{address}/lab/tree/run.ipynb?token={TOKEN}")
    page.locator(".jp-Notebook .cm-content").first.click()
    page.keyboard.press("Shift+Enter")
    page.locator(f"{VIEW}[data-state=finished]").wait_for()
    assert page.locator(VIEW).get_attribute("data-dark") == "0"
    assert page.locator(VIEW).evaluate("(root) => root.view.player.frames.length") > 20
    page.locator(VIEW).evaluate(
        "(root) => root.view.pin({ point: 3, leaf: -1, split: -1, gap: -1 })"
    )
    page.locator(".jp-Notebook .cm-content").nth(1).click()
    page.keyboard.press("Shift+Enter")
    page.get_by_text("picked {'point': 3").wait_for()
    # The view takes the colours of the notebook, also when they change.
    page.evaluate(
        "document.querySelectorAll('.jp-Notebook').forEach((e) => e.style.background = '#111')"
    )
    page.evaluate("document.body.dataset.jpThemeLight = 'false'")
    page.locator(f"{VIEW}[data-dark='1']").wait_for()


@needs("marimo")
def test_marimo_shows_it(serve, open_page, tmp_path):
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
    words = ("run", "run.py", "--headless", "--no-token", "--port={port}")
    address = serve("marimo", *words, ready="/health")
    page = open_page(address)
    page.locator(f"{VIEW}[data-state=finished]").wait_for()
    assert page.locator(VIEW).evaluate("(root) => root.view.player.frames.length") > 20
