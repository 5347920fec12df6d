"""Pages of the app in Streamlit's own harness: opened by a link, used, and left again."""

import functools
import json
import threading
from collections.abc import Callable
from weakref import WeakSet

import pytest
import streamlit as st
from streamlit.components.v2 import manifest_scanner
from streamlit.proto.WidgetStates_pb2 import WidgetStates
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Widget

from tests.helpers.paths import MAIN
from tests.helpers.wait import SECONDS, until
from treecore import RunConfig, warm_up
from treecore.viewer.messages.wire import unpack
from ui.jobs.session import held_values
from ui.live.channel import find_channel
from ui.live.train_session import VIEW
from ui.shell.router import page_file
from ui.widgets.data.gallery import UPLOAD


@pytest.fixture(scope="session", autouse=True)
def compiled():
    """The kernels, once a process: what a test waits for is never the compiler."""
    warm_up()
    warm_up(config=RunConfig("hinge-forest"))


@pytest.fixture(scope="session", autouse=True)
def components_known():
    """Whenever the harness opens a page, it looks through all installed packages: once will do."""
    found = functools.cache(manifest_scanner.scan_component_manifests)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(manifest_scanner, "scan_component_manifests", found)
        yield


@pytest.fixture(autouse=True)
def visit():
    """Whatever a test has begun for its visitor ends with it."""
    yield
    leave()


def opened(name: str, state: dict | None = None, **query) -> AppTest:
    """A page as a new visitor sees it who unfolds all settings, by the name of its file.

    ``state`` are entries of the session's state, all others parameters of the link.
    """
    leave()
    app = AppTest.from_file(MAIN, default_timeout=SECONDS)
    app.switch_page(page_file(name))
    app.query_params.update(query)
    return with_state(app, **{f"lab{n}_settings": True for n in range(3)} | (state or {}))


def one_tree(state: dict | None = None, **query) -> AppTest:
    """The Lab with one learner: SGD on spirals, where the link says nothing else."""
    usual = {} if "folder" in query else {"run": "sgd", "clock": "share"}
    if usual and "dataset" not in (state or {}):
        usual["data"] = "spirals"
    return opened("lab", state, **usual | query)


def leave() -> None:
    """End the visit: all that the server keeps is released, and every thread of a run ends.

    To Streamlit all visitors of this harness are one, whose session never ends by itself.
    """
    st.cache_resource.clear()
    held_values().close()
    try:
        until(lambda: not threads(), "for the end of the runs")
    except AssertionError:
        _LOST.update(threads())  # one test is to blame, not all that follow
        raise


def threads() -> list[threading.Thread]:
    """Those that learn something for a page."""
    alive = (one for one in threading.enumerate() if one not in _LOST)
    return [one for one in alive if one.name.startswith("treecore-")]


_LOST: WeakSet[threading.Thread] = WeakSet()


def run(app: AppTest) -> AppTest:
    """The page drawn again."""
    app.run()
    assert not app.exception, app.exception[0].message
    return app


def run_until(app: AppTest, condition: Callable, what: str = "") -> AppTest:
    """Draw the page again and again, as it does itself, until a condition holds.

    Then once more: what stands higher on the page was drawn before the condition held.
    """
    until(lambda: condition() or (run(app) and condition()), what, pause=0.1)
    return run(app)


def press(app: AppTest, key: str) -> AppTest:
    """The page after a click on a button."""
    app.button(key=key).click()
    return run(app)


def with_state(app: AppTest, **state) -> AppTest:
    """The page drawn again, with other values in the session's state."""
    for key, value in state.items():
        app.session_state[key] = value
    return run(app)


def browser_says(app: AppTest) -> WidgetStates:
    """What a browser would say of all widgets, to be :func:`heard_late`."""
    return app._tree.get_widget_states()


def heard_late(app: AppTest, said: WidgetStates) -> AppTest:
    """The page drawn again because of what a browser said before it had heard of the last runs, as
    when a view reports that its run has come to rest.
    """
    app._run(said)
    return run(app)


def upload(app: AppTest, content: bytes, name: str = "mine.csv") -> AppTest:
    """The page with a file of the visitor's own as its data."""
    with_state(app, dataset=UPLOAD)
    app.file_uploader(key="csv").upload(name, content, "text/csv")
    return run(app)


def with_kinds(app: AppTest, **kinds: str) -> AppTest:
    """The page after kinds were chosen for columns of the visitor's own table, in its dialog."""
    if not column_lists(app):
        press(app, "table_profile")
    (editor,) = column_lists(app)
    names = editor.value["column"].tolist()
    edits = {names.index(name): {"kind": kind} for name, kind in kinds.items()}
    said = browser_says(app)
    said.widgets.add(id=editor.proto.id, string_value=json.dumps({"edited_rows": edits}))
    return heard_late(app, said)


