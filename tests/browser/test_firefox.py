"""A page that learns, in Firefox: the same kernels, the same weights.

Firefox is driven by Marionette on a plain socket, whose messages are a length, a colon and JSON:
https://firefox-source-docs.mozilla.org/testing/marionette/Protocol.html
"""

import contextlib
import json
import shutil
import socket
import subprocess

import numpy as np
import pytest

from tests.browser.test_live_page import CONFIG, FINISHED, ONE, learnt
from tests.helpers.wait import until
from treecore import Trainer
from treecore.data.generators import generate
from treecore.viewer.pages.page import page_html
from treecore.viewer.pages.recorded import record

PLAY = """[...document.querySelector('.run > div').shadowRoot.querySelectorAll('button')]
  .find((one) => one.textContent.includes('Play'))"""


@contextlib.contextmanager
def firefox(folder):
    """The system's Firefox with an empty profile; gives what sends it a command."""
    found = shutil.which("firefox-esr") or shutil.which("firefox")
    if found is None:
        pytest.skip("no Firefox on this machine; install Debian's package firefox-esr")
    (folder / "user.js").write_text('user_pref("marionette.port", 0);')
    command = [found, "--headless", "--no-remote", "--marionette", "--profile", folder]
    port = folder / "MarionetteActivePort"
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        try:
            until(lambda: port.is_file() and port.read_text(), "for Firefox")
            address = "127.0.0.1", int(port.read_text())
            with socket.create_connection(address) as wire, wire.makefile("rb") as stream:

                def heard():
                    length = b"".join(iter(lambda: stream.read(1).strip(b":"), b""))
                    return json.loads(stream.read(int(length)))

                def do(name, **values):
                    said = json.dumps([0, 1, f"WebDriver:{name}", values])
                    wire.sendall(f"{len(said)}:{said}".encode("ascii"))
                    _, _, error, answer = heard()
                    assert error is None
                    return answer

                heard()  # what it is
                do("NewSession", capabilities={"alwaysMatch": {}})
                yield do
        finally:
            process.terminate()


def test_it_learns_in_firefox_what_the_trainer_learns(tmp_path):
    train = generate("checkerboard", 200, 0.1, 0)
    run = record(Trainer(CONFIG, train.X, train.y), train, live=True)
    (tmp_path / "page.html").write_text(page_html("one", [run]), "utf-8")
    with firefox(tmp_path) as do:

        def evaluate(expression):
            return do("ExecuteScript", script=f"return {expression}", args=[])["value"]

        do("Navigate", url=(tmp_path / "page.html").as_uri())
        until(lambda: evaluate(f"!!globalThis.learnings && !!{ONE}.view.frame"), "for a tree")
        evaluate(f"void ({ONE}.pace = 4, {PLAY}.click())")
        until(lambda: evaluate(f"({FINISHED})()"), "for the last tree")
        found = evaluate(f"[...{ONE}.engine.array({ONE}.image.calls.picture[1][0][0])]")
        figures = np.array(evaluate(f"[...{ONE}.view.curves].slice(-8)"), dtype=float)
    trainer, event = learnt(CONFIG, train)
    np.testing.assert_allclose(found, trainer.learner.joint.W.reshape(-1), atol=1e-5)
    expected = [event.done, event.bound, event.loss, event.accuracy]
    np.testing.assert_allclose(figures[[0, 1, 2, 4]], expected, atol=1e-5)
