"""One server and one browser for all browser tests of a process, and how tests open pages."""

import os

import pytest

from tests.helpers.browser import chromium_started, serving
from tests.helpers.liveview import MOUNT, modules_served
from tests.helpers.screen import Screen
from tests.helpers.wait import SECONDS


def pytest_collection_modifyitems(items):
    """All that lies here drives a browser."""
    for item in items:
        if item.path.is_relative_to(os.path.dirname(__file__)):
            item.add_marker(pytest.mark.browser)


@pytest.fixture(scope="session")
def folder(tmp_path_factory):
    """Where the served app keeps runs (``runs``) and sweeps (``sweeps``)."""
    return tmp_path_factory.mktemp("served")


@pytest.fixture(scope="session")
def served(folder):
    """The app, served for all tests; see :class:`tests.helpers.browser.Served`."""
    with serving(folder) as served:
        yield served


@pytest.fixture(scope="session")
def chromium():
    """The system's Chromium."""
    with chromium_started() as browser:
        yield browser


@pytest.fixture
def own_context(chromium):
    """``own_context(**options)`` is a browser that has kept nothing, closed in the end."""
    contexts = []

    def own_context(**options):
        contexts.append(chromium.new_context(**options))
        contexts[-1].set_default_timeout(1000 * SECONDS)
        return contexts[-1]

    yield own_context
    for context in contexts:
        context.close()


@pytest.fixture(scope="session")
def first_visitor(chromium, served):
    """The :class:`Screen` of the server's first visitor, who comes by a link to a page.

    It stays open: while there is a tab there is its process, which has compiled all scripts.
    """
    context = chromium.new_context()
    context.set_default_timeout(1000 * SECONDS)
    context.add_init_script("localStorage.clear()")  # what another visitor's page remembers
    screen = Screen(context.new_page())
    screen.page.goto(f"{served.address}/compare")
    yield screen
    context.close()


@pytest.fixture(scope="session")
def profile(first_visitor):
    """What all visitors' tabs share: the browser's cache and process."""
    return first_visitor.page.context


@pytest.fixture
def visit(profile, served):
    """``visit("train?depth=3", width=390)`` is a new visitor's :class:`Screen` of a page.

    ``media`` are settings of the visitor's system: ``color_scheme``, ``reduced_motion``.
    All that was opened is closed in the end, and none of it may have complained.
    """
    screens = []

    def visit(place="", width=1280, height=900, **media):
        screen = Screen(profile.new_page())
        screens.append(screen)
        screen.page.set_viewport_size({"width": width, "height": height})
        screen.page.emulate_media(**media)
        screen.page.goto(f"{served.address}/{place}")
        return screen

    yield visit
    for screen in screens:
        screen.page.close()
    assert [complaint for screen in screens for complaint in screen.complaints] == []


@pytest.fixture(scope="module")
def page(chromium):
    """A blank page that can import our modules."""
    with modules_served() as address:
        page = chromium.new_page(viewport={"width": 900, "height": 900})
        page.set_default_timeout(1000 * SECONDS)
        page.errors = []
        page.on("pageerror", lambda error: page.errors.append(str(error)))
        page.goto(f"{address}/app/wire.js")
        yield page
        page.close()


@pytest.fixture
def live(page):
    """That page with the live view in it, and no pointer on it."""
    page.set_viewport_size({"width": 900, "height": 900})
    page.mouse.move(2, 2)
    page.evaluate(MOUNT)
    del page.errors[:]
    yield page
    page.evaluate("() => window.unmount()")
    assert page.errors == []


@pytest.fixture
def from_disk(chromium, tmp_path):
    """``from_disk(html)`` is the page of a file, which must neither ask nor complain."""
    page = chromium.new_page(viewport={"width": 1300, "height": 1000}, color_scheme="dark")
    page.set_default_timeout(1000 * SECONDS)
    observed = []
    page.on("pageerror", lambda error: observed.append(str(error)))
    page.on(
        "request",
        lambda requested: (
            requested.url.startswith(("file:", "blob:", "data:")) or observed.append(requested.url)
        ),
    )

    def from_disk(html):
        (tmp_path / "run.html").write_text(html, "utf-8")
        page.goto((tmp_path / "run.html").as_uri())
        return page

    yield from_disk
    page.close()
    assert observed == []
