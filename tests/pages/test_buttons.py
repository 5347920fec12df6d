"""Every button of every page can be pressed: none ends in a red page."""

import pytest

from tests.helpers import harness

PAGES = {"home": {}, "learn": {"lesson": "1"}, "lab": {}, "inspect": {}, "library": {}}
TABS = {
    "inspect": (
        "tree_tab",
        ("Examples", "One example", "What would change it", "What it asks", "Pruning"),
    ),
    "library": ("library_tab", ("Runs", "Sweeps")),
}

VIEWS = [
    (page, state)
    for page in PAGES
    for state in ([{TABS[page][0]: tab} for tab in TABS[page][1]] if page in TABS else [{}])
]


def opened(page, state):
    return harness.opened(page, dict(state), **PAGES[page])


@pytest.mark.slow
@pytest.mark.parametrize(("page", "state"), VIEWS)
def test_every_button_can_be_pressed(page, state):
    app = opened(page, state)
    buttons = [button.key for button in app.button if not button.disabled]
    assert page != "lab" or {"why", "spread"} <= set(buttons)
    for key in buttons:
        app = opened(page, state)
        if key in [button.key for button in app.button if not button.disabled]:
            harness.press(app, key)
