"""Forests of a few trees, run as the page Forests runs them."""

from __future__ import annotations

import pytest

from tests.helpers.wait import until
from ui.forests.job import ForestJob
from ui.forests.link import read_racer
from ui.links.fields import Reading
from ui.widgets.data.picker import gallery_data


@pytest.fixture(scope="session")
def spirals():
    return gallery_data("spirals", 300, 0.3)


@pytest.fixture(scope="session")
def hill():
    return gallery_data("hill", 200, 0.1)


def plan_of(text, task="classification"):
    kind, values = read_racer(text, Reading())
    return kind.plan(values, 0, task)


def rest(run, states=("finished", "failed", "stopped")):
    """The first look at a run that has come to one of the states."""

    def look():
        found = run.look()
        return found if found.state in states else None

    return until(look, f"for a run that is {' or '.join(states)}")


def finished(text, data):
    """A run that has come to its end, and the last look at it."""
    run = ForestJob(plan_of(text, data.train.task), data)
    run.play()
    look = rest(run)
    assert look.state == "finished", look.message
    return run, look
