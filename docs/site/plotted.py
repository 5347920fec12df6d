"""Figures that the programs of a page draw, when the site is built."""

from __future__ import annotations

import contextlib
import io
import re
import shutil
import tempfile
from collections.abc import Mapping
from pathlib import Path

MARK = "```{plotted} "
"""What begins a directive; after it stands a file that the programs have saved."""

FOLDER = "plotted"
"""Of the site, for the figures."""


def draw(page: str, address: str, site: Path) -> Mapping[str, str]:
    """Run a page's programs, one after the other; gives the addresses of the files it shows.

    Raises FileNotFoundError where a program has not saved what the page shows.
    """
    import matplotlib

    matplotlib.use("agg")
    names = re.findall(rf"^{re.escape(MARK)}(\S+)", page, flags=re.MULTILINE)
    programs = re.findall(r"^```python\n(.*?)^```", page, flags=re.DOTALL | re.MULTILINE)
    found: dict[str, str] = {}
    (site / FOLDER / address).mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory() as own, contextlib.chdir(own):
        known: dict[str, object] = {}
        with contextlib.redirect_stdout(io.StringIO()):
            for program in programs:
                exec(program, known)
        for name in names:
            found[name] = f"{FOLDER}/{address}/{name}"
            shutil.copyfile(Path(own) / name, site / found[name])
    return found
