"""The first page: two real runs from a file, three steps, and ways in that lead somewhere."""

import subprocess
import sys
from pathlib import Path
from urllib.parse import parse_qs

import pytest

from tests.helpers import harness
from tests.helpers.harness import with_state
from tests.helpers.paths import ROOT
from ui.lab.link import read_comparison
from ui.lab.shipped import DATA, LEARNERS, LEAVES, NAMES, claims, recording, shipped
from ui.shell.router import DOORS, PAGES, page_file


def test_the_claim_holds_by_more_than_its_deviation():
    (greedy, spread, _), (sgd, its_spread, _) = claims().values()
    assert sgd - greedy > spread + its_spread


@pytest.mark.parametrize("name", NAMES)
def test_every_frame_says_how_many_of_the_points_it_has_right(name):
    shown = recording()

    def guess(frame, x):
        """The class of a point, as the browser finds it."""
        node = 0 if frame["split"] else -1
        while node >= 0:
            w1, w2, b = frame["split"][node]
            node = frame["children"][node][int(w1 * x[0] + w2 * x[1] > b)]
        return frame["leaf"][~node]

    assert len(shown[name]["frames"][-1]["leaf"]) == LEAVES
    for frame in shown[name]["frames"]:
        right = [guess(frame, x) == label for x, label in zip(shown["points"], shown["label"])]
        assert sum(right) / len(right) == pytest.approx(frame["accuracy"], abs=0.02)


def test_the_page_tells_the_story_and_opens_the_same_run():
    app = harness.opened("home")
    assert "treecore.home" in {v.proto.component_name for v in app.get("bidi_component")}
    links = {link.proto.page: link.proto for link in reversed(app.get("page_link"))}
    assert {"lab", "learn", "library"} <= set(links)
    state = read_comparison(parse_qs(links["lab"].query_string))
    assert not state.problems
    assert state.state["dataset"] == DATA
    assert state.state["lab_most"] == LEAVES
    assert state.state["seed"] == shipped().seed
    assert state.state["lab_n"] == 2
    methods = [state.state[f"lab{i}_method"] for i in range(2)]
    assert methods == [one.method for one in LEARNERS]


@pytest.mark.parametrize("page", ["home", "lab"])
def test_opening_the_page_compiles_no_kernel(page):
    look = (
        "from tests.helpers import harness\n"
        "from treecore.compiling.kernels import KERNELS\n"
        f"harness.opened({page!r})\n"
        "print([k.py_func.__name__ for k in KERNELS if k.signatures])\n"
    )
    command = [sys.executable, "-c", look]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.strip().splitlines()[-1] == "[]"


def test_the_order_of_pages():
    assert [PAGES[name][0] for name in DOORS] == ["Home", "Learn", "Lab", "Library"]
    assert all(Path(page_file(name)).exists() for name in PAGES)


def test_what_is_said_of_python_is_the_readme():
    app = harness.opened("home")
    with_state(app, home_in_python=True)  # the expander is opened
    reported = next(m.value for m in app.markdown if "AnnealedTreeClassifier(" in m.value)
    assert "](docs" not in reported, "links to files would lead nowhere"
    assert "## What it measures" not in reported
