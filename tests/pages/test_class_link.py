"""Links for a class: what they hide stays as they say, and what they say wrongly is told."""

from urllib.parse import parse_qs

import pytest

from tests.helpers import harness
from ui.shell.class_link import IN_SIDEBAR, OF_PAGE


def style(app):
    return " ".join(part.proto.body for part in app.get("html") if "group_" in part.proto.body)


@pytest.mark.parametrize("page", ["lab", "inspect"])
def test_a_link_hides_groups_and_keeps_their_values(page):
    app = harness.opened(page, data="moons", seed="7", hide="data,settings")
    assert not app.warning
    for name in OF_PAGE[page]:
        assert (f'group_{name}"' in style(app)) == (name in ("data", "settings"))
    assert 'group_class"' in style(app), "a class makes no links"
    assert harness.showing(app, "seed").value == 7
    assert app.session_state["dataset"] == "moons"
    assert app.query_params["hide"] == "data,settings"
    app.run()
    assert app.query_params["hide"] == "data,settings", "it stays"
    assert any("This link hides" in caption.value for caption in app.caption)
    assert ("stSidebar" in style(app)) == (IN_SIDEBAR[page] <= {"data", "settings"})


@pytest.mark.parametrize(
    ("page", "known"), [("lab", "data"), ("inspect", "map"), ("library", "start")]
)
def test_unknown_groups_are_told_in_one_line(page, known):
    app = harness.opened(page, hide=f"{known},furniture")
    (reported,) = app.warning
    assert "furniture" in reported.value
    assert app.query_params["hide"] == known


@pytest.mark.parametrize("page", ["lab", "inspect"])
def test_the_link_for_the_classroom_opens_what_it_promises(page):
    app = harness.opened(page, data="xor", seed="5")
    harness.with_state(app, **{f"class_link_{page}": True})  # the expander is opened
    (link,) = [code.value for code in app.code if "data=xor" in code.value]
    query = {name: v if len(v) > 1 else v[0] for name, v in parse_qs(link.split("?")[1]).items()}
    names = query["hide"].split(",")
    assert set(names) <= set(OF_PAGE[page])
    assert "data" in names
    other = harness.opened(page, **query)
    assert not other.warning
    assert harness.showing(other, "seed").value == 5
    assert other.query_params["hide"] == query["hide"]
    assert {n: v for n, v in harness.link(other).items() if n != "hide"} == harness.link(app)
