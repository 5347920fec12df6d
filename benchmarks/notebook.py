"""Pictures a second of ``treecore.watch`` in a real JupyterLab, while a tree learns.

    .venv-notebook/bin/python -m benchmarks.notebook [--seconds 5]

``make test-notebook`` makes that environment. Two spirals of 500 points, SGD, 63 splits: a picture
is counted when the canvas of the map has been drawn for another tree.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from tests.helpers.browser import CHROMIUM_FLAGS, chromium_path
from tests.helpers.notebook import VIEW, jupyterlab, run_cell

CELL = """\
from treecore import RunConfig, Trainer, watch
from treecore.data.generators import generate
data = generate("spirals", 500, 0.1, 0)
config = RunConfig("sgd", depth=6, epochs=100_000, seed=0)
watch(Trainer(config, data.X, data.y, n_classes=2)).run()"""

DRAWN = "(root) => [Number(root.dataset.pictures), performance.now() / 1000]"


def rate(seconds: float) -> float:
    """Pictures a second over so many seconds, from a second after the first one."""
    with (
        tempfile.TemporaryDirectory() as folder,
        jupyterlab(Path(folder), [CELL]) as address,
        sync_playwright() as playwright,
    ):
        browser = playwright.chromium.launch(executable_path=chromium_path(), args=CHROMIUM_FLAGS)
        page = browser.new_page(viewport={"width": 1300, "height": 1000})
        page.set_default_timeout(180_000)
        page.goto(address)
        run_cell(page, 0)
        view = page.locator(f"{VIEW}[data-state=running]")
        view.wait_for()
        page.wait_for_timeout(1000)
        before, started = view.evaluate(DRAWN)
        page.wait_for_timeout(1000 * seconds)
        after, end = view.evaluate(DRAWN)
        page.keyboard.press("Escape")
        page.keyboard.type("ii")  # interrupts the cell, so that JupyterLab can end
        browser.close()
        return (after - before) / (end - started)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--seconds", type=float, default=5.0)
    options = parser.parse_args()
    print(f"{rate(options.seconds):.1f} pictures a second in JupyterLab")


if __name__ == "__main__":
    main()
