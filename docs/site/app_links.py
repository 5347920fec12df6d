"""Links into the app, in the states that pages of this site speak of, as the app writes them.

``TREECORE_APP`` says where the app is; by default, where ``make app`` serves it.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from functools import partial
from typing import Any
from urllib.parse import urlencode

from docs.site.methods import table
from treecore import RunConfig
from treecore.training.registry import TREES
from ui.jobs.chosen_data import ChosenData
from ui.lab.choices import FORESTS, USUAL_DEPTH, Limit
from ui.lab.link import comparison_params
from ui.learn.lessons import LESSONS
from ui.learn.link import lesson_params
from ui.learn.session import CLOCK
from ui.links.fields import VERSION, write_parts
from ui.step.link import FIELDS, HAND, LEARNER
from ui.widgets.data.gallery import gallery_data

APP = os.environ.get("TREECORE_APP", "http://localhost:8501").rstrip("/")


def link(page: str, params: dict[str, Any]) -> str:
    """The address of a page with its query, from the root of the app."""
    return f"{page}?{urlencode({'v': VERSION, **params}, doseq=True)}"


def lesson(number: int) -> str:
    """A lesson, counted from 1."""
    return link("learn", lesson_params({"lesson": number}))


def run_link(name: str) -> str:
    """The runs of that name in :data:`RUNS`, in the Lab."""
    data, *configs = RUNS[name]()
    depth = configs[0].depth if configs[0].method in TREES else USUAL_DEPTH
    return link("lab", comparison_params(data, Limit("depth", depth), CLOCK, configs))


def step(data: ChosenData, method: str, **more: Any) -> str:
    """Steps of a method in slow motion, in the Lab."""
    limit, config = Limit("depth", 3), RunConfig(method, depth=3)
    slow = write_parts(FIELDS, {LEARNER: 1} | more)
    return link("lab", comparison_params(data, limit, CLOCK, [config]) | slow)


NOISY = partial(gallery_data, "pinwheel", 300, share=50, noise=1.0)
"""Few points, much noise: a deep tree gets all training points right, and no more of others."""

RUNS: dict[str, Callable[[], tuple[ChosenData, *tuple[RunConfig, ...]]]] = {
    "spirals": lambda: (gallery_data("spirals"), RunConfig("sgd", depth=6)),
    "digits": lambda: (gallery_data("digits"), RunConfig("sgd", depth=6)),
    "digits in a shallow tree": lambda: (
        gallery_data("digits"),
        RunConfig("sgd", depth=4, epochs=40),
    ),
    "greedy and joint on XOR": lambda: (
        gallery_data("xor", 600),
        RunConfig("axis", depth=2),
        RunConfig("sgd", depth=2),
    ),
    "greedy and joint on stripes": lambda: (
        gallery_data("stripes", 400),
        RunConfig("axis", depth=3),
        RunConfig("oc1", depth=3),
        RunConfig("sgd", depth=3),
    ),
    "OC1 and joint on stripes": lambda: (
        gallery_data("stripes", 400),
        RunConfig("oc1", depth=3),
        RunConfig("sgd", depth=3),
    ),
    "forests": lambda: (gallery_data("spirals"), *map(RunConfig, FORESTS)),
    "deep tree": lambda: (NOISY(), RunConfig("axis", depth=12)),
    "shallow tree": lambda: (NOISY(), RunConfig("axis", depth=3)),
    "three tries at the spirals": lambda: (
        gallery_data("spirals"),
        RunConfig("axis", depth=6),
        RunConfig("tao", depth=6),
        RunConfig("sgd", depth=6),
    ),
}
"""Data of runs and what learns from them, by the name that pages give them."""

LINKS: dict[str, Callable[[], str]] = {
    "first lesson": partial(lesson, 1),
    **{f"lesson {one.short}": partial(lesson, one.number) for one in LESSONS},
    **{name: partial(run_link, name) for name in RUNS},
    "one example": lambda: step(gallery_data("spirals"), "sgd"),
    "one node of TAO": lambda: step(gallery_data("stripes", 400), "tao"),
    "one coefficient of OC1": lambda: step(gallery_data("stripes", 400), "oc1"),
    "a split by hand": lambda: step(gallery_data("moons"), "sgd", **{HAND: True}),
}
"""Links by the name that pages give them; lessons are named by the app's own list."""


def lessons_text() -> str:
    """A table of the app's lessons, in Markdown: title and question of each, and a link to it."""
    rows = [(f"[{one.title}]({APP}/{lesson(one.number)})", one.guess.question) for one in LESSONS]
    return table(("lesson", "its question"), rows)
