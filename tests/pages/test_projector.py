"""The page for a projector: by a link, by the switch at the foot, on every page."""

import pytest

from tests.helpers.harness import choose, link, opened


def is_larger(app) -> bool:
    return any("html { zoom: 1.4 }" in one.proto.body for one in app.get("html"))


@pytest.mark.parametrize("page", ["home", "learn", "lab", "library"])
def test_a_link_or_the_switch_makes_the_page_larger_and_the_link_says_so_on(page):
    app = opened(page, projector="1")
    assert not app.warning
    for larger in (True, False, True):
        choose(app, "projector", larger)
        assert is_larger(app) == larger
        assert link(app).get("projector") == ("1" if larger else None)
