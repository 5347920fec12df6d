"""Forests of a few trees, run as the page Forests runs them."""

from __future__ import annotations

import time

import pytest
import streamlit as st

from treecore import RunConfig, warm_up
from treecore.generators import generate
from ui.address import Reading
from ui.data import divided
from ui.forest_address import read_racer
from ui.forest_run import ForestRun


@pytest.fixture(scope="module", autouse=True)
def compiled():
    warm_up()
    warm_up(config=RunConfig("hinge-forest"))
    yield
    st.cache_resource.clear()


@pytest.fixture(scope="module")
def spirals():
    return divided(("spirals", 0.3, 300, 25, 0), generate("spirals", 300, 0.3, 0))


@pytest.fixture(scope="module")
def hill():
    return divided(("hill", 0.1, 200, 25, 0), generate("hill", 200, 0.1, 0))


def plan_of(text, task="classification"):
    kind, values = read_racer(text, Reading())
    return kind.plan(values, 0, task)


def rest(run, states=("finished", "failed", "stopped")):
    for _ in range(1500):
        look = run.look()
        if look.state in states:
            return look
        time.sleep(0.02)
    raise AssertionError(f"the run is still {look.state}: {look.message}")


def finished(text, data):
    run = ForestRun(plan_of(text, data.train.task), data)
    run.play()
    return run, rest(run)
