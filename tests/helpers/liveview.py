"""The live view alone on a blank page, and messages to send it."""

import base64
import contextlib
import functools
import http.server
import threading

import numpy as np

from tests.helpers.browser import drawn
from tests.helpers.strategies import random_shape
from treecore import RunConfig, Trainer
from treecore.data.dataset import split
from treecore.data.generators import generate
from treecore.viewer.messages.message import Stage
from treecore.viewer.messages.planes import feature_plane, principal_plane
from treecore.viewer.messages.status import Frame, Status
from treecore.viewer.messages.wire import pack, unpack
from ui.live.component import ASSETS
from ui.widgets.data.gallery import sample

BOX = [-2.0, 3.0, -1.0, 1.5]


def random_splits(rng, n_splits):
    """Split and children arrays of a tree of random shape."""
    split = rng.normal(size=(n_splits, 3)).astype("f4")
    if n_splits > 3:
        split[1, :2] = 0  # no weights at all: everything goes one way
        split[2, 0] = 0  # axis-aligned
    children = random_shape(rng, n_splits, max_depth=n_splits)
    return split, np.stack(children, axis=1).astype("i2")


def arrays_of_all_types():
    """What a message may hold: every type that is read in the browser, and shapes that are odd."""
    rng = np.random.default_rng(0)
    return {
        "points": rng.normal(size=(5, 2)).astype("f4"),
        "odd": np.arange(3, dtype="u1"),
        "wide": rng.normal(size=(2, 3)),
        "signed": np.array([[-7, 7]], dtype="i2"),
        "small": np.array([-128, 127], dtype="i1"),
        "short": np.array([65535], dtype="u2"),
        "none": np.empty((0, 3), dtype="f4"),
        "flags": np.array([True, False, True]),
        "turned": np.arange(6, dtype="i4").reshape(2, 3).T,
        "big_endian": np.array([1.5, -2.5], dtype=">f4"),
        "scalar": np.array(3, dtype="u4"),
    }


class _Quiet(http.server.SimpleHTTPRequestHandler):
    def log_message(self, *args):
        pass


@contextlib.contextmanager
def modules_served():
    """Serve the modules of the live view; gives the address."""
    server = http.server.ThreadingHTTPServer(
        ("127.0.0.1", 0), functools.partial(_Quiet, directory=ASSETS)
    )
    threading.Thread(target=server.serve_forever, daemon=True).start()
    try:
        yield f"http://127.0.0.1:{server.server_port}"
    finally:
        server.shutdown()
        server.server_close()


def message(run="a", state="running", first=0, last=3, now=0.0, n_splits=7):
    """A message with synthetic trees, numbered from first to last."""
    rng = np.random.default_rng(7)
    split, children = random_splits(rng, n_splits)
    n = 60
    meta = {
        "v": 3,
        "task": "classification",
        "run": run,
        "state": state,
        "message": "",
        "unit": "epoch",
        "n_epochs": 20,
        "epoch": float(last),
        "box": BOX,
        "axes": {"x": "x1", "y": "x2", "note": "", "regions": ""},
        "classes": ["a", "b", "<i>c</i>"],
        "features": ["x1", "x2"],
        "image": None,
        "glossary": {"bound": "What is above."},
        "frames": [{"n": i, "t": now + i / 60, "epoch": float(i)} for i in range(first, last + 1)],
        "shown": [n, n],
    }
    curves = np.linspace(0, 1, 8 * (last + 1)).reshape(-1, 8).astype("f4")
    curves[:, 3] = np.nan
    parts = {
        "points": rng.uniform(BOX[::2], BOX[1::2], size=(n, 2)).astype("f4"),
        "label": (np.arange(n) % 3).astype("u1"),
        "held": (np.arange(n) % 4 == 0).astype("u1"),
        "curves": curves,
        "feature": np.full(n_splits, -1, dtype="i4"),
        "threshold": split[:, 2],
        "norm": np.linalg.norm(split[:, :2], axis=1).astype("f4"),
        "weights": np.rint(np.clip(split[:, :2], -1, 1) * 127).astype("i1"),
        "weight_of": np.arange(n_splits, dtype="i4"),
        "counts": rng.integers(0, 9, size=(n_splits + 1, 3)).astype("u4"),
    }
    for i in range(last - first + 1):
        parts[f"f{i}.split"] = split + np.float32(0.01 * (first + i))
        parts[f"f{i}.children"] = children
        parts[f"f{i}.leaf"] = (np.arange(n_splits + 1) % 3).astype("u1")
        parts[f"f{i}.share"] = np.full(n_splits + 1, 200, dtype="u1")
        parts[f"f{i}.size"] = np.full(n_splits, 2, dtype="f4")
        parts[f"f{i}.reach"] = np.full(n_splits, 0.5, dtype="f4")
        parts[f"f{i}.at"] = np.zeros(n, dtype="u2")
        parts[f"f{i}.loss"] = np.full(n, 0.5, dtype="f4")
        parts[f"f{i}.bound"] = np.full(n, 0.75, dtype="f4")
    return meta, parts


