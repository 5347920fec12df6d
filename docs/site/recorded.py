"""Runs that train within a page, or play there, learnt when the site is built."""

from __future__ import annotations

from pathlib import Path

from docs.site.app_links import RUNS
from treecore.base.state_file import write_atomically
from treecore.viewer.pages.page import page_html
from treecore.viewer.pages.recorded import record
from ui.jobs.chosen_data import new_trainer

FOLDER = "recorded"
"""Of the site, for their pages."""


def recorded_page(name: str) -> str:
    """The runs of that name in :data:`docs.site.app_links.RUNS`, as a page in one file."""
    data, *configs = RUNS[name]()
    trainers = [new_trainer(data, config) for config in configs]
    runs = [record(trainer, data.train, data.held, live=True) for trainer in trainers]
    return page_html(f"{data.train.name}: {name}", runs)


def write_recorded(name: str, site: Path) -> str:
    """Write that page; gives its address within the site."""
    address = f"{FOLDER}/{name.lower().replace(' ', '-')}.html"
    (site / FOLDER).mkdir(parents=True, exist_ok=True)
    write_atomically(site / address, recorded_page(name).encode())
    return address
