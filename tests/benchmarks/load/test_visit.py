"""The visitors of the load tool in the real app: it and Streamlit's protocol fit each other."""

import urllib.request

import pytest

from benchmarks.load.visitor import ENDLESS, OPEN_SECONDS, SPIRALS, Visitor
from tests.helpers.browser import serving
from tests.helpers.coroutines import run_coroutine
from ui.lab.link import read_comparison


@pytest.fixture(scope="module")
def address(tmp_path_factory):
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("TREECORE_METRICS", "local")
        with serving(tmp_path_factory.mktemp("served")) as served:
            yield served.address


def counted(address):
    """Events that the server has counted so far."""
    with urllib.request.urlopen(f"{address}/metrics") as answer:
        lines = answer.read().decode().splitlines()
    return {
        line.split('"')[1]: int(line.split()[-1])
        for line in lines
        if line.startswith("treecore_events_total")
    }


class PlaysOnce(Visitor):
    """Leaves when everything on the way has been seen once."""

    async def _use(self, until):
        assert await self._click("play", until)
        assert await self._client.until(lambda: self._live.n_pictures > 2, OPEN_SECONDS)
        assert self._live.state == "running"
        assert await self._click("pause", until)


@pytest.fixture(autouse=True)
def nothing_is_timed(monkeypatch):
    monkeypatch.setattr("benchmarks.load.visitor.ANSWER_SECONDS", OPEN_SECONDS)


def test_visitors_see_what_they_click_for(address):
    before, visitor = counted(address), PlaysOnce(address, 1)
    run_coroutine(visitor.visit(float("inf")))
    measured = visitor.measured
    assert measured.lost == ""
    assert (len(measured.opened), len(measured.answered), measured.n_unanswered) == ((1, 2, 0))
    assert measured.n_bytes > 1000
    after = counted(address)
    assert after["session_opened"] == before["session_opened"] + 1
    assert after["run_failed"] == 0


def test_who_comes_back_after_a_break_finds_the_run_playing(address):
    async def played():
        first, again = Visitor(address, 2), Visitor(address, 2)
        for visitor in (first, again):
            await visitor._client.open(first._client.session)
            assert await visitor._client.until(visitor._is_open, OPEN_SECONDS)
            if visitor is first:
                assert await first._click("play", float("inf"))
            before = visitor._live.n_pictures
            assert await visitor._client.until(
                lambda one=visitor, n=before: one._live.n_pictures > n, OPEN_SECONDS
            )
            await visitor._live.close()
            await visitor._client.close()
        return [next(iter(one._live.views.values())).meta for one in (first, again)]

    first, again = run_coroutine(played())
    assert again["run"] == first["run"]
    assert again["state"] == "running"
    assert again["epoch"] > first["epoch"]


def test_the_link_of_the_visitors_is_one_that_the_app_gives():
    given = SPIRALS.format(seed=3, epochs=ENDLESS)
    params = {name: [text] for name, text in (one.split("=") for one in given.split("&"))}
    del params["v"]  # which every page's link has, and read_link reads
    reading = read_comparison(params)
    assert (reading.problems, reading.remarks) == ([], [])
