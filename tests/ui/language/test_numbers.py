"""Numbers in the places of messages, and alone: 74.4 % in English is 74,4 % in German."""

import numpy as np
import pytest

from treecore.base.filled import Filled
from ui.language.translate import _, ngettext, separators, speaking, written

SPACE = "\u00a0"


@pytest.mark.parametrize(
    ("code", "expected"),
    [
        ("en", ["0.744", "74.4 %", "1,797", "−", "1.5", "+0.50", "0.744", "0.0 %", "−12.5"]),
        ("de", ["0,744", "74,4 %", "1.797", "−", "1,5", "+0,50", "0,744", "0,0 %", "−12,5"]),
    ],
)
def test_a_number_alone_is_written_as_the_language_has_it(code, expected):
    with speaking(code):
        found = [
            written(0.7444, ".3f"),
            written(np.float32(0.7444), ".1%"),
            written(1797, ","),
            written("−"),
            written(1.5),
            written(0.5, "+.2f"),
            written(np.float64(0.744), "g"),
            written(-0.0001, ".1%"),
            written(-12.5),
        ]
    assert found == [text.replace(" ", SPACE) for text in expected]


def test_so_are_those_in_messages_and_text_and_truth_stay():
    with speaking("de"):
        assert _("{a:.2f}{b}{c}", a=0.25, b=" v1.2 ", c=True) == "0,25 v1.2 True"
        assert ngettext("{n:,} leaf of {x:.1%}", "{n:,} leaves of {x:.1%}", 1200, x=0.5) == (
            f"1.200 leaves of 50,0{SPACE}%"
        )
        assert _(Filled("{a:.1f} of {b}", a=0.5, b="1.5")) == "0,5 of 1.5"
        assert separators() == ",."
    assert _(Filled("{a:.0%} of it", a=0.5)) == f"50{SPACE}% of it"
    assert separators() == ".,"
    template = "%{x} leaves: %{y:.1%}<extra></extra>"  # of a figure
    assert _(template) == template