def own(app: AppTest, what: str) -> list[Widget]:
    """What sets this for the visitor's own table; where nothing does, an empty list."""
    return [one for one in widgets(app) if (one.key or "").startswith(f"{what}_")]


def choose_own(app: AppTest, what: str, value) -> AppTest:
    """The page after this was set for the visitor's own table."""
    (widget,) = own(app, what)
    widget.set_value(value)
    return run(app)


def column_lists(app: AppTest) -> list:
    """The list of columns of the visitor's own table, where its dialog is open."""
    return [found for found in app.dataframe if "kinds_" in found.proto.id]


def link(app: AppTest) -> dict:
    """The parameters of the page's link."""
    return dict(app.query_params)


def sent(app: AppTest, component: str) -> list:
    """Meta and arrays of what the components of that name have been sent last."""
    views = [view.proto for view in app.get("bidi_component")]
    return [unpack(v.bytes) for v in views if v.component_name == f"treecore.{component}"]


def taken_home(app: AppTest, key: str) -> tuple[str, bytes]:
    """Name and content of the file that a click on a button makes."""
    ((meta, arrays),) = sent(press(app, key), "save")
    return meta["name"], arrays["content"].tobytes()


def reported(app: AppTest, component: str = "") -> list[dict]:
    """What the page says to its components, those of that name or all, as JSON."""
    views = [view.proto for view in app.get("bidi_component")]
    named = [v for v in views if component in ("", v.component_name.removeprefix("treecore."))]
    found = [json.loads(v.json) for v in named if v.WhichOneof("data") == "json"]
    return [data for data in found if isinstance(data, dict)]


def places(app: AppTest, component: str = "") -> list[dict]:
    """The places of those that hear by a channel what is new."""
    return [data for data in reported(app, component) if "wire" in data]


def news(place: dict, have: dict | None = None):
    """Meta and arrays that a view is sent by its channel, which has this; None: nothing."""
    channel = find_channel(place["wire"].removeprefix("live/"))
    assert channel is not None, "the address leads nowhere"
    message = channel.answer({place["view"]: have or {}})
    if message is None:
        return None
    meta, arrays = unpack(message)
    start = f"{place['view']}/"
    return meta["views"][place["view"]], {k.removeprefix(start): v for k, v in arrays.items()}


def live(app: AppTest):
    """Meta and arrays that the live view shows, as one that is new would hear of it."""
    (place,) = places(app, "live")
    return news(place)


def command(app: AppTest, what: str, view: str = VIEW) -> AppTest:
    """The page after a click on one of a view's own buttons."""
    (place,) = [place for place in places(app) if place["view"] == view]
    meta, _ = news(place)
    channel = find_channel(place["wire"].removeprefix("live/"))
    channel.do(view, what, meta["commands"]["next"] if what == "step" else None)
    return run(app)


def finished(app: AppTest):
    """The message of the live view once its run has been played to its end."""
    choose(app, "speed", "Unlimited")
    command(app, "play")
    return state_reached(app, "finished")


def state_reached(app: AppTest, state: str):
    """The message of the live view once its run is paused, running, or whatever is asked for."""
    run_until(app, lambda: live(app)[0]["state"] == state, f"for a run that is {state}")
    return live(app)


def words(app: AppTest) -> str:
    """All that the page says in words of its own."""
    kinds = (app.markdown, app.info, app.warning, app.error, app.caption, app.success)
    return " ".join(element.value for kind in kinds for element in kind)


def keys(app: AppTest, *kinds: str) -> set:
    """The keys of all widgets of these kinds; see :func:`showing` for those without a revision."""
    return {unrevised(one.key) for kind in kinds for one in app.get(kind)}


def showing(app: AppTest, name: str) -> Widget:
    """The widget that shows a value of the session (``ui/widgets/owned.py``)."""
    (found,) = [one for one in widgets(app) if unrevised(one.key) == name]
    return found


def widgets(app: AppTest) -> list[Widget]:
    """All that a visitor can set."""
    return [one for one in app._tree if isinstance(one, Widget)]


def choose(app: AppTest, name: str, value) -> AppTest:
    """The page after a widget was given another value."""
    showing(app, name).set_value(value)
    return run(app)


def unrevised(key: str | None) -> str | None:
    """A widget's key without the revision that it has where the app changes its value."""
    return key and key.partition("#")[0]