MOUNT = """
async () => {
  const { default: live } = await import("/app/main.js");
  document.querySelectorAll(".host").forEach((host) => host.remove());
  const host = document.body.appendChild(document.createElement("div"));
  host.className = "host";
  const parentElement = host.attachShadow({ mode: "open" });
  window.send = (text) => {
    const data = text === null ? null : Uint8Array.from(atob(text), (c) => c.charCodeAt(0));
    window.leave = live({ parentElement, data, key: "k", name: "live" });
    window.root = parentElement.querySelector("[data-testid=live]");
  };
  window.unmount = () => { host.remove(); window.leave(); };
}
"""


def send(page, parts):
    text = None if parts is None else base64.b64encode(pack(*parts)).decode()
    page.evaluate("(text) => window.send(text)", text)


def sent(live, parts):
    """Send a run, and wait until its tree is drawn."""
    send(live, parts)
    live.wait_for_function("(name) => window.root.dataset.run === name", arg=parts[0]["run"])
    live.wait_for_function("() => window.root.dataset.frame !== ''")
    drawn(live)


def data(page):
    return page.evaluate("() => ({ ...window.root.dataset })")


# Real runs ------------------------------------------------------------------------------------


def run_of(train, held, plane, method="sgd", n_frames=12, **settings):
    """The messages of a short run and its last status, without a thread or a clock."""
    config = RunConfig(method, **settings)
    trainer = Trainer(config, train.X, train.y, validation=(held.X, held.y))
    stage = Stage(train, held, plane, config)
    frames, history, moment = [], [], 0.0
    while not trainer.finished:
        event = trainer.step()
        if event.complete:
            history.append(event)
            assigned = getattr(trainer.learner, "assigned", None)
            frames.append(Frame(len(frames), moment, event, trainer.model, assigned))
            moment += 0.02
    frames = frames[-n_frames:]
    counts = trainer.counts
    status = Status("paused", "", frames[-1].event, tuple(frames), tuple(history), counts)
    return stage, status, trainer


@functools.cache
def spirals(method="sgd"):
    train, held = split(generate("spirals", 300), 0.25, 0)
    return run_of(train, held, feature_plane(train, 0, 1), method, depth=5, epochs=12)


@functools.cache
def digits():
    train, held = split(sample("digits"), 0.5, 0)
    return run_of(train, held, principal_plane(train), depth=4, epochs=4)


def show(live, run, name="r"):
    """Send a real run's message; returns what it holds."""
    stage, status, _ = run
    entire = unpack(stage.message(status, name))
    sent(live, entire)
    return entire


def picture(live, panel):
    return live.locator(f".tc-{panel} canvas").screenshot()


def menu(live):
    """The view, with its menu open: what is seldom changed lies in that."""
    button = live.locator(".tc-view-button:visible").first
    if button.get_attribute("aria-expanded") == "false":
        button.click()
    return live
