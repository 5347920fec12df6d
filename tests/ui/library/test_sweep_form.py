"""A sweep that was put together on the page, as a file."""

import tomllib

from tests.helpers.library import SMALL
from ui.library.sweep_form import as_toml


def test_a_sweep_as_text_is_the_same_sweep():
    assert tomllib.loads(as_toml(SMALL)) == SMALL
