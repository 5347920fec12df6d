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
    return _well(harness.run(page))


def press(page, key):
    return _well(harness.press(page, key))


def text(page):
    return " ".join(part.value for part in page.markdown)


def figures(page):
    """The numbers on the page by their labels; of two of one label, the one further down."""
    return {metric.label: _number(metric) for metric in page.metric}


def promised(page):
    """What the update of an example says of the bound and the loss after it: the upper ones."""
    upper = {metric.label: _number(metric) for metric in reversed(page.metric)}
    return upper["Mean bound"], upper["Mean loss"]


def _number(metric):
    return None if metric.value == "–" else float(metric.value.rstrip("%"))


def maps(page):
    """How many maps of the data are drawn."""
    return sum("_map" in chart.proto.id for chart in page.get("plotly_chart"))


def tables(page):
    return [frame.value for frame in page.dataframe]


def example(page):
    return int(text(page).split("**Example ")[1].split("**")[0])
