"""A session that is gone: its link makes the same runs again, and what it cannot carry is said."""

import pytest
from streamlit.testing.v1 import AppTest

from tests.helpers import harness
from tests.helpers.same import assert_same
from tests.helpers.wait import until
from ui.live import comparison, train_session
from ui.live.component import RENEWED

LINKS = {
    "one": {
        "data": "rings",
        "noise": "25",
        "seed": "11",
        "test": "30",
        "depth": "4",
        "run": "stable-sgd~nu~7.5~epochs~5",
        "weights": "balanced",
    },
    "two": {"data": "wine", "seed": "3", "depth": "3"},
}


@pytest.mark.parametrize("name", LINKS)
def test_a_run_that_is_lost_is_made_again_from_its_link(name, monkeypatch):
    module = train_session if name == "one" else comparison
    requested: list[tuple] = []
    make = module.new_trainer
    monkeypatch.setattr(module, "new_trainer", lambda *run: requested.append(run) or make(*run))

    def learnt():
        until(lambda: len(requested) == (1 if name == "one" else 2), "for the runs to begin")
        return [make(*run).run() for run in requested]

    app = harness.opened("lab", **LINKS[name])
    lost, link = learnt(), harness.link(app)
    requested.clear()
    harness.opened("lab", **link)  # another session, which knows the address alone
    again = learnt()
    for one, other in zip(again, lost):
        assert_same(one, other)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        ({"data": "upload", "file": "mine.csv"}, "uses data from mine.csv, which a link cannot"),
        ({"data": "drawn"}, "for drawn points but contains none"),
    ],
)
@pytest.mark.parametrize("page", ["lab", "inspect"])
def test_what_a_link_cannot_carry_is_asked_for_again(page, data, sentence):
    app = harness.opened(page, **data)
    assert any(sentence in note.value for note in app.info)
    assert not app.warning


def test_a_page_that_has_got_another_session_says_so_once():
    def framed():
        from ui.jobs.session import session_name
        from ui.live.component import history_keeper

        history_keeper(session_name(), "", "")

    app = AppTest.from_function(framed)
    app.session_state["renewed"] = True
    assert harness.run(app).toast[0].value == RENEWED
    assert not harness.run(app).toast
