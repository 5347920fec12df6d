"""The Library over folders of its own, and runs and sweeps to fill them."""

import pytest

from tests.helpers import harness
from treecore import RunConfig
from treecore.data.sources import Source
from treecore.runs import begin, go_on
from treecore.sweeps import SerialPool, Sweep, read_spec
from treecore.viewer.messages.wire import unpack

SMALL = {
    "data": {"name": "sample:moons", "size": 120},
    "search": {"kind": "grid", "seeds": [0, 1]},
    "final": {"seeds": [0, 1]},
    "methods": [
        {"method": "axis", "depth": [1, 3]},
        {"method": "sgd", "epochs": 3, "depth": [2], "nu": [1, 50]},
    ],
}


@pytest.fixture(autouse=True)
def folders(tmp_path, monkeypatch):
    """A folder in which the app keeps the test's ``runs`` and ``sweeps``."""
    monkeypatch.setenv("TREECORE_RUNS", str(tmp_path / "runs"))
    monkeypatch.setenv("TREECORE_SWEEPS", str(tmp_path / "sweeps"))
    return tmp_path


def page(**query):
    return harness.opened("library", **query)


def keep_run(folders, name, config=None, steps=None, source=None):
    """A run as ``treecore train`` keeps it; cut short after some steps."""
    config = config or RunConfig("stable-sgd", depth=4, epochs=6)
    kept = begin(folders / "runs" / name, config, source or MOONS)
    run = go_on(kept)
    for number, _ in enumerate(run, 1):
        if number == steps:
            run.close()
            break
    return kept.folder


def do_sweep(folders, name, wanted=SMALL, stop_after=None):
    """A sweep as ``treecore sweep`` does it."""
    path = folders / "sweeps" / name
    with Sweep(read_spec(wanted), path, SerialPool()) as sweep:
        for number, _ in enumerate(sweep.run(), 1):
            if number == stop_after:
                break
    return path


def message(app):
    """What the tree view has been sent."""
    (view,) = [v for v in app.get("bidi_component") if "live_" in v.proto.component_name]
    return unpack(view.proto.bytes)


def bar(app):
    return app.get("progress")[0].proto.text


MOONS = Source("sample:moons", size=150)
