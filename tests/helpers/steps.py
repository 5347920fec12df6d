"""The page *One step* in Streamlit's own harness, and what it says."""

from __future__ import annotations

from tests.helpers import harness


def opened(dataset="xor", tab=None, **state):
    tabs = {"step_tab": tab} if tab else {}
    return _well(harness.opened("step", {"dataset": dataset, **tabs, **state}))


def from_link(**query):
    return _well(harness.opened("step", **query))


def _well(page):
    assert not page.error
    return page


def run(page):
    page.run()
    assert not page.exception
    return _well(page)


def press(page, key):
    return _well(harness.press(page, key))


def text(page):
    return " ".join(part.value for part in page.markdown)


def figures(page):
    return {metric.label: float(metric.value.rstrip("%")) for metric in page.metric}


def tables(page):
    return [frame.value for frame in page.dataframe]


def example(page):
    return int(text(page).split("**Example ")[1].split("**")[0])
